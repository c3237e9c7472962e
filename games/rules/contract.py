"""The contract between the house and a game.

A game is one object that satisfies `Game`. Everything that goes in and comes out is a frozen msgspec struct; the rules
know no Django, no clock, no database and draw no chance of their own (`chance.py`). This module is not for anything
that only one game needs, and not for words: rules speak in `Saying`s, which `games/words` turns into sentences.

A match is folded like this, and the table (`games/play.py`) does nothing else:

    state = game.start(seats, options, Chance(seed, 0))
    while game.result(state) is None:
        if game.waiting_for(state):   state = game.play(state, seat, move)        # a person's or an opponent's move
        else:                         state = game.settle(state, Chance(seed, n)) # the house deals, rolls, scores
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from games.rules.chance import Chance
from games.rules.shapes import Scene

type_ = type  # `type` is also a field of the values below

Seat = int
"""A place at the table: 0 .. seats-1, clockwise."""

OptionValue = str | bool
Options = Mapping[str, OptionValue]
LEVELS = ("easy", "medium", "hard")


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every value that rules take or give: immutable, comparable, written as JSON."""


class Saying(Value, frozen=True):
    """Something to be told to people: a code of the game's catalogue and the facts that go into the sentence.

    A parameter named `seat` is a seat, one named `seats` a list of seats; the catalogue puts in the players' names.
    """

    code: str
    params: dict[str, Any] = {}


Event = Saying
"""A saying about something that happened. Events are public: they hold nothing that a spectator may not know.

The table knows one code of the games, `round-scored`, and tells itself who resigned and who has won."""


class Option(Value, frozen=True):
    """One choice of a new match. `values` holds every legal value, the default included; bool for yes or no."""

    key: str
    default: OptionValue
    values: tuple[OptionValue, ...]


class Choices(Value, frozen=True):
    """What a seat may do next.

    asked: what the seat is asked to do now, for the line above the board.
    moves: every legal next move; the same values that `play` takes.
    costs: the price of each move in the game's own unit, parallel to `moves`; empty where moves have no price.
    """

    asked: Saying
    moves: tuple[Any, ...] = ()
    costs: tuple[int, ...] = ()


class SheetLine(Value, frozen=True):
    """One line of a score sheet: what it is for, and each seat's amount (None where it has none)."""

    label: Saying
    amounts: tuple[int | None, ...]


class Result(Value, frozen=True):
    """How a match ended. points and ranks hold one entry a seat; rank 1 is best, ties share a rank (1, 1, 3)."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]
    sheet: tuple[SheetLine, ...] = ()


class IllegalMove(Exception):
    """The move is against the rules. The state is untouched. `saying` holds the stable code and the facts."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.saying = Saying(code, params)


class BadOption(Exception):
    """An option has no such key or value. `key` names it; `code` is `unknown-option` or `bad-option-value`."""

    def __init__(self, code: str, key: str) -> None:
        super().__init__(code, key)
        self.code, self.key = code, key


class Game(Protocol):
    """What a game must offer. State, move and view are the game's own structs; `move_type` is a tagged union."""

    key: str
    revision: int
    """Raised whenever an old record would fold to another state."""
    seats: range
    options: tuple[Option, ...]
    state_type: Any
    move_type: Any
    view_type: Any

    def boards(self) -> Mapping[str, Any]:
        """The geometry of each board by its name, as plain JSON values for clients that draw their own."""

    def start(self, seats: int, options: Options, chance: Chance) -> Any:
        """The match before anybody moves. `options` holds a value for every option of the game."""

    def waiting_for(self, state: Any) -> frozenset[Seat]:
        """Who must move; several when players act at once. Empty and no result: the house must move."""

    def choices(self, state: Any, seat: Seat) -> Choices:
        """Every legal next move of a seat that is waited for."""

    def play(self, state: Any, seat: Seat, move: Any) -> Any:
        """The state after one move of a seat that is waited for. Raises IllegalMove; needs no chance."""

    def settle(self, state: Any, chance: Chance) -> Any:
        """The house's move: deal, roll, reveal, score. Only where nobody is waited for and there is no result."""

    def blind(self, state: Any, seat: Seat | None) -> Any:
        """The state less everything that this seat (None: a spectator) may not know.

        `play` works on it, so that a dry run can tell no more than its player knows: what hidden information would
        decide (another's hand completed by my rail) does not happen there.
        """

    def view(self, state: Any, seat: Seat | None) -> Any:
        """All that this seat (None: a spectator) may know, and nothing else."""

    def unveil(self, state: Any) -> Any:
        """The view in which nothing is hidden, for any moment of a match that is over."""

    def result(self, state: Any) -> Result | None:
        """Points, ranks and the sheet once the match is over; None before."""

    def scene(self, view: Any, choices: Choices | None = None) -> Scene:
        """The picture of a view. With choices, the shapes that can be chosen carry the move they stand for."""

    def events(self, before: Any, after: Any, seat: Seat | None, move: Any) -> Sequence[Event]:
        """What happened between two neighbouring states. seat and move are None for a move of the house."""

    def think(self, view: Any, level: str, chance: Chance) -> Sequence[Any]:
        """A whole turn of a computer opponent of a level of LEVELS, from its own view alone."""


def complete_options(game: Game, given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Every option of the game with the given value or its default. Raises BadOption."""
    known = {option.key: option for option in game.options}
    for key in given:
        if key not in known:
            raise BadOption("unknown-option", key)
    chosen: dict[str, OptionValue] = {}
    for key, option in known.items():
        value = given.get(key, option.default)
        # True == 1 in Python: compare the types as well, or 1 would pass for yes.
        if not any(value == legal and type_(value) is type_(legal) for legal in option.values):
            raise BadOption("bad-option-value", key)
        chosen[key] = value
    return chosen


_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """A value as JSON, the same bytes for equal values."""
    return _encoder.encode(value)
