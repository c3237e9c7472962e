"""Questions about matches that several readers ask. It writes nothing and decides no access to hidden facts."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.core.cache import cache
from django.db.models import Prefetch, QuerySet

from games.models import Match, Replaced, Seat

MATURE_TURNS = 10
"""Of whoever has had fewer turns so far nobody can say how reliable they are."""


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


def who_is_looking(pairs: Collection[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of the (person, key of a match) of whom `is_looking` holds."""
    found = cache.get_many([looking_key(user, key) for user, key in pairs]) if pairs else {}
    return {(user, key) for user, key in pairs if looking_key(user, key) in found}


def reliability(user_id: int) -> int | None:
    """How many of a person's turns were taken in time, in whole per cent; None for too few turns to say."""
    return reliabilities([user_id]).get(user_id)


def reliabilities(user_ids: Collection[int]) -> dict[int, int]:
    """The same for several people at once, in two queries; those with too few turns are left out."""
    turns, late = Counter[int](), Counter[int]()
    facts = ("user_id", "own_turns", "late_turns")
    for rows in (
        Seat.objects.filter(user__in=user_ids, own_turns__gt=0).values_list(*facts),
        Replaced.objects.filter(user__in=user_ids, own_turns__gt=0).values_list(*facts),
    ):
        for user, own, missed in rows:
            turns[user] += own
            late[user] += missed
    return {user: 100 * (own - late[user]) // own for user, own in turns.items() if own >= MATURE_TURNS}
