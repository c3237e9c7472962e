"""Work outside of requests: the house's moves, computer opponents, the delivery of notices, and the sweep.

Every task may be run twice, at once, late or never: each looks at the rows first, and the sweep starts again whatever
the rows say is still to be done. No rule of a game and no decision about a match is made here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import OperationalError, transaction
from django.utils import timezone

from config.celery import app
from games import nudges, play
from games.models import Invitation, Match, Notice, Seat

LEASE = timedelta(seconds=60)
"""How long a worker may take to deliver a notice before another one tries."""
BATCH = 200
"""Notices that a worker delivers at once."""
GRACE = timedelta(seconds=2)
"""How long the sweep leaves what is due to those who were nudged."""

# A database that is away for a moment; whatever outlasts this the sweep finds.
retried = shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)


@contextmanager
def postponed_if_it_fails(key: str) -> Iterator[None]:
    """A fault of ours in one match must not keep the workers from the others."""
    try:
        yield
    except OperationalError:
        raise
    except Exception:
        play.postpone(key)
        raise


@retried
def move_house(key: str) -> None:
    """Makes the house's moves of a match until somebody else must move."""
    with postponed_if_it_fails(key):
        while play.settle_match(key):
            pass


@retried
def move_opponent(key: str, index: int, decision: int) -> None:
    """Takes the turn of a computer opponent."""
    with postponed_if_it_fails(key):
        play.move_opponent(key, index, decision)


@retried
def deliver_notices() -> None:
    """Delivers whatever is due, in batches: a task that comes after a busy one finds its work done."""
    while notices := _claim_notices():
        nudges.waiting_changed({notice.user_id for notice in _still_true(notices)})
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(done=timezone.now())


@transaction.atomic
def _claim_notices() -> list[Notice]:
    """Due notices that no other worker delivers. Should this one die, they are due again when its lease is over."""
    now = timezone.now()
    due = Notice.objects.filter(done__isnull=True, due__lte=now).order_by("due")
    notices = list(due.select_for_update(skip_locked=True)[:BATCH])
    if notices:
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(due=now + LEASE)
    return notices


def _still_true(notices: list[Notice]) -> list[Notice]:
    """Those that are not about a turn which was taken, or an invitation that was withdrawn or answered, meanwhile."""
    matches = {notice.match_id for notice in notices}
    seats = Seat.objects.filter(match__in=matches, waiting=True)
    waiting = set(seats.values_list("match", "user", "decision"))
    invited = set(Invitation.objects.filter(match__in=matches).values_list("match", "user"))

    def is_true(notice: Notice) -> bool:
        match notice.kind:
            case Notice.Kind.YOUR_TURN:
                return (notice.match_id, notice.user_id, notice.decision) in waiting
            case Notice.Kind.INVITED:
                return (notice.match_id, notice.user_id) in invited
        return True

    return [notice for notice in notices if is_true(notice)]


@shared_task
def sweep() -> None:
    """Starts again whatever waits longer than it should: its message was lost, or its worker was killed.

    What it sends expires before the next sweep, so that a backlog does not grow by being looked at.
    """
    before = timezone.now() - GRACE

    def send(task: str, *arguments: Any) -> None:
        app.send_task(f"games.tasks.{task}", arguments, expires=settings.SWEEP_SECONDS)

    for key in Match.objects.filter(house_due__lt=before).values_list("key", flat=True)[:1000]:
        send("move_house", key)
    seats = Seat.objects.filter(opponent_due__lt=before, match__status=Match.Status.RUNNING)
    for key, index, decision in seats.values_list("match__key", "index", "decision")[:1000]:
        send("move_opponent", key, index, decision)
    if Notice.objects.filter(done__isnull=True, due__lt=before).exists():
        send("deliver_notices")
