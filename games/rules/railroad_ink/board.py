"""The board and the tiles of Railroad Ink, read once from the facts beside this module.

A board knows nothing of a match. A cell is a small int inside the house (row by row from the top) and its name outside
("D3"); a side is 0 to 3, clockwise from the north. A tile in one of its eight orientations is a `Drawing`.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

SIZE = 7
SIDES = "NESW"
ORIENTATIONS = range(8)
"""0 to 3: so many quarter turns clockwise; 4 to 7: mirrored left to right first, then 0 to 3 of them."""

HIGHWAY, RAILWAY, RIVER, WATER, LAVA, BLANK = "HRVWL-"
ROUTES = (HIGHWAY, RAILWAY)

Cell = int
Side = int
Kind = Literal["H", "R", "V", "W", "L", "-"]
"""What a side shows: highway, railway, river, water, lava, nothing."""


class Drawing(msgspec.Struct, frozen=True):
    """A tile as it is drawn in a cell.

    sides: the kind of each side. joined: the sides that meet inside it, by group; an overpass has two groups.
    """

    sides: tuple[Kind, ...]
    joined: tuple[tuple[Side, ...], ...]

    def turned(self) -> "Drawing":
        """A quarter turn clockwise."""
        return self._moved(lambda side: (side + 1) % 4)

    def mirrored(self) -> "Drawing":
        """Left to right."""
        return self._moved(lambda side: -side % 4)

    def _moved(self, to: Callable[[Side], Side]) -> "Drawing":
        came_from = {to(side): side for side in range(4)}
        sides = tuple(self.sides[came_from[side]] for side in range(4))
        return Drawing(sides, tuple(sorted(tuple(sorted(to(side) for side in group)) for group in self.joined)))


class TileFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile in the facts. joined: groups of sides ("NS")."""

    sides: str
    joined: list[str]


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts file. exits: side and kind by cell. dice: the faces of each die by what it is for.

    networks: points by the number of exits that a network joins. volcano, first_meteor: cells.
    """

    about: str
    exits: dict[str, tuple[str, Kind]]
    centre: list[str]
    volcano: str
    first_meteor: str
    tiles: dict[str, TileFacts]
    dice: dict[str, list[list[str]]]
    specials: list[str]
    networks: list[int]


class Board:
    """The board and all drawings. Everything in it is fixed; use `board()` to share one.

    names: of the cells. beside: for each cell the cell at each side, None beyond the edge. exits: for each cell the
    kind of the exit at each side, `BLANK` where there is none. drawings: by tile, one for each orientation.
    """

    def __init__(self, facts: Facts) -> None:
        self.names = tuple(f"{row}{column}" for row in "ABCDEFG" for column in range(SIZE))
        self.index = {name: cell for cell, name in enumerate(self.names)}
        self.beside: tuple[tuple[Cell | None, ...], ...] = tuple(_beside(cell) for cell in range(SIZE * SIZE))
        exits = {self.index[name]: (SIDES.index(side), kind) for name, (side, kind) in facts.exits.items()}
        self.exits: tuple[tuple[Kind, ...], ...] = tuple(
            tuple(exits[cell][1] if cell in exits and exits[cell][0] == side else "-" for side in range(4))
            for cell in range(SIZE * SIZE)
        )
        self.centre = frozenset(self.index[name] for name in facts.centre)
        self.volcano, self.first_meteor = self.index[facts.volcano], self.index[facts.first_meteor]
        self.drawings = {tile: _orientations(each) for tile, each in facts.tiles.items()}
        self.dice = {use: tuple(tuple(faces) for faces in dice) for use, dice in facts.dice.items()}
        self.specials = tuple(facts.specials)
        self.network_points = tuple(facts.networks)

    @functools.cached_property
    def distinct(self) -> dict[str, tuple[int, ...]]:
        """For each tile the orientations that look different, each the least of those that look the same."""
        return {
            tile: tuple(number for number, each in enumerate(drawings) if drawings.index(each) == number)
            for tile, drawings in self.drawings.items()
        }


def _beside(cell: Cell) -> tuple[Cell | None, ...]:
    row, column = divmod(cell, SIZE)
    steps = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return tuple(r * SIZE + c if r in range(SIZE) and c in range(SIZE) else None for r, c in steps)


def _orientations(tile: TileFacts) -> tuple[Drawing, ...]:
    sides = msgspec.convert(tuple(tile.sides), tuple[Kind, ...])
    drawn = Drawing(sides, tuple(tuple(sorted(SIDES.index(side) for side in group)) for group in tile.joined))
    drawings = []
    for first in (drawn, drawn.mirrored()):
        for _turn in range(4):
            drawings.append(first)
            first = first.turned()
    return tuple(drawings)


@functools.cache
def board() -> Board:
    """The board of the house."""
    facts = (Path(__file__).parent / "facts.json").read_bytes()
    return Board(msgspec.json.decode(facts, type=Facts))
