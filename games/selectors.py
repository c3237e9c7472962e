"""Questions about matches that several readers ask. It writes nothing and decides no access to hidden facts."""

from typing import Any

from django.db.models import QuerySet

from games.models import Match, Seat


def seats_that_wait_for(user: Any) -> QuerySet[Seat]:
    """The seats in which this person must move, the most urgent first."""
    return Seat.objects.filter(user=user, waiting=True, level="", match__status=Match.Status.RUNNING).order_by(
        "deadline", "pk"
    )
