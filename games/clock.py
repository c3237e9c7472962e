"""The clock of a seat: how much time a turn has, and what runs, stands and begins again. Pure reckoning.

It works on Match and Seat objects in memory, asks no database and stores nothing; `games/play.py` does, under the
match's lock. A clock runs while `deadline` is set. It stands while the match is paused or the seat's person is away,
and `time_left` then keeps what it showed. With a bank (`match.bank`), `time_left` also keeps what is in it between
turns, and `match.pace` is what each turn puts back. No clock runs for a seat that a computer opponent plays.
"""

import math
from datetime import datetime, timedelta

from games.models import Match, Seat

HOUR, DAY = 60 * 60, 24 * 60 * 60
LITTLE = 0.2
"""The share of the time given for a turn that is left when its person is reminded."""
SECOND_CHANCE = DAY
"""Seconds that a bank which ran out holds for the next turn at least, or all of it where that is less: whoever was
played for once must be able to come back before the seat is lost."""

FIELDS = ("deadline", "time_left", "remind_at")
"""What these functions change of a seat."""


def stands(match: Match, seat: Seat) -> bool:
    """Whether nobody's time is running out there, by consent or for a vacation."""
    return match.paused is not None or seat.away_until is not None


def begin_turn(match: Match, seat: Seat, now: datetime) -> None:
    """The match waits for the seat from now on."""
    if seat.level:
        seat.deadline = seat.time_left = seat.remind_at = None
    elif match.bank:
        _show(match, seat, match.bank if seat.time_left is None else seat.time_left, now)
    else:
        _show(match, seat, match.pace, now)


def end_turn(match: Match, seat: Seat, now: datetime) -> None:
    """The match waits for the seat no longer."""
    left = time_left(seat, now)
    seat.deadline = seat.time_left = seat.remind_at = None
    if match.bank and left is not None:
        least = SECOND_CHANCE if left == 0 else 0
        seat.time_left = min(match.bank, max(left + match.pace, least))


def stop(seat: Seat, now: datetime) -> None:
    """The clock stands from now on, if it runs."""
    if seat.deadline is not None:
        seat.time_left = time_left(seat, now)
        seat.deadline = seat.remind_at = None


def go_on(match: Match, seat: Seat, now: datetime) -> None:
    """The clock runs again with what was left, if the seat is waited for and nothing else holds it."""
    if seat.waiting and not seat.level and seat.deadline is None and seat.time_left is not None:
        _show(match, seat, seat.time_left, now)


def time_left(seat: Seat, now: datetime) -> int | None:
    """Whole seconds that the clock shows, begun ones counted; None where there is none."""
    if seat.deadline is None:
        return seat.time_left
    return max(0, math.ceil((seat.deadline - now).total_seconds()))


def is_late(seat: Seat, moment: datetime) -> bool:
    """Whether a turn that arrives then is not in time."""
    if seat.deadline is None:
        return seat.time_left == 0
    return moment > seat.deadline


def is_out_of_time(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether the turn may be played for the seat, because its person let the time run out."""
    return (
        seat.waiting
        and not seat.level
        and seat.deadline is not None
        and seat.deadline <= now
        and not stands(match, seat)
    )


def _show(match: Match, seat: Seat, seconds: int, now: datetime) -> None:
    """Sets the clock, running or standing."""
    seat.deadline = seat.remind_at = None
    if stands(match, seat):
        seat.time_left = seconds
        return
    seat.time_left = None
    seat.deadline = now + timedelta(seconds=seconds)
    # What a turn is given is not kept while its clock stands: a bank that goes on reminds by what is left of it.
    little = timedelta(seconds=LITTLE * (seconds if match.bank else match.pace))
    seat.remind_at = max(now, seat.deadline - little)
