"""Matches that are over, as rows alone: ratings ask for ranks and not for how they came about."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Match, Replaced, Seat
from tests.matches import GAME


def ended_match(
    *people: Any, ranks: Sequence[int] = (), gone: Sequence[int] = (), game: str = GAME, **fields: Any
) -> Match:
    """A rated match of these people that is over and waits for its ratings.

    ranks: by seat; without them the seats rank as they sit. gone: seats whose people were replaced by an opponent.
    """
    now = timezone.now() - timedelta(minutes=1)
    facts = {"status": Match.Status.OVER, "rated": True, "started": now, "ended": now, "rating_due": now} | fields
    match = Match.objects.create(
        game=game, revision=1, options={}, seed=bytes(32), seats_wanted=len(people), pace=3600, **facts
    )
    for index, user in enumerate(people):
        rank = ranks[index] if ranks else index + 1
        seat = Seat.objects.create(match=match, index=index, user=user, name=user.username, rank=rank, points=13 - rank)
        if index in gone:
            leave(seat)
    return match


def leave(seat: Seat) -> None:
    """An opponent plays the seat on for its person."""
    Replaced.objects.create(match=seat.match, index=seat.index, user=seat.user, name=seat.name)
    seat.level, seat.resigned = "medium", True
    seat.save()
