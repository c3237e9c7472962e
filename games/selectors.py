"""Questions about matches that several readers ask. It writes nothing and decides no access to hidden facts."""

from typing import Any

from django.core.cache import cache
from django.db.models import Prefetch, QuerySet

from games.models import Match, Seat


def seats_that_wait_for(user: Any) -> QuerySet[Seat]:
    """The seats in which this person must move, the most urgent first."""
    return Seat.objects.filter(user=user, waiting=True, level="", match__status=Match.Status.RUNNING).order_by(
        "deadline", "pk"
    )


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches with their seats and the people on them, in one more query for any number of matches."""
    return matches.prefetch_related(Prefetch("seats", queryset=Seat.objects.select_related("user")))


def find_match(key: str) -> Match:
    """A match with its creator, seats and people. Raises Match.DoesNotExist."""
    return with_seats(Match.objects.select_related("creator")).get(key=key)


def looking_key(user_id: int, key: str) -> str:
    """Where the cache keeps, for a little while, that a person has the page of a match before their eyes."""
    return f"looking.{user_id}.{key}"


def is_looking(user_id: int, key: str) -> bool:
    """Whether a person has the page of a match before their eyes: then there is no need to tell them what it shows."""
    return cache.get(looking_key(user_id, key)) is not None
