"""What one player has drawn on their board: what may be drawn next, and why not.

Nothing of rounds, dice and turns here, and no points; the rules of a match are in `game.py`, the scoring in `score.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from games.rules.contract import IllegalMove
from games.rules.railroad_ink.board import BLANK, ROUTES, SIDES, Cell, Drawing, Side, board
from games.rules.railroad_ink.values import Drawn

_BOARD = board()

Part = tuple[Cell, int]
"""A group of joined sides of a drawing: the cell and the group's place in `Drawing.joined`."""

CRATER = "X"
"""Stands where a meteor has hit: the cell is not empty, and has nothing on its sides."""

_CRATER = Drawing(("-",) * 4, ())


class Sheet:
    """One player's drawn cells. `at`: for each cell what is drawn there, None where it is empty."""

    __slots__ = ("at",)

    def __init__(self, at: list[Drawing | None] | None = None) -> None:
        self.at: list[Drawing | None] = [None] * len(_BOARD.names) if at is None else at

    @classmethod
    def of(cls, drawn: Mapping[Cell, tuple[str, int]]) -> Self:
        """The sheet with a tile in an orientation in each of these cells; `CRATER` for a crater."""
        sheet = cls()
        for cell, (tile, orientation) in drawn.items():
            sheet.at[cell] = _CRATER if tile == CRATER else _BOARD.drawings[tile][orientation]
        return sheet

    def with_drawing(self, cell: Cell, drawing: Drawing) -> Self:
        """The sheet with one cell more, or another one there."""
        at = self.at.copy()
        at[cell] = drawing
        return type(self)(at)

    def without(self, cell: Cell) -> Self:
        """The sheet with nothing in a cell."""
        at = self.at.copy()
        at[cell] = None
        return type(self)(at)

    def is_crater(self, cell: Cell) -> bool:
        return self.at[cell] is _CRATER

    def fits(self, cell: Cell, drawing: Drawing, joining: Sequence[str] = ROUTES) -> bool:
        """Whether a tile may be drawn in a cell: it is free, no side meets another kind, and one meets its own.

        joining: the kinds of which a side has to meet its own; none where the tile need not join anything.
        """
        if self.at[cell] not in (None, _CRATER):
            return False
        joins = not joining
        for side, kind in enumerate(drawing.sides):
            if kind != BLANK and (met := self.met(cell, side)) != BLANK:
                if met != kind:
                    return False
                joins = joins or kind in joining
        return joins

    def met(self, cell: Cell, side: int) -> str:
        """The kind that a side of a cell meets: of the neighbour there or of an exit; BLANK for nothing."""
        beside = _BOARD.beside[cell][side]
        if beside is None:
            return _BOARD.exits[cell][side]
        drawing = self.at[beside]
        return BLANK if drawing is None else drawing.sides[(side + 2) % 4]

    def check(self, cell: Cell, drawing: Drawing, joining: Sequence[str] = ROUTES) -> None:
        """Raises IllegalMove where `fits` says no, with the cell and the side that is wrong."""
        name = _BOARD.names[cell]
        if self.at[cell] not in (None, _CRATER):
            raise IllegalMove("cell-is-drawn", cell=name)
        joins = not joining
        for side, kind in enumerate(drawing.sides):
            if kind != BLANK and (met := self.met(cell, side)) != BLANK:
                if met != kind:
                    raise IllegalMove("meets-another-kind", cell=name, side=SIDES[side], kind=kind, met=met)
                joins = joins or kind in joining
        if not joins:
            raise IllegalMove("not-joined", cell=name)

    def with_all(self, drawings: Sequence[tuple[Cell, Drawing]]) -> Self:
        """The sheet with several routes, which may lean on each other in any order.

        Raises IllegalMove where there is no order in which each of them may be drawn, for one that cannot be.
        """
        sheet, left = self, list(drawings)
        while left:
            next_one = next((each for each in left if sheet.fits(*each)), left[0])
            sheet.check(*next_one)
            sheet = sheet.with_drawing(*next_one)
            left.remove(next_one)
        return sheet

    def places(self, tile: str, joining: Sequence[str] = ROUTES) -> Iterator[tuple[Cell, int]]:
        """Every cell, craters too, and orientation (each look once) in which a tile may be drawn."""
        drawings = _BOARD.drawings[tile]
        for cell, drawn in enumerate(self.at):
            if drawn is None or drawn is _CRATER:
                for orientation in _BOARD.distinct[tile]:
                    if self.fits(cell, drawings[orientation], joining):
                        yield cell, orientation

    def open_ends(self, kinds: Sequence[str]) -> Iterator[tuple[Cell, Side]]:
        """The sides of these kinds that meet nothing in a neighbouring cell; those on the outer edge are none."""
        for cell, drawing in enumerate(self.at):
            for side, kind in enumerate(drawing.sides if drawing is not None else ()):
                if kind in kinds and _BOARD.beside[cell][side] is not None and self.met(cell, side) == BLANK:
                    yield cell, side


def sheet_of(drawn: Sequence[Drawn]) -> Sheet:
    """What one may ask of a board."""
    return Sheet.of({each.cell: (each.tile, each.orientation) for each in drawn})
