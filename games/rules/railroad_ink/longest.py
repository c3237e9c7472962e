"""The longest unbroken highway or railway on a board, exactly.

A line goes from cell to cell where arms of its kind meet. It is a trail: it may come through a cell again by other
arms, and uses each connection between two cells once. With `simple` it counts each cell once and is a path.

Cells in which a line can only go on are drawn together: between junctions and ends there are stretches of so many
connections. The search walks over stretches from every end, and gives up where even all connections that it could
still reach would not make a longer line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.rules.railroad_ink.board import Cell, board
from games.rules.railroad_ink.sheet import Sheet

_BOARD = board()

Beside = Mapping[Cell, Sequence[Cell]]
"""For each cell of a kind the neighbours to which a line can go on."""


class Line(NamedTuple):
    """The longest line: its cells in order (a cell again where it comes through again); none where there is no cell."""

    cells: tuple[Cell, ...]

    @property
    def length(self) -> int:
        return len(self.cells)


def longest_line(sheet: Sheet, kind: str, *, simple: bool = False) -> Line:
    """The longest line of a kind; of several as long the one that is found first."""
    beside = connections(sheet, kind)
    best: tuple[Cell, ...] = next(((cell,) for cell in beside), ())
    search = _longest_path if simple else _longest_trail
    for component in components(beside):
        best = max(best, search({cell: beside[cell] for cell in component}, len(best)), key=len)
    return Line(best)


def connections(sheet: Sheet, kind: str) -> dict[Cell, list[Cell]]:
    """For each cell with an arm of this kind the neighbours where it meets one."""
    return {
        cell: [
            other
            for side in range(4)
            if drawing.sides[side] == kind
            and (other := _BOARD.beside[cell][side]) is not None
            and sheet.met(cell, side) == kind
        ]
        for cell, drawing in enumerate(sheet.at)
        if drawing is not None and kind in drawing.sides
    }


def components(beside: Beside) -> Iterator[list[Cell]]:
    """The cells that hang together, group by group."""
    left = set(beside)
    while left:
        component = [left.pop()]
        for cell in component:
            found = left.intersection(beside[cell])
            left -= found
            component.extend(found)
        yield component


# -- trails ------------------------------------------------------------------------------------------------------------


class _Stretch(NamedTuple):
    """Connections from one junction to the next, where a line can only go on. cells: with both junctions."""

    number: int
    cells: tuple[Cell, ...]

    @property
    def length(self) -> int:
        return len(self.cells) - 1


def _longest_trail(beside: Beside, least: int) -> tuple[Cell, ...]:
    """The longest trail in a component; () where none has more than so many cells.

    A longest trail begins and ends at junctions or ends (cells without exactly two neighbours): within a stretch it
    could go on, or it is closed and may as well begin at any of its cells. Where a component has 2k cells of an odd
    number of connections, at least k - 1 stretches between two of them stay unused.
    """
    junctions = [cell for cell, others in beside.items() if len(others) != 2]
    if not junctions:
        ring = _stretch_from(beside, next(iter(beside)), 0)
        return ring if len(ring) > least else ()
    from_ = _stretches(beside, junctions)
    lengths = {stretch.number: stretch.length for each in from_.values() for stretch in each}
    odd = [cell for cell in junctions if len(beside[cell]) % 2]
    spare = sum(sorted(lengths.values())[: max(0, len(odd) // 2 - 1)])
    most = sum(lengths.values()) - spare + 1
    best: list[_Stretch] = []
    longest = least

    def walk(cell: Cell, used: int, length: int, way: list[_Stretch]) -> bool:
        """Whether nothing longer is possible."""
        nonlocal best, longest
        if length + 1 > longest:
            longest, best = length + 1, way.copy()
            if longest == most:
                return True
        if length + 1 + _reachable(from_, cell, used) <= longest:
            return False
        for stretch in from_[cell]:
            if not used >> stretch.number & 1:
                way.append(stretch)
                if walk(stretch.cells[-1], used | 1 << stretch.number, length + stretch.length, way):
                    return True
                way.pop()
        return False

    if most > least:
        # Somebody who walks from one end finds the way from the other end too.
        for start in odd or junctions:
            if walk(start, 0, 0, []):
                break
    if not best:
        return ()
    return (best[0].cells[0], *(cell for stretch in best for cell in stretch.cells[1:]))


def _stretches(beside: Beside, junctions: Sequence[Cell]) -> dict[Cell, list[_Stretch]]:
    """By junction the stretches that begin there; each stretch in both directions, under one number."""
    found: dict[tuple[Cell, ...], int] = {}
    from_: dict[Cell, list[_Stretch]] = {junction: [] for junction in junctions}
    for junction in junctions:
        for place in range(len(beside[junction])):
            cells = _stretch_from(beside, junction, place)
            number = found.setdefault(min(cells, cells[::-1]), len(found))
            from_[junction].append(_Stretch(number, cells))
    return from_


def _stretch_from(beside: Beside, start: Cell, place: int) -> tuple[Cell, ...]:
    """The cells from a cell over one of its neighbours to the next junction, or round to itself."""
    cells = [start, beside[start][place]]
    while len(beside[cells[-1]]) == 2 and cells[-1] != start:
        one, other = beside[cells[-1]]
        cells.append(other if one == cells[-2] else one)
    return tuple(cells)


def _reachable(from_: Mapping[Cell, Sequence[_Stretch]], cell: Cell, used: int) -> int:
    """How many unused connections can be come to from a junction."""
    total, seen, waiting = 0, used, [cell]
    while waiting:
        for stretch in from_[waiting.pop()]:
            if not seen >> stretch.number & 1:
                seen |= 1 << stretch.number
                total += stretch.length
                waiting.append(stretch.cells[-1])
    return total


# -- paths -------------------------------------------------------------------------------------------------------------


def _longest_path(beside: Beside, least: int) -> tuple[Cell, ...]:
    """The longest path in a component, no cell twice; () where none has more than so many cells.

    It begins at an end, a junction or beside one: elsewhere it could go on, or it is a ring but for one connection and
    may as well begin at another of its cells.
    """
    starts = [
        cell for cell, others in beside.items() if len(others) != 2 or any(len(beside[each]) != 2 for each in others)
    ]
    best: tuple[Cell, ...] = ()
    longest = least

    def walk(way: list[Cell], seen: set[Cell]) -> bool:
        nonlocal best, longest
        if len(way) > longest:
            longest, best = len(way), tuple(way)
            if longest == len(beside):
                return True
        if len(way) + _unseen(beside, way[-1], seen) <= longest:
            return False
        for cell in beside[way[-1]]:
            if cell not in seen:
                way.append(cell)
                seen.add(cell)
                if walk(way, seen):
                    return True
                seen.remove(cell)
                way.pop()
        return False

    if len(beside) > least:
        for start in starts or list(beside)[:1]:
            if walk([start], {start}):
                break
    return best


def _unseen(beside: Beside, cell: Cell, seen: set[Cell]) -> int:
    """How many cells can still be come to."""
    reached, waiting = set(seen), [cell]
    while waiting:
        for other in beside[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return len(reached) - len(seen)
