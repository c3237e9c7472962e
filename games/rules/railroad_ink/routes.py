"""Which routes of a roll and which special ones may be drawn, and in which ways a round can be finished."""

from collections.abc import Iterator, Sequence

from games.rules.contract import IllegalMove
from games.rules.railroad_ink.board import Cell, board
from games.rules.railroad_ink.sheet import Sheet
from games.rules.railroad_ink.values import BoardState, Running

_BOARD = board()

SPECIALS_MOST = 3
"""How many special routes one may use in a match; one a round."""

Placement = tuple[str, Cell, int]
"""Tile, cell and orientation; of orientations that look the same the least."""


def placements(sheet: Sheet, tiles: Sequence[str]) -> Iterator[Placement]:
    """Every drawing of one of these tiles that is legal now, those that look the same once."""
    for tile in dict.fromkeys(tiles):
        for cell, orientation in sheet.places(tile):
            yield tile, cell, orientation


def forced(sheet: Sheet, tiles: Sequence[str]) -> Iterator[Placement]:
    """The drawings of which one must be made: those in empty cells. Nobody has to erase a crater."""
    return (placement for placement in placements(sheet, tiles) if not sheet.is_crater(placement[1]))


def is_finished(sheet: Sheet, tiles: Sequence[str]) -> bool:
    """Whether none of the dice that are left fits an empty cell, so that the round may be ended."""
    return next(forced(sheet, tiles), None) is None


def finished_rounds(sheet: Sheet, tiles: Sequence[str]) -> set[frozenset[Placement]]:
    """All ways to draw a roll until nothing more of it must be drawn, whatever the order. As many as there are."""
    finished: set[frozenset[Placement]] = set()
    seen: set[frozenset[Placement]] = set()

    def draw(sheet: Sheet, left: tuple[str, ...], drawn: frozenset[Placement]) -> None:
        if drawn in seen:
            return
        seen.add(drawn)
        must_go_on = False
        for placement in placements(sheet, left):
            tile, cell, orientation = placement
            must_go_on = must_go_on or not sheet.is_crater(cell)
            rest = list(left)
            rest.remove(tile)
            draw(sheet.with_drawing(cell, _BOARD.drawings[tile][orientation]), tuple(rest), drawn | {placement})
        if not must_go_on:
            finished.add(drawn)

    draw(sheet, tuple(sorted(tiles)), frozenset())
    return finished


def specials_left(own: BoardState, running: Running) -> tuple[str, ...]:
    """The special routes that may still be used in this round."""
    if running.special or len(own.specials) >= SPECIALS_MOST:
        return ()
    return tuple(tile for tile in _BOARD.specials if tile not in own.specials)


def check_special(own: BoardState, running: Running, tile: str) -> None:
    """Raises IllegalMove where a special route may not be used in this round."""
    if running.special:
        raise IllegalMove("special-this-round")
    if len(own.specials) >= SPECIALS_MOST:
        raise IllegalMove("specials-used-up", most=SPECIALS_MOST)
    if tile in own.specials:
        raise IllegalMove("special-is-used", tile=tile)
