"""Lava: it flows from a volcano in the middle, a little every round, and is to be closed in.

Where the rules are silent: lava joins lava where two of their sides meet. A volcano may be opened in any free cell that
has no cell with lava beside it, however that one's sides look, and as often as one likes; it is no die, so that it is
not the lava that must be drawn. Room must be made where neither of the lava dice fits anywhere, whether a cell touches
an open lava side or not, and as long as none is drawn in this round. It is made by a new volcano, or by erasing a route
(of any round, a special one too, but none that runs alongside lava) without which one of the dice fits, or a volcano if
none did before. Where neither is possible the round may end without lava. The volcano of the start counts like one that
was drawn, in the centre too.
"""

from collections.abc import Iterator

import msgspec

from games.rules.contract import IllegalMove, Saying
from games.rules.railroad_ink.board import LAVA as LAVA_KIND
from games.rules.railroad_ink.board import ROUTES, SIDES, Cell, Drawing, Side, board
from games.rules.railroad_ink.expansions.base import Bonus, Demand, Expansion
from games.rules.railroad_ink.longest import components, connections
from games.rules.railroad_ink.routes import Placement
from games.rules.railroad_ink.sheet import Sheet, sheet_of
from games.rules.railroad_ink.values import BoardState, Drawn, Erase, Move, Running

VOLCANO = "LV"

CLOSED_POINTS = 5
"""For each lava lake without open sides."""


class Lava(Expansion):
    """Two dice, of which at least one has to be drawn."""

    key = "lava"
    rounds = 6
    joining = (LAVA_KIND,)
    codes = ("closed-lava", "largest-lava")

    def start(self) -> BoardState:
        """A volcano in the middle."""
        return BoardState(drawn=(Drawn(board().volcano, VOLCANO, 0, 0),))

    def tiles(self, running: Running) -> tuple[str, ...]:
        """A new volcano too, at any moment."""
        return (*running.expansion_left, VOLCANO)

    def places(self, sheet: Sheet, tile: str) -> Iterator[tuple[Cell, int]]:
        """A volcano stands alone, away from lava."""
        if tile != VOLCANO:
            return super().places(sheet, tile)
        return (place for place in sheet.places(tile, ()) if _lava_beside(sheet, place[0]) is None)

    def check(self, sheet: Sheet, tile: str, cell: Cell, drawing: Drawing) -> None:
        """Lava joins lava, a volcano none."""
        sheet.check(cell, drawing, ())
        if tile == VOLCANO:
            if (side := _lava_beside(sheet, cell)) is not None:
                raise IllegalMove("volcano-beside-lava", cell=board().names[cell], side=SIDES[side])
        elif not sheet.fits(cell, drawing, self.joining):
            raise IllegalMove("lava-not-joined", cell=board().names[cell])

    def before_end(self, own: BoardState, running: Running) -> Demand | None:
        """One of the lava dice, and room for it where there is none."""
        if _is_drawn(running):
            return None
        sheet, names = sheet_of(own.drawn), board().names
        if (fitting := self._fitting(sheet, running)) is not None:
            return Demand(Saying("must-draw-lava", _facts(fitting)), Saying("draw-lava"))
        if (place := next(self.places(sheet, VOLCANO), None)) is not None:
            return Demand(Saying("must-open-volcano", {"cell": names[place[0]]}), Saying("make-room"))
        if (cell := next(self._erasable(sheet, running), None)) is not None:
            return Demand(Saying("must-erase", {"cell": names[cell]}), Saying("make-room"))
        return None

    def moves(self, own: BoardState, running: Running) -> tuple[Move, ...]:
        """The routes that may be erased."""
        sheet = sheet_of(own.drawn)
        if _is_drawn(running) or self._fitting(sheet, running) is not None:
            return ()
        return tuple(Erase(board().names[cell]) for cell in self._erasable(sheet, running))

    def play(self, own: BoardState, running: Running, move: Move, round_: int) -> tuple[BoardState, Running]:
        """A route erased."""
        if not isinstance(move, Erase):
            return super().play(own, running, move, round_)
        if move.cell not in board().index:
            raise IllegalMove("no-such-cell", cell=move.cell)
        cell, sheet = board().index[move.cell], sheet_of(own.drawn)
        drawing = sheet.at[cell]
        if drawing is None:
            raise IllegalMove("nothing-to-erase", cell=move.cell)
        if LAVA_KIND in drawing.sides:
            raise IllegalMove("lava-stays", cell=move.cell)
        if _is_drawn(running):
            raise IllegalMove("lava-is-drawn", cell=move.cell)
        if (fitting := self._fitting(sheet, running)) is not None:
            raise IllegalMove("lava-fits", **_facts(fitting))
        if cell not in self._erasable(sheet, running):
            raise IllegalMove("makes-no-room", cell=move.cell)
        drawn = tuple(each for each in own.drawn if each.cell != cell)
        return msgspec.structs.replace(own, drawn=drawn), running

    def errors(self, sheet: Sheet) -> Iterator[tuple[Cell, Side]]:
        """The open lava sides too."""
        return sheet.open_ends((*ROUTES, LAVA_KIND))

    def bonuses(self, sheet: Sheet) -> tuple[Bonus, ...]:
        """Points for each lake without open sides, and a point for each cell of the largest."""
        lakes = list(components(connections(sheet, LAVA_KIND)))
        open_cells = {cell for cell, _ in sheet.open_ends((LAVA_KIND,))}
        closed = [lake for lake in lakes if not open_cells.intersection(lake)]
        largest = max(lakes, key=len, default=[])
        return (
            Bonus("closed-lava", CLOSED_POINTS * len(closed), tuple(sorted(cell for lake in closed for cell in lake))),
            Bonus("largest-lava", len(largest), tuple(sorted(largest))),
        )

    def _fitting(self, sheet: Sheet, running: Running) -> Placement | None:
        """A drawing of a lava die that is left, if one fits."""
        return next(
            (
                (tile, cell, orientation)
                for tile in running.expansion_left
                for cell, orientation in self.places(sheet, tile)
            ),
            None,
        )

    def _erasable(self, sheet: Sheet, running: Running) -> Iterator[Cell]:
        """The cells of the routes that make room when they are erased. Asked only where no lava die fits."""
        has_place = next(self.places(sheet, VOLCANO), None) is not None
        for cell, drawing in enumerate(sheet.at):
            if drawing is not None and LAVA_KIND not in drawing.sides:
                without = sheet.without(cell)
                if self._fitting(without, running) is not None or (
                    not has_place and next(self.places(without, VOLCANO), None) is not None
                ):
                    yield cell


LAVA = Lava()


def _is_drawn(running: Running) -> bool:
    """Whether a lava die has been drawn in this round."""
    return len(running.expansion_left) < len(board().dice["lava"])


def _lava_beside(sheet: Sheet, cell: Cell) -> Side | None:
    """A side on which the neighbouring cell has lava in it."""
    for side, beside in enumerate(board().beside[cell]):
        drawing = None if beside is None else sheet.at[beside]
        if drawing is not None and LAVA_KIND in drawing.sides:
            return side
    return None


def _facts(placement: Placement) -> dict[str, str | int]:
    tile, cell, orientation = placement
    return {"tile": tile, "cell": board().names[cell], "orientation": orientation}
