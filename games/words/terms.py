"""The terms of a match in words: how fast it goes and which variants are played. Clocks that run are not said here."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.contract import Option, OptionValue
from games.rules.registry import GAMES
from games.words import option_label, option_value

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


def duration(seconds: float) -> str:
    """A length of time in one unit: "14 days", "8 hours", "5 minutes"."""
    if seconds >= 2 * DAY or seconds == DAY:
        return in_full("day", round(seconds / DAY))
    if seconds >= 2 * HOUR or seconds == HOUR:
        return in_full("hour", int(seconds // HOUR))
    if seconds >= MINUTE:
        return in_full("minute", int(seconds // MINUTE))
    return _("less than a minute")


def in_full(unit: str, number: int) -> str:
    """So many days, hours, minutes or seconds."""
    words = {
        "day": ngettext("%(number)d day", "%(number)d days", number),
        "hour": ngettext("%(number)d hour", "%(number)d hours", number),
        "minute": ngettext("%(number)d minute", "%(number)d minutes", number),
        "second": ngettext("%(number)02d second", "%(number)02d seconds", number),
    }
    return words[unit] % {"number": number}


def pace(pace: int, bank: int) -> str:
    """How fast a match goes: "3 days a turn", "bank of 7 days, 8 hours more each turn". Both in seconds."""
    if not bank:
        return _("%(time)s a turn") % {"time": duration(pace)}
    if not pace:
        return _("bank of %(time)s") % {"time": duration(bank)}
    return _("bank of %(time)s, %(more)s more each turn") % {"time": duration(bank), "more": duration(pace)}


def variants(game_key: str, options: Mapping[str, OptionValue]) -> str:
    """What is special about a match: "Europe, Vexation"; empty when all options have their defaults."""
    chosen = _chosen(game_key, options)
    return ", ".join(_words(game_key, option.key, value) for option, value in chosen if value != option.default)


def all_options(game_key: str, options: Mapping[str, OptionValue]) -> str:
    """The same for who does not know the defaults: "Board: America", "Board: Europe, Vexation"."""
    words = []
    for option, value in _chosen(game_key, options):
        said = _words(game_key, option.key, value)
        if value is True:
            words.append(said)
        elif value is not False:
            # Translators: an option of a match and what was chosen for it, as in "Board: Europe".
            words.append(_("%(option)s: %(value)s") % {"option": option_label(game_key, option.key), "value": said})
    return ", ".join(words)


def _chosen(game_key: str, options: Mapping[str, OptionValue]) -> list[tuple[Option, OptionValue]]:
    return [(option, options.get(option.key, option.default)) for option in GAMES[game_key].options]


def _words(game_key: str, key: str, value: OptionValue) -> str:
    return option_label(game_key, key) if value is True else option_value(game_key, key, value)
