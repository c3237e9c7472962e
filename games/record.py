"""Reading a match's record: how stored turns fold into states. It writes nothing; `games/play.py` does."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol

import msgspec

from games.models import Match, Turn
from games.rules.chance import Chance, commitment
from games.rules.contract import Game, IllegalMove, encode
from games.rules.registry import GAMES


class Entry(Protocol):
    """One entry of a record: a stored Turn, or a line of a downloaded record."""

    number: int
    kind: str
    seat: int | None
    moves: Any
    played: int


class DownloadedTurn(msgspec.Struct):
    """An entry as the API writes it."""

    number: int
    kind: str
    seat: int | None
    decision: int | None
    moves: list[Any]
    played: int
    created: str


class DownloadedRecord(msgspec.Struct):
    """A whole record as the API writes it."""

    key: str
    game: str
    revision: int
    options: dict[str, Any]
    players: list[str]
    seed: str
    seed_sha256: str
    turns: list[DownloadedTurn]


@cache
def _decoder(key: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(GAMES[key].state_type)


def load_state(match: Match) -> Any:
    """The state of a match that has started, from its snapshot."""
    assert match.snapshot is not None
    return _decoder(match.game).decode(bytes(match.snapshot))


def decode_moves(game: Game, moves: Any) -> list[Any]:
    """Moves from plain JSON values. Raises msgspec.ValidationError, whose message names the field (`$[0].line`)."""
    return msgspec.convert(moves, list[game.move_type])  # type: ignore[name-defined]


def start_state(game: Game, seats: int, options: Mapping[str, Any], seed: bytes) -> Any:
    """The state before the first entry of a record."""
    return game.start(seats, options, Chance(seed, 0))


def settle(game: Game, state: Any, seed: bytes, number: int) -> Any:
    """The state after a move of the house that is, or will be, entry `number` of the record."""
    return game.settle(state, Chance(seed, number))


def fold(
    game: Game, seats: int, options: Mapping[str, Any], seed: bytes, entries: Iterable[Entry]
) -> Iterator[tuple[Entry | None, Any]]:
    """A match from its start: (None, first state), then each entry with the state after it."""
    state = start_state(game, seats, options, seed)
    yield None, state
    for entry in entries:
        if entry.kind == Turn.Kind.HOUSE:
            state = settle(game, state, seed, entry.number)
        elif entry.kind == Turn.Kind.TURN:
            assert entry.seat is not None
            for move in decode_moves(game, entry.moves)[: entry.played]:
                state = game.play(state, entry.seat, move)
        yield entry, state


def replay(match: Match, upto: int | None = None) -> Iterator[tuple[Entry | None, Any]]:
    """A stored match from its start, up to entry `upto`."""
    turns = match.turns.all() if upto is None else match.turns.filter(number__lte=upto)
    return fold(GAMES[match.game], match.seats.count(), match.options, bytes(match.seed), turns)


def state_at(match: Match, number: int) -> Any:
    """The state after turn `number` (0: before the first)."""
    if number == match.version and match.snapshot is not None:
        return load_state(match)
    state = None
    for _entry, after in replay(match, number):
        state = after
    return state


def faults(match: Match) -> list[str]:
    """What is wrong with a stored match that has started: nothing, unless rules or rows were changed under it."""
    found = []
    if GAMES[match.game].revision != match.revision:
        found.append(f"it is played by revision {match.revision} of the rules, these are {GAMES[match.game].revision}")
    numbers = list(match.turns.values_list("number", flat=True))
    if numbers != list(range(1, match.version + 1)):
        found.append(f"the record's numbers are not 1 to {match.version}")
    state = _last_state(replay(match), found)
    if state is not None and encode(state) != bytes(match.snapshot or b""):
        found.append("folding the record does not give the snapshot")
    return found


def faults_of_download(download: DownloadedRecord) -> list[str]:
    """What is wrong with a downloaded record: every deal must follow from the seed, and every turn be legal."""
    if download.game not in GAMES:
        return [f"there is no game called {download.game} here"]
    try:
        seed = bytes.fromhex(download.seed)
    except ValueError:
        return ["its seed is not written in hex digits"]
    game = GAMES[download.game]
    found = []
    if commitment(seed) != download.seed_sha256:
        found.append("the seed is not the one that was promised")
    if game.revision != download.revision:
        found.append(f"the record was made by revision {download.revision} of the rules, this is {game.revision}")
    state = _last_state(fold(game, len(download.players), download.options, seed, download.turns), found)
    gave_up = (Turn.Kind.RESIGNATION, Turn.Kind.REPLACEMENT)
    abandoned = bool(download.turns) and download.turns[-1].kind in gave_up
    if state is not None and game.result(state) is None and not abandoned:
        found.append("the record ends before the match does")
    return found


def _last_state(folding: Iterator[tuple[Entry | None, Any]], found: list[str]) -> Any:
    """The state at the end of a record; None, and a fault more, when it cannot be reached."""
    state, number = None, 0
    try:
        for entry, after in folding:
            state, number = after, entry.number if entry else 0
    except (IllegalMove, msgspec.ValidationError, ValueError) as problem:
        found.append(f"what follows entry {number} is not possible: {problem}")
        return None
    return state
