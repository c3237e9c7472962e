"""The values of Railroad Ink: moves, the state of a match and the view of it.

The state is for the house and uses the board's ints for cells; moves and views name them ("D3"). No rules here.
"""

from typing import Literal

from games.rules.contract import Seat, Value
from games.rules.railroad_ink.board import Cell

Phase = Literal["roll", "draw", "over"]
"""roll is the house's: before the first round. Between rounds the house reveals and rolls in one move."""


class Draw(Value, frozen=True, tag_field="type", tag="draw"):
    """Draw a tile of the roll that is left, or a special route, in an orientation (0 to 7) in a cell."""

    tile: str
    cell: str
    orientation: int


class Done(Value, frozen=True, tag_field="type", tag="done"):
    """End the own round, where nothing of the roll that is left fits anywhere."""


class Crater(Value, frozen=True, tag_field="type", tag="crater"):
    """Draw the crater of this round's meteor in the cell that it hits, and erase what is there."""

    cell: str


class Ignore(Value, frozen=True, tag_field="type", tag="ignore"):
    """Cross off an unused special route, so that this round's meteor does not hit the own board."""

    special: str


class Erase(Value, frozen=True, tag_field="type", tag="erase"):
    """Erase a route, to make room for lava."""

    cell: str


Move = Draw | Done | Crater | Ignore | Erase


class Drawn(Value, frozen=True):
    """A tile ("X": a crater) on a board and the round in which it was drawn; 0: it stands there from the start."""

    cell: Cell
    tile: str
    orientation: int
    round: int


class Running(Value, frozen=True):
    """What a seat has of the running round.

    left: the routes of the roll that are not drawn yet, in the order of the dice. special: whether a special route was
    drawn in this round. done: the seat has finished. expansion_left: of the expansion's dice what is not used yet.
    """

    left: tuple[str, ...] = ()
    special: bool = False
    done: bool = True
    expansion_left: tuple[str, ...] = ()


class BoardState(Value, frozen=True):
    """One seat's board.

    drawn: what is on it, in order. specials: the special routes used up: drawn, even if they are erased since, or
    crossed off. hit: the cell from which the next meteor flies; None where there are none.
    """

    drawn: tuple[Drawn, ...] = ()
    specials: tuple[str, ...] = ()
    hit: Cell | None = None


class State(Value, frozen=True):
    """A match at one moment.

    round: the running one, 1 to 7; 0 before the first roll. dice: the routes of the roll. expansion_dice: the faces of
    the expansion's dice. boards, running: by seat. before: the boards as they were when the round began.
    """

    longest: str
    expansion: str
    phase: Phase
    round: int
    dice: tuple[str, ...]
    expansion_dice: tuple[str, ...]
    boards: tuple[BoardState, ...]
    before: tuple[BoardState, ...]
    running: tuple[Running, ...]


class DrawnView(Value, frozen=True):
    """A tile ("X": a crater) on a board and the round in which it was drawn; 0: it stands there from the start."""

    cell: str
    tile: str
    orientation: int
    round: int


class BonusView(Value, frozen=True):
    """What an expansion adds to a score: what for (`Expansion.codes`), and the cells that show it."""

    code: str
    points: int
    cells: tuple[str, ...]


class ScoreView(Value, frozen=True):
    """What a board is worth as it stands. networks: for each network that scores, its exits and points.

    highway_cells, railway_cells: the longest lines, cell by cell. errors: open ends, each cell and side ("D3E").
    bonuses: of the expansion, always the same in the same order.
    """

    total: int
    networks: tuple[tuple[int, int], ...]
    highway: int
    railway: int
    centre: int
    errors: tuple[str, ...]
    highway_cells: tuple[str, ...]
    railway_cells: tuple[str, ...]
    bonuses: tuple[BonusView, ...] = ()


class BoardView(Value, frozen=True):
    """One seat's board as the viewer may know it: of others what was drawn before this round.

    specials: the special routes used up, those erased since and those crossed off too. done: the seat has finished this
    round. hit: the cell from which the next meteor flies; None where there are none.
    """

    drawn: tuple[DrawnView, ...]
    specials: tuple[str, ...]
    score: ScoreView
    done: bool
    hit: str | None = None


class View(Value, frozen=True):
    """A match as one seat (None: a spectator) may know it; fields of the same name as in State mean the same.

    rounds: how many the match has. left: of the viewer's roll, what is not drawn yet. special: whether the viewer may
    still draw a special route in this round. expansion_left: of the expansion's dice what the viewer has not used yet.
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
    expansion: str = "none"
    expansion_dice: tuple[str, ...] = ()
    expansion_left: tuple[str, ...] = ()
