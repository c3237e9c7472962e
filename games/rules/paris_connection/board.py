"""The board of Paris Connection: hexes and the ribbons between them, read once from the facts beside this module.

A board knows nothing of a match. A hex is a small int inside the house (its place in `hexes`) and its id outside
("N11"); a set of hexes is an int with a bit for each. Hexes are flat-topped, in axial coordinates with Paris at (0, 0).
"""

import functools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from games.rules.places import described

Hexes = int
"""A set of hexes: bit h stands for hex h."""

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""(q, r) of the neighbours, clockwise from the north."""

HIGHEST_VALUE = 4
"""The value of the one city that ends the match."""

_ROOM = {"rural": 2, "city": 1, "start": 0, "paris": 0}
"""How many locomotives of any company may be built in a hex of each kind. A start hex holds the one it began with."""


class BoardFault(Exception):
    """The facts of the board contradict each other."""


class Hex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex in the facts. value: of a city, 1 to 4; 0 elsewhere. name: of a city, a station or Paris."""

    hex: str
    q: int
    r: int
    kind: Literal["rural", "city", "start", "paris"]
    name: str = ""
    value: int = 0


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the board must count."""

    rural: int
    city: int
    start: int
    ribbons: int


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts file. ribbons: by the barrier's name, the pairs of hexes that it keeps apart."""

    about: str
    counts: Counts
    hexes: list[Hex]
    ribbons: dict[str, list[tuple[str, str]]]


class Board:
    """The board. Everything in it is fixed; use `board()` to share one. Raises BoardFault for facts that cannot be.

    positions: (x, y) of each hex's middle, neighbours being 1 apart and y growing south.
    around: for each hex its neighbours, without those behind a ribbon and without Paris. ribbons: the pairs kept apart.
    cities, rural, starts: the hexes of a kind; last_city: the one whose first locomotive ends the match.
    """

    def __init__(self, facts: Facts) -> None:
        self.hexes = tuple(facts.hexes)
        self.names = tuple(each.hex for each in self.hexes)
        self.index = {name: place for place, name in enumerate(self.names)}
        self.positions = tuple((each.q * math.sqrt(3) / 2, each.r + each.q / 2) for each in self.hexes)
        self.values = tuple(each.value for each in self.hexes)
        self.ribbons = {frozenset(pair): barrier for barrier, pairs in facts.ribbons.items() for pair in pairs}
        at = {(each.q, each.r): place for place, each in enumerate(self.hexes)}
        self.around: tuple[Hexes, ...] = tuple(
            bits(
                at[each.q + q, each.r + r]
                for q, r in STEPS
                if (each.q + q, each.r + r) in at and self._joined(each, self.hexes[at[each.q + q, each.r + r]])
            )
            for each in self.hexes
        )
        self.cities = self._of_kind("city")
        self.rural = self._of_kind("rural")
        self.starts = tuple(hexes_of(self._of_kind("start")))
        self.last_city = max(range(len(self.hexes)), key=self.values.__getitem__)
        self._check(facts)

    def _joined(self, one: Hex, other: Hex) -> bool:
        return "paris" not in (one.kind, other.kind) and frozenset((one.hex, other.hex)) not in self.ribbons

    def _of_kind(self, kind: str) -> Hexes:
        return bits(place for place, each in enumerate(self.hexes) if each.kind == kind)

    def _check(self, facts: Facts) -> None:
        """Raise BoardFault where the board is not what its facts say or what the rules need."""
        spots = {(each.q, each.r): each.hex for each in self.hexes}
        beside = {frozenset((name, spots.get((q + dq, r + dr)))) for (q, r), name in spots.items() for dq, dr in STEPS}
        found = Counts(self.rural.bit_count(), self.cities.bit_count(), len(self.starts), len(self.ribbons))
        playing = self.rural | self.cities | bits(self.starts)
        faults = {
            "two hexes in one place": len(spots) != len(self.hexes),
            "two hexes of one id": len(self.index) != len(self.hexes),
            f"counts {found}": found != facts.counts,
            "a ribbon between hexes that do not touch": not set(self.ribbons) <= beside,
            "a city without a value or a value without a city": any(
                (each.kind == "city") != (each.value > 0) for each in self.hexes
            ),
            "cities or stations without names": any((each.kind == "rural") == bool(each.name) for each in self.hexes),
            "not one city that ends the match": self.values.count(HIGHEST_VALUE) != 1,
            "hexes out of reach": self.reached(1 << self.starts[0], playing) != playing,
        }
        if wrong := [fault for fault, is_so in faults.items() if is_so]:
            raise BoardFault("; ".join(wrong))

    def room(self, place: int) -> int:
        """How many locomotives may be built in a hex: 2, 1 or 0."""
        return _ROOM[self.hexes[place].kind]

    def reached(self, start: Hexes, through: Hexes, goal: Hexes = 0) -> Hexes:
        """The hexes that can be reached from `start` through these ones, the start included; it stops at the goal."""
        seen, edge = start, start
        while edge and not seen & goal:
            edge = self.beside(edge) & through & ~seen
            seen |= edge
        return seen

    def beside(self, hexes: Hexes) -> Hexes:
        """The neighbours of some hexes."""
        found = 0
        for place in hexes_of(hexes):
            found |= self.around[place]
        return found

    @functools.cached_property
    def _places(self) -> tuple[dict[str, Any], ...]:
        return described(self.positions, {place: each.name for place, each in enumerate(self.hexes) if each.name})

    def describe(self, place: int) -> dict[str, Any]:
        """A hex in words, from the nearest city or station, as of `places.described`, and its id (`hex`)."""
        return {"hex": self.names[place], **self._places[place]}


def bits(hexes: Iterator[int] | tuple[int, ...]) -> Hexes:
    """A set of hexes."""
    found = 0
    for place in hexes:
        found |= 1 << place
    return found


def hexes_of(hexes: Hexes) -> Iterator[int]:
    """The hexes of a set, in board order."""
    while hexes:
        lowest = hexes & -hexes
        yield lowest.bit_length() - 1
        hexes ^= lowest


@functools.cache
def board() -> Board:
    """The board of France."""
    text = (Path(__file__).parent / "france.json").read_bytes()
    return Board(msgspec.json.decode(text, type=Facts))
