"""What a board of Railroad Ink is worth: networks, longest lines, centre and errors, each with the cells that show it.

Expansions add their own parts (`expansions`). Points for networks stand in the facts.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.rules.railroad_ink.board import BLANK, HIGHWAY, RAILWAY, ROUTES, Cell, Side, board
from games.rules.railroad_ink.expansions.base import NONE, Bonus, Expansion
from games.rules.railroad_ink.longest import Line, longest_line
from games.rules.railroad_ink.sheet import Part, Sheet

_BOARD = board()


class Network(NamedTuple):
    """Routes that are joined. exits: how many exits it joins."""

    parts: frozenset[Part]
    exits: int

    @property
    def points(self) -> int:
        return _BOARD.network_points[self.exits]


class Score(NamedTuple):
    """The parts of a board's score.

    highway, railway: the longest lines. errors: the open ends, each (cell, side). bonuses: what the expansion adds,
    always the same codes in the same order.
    """

    networks: tuple[Network, ...]
    highway: Line
    railway: Line
    centre: int
    errors: tuple[tuple[Cell, Side], ...]
    bonuses: tuple[Bonus, ...] = ()

    @property
    def total(self) -> int:
        points = sum(network.points for network in self.networks) + sum(bonus.points for bonus in self.bonuses)
        return points + self.highway.length + self.railway.length + self.centre - len(self.errors)


def score(sheet: Sheet, expansion: Expansion = NONE, *, simple: bool = False) -> Score:
    """All parts of a board. simple: a line counts each cell once."""
    return Score(
        networks=tuple(networks(sheet, expansion.bridges(sheet))),
        highway=longest_line(sheet, HIGHWAY, simple=simple),
        railway=longest_line(sheet, RAILWAY, simple=simple),
        centre=sum(sheet.at[cell] is not None and not sheet.is_crater(cell) for cell in _BOARD.centre),
        errors=tuple(expansion.errors(sheet)),
        bonuses=expansion.bonuses(sheet),
    )


def networks(sheet: Sheet, bridges: Sequence[Sequence[Part]] = ()) -> Iterator[Network]:
    """The networks of routes. bridges: parts that belong together though no route joins them (piers on one lake)."""
    root: dict[Part, Part] = {}

    def find(part: Part) -> Part:
        while root[part] != part:
            root[part] = root[root[part]]
            part = root[part]
        return part

    at_side: dict[tuple[Cell, Side], Part] = {}
    exits: dict[Part, int] = {}
    for cell, drawing in enumerate(sheet.at):
        for place, group in enumerate(drawing.joined if drawing is not None else ()):
            arms = [side for side in group if drawing is not None and drawing.sides[side] in ROUTES]
            if arms:
                part = (cell, place)
                root[part] = part
                exits[part] = sum(_BOARD.exits[cell][side] != BLANK for side in arms)
                at_side |= {(cell, side): part for side in arms}
    joins = [
        (part, other)
        for (cell, side), part in at_side.items()
        if (beside := _BOARD.beside[cell][side]) is not None and (other := at_side.get((beside, (side + 2) % 4)))
    ]
    joins += [(bridge[0], part) for bridge in bridges for part in bridge[1:]]
    for one, other in joins:
        root[find(one)] = find(other)
    joined: dict[Part, list[Part]] = {}
    for part in root:
        joined.setdefault(find(part), []).append(part)
    for parts in joined.values():
        yield Network(frozenset(parts), sum(exits[part] for part in parts))
