"""The values of Railroad Ink: moves, the state of a match and the view of it.

The state is for the house and uses the board's ints for cells; moves and views name them ("D3"). No rules here.
"""

from typing import Literal

from games.rules.contract import Seat, Value
from games.rules.railroad_ink.board import Cell

Phase = Literal["roll", "draw", "over"]
"""roll is the house's: before the first round. Between rounds the house reveals and rolls in one move."""


class Draw(Value, frozen=True, tag_field="type", tag="draw"):
    """Draw a route of the roll that is left, or a special one, in an orientation (0 to 7) in a cell."""

    tile: str
    cell: str
    orientation: int


class Done(Value, frozen=True, tag_field="type", tag="done"):
    """End the own round, where nothing of the roll that is left fits anywhere."""


Move = Draw | Done


class Drawn(Value, frozen=True):
    """A tile on a board and the round in which it was drawn, 1 to 7."""

    cell: Cell
    tile: str
    orientation: int
    round: int


class Running(Value, frozen=True):
    """What a seat has of the running round.

    left: the tiles of the roll that are not drawn yet, in the order of the dice. special: whether a special route was
    drawn in this round. done: the seat has finished.
    """

    left: tuple[str, ...] = ()
    special: bool = False
    done: bool = True


class State(Value, frozen=True):
    """A match at one moment.

    round: the running one, 1 to 7; 0 before the first roll. dice: the roll. boards: by seat what is drawn, in order.
    running: by seat.
    """

    longest: str
    phase: Phase
    round: int
    dice: tuple[str, ...]
    boards: tuple[tuple[Drawn, ...], ...]
    running: tuple[Running, ...]


class DrawnView(Value, frozen=True):
    """A tile on a board."""

    cell: str
    tile: str
    orientation: int
    round: int


class ScoreView(Value, frozen=True):
    """What a board is worth as it stands. networks: for each network that scores, its exits and points.

    highway_cells, railway_cells: the longest lines, cell by cell. errors: open ends, each cell and side ("D3E").
    """

    total: int
    networks: tuple[tuple[int, int], ...]
    highway: int
    railway: int
    centre: int
    errors: tuple[str, ...]
    highway_cells: tuple[str, ...]
    railway_cells: tuple[str, ...]


class BoardView(Value, frozen=True):
    """One seat's board as the viewer may know it: of others what was drawn before this round.

    specials: the special routes drawn so far. done: the seat has finished this round.
    """

    drawn: tuple[DrawnView, ...]
    specials: tuple[str, ...]
    score: ScoreView
    done: bool


class View(Value, frozen=True):
    """A match as one seat (None: a spectator) may know it; fields of the same name as in State mean the same.

    rounds: how many the match has. left: of the viewer's roll, what is not drawn yet. special: whether the viewer may
    still draw a special route in this round.
    """

    seat: Seat | None
    longest: str
    phase: Phase
    round: int
    rounds: int
    dice: tuple[str, ...]
    left: tuple[str, ...]
    special: bool
    boards: tuple[BoardView, ...]
