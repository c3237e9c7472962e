"""Rivers: up to two more drawings a round, which join nothing but each other.

Where the rules are silent: a bridge need not join a route either; a river that bites its own tail has no ends, so that
it is no error and earns nothing but its cells; both ends of a river may leave the board at the same edge.
"""

from collections.abc import Iterator

from games.rules.railroad_ink.board import RIVER as WATER_OF_RIVERS
from games.rules.railroad_ink.board import ROUTES, Cell, Side, board
from games.rules.railroad_ink.expansions.base import Bonus, Expansion
from games.rules.railroad_ink.longest import components, connections
from games.rules.railroad_ink.sheet import Sheet

BOTH_ENDS_POINTS = 3
"""For a river that comes from the outer edge and goes to it."""


class River(Expansion):
    """Two dice, none of which has to be drawn."""

    key = "river"
    rounds = 6
    joining = ()
    codes = ("river",)

    def errors(self, sheet: Sheet) -> Iterator[tuple[Cell, Side]]:
        """The ends of rivers too that meet neither a river nor the outer edge."""
        return sheet.open_ends((*ROUTES, WATER_OF_RIVERS))

    def bonuses(self, sheet: Sheet) -> tuple[Bonus, ...]:
        """For the best river: a point for each cell, and more if both its ends are on the outer edge."""
        rivers = [_worth(sheet, cells) for cells in components(connections(sheet, WATER_OF_RIVERS))]
        return (max(rivers, key=lambda river: river.points, default=Bonus("river", 0, ())),)


def _worth(sheet: Sheet, cells: list[Cell]) -> Bonus:
    out = sum(
        drawing.sides[side] == WATER_OF_RIVERS and beside is None
        for cell in cells
        if (drawing := sheet.at[cell]) is not None
        for side, beside in enumerate(board().beside[cell])
    )
    return Bonus("river", len(cells) + (BOTH_ENDS_POINTS if out == 2 else 0), tuple(sorted(cells)))


RIVER = River()
