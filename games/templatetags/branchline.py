"""Words and small pieces that templates of matches share. Not for anything that asks the database."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

from games.clock import LITTLE
from games.models import Match, Seat
from games.words import about, terms, title
from games.words.terms import DAY, HOUR, MINUTE

register = template.Library()


@register.filter
def game_title(key: str) -> str:
    """The name of a game."""
    return title(key)


@register.filter
def game_about(key: str) -> str:
    """The game in one sentence."""
    return about(key)


@register.filter
def options_in_words(match: Match) -> str:
    """What is special about a match: "Europe, Vexation"; empty when all options have their defaults."""
    return terms.variants(match.game, match.options)


@register.filter
def all_options_in_words(match: Match) -> str:
    """The same for who does not know the defaults: "Board: America"."""
    return terms.all_options(match.game, match.options)


@register.filter
def pace_in_words(match: Match) -> str:
    """How fast a match goes: "3 days a turn", "bank of 7 days, 8 hours more each turn"."""
    return terms.pace(match.pace, match.bank)


@register.filter
def clock(seconds: float) -> str:
    """What a clock shows: "2 days 3 hours", "5 hours 12 minutes", and in the last hour "12 minutes 05 seconds".

    static/js/times.js says the same.
    """
    return _read_out(seconds, terms.in_full)


@register.filter
def short_clock(seconds: float) -> str:
    """The same where there is little room: "2d 3h", "5h 12m", "12m 05s"."""
    return _read_out(seconds, _in_short)


def _read_out(seconds: float, say: Callable[[str, int], str]) -> str:
    if seconds <= 0:
        return _("time is up")
    first, *second = [say(unit, number) for unit, number in _on_a_clock(seconds)]
    # Translators: a length of time in two units, as in "2 days 3 hours".
    return _("%(larger)s %(smaller)s") % {"larger": first, "smaller": second[0]} if second else first


def _on_a_clock(seconds: float) -> list[tuple[str, int]]:
    """One or two units and their numbers. What is left out is rounded, so that a turn that has just begun has its whole
    time; the last hour is told to the second."""
    if seconds >= DAY - MINUTE / 2:
        days, hours = divmod(round(seconds / HOUR), 24)
        shown = [("day", days), ("hour", hours)]
    elif seconds >= HOUR - 1:
        hours, minutes = divmod(round(seconds / MINUTE), 60)
        shown = [("hour", hours), ("minute", minutes)]
    else:
        minutes, rest = divmod(int(seconds), MINUTE)
        return [("minute", minutes), ("second", rest)] if minutes else [("second", rest)]
    return [(unit, number) for unit, number in shown if number]


def _in_short(unit: str, number: int) -> str:
    # Translators: days, hours, minutes and seconds, as short as can be.
    words = {
        "day": _("%(number)dd"),
        "hour": _("%(number)dh"),
        "minute": _("%(number)dm"),
        "second": _("%(number)02ds"),
    }
    return words[unit] % {"number": number}


@register.filter
def time_left(deadline: datetime) -> str:
    """How long until a deadline, as a clock shows it."""
    return clock((deadline - timezone.now()).total_seconds())


@register.filter
def short_time_left(deadline: datetime) -> str:
    return short_clock((deadline - timezone.now()).total_seconds())


@register.filter
def little_from(seat: Seat, match: Match) -> datetime | None:
    """From when on there is little time for a turn, about when its person is reminded; None while no clock runs."""
    if seat.deadline is None:
        return None
    if match.bank:
        return seat.remind_at or timezone.now()  # empty once the reminder has gone out
    return seat.deadline - timedelta(seconds=LITTLE * match.pace)


@register.filter
def is_past(moment: datetime | None) -> bool:
    return moment is not None and moment <= timezone.now()


@register.filter
def level_name(level: str) -> str:
    """What a level of computer opponents is called."""
    return {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}[level]


@register.filter
def seat_note(seat: Seat) -> str:
    """What has to be known of a seat besides its name: a computer's level, a resignation; empty for a person."""
    if seat.resigned and seat.level and seat.timeouts:
        return _("ran out of time, %(level)s computer plays on") % {"level": level_name(seat.level)}
    if seat.resigned and seat.level:
        return _("resigned, %(level)s computer plays on") % {"level": level_name(seat.level)}
    if seat.resigned:
        return _("resigned")
    if seat.level:
        return _("computer, %(level)s") % {"level": level_name(seat.level)}
    return ""
