"""Work outside of requests: the house's moves, computer opponents, the delivery of notices, and the sweep.

Every task may be run twice, at once, late or never: each looks at the rows first, and the sweep starts again whatever
the rows say is still to be done. No rule of a game and no decision about a match is made here.
"""

import logging
from datetime import timedelta

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from config.celery import app
from games import nudges, play
from games.models import Match, Notice, Seat

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""How long a worker may take to deliver a notice before another one tries."""
GRACE = timedelta(seconds=2)
"""How long the sweep leaves what is due to those who were nudged."""

_retry = {"autoretry_for": (OperationalError,), "retry_backoff": True, "max_retries": 5}


@shared_task(**_retry)
def move_house(key: str) -> None:
    """Makes the house's moves of a match until somebody else must move."""
    while play.settle_match(key):
        pass


@shared_task(**_retry)
def move_opponent(key: str, index: int, decision: int) -> None:
    """Takes the turn of a computer opponent."""
    play.move_opponent(key, index, decision)


@shared_task(**_retry)
def deliver_notices(key: str | None = None) -> None:
    """Delivers what is due, of one match or of all."""
    due = Notice.objects.filter(done__isnull=True, due__lte=timezone.now())
    if key is not None:
        due = due.filter(match__key=key)
    for notice in due.select_related("match").order_by("due")[:500]:
        # Claimed by whoever moves the due time on first; should that worker die, the notice is due again later.
        claimed = Notice.objects.filter(pk=notice.pk, done__isnull=True, due=notice.due)
        if claimed.update(due=timezone.now() + LEASE):
            _deliver(notice)
            Notice.objects.filter(pk=notice.pk).update(done=timezone.now())


def _deliver(notice: Notice) -> None:
    """Tells the person, unless it is no longer true."""
    if notice.kind == Notice.Kind.YOUR_TURN:
        open_still = Seat.objects.filter(
            match=notice.match_id, user=notice.user_id, waiting=True, decision=notice.decision
        )
        if not open_still.exists():
            return
    nudges.waiting_changed([notice.user_id])


@shared_task
def sweep() -> None:
    """Starts again whatever waits longer than it should: its message was lost, or its worker was killed."""
    before = timezone.now() - GRACE
    for key in Match.objects.filter(house_due__lt=before).values_list("key", flat=True)[:1000]:
        app.send_task("games.tasks.move_house", [key])
    seats = Seat.objects.filter(opponent_due__lt=before, match__status=Match.Status.RUNNING)
    for key, index, decision in seats.values_list("match__key", "index", "decision")[:1000]:
        app.send_task("games.tasks.move_opponent", [key, index, decision])
    if Notice.objects.filter(done__isnull=True, due__lt=before).exists():
        app.send_task("games.tasks.deliver_notices")
