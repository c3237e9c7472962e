"""The delivery of notices, and the sweep that finds those which were left."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games import nudges
from games.models import Invitation, Notice, Seat
from games.tasks.common import GRACE, retried, send

LEASE = timedelta(seconds=60)
"""How long a worker may take to deliver a notice before another one tries."""
BATCH = 200
"""Notices that a worker delivers at once."""


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


@retried
def sweep() -> None:
    """Delivers what was written by a process that died before it could say so."""
    if Notice.objects.filter(done__isnull=True, due__lt=timezone.now() - GRACE).exists():
        send("notices.deliver_notices")
