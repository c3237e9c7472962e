"""The house's moves and computer opponents, and the sweep that finds those which were lost."""

from django.utils import timezone

from games import play
from games.models import Match, Seat
from games.tasks.common import GRACE, postponed_if_it_fails, retried, send


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
def sweep() -> None:
    """Starts again whatever waits longer than it should: its message was lost, or its worker was killed."""
    before = timezone.now() - GRACE
    for key in Match.objects.filter(house_due__lt=before).values_list("key", flat=True)[:1000]:
        send("house.move_house", key)
    seats = Seat.objects.filter(opponent_due__lt=before, match__status=Match.Status.RUNNING)
    for key, index, decision in seats.values_list("match__key", "index", "decision")[:1000]:
        send("house.move_opponent", key, index, decision)
