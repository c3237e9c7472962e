"""What an expansion may change of the base game, and the base game itself, which changes nothing.

Each expansion is a module beside this one with one object. It is asked by `game.py` (what more may be drawn, moved,
must be done) and by `score.py` (what more it is worth). An expansion knows no seats and no secrets: it is given one
board and what its owner has of the running round.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, Saying
from games.rules.railroad_ink.board import ROUTES, Cell, Drawing, Side, board
from games.rules.railroad_ink.sheet import Part, Sheet
from games.rules.railroad_ink.values import BoardState, Move, Running


class Bonus(NamedTuple):
    """Points of an expansion: what for, and the cells that show it."""

    code: str
    points: int
    cells: tuple[Cell, ...]


class Demand(NamedTuple):
    """What an expansion wants done. refusal: of what comes too early. asked: for the line above the board."""

    refusal: Saying
    asked: Saying


class Expansion:
    """The base game. key: the value of the option. rounds: of a match. joining: the kinds of which a tile of the
    expansion's dice has to meet its own, none where it may stand alone. codes: of its bonuses, in their order.
    """

    key = "none"
    rounds = 7
    joining: Sequence[str] = ROUTES
    codes: tuple[str, ...] = ()

    # -- the match -----------------------------------------------------------------------------------------------------

    def start(self) -> BoardState:
        """A board before the first round."""
        return BoardState()

    def roll(self, chance: Chance) -> tuple[str, ...]:
        """The faces of the expansion's dice."""
        return tuple(chance.pick(faces) for faces in board().dice.get(self.key, ()))

    def tiles(self, running: Running) -> tuple[str, ...]:
        """What may be drawn besides the routes of the roll and the special ones."""
        return running.expansion_left

    def places(self, sheet: Sheet, tile: str) -> Iterator[tuple[Cell, int]]:
        """Every cell and orientation (each look once) in which one of `tiles` may be drawn."""
        return sheet.places(tile, self.joining)

    def check(self, sheet: Sheet, tile: str, cell: Cell, drawing: Drawing) -> None:
        """Raises IllegalMove where one of `tiles` may not stand in a cell, with the cell and the side."""
        sheet.check(cell, drawing, self.joining)

    def before_drawing(self, running: Running) -> Demand | None:
        """What must be done before anything is drawn; one of `moves` does it."""
        return None

    def before_end(self, own: BoardState, running: Running) -> Demand | None:
        """What must be done before the round may end, when no route of the roll is left that fits."""
        return None

    def moves(self, own: BoardState, running: Running) -> tuple[Move, ...]:
        """The legal moves that are of this expansion alone."""
        return ()

    def play(self, own: BoardState, running: Running, move: Move, round_: int) -> tuple[BoardState, Running]:
        """The board and the round after one of these moves. Raises IllegalMove."""
        raise IllegalMove("other-expansion")

    def after_drawing(self, own: BoardState, round_: int) -> BoardState:
        """The board with what comes by itself once something has been drawn."""
        return own

    # -- the score -----------------------------------------------------------------------------------------------------

    def bridges(self, sheet: Sheet) -> Sequence[Sequence[Part]]:
        """Parts of networks that belong together though no route joins them."""
        return ()

    def errors(self, sheet: Sheet) -> Iterator[tuple[Cell, Side]]:
        """The open ends that count as errors."""
        return sheet.open_ends(ROUTES)

    def bonuses(self, sheet: Sheet) -> tuple[Bonus, ...]:
        """One for each of `codes`."""
        return ()


NONE = Expansion()
