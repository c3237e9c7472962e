"""Matches of the tests, brought to where a test begins without workers: the house moves when it is told to."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games import play, record
from games.models import Match, Seat
from games.rules.chance import Chance
from games.rules.registry import GAMES

GAME = "trans-america"


def new_match(*people: Any, game: str = GAME, opponents: Sequence[str] = (), **fields: Any) -> Match:
    """A running match of these people and opponents, dealt and waiting for its first turn."""
    match = play.create_match(people[0], game, seats=len(people) + len(opponents), opponents=opponents, **fields)
    for user in people[1:]:
        play.join_match(match.key, user)
    return settled(match)


def settled(match: Match) -> Match:
    """The same match, fresh, after all moves of the house that were due."""
    while play.settle_match(match.key):
        pass
    return Match.objects.get(pk=match.pk)


def laying_match(*people: Any) -> Match:
    """A match of these people in which one is to lay: all have started in the plains, where most lines are single."""
    match = new_match(*people)
    for junction in ("7-9", "8-10", "6-9", "7-11", "8-12", "6-10")[: len(people)]:
        seat = mover(match)
        play.take_turn(match.key, seat.user, seat.decision, [{"type": "place", "junction": junction}])
    return Match.objects.get(pk=match.pk)


def mover(match: Match) -> Seat:
    """The seat that the match waits for."""
    return match.seats.select_related("user").get(waiting=True)


def some_turn(match: Match, seat: Seat, level: str = "easy") -> list[dict[str, Any]]:
    """A whole legal turn for a seat, as a client would send it; the same one for the same match and level."""
    game = GAMES[match.game]
    view = game.view(record.load_state(match), seat.index)
    return msgspec.to_builtins(list(game.think(view, level, Chance(bytes(32), match.version))))


def take_some_turn(match: Match, level: str = "easy") -> Match:
    """The match after the seat that is waited for has taken a legal turn, and the house has done its part."""
    return settled(_some_turn_taken(match, mover(match), level))


def play_out(match: Match, level: str = "easy") -> Match:
    """The match at its end."""
    match = settled(match)
    people = {seat.index: seat.user for seat in match.seats.select_related("user")}
    while match.status == Match.Status.RUNNING:
        # Who was just locked and stored is as fresh as who is read again: of some hundred turns that is half the time.
        seat = next(seat for seat in match.seats.all() if seat.waiting)
        seat.user = people[seat.index]
        match = _some_turn_taken(match, seat, level)
        if match.house_due is not None:
            match = settled(match)
    return Match.objects.get(pk=match.pk)


def _some_turn_taken(match: Match, seat: Seat, level: str) -> Match:
    """The match as it is stored with a legal turn of this seat, which it waits for."""
    if seat.level:
        turn = play.move_opponent(match.key, seat.index, seat.decision)
        assert turn is not None
    else:
        turn = play.take_turn(match.key, seat.user, seat.decision, some_turn(match, seat, level))
    return turn.match
