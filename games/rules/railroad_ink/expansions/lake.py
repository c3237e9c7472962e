"""Lakes: up to two more drawings a round, piers that join networks over the water, and shores that close.

Where the rules are silent: a pier need not join a route either. An empty cell with three open lake sides stays empty
while a route or an exit leads into it from the fourth, since water may not meet it. Water joins networks and no lines:
the longest highway ends at its pier.
"""

from collections.abc import Sequence

import msgspec

from games.rules.railroad_ink.board import ROUTES, WATER, board
from games.rules.railroad_ink.expansions.base import Bonus, Expansion
from games.rules.railroad_ink.longest import components, connections
from games.rules.railroad_ink.sheet import Part, Sheet, sheet_of
from games.rules.railroad_ink.values import BoardState, Drawn

FILLED = "WF"
"""The tile of a cell that has filled with water."""

SHORES = 3
"""So many sides that face open lake sides fill an empty cell."""


class Lake(Expansion):
    """Two dice, none of which has to be drawn."""

    key = "lake"
    rounds = 6
    joining = ()
    codes = ("lake",)

    def after_drawing(self, own: BoardState, round_: int) -> BoardState:
        """Fill every empty cell that has water on three or four sides, and those that have it then."""
        sheet = sheet_of(own.drawn)
        (water,) = (board().drawings[FILLED][number] for number in board().distinct[FILLED])
        filled: list[Drawn] = []
        while True:
            cell = next(
                (
                    cell
                    for cell, _ in sheet.places(FILLED, self.joining)
                    if sum(sheet.met(cell, side) == WATER for side in range(4)) >= SHORES
                ),
                None,
            )
            if cell is None:
                return msgspec.structs.replace(own, drawn=(*own.drawn, *filled))
            sheet = sheet.with_drawing(cell, water)
            filled.append(Drawn(cell, FILLED, 0, round_))

    def bridges(self, sheet: Sheet) -> Sequence[Sequence[Part]]:
        """For each lake its piers."""
        return [
            [
                (cell, place)
                for cell in cells
                if (drawing := sheet.at[cell]) is not None
                for place, group in enumerate(drawing.joined)
                if any(drawing.sides[side] in ROUTES for side in group)
            ]
            for cells in components(connections(sheet, WATER))
        ]

    def bonuses(self, sheet: Sheet) -> tuple[Bonus, ...]:
        """A point for each cell of the smallest lake."""
        smallest = min(components(connections(sheet, WATER)), key=len, default=[])
        return (Bonus("lake", len(smallest), tuple(sorted(smallest))),)


LAKE = Lake()
