"""Reading a match's record: how stored turns fold into states. It writes nothing; `games/play.py` does."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from games.models import Match, Turn
from games.rules.chance import Chance
from games.rules.contract import Game
from games.rules.registry import GAMES


@cache
def _decoder(key: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(GAMES[key].state_type)


def load_state(match: Match) -> Any:
    """The state of a match that has started, from its snapshot."""
    return _decoder(match.game).decode(match.snapshot)


def decode_moves(game: Game, moves: Any) -> list[Any]:
    """Moves from plain JSON values. Raises msgspec.ValidationError, whose message names the field (`$[0].line`)."""
    return msgspec.convert(moves, list[game.move_type])  # type: ignore[name-defined]


def start_state(match: Match) -> Any:
    """The state before the first turn of the record."""
    return GAMES[match.game].start(match.seats.count(), match.options, Chance(bytes(match.seed), 0))


def settle(match: Match, state: Any, number: int) -> Any:
    """The state after a house's move that the record has, or will have, as turn `number`."""
    return GAMES[match.game].settle(state, Chance(bytes(match.seed), number))


def replay(match: Match, upto: int | None = None) -> Iterator[tuple[Turn | None, Any]]:
    """The match from its start: (None, first state), then each turn with the state after it, up to turn `upto`."""
    game = GAMES[match.game]
    state = start_state(match)
    yield None, state
    turns = match.turns.all() if upto is None else match.turns.filter(number__lte=upto)
    for turn in turns:
        if turn.kind == Turn.Kind.HOUSE:
            state = settle(match, state, turn.number)
        elif turn.kind == Turn.Kind.TURN:
            for move in decode_moves(game, turn.moves)[: turn.played]:
                state = game.play(state, turn.seat, move)
        yield turn, state


def state_at(match: Match, number: int) -> Any:
    """The state after turn `number` (0: before the first)."""
    if number == match.version and match.snapshot is not None:
        return load_state(match)
    state = None
    for _turn, after in replay(match, number):
        state = after
    return state
