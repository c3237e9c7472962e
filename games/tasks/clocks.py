"""Clocks: the turns and seats of those whose time ran out, and the sweep that looks at all clocks.

Nothing here is timed by a message: the sweep reads due times from the rows, so a clock that nobody watched for an hour
is late by an hour and no more. What a time-out means is the table's to say (`games/play.py`).
"""

from django.core.cache import cache
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts import vacations
from accounts.models import Vacation
from games import nudges, play
from games.models import Match, Notice, Seat
from games.selectors import who_is_looking
from games.tasks.common import GRACE, retried, send

AT_ONCE = 1000
"""Rows of each kind that one sweep takes up; the next one goes on, the longest due first."""
CLOSED_AT_ONCE = 100


@retried
def play_for(key: str, index: int, decision: int) -> None:
    """Takes the turn, or the seat, of somebody whose time ran out. An opponent thinks for it, so that it is no task for
    the house's worker; and not in the queue of the opponents, behind whom it would expire."""
    try:
        play.time_out(key, index, decision)
    except Exception:
        # A deadline is never moved for a fault of ours; the sweep passes the match over for a while instead.
        cache.set(_failed_key(key), True, play.POSTPONED_BY.total_seconds())
        raise


@retried
def sweep() -> None:
    """Does what clocks ask for. Two at once do no harm: each step looks at the rows again, or writes what is there."""
    time_out_late_seats()
    remind()
    vacations.finish_vacations()
    follow_vacations()
    close_unfilled_matches()


def time_out_late_seats() -> None:
    """Starts a task for each seat whose time is over. What was in time but met a busy server has a moment to arrive."""
    late = Seat.objects.filter(deadline__lt=timezone.now() - GRACE).order_by("deadline")
    found = list(late.values_list("match__key", "index", "decision")[:AT_ONCE])
    failed = cache.get_many([_failed_key(key) for key, _index, _decision in found]) if found else {}
    for key, index, decision in found:
        if _failed_key(key) not in failed:
            send("clocks.play_for", key, index, decision)


def remind() -> None:
    """Writes the reminders that are due. Who has the match before their eyes gets one when they look away."""
    now = timezone.now()
    due = Seat.objects.filter(remind_at__lte=now).order_by("remind_at")
    seats = list(due.values_list("pk", "user", "match", "match__key", "decision")[:AT_ONCE])
    if not seats:
        return
    looking = who_is_looking({(user, key) for _seat, user, _match, key, _decision in seats})
    seats = [row for row in seats if (row[1], row[3]) not in looking]
    # The notices first: a process that dies in between writes them again, which the unique constraint passes over.
    Notice.objects.bulk_create(
        [
            Notice(user_id=user, match_id=match, kind=Notice.Kind.REMINDER, decision=decision, created=now, due=now)
            for _seat, user, match, _key, decision in seats
            if user is not None
        ],
        ignore_conflicts=True,
    )
    # A seat whose turn was taken meanwhile has another time by now, or none.
    Seat.objects.filter(pk__in=[seat for seat, *_rest in seats], remind_at__lte=now).update(remind_at=None)
    nudges.notices_are_due()


def follow_vacations() -> None:
    """Lets the clocks stand of people whose vacation began in a moment in which they sat down, or a worker died."""
    missed = (
        Seat.objects.filter(user=OuterRef("user"), level="")
        .filter(match__status__in=[Match.Status.OPEN, Match.Status.RUNNING])
        .exclude(away_until=OuterRef("until"))
    )
    running = Vacation.objects.filter(Exists(missed), ended=None, until__gt=timezone.now())
    for vacation in running.select_related("user")[:AT_ONCE]:
        play.follow_vacation(vacation.user)


def close_unfilled_matches() -> None:
    """Calls off matches that nobody joined for long."""
    before = timezone.now() - play.OPEN_FOR
    # `created` is what the index has, and never later.
    waiting = Match.objects.filter(status=Match.Status.OPEN, created__lte=before, joined__lte=before)
    for key in waiting.order_by("created").values_list("key", flat=True)[:CLOSED_AT_ONCE]:
        play.close_unfilled_match(key)


def _failed_key(key: str) -> str:
    return f"clock-failed.{key}"
