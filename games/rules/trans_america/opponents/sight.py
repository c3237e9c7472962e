"""What an opponent works with: a view in the board's ints, distances in it, and a turn in the making.

Prices are one int a line for one seat: 0 where a rail lies that it can use, SHUT where another's coloured rail lies,
else what the line costs. Not for choosing: that is the levels' part.
"""

import functools
from collections.abc import Iterator, Sequence

from games.rules.chance import Chance
from games.rules.trans_america.board import Board
from games.rules.trans_america.game import TURN_POINTS
from games.rules.trans_america.values import Lay, Move, Place, Stop, View

FAR = 1 << 20
"""The distance of a junction that cannot be reached."""

SHUT = FAR
"""The price of a line that cannot be used."""


@functools.cache
def _neighbours(map_: Board) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each junction its (other junction, line) pairs: distances are worked out so often that it counts."""
    return tuple(tuple((other, line) for other, line, _ in row) for row in map_.neighbours)


class Reach:
    """The cheapest ways from one junction to some others, kept up to date while rails are laid.

    prices: of each line, for the seat that starts here. missing: those of the goals that can be reached and are not
    joined to the start. cost: the distance of each junction, FAR where there is no way; right for every junction
    that is not farther than the farthest missing goal, for others at first only.
    """

    __slots__ = ("_lines", "_neighbours", "_via", "cost", "missing", "prices")

    def __init__(self, map_: Board, prices: Sequence[int], start: int, goals: Sequence[int]) -> None:
        self._lines = map_.lines
        self._neighbours = _neighbours(map_)
        self.prices = list(prices)
        self.cost = [FAR] * len(map_.junctions)
        self._via = [-1] * len(map_.junctions)
        self.cost[start] = 0
        self._spread([start], sum(map_.costs))
        self.missing = [goal for goal in goals if 0 < self.cost[goal] < FAR]

    def copy(self, goals: Sequence[int]) -> "Reach":
        """The same for other goals, to lay other rails in. Only of a reach in which none has been laid."""
        twin = Reach.__new__(Reach)
        twin._lines, twin._neighbours = self._lines, self._neighbours
        twin.prices, twin.cost, twin._via = self.prices[:], self.cost[:], self._via[:]
        twin.missing = [goal for goal in goals if 0 < self.cost[goal] < FAR]
        return twin

    def _spread(self, changed: list[int], limit: int) -> None:
        """Lower the distances round junctions whose own has become lower, as far as they come out at a limit."""
        prices, cost, via, neighbours = self.prices, self.cost, self._via, self._neighbours
        # Lines end at most two points beyond the limit; what lies there is noted, but not gone on from.
        waiting: list[list[int]] = [[] for _ in range(limit + TURN_POINTS)]
        for junction in changed:
            waiting[cost[junction]].append(junction)
        for distance in range(limit):
            for junction in waiting[distance]:  # grows by what costs nothing
                if cost[junction] == distance:
                    for other, line in neighbours[junction]:
                        further = distance + prices[line]
                        if further < cost[other]:
                            cost[other] = further
                            via[other] = line
                            waiting[further].append(other)

    def lay(self, *lines: int) -> None:
        """There are rails on these lines now; no change where one is shut."""
        prices, cost = self.prices, self.cost
        limit = max((cost[goal] for goal in self.missing), default=1)
        changed = []
        for line in lines:
            if prices[line] != SHUT:
                prices[line] = 0
                near, far = self._lines[line]
                if cost[near] > cost[far]:
                    near, far = far, near
                if cost[near] < cost[far] and cost[near] < limit:
                    cost[far] = cost[near]
                    self._via[far] = line
                    changed.append(far)
        if changed:
            self._spread(changed, limit)
            self.missing = [goal for goal in self.missing if cost[goal]]

    def way(self, junction: int) -> list[int]:
        """The lines still to be built on the cheapest way to a junction that can be reached, from the start on."""
        lines = []
        while self.cost[junction]:
            line = self._via[junction]
            if self.prices[line]:
                lines.append(line)
            a, b = self._lines[line]
            junction = b if junction == a else a
        lines.reverse()
        return lines


class Sight:
    """A view with the turn, in the board's ints.

    seat: whose view. hand: the junctions of its cities. markers: each seat's junction or None. rails: the lines built,
    in the order of building. coloured: who owns those of them that carry a coloured rail. points: what the turn may
    still spend; laid: the lines laid in it so far.
    """

    def __init__(self, map_: Board, view: View) -> None:
        assert view.seat is not None
        self.map = map_
        self.view = view
        self.seat = view.seat
        self.hand = [map_.junction_index[city.junction] for city in view.hand]
        self.markers = [None if name is None else map_.junction_index[name] for name in view.markers]
        self.rails = [map_.line_index[rail.line] for rail in view.rails]
        self.coloured = {map_.line_index[rail.line]: rail.seat for rail in view.rails if rail.seat is not None}
        self.points = view.points_left
        self.laid = [map_.line_index[name] for name in view.turn]

    def prices(self, seat: int) -> list[int]:
        """What each line costs a seat now."""
        prices = list(self.map.costs)
        for line in self.rails:
            prices[line] = 0 if self.coloured.get(line, seat) == seat else SHUT
        return prices

    def reach(self, seat: int) -> Reach:
        """The ways from a seat's marker, which must be set; to the missing cities, where they are known."""
        marker = self.markers[seat]
        assert marker is not None
        return Reach(self.map, self.prices(seat), marker, self.hand if seat == self.seat else ())

    def place(self, junction: int) -> list[Move]:
        """The turn that sets the marker."""
        return [Place(self.map.junction_names[junction])]

    def free_junctions(self, among: Sequence[int]) -> list[int]:
        """Those of some junctions that have no marker; where all have one, every junction that has none."""
        return [junction for junction in among if junction not in self.markers] or [
            junction for junction in range(len(self.map.junctions)) if junction not in self.markers
        ]


class Turn:
    """A turn of rails in the making.

    moves: the moves so far. points, coloured_left: what there is left after them. reach: the own ways then.
    """

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.reach = sight.reach(sight.seat)
        self.points = sight.points
        self.moves: list[Move] = []
        self._rails = len(sight.rails)
        self.coloured_left = sight.view.coloured_left[sight.seat]

    def missing(self) -> list[int]:
        """The junctions of the own cities that are not joined but can be, nearest first, then in the hand's order."""
        return sorted(self.reach.missing, key=self.reach.cost.__getitem__)

    def open_lines(self) -> Iterator[int]:
        """The lines that can be laid now, ascending."""
        cost, prices = self.reach.cost, self.reach.prices
        for line, (a, b) in enumerate(self.sight.map.lines):
            if 0 < prices[line] <= self.points and (cost[a] == 0 or cost[b] == 0):
                yield line

    def step(self, cities: Sequence[int]) -> int | None:
        """The first line on the way to the first of some missing cities whose way begins with a line that the points
        left can pay; None where there is none."""
        lines = (self.reach.way(city)[0] for city in cities)
        return next((line for line in lines if self.reach.prices[line] <= self.points), None)

    def lay(self, line: int, own: bool = False) -> None:
        """Lay a rail on a line that is open."""
        map_ = self.sight.map
        self.points -= self.reach.prices[line]
        self.reach.lay(line)
        self._rails += 1
        if own:
            self.coloured_left -= 1
        self.moves.append(Lay(map_.line_names[line], own))

    @property
    def over(self) -> bool:
        """Whether the rules end the turn by themselves, as far as the view can tell."""
        if not self.moves and not self.sight.laid:
            return False
        joined = all(self.reach.cost[city] == 0 for city in self.sight.hand)
        return joined or self._rails == self.sight.map.rails or next(self.open_lines(), None) is None

    def end(self, chance: Chance) -> list[Move]:
        """The moves of the whole turn: with any rail where none has been laid, with a stop where one is needed."""
        if not self.moves and not self.sight.laid:
            self.lay(chance.pick(list(self.open_lines())))
        return self.moves if self.over else [*self.moves, Stop()]
