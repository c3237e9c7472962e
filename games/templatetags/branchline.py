"""Words and small pieces that templates of matches share. Not for anything that asks the database."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match, Seat
from games.rules.registry import GAMES
from games.words import option_label, option_value, title

register = template.Library()

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


@register.filter
def game_title(key: str) -> str:
    """The name of a game."""
    return title(key)


@register.filter
def options_in_words(match: Match) -> str:
    """What is special about a match: "Europe, Vexation"; empty when all options have their defaults."""
    words = []
    for option in GAMES[match.game].options:
        value = match.options.get(option.key, option.default)
        if value == option.default:
            continue
        words.append(
            option_label(match.game, option.key) if value is True else option_value(match.game, option.key, value)
        )
    return ", ".join(words)


@register.filter
def duration(seconds: float) -> str:
    """A length of time in one unit: "14 days", "8 hours", "5 minutes". static/js/times.js says the same.

    Days are rounded, so that a turn that has just begun has its "3 days"; hours and minutes are those that are sure.
    """
    if seconds >= 2 * DAY or seconds == DAY:
        days = round(seconds / DAY)
        return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}
    if seconds >= 2 * HOUR or seconds == HOUR:
        hours = int(seconds // HOUR)
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    if seconds >= MINUTE:
        minutes = int(seconds // MINUTE)
        return ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
    return _("less than a minute")


@register.filter
def time_left(deadline: datetime) -> str:
    """How long until a deadline, in words."""
    seconds = (deadline - timezone.now()).total_seconds()
    return duration(seconds) if seconds > 0 else _("no time")


@register.filter
def level_name(level: str) -> str:
    """What a level of computer opponents is called."""
    return {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}[level]


@register.filter
def seat_note(seat: Seat) -> str:
    """What has to be known of a seat besides its name: a computer's level, a resignation; empty for a person."""
    if seat.resigned and seat.level:
        return _("resigned, computer (%(level)s) plays on") % {"level": level_name(seat.level)}
    if seat.resigned:
        return _("resigned")
    if seat.level:
        return _("computer, %(level)s") % {"level": level_name(seat.level)}
    return ""
