"""Questions about matches that several readers ask. It writes nothing and decides no access to hidden facts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.core.cache import cache
from django.db.models import Prefetch, QuerySet

from games.models import Match, Replaced, Seat, Turn

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


def names_then(match: Match, replaced: Iterable[Replaced] | None = None) -> Callable[[int], list[str]]:
    """What the seats were called at an entry of the record: those that were taken over had other people before.

    `match` with its seats; replaced: all of the match in their order, where the caller has them. Asks once for them
    and, only where a seat changed hands, once more.
    """
    now = [seat.name for seat in match.seats.all()]
    before: dict[int, list[str]] = defaultdict(list)
    for each in match.replaced.order_by("pk") if replaced is None else replaced:
        before[each.index].append(each.name)
    taken: dict[int, list[int]] = defaultdict(list)
    if before:
        for seat, number in match.turns.filter(kind=Turn.Kind.TAKE_OVER).values_list("seat", "number"):
            taken[seat or 0].append(number)

    def names(entry: int) -> list[str]:
        then = list(now)
        for seat, numbers in taken.items():
            later = sum(number > entry for number in numbers)  # how often the seat has changed hands since
            if later:
                then[seat] = before[seat][len(numbers) - later]
        return then

    return names
