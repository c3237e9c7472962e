"""The two boards of Trans America: junctions, lines and cities, read once from the facts beside this module.

A board knows nothing of a match. Junctions, lines and cities are small ints inside the house (their place in
`junctions`, `lines`, `cities`) and names outside: a junction is "row-column", a line its two junctions in board order,
"5-7:5-8". Rows count from the north; neighbours are east (0, +1), south-east (+1, +1), south-west (+1, 0) and their
opposites.
"""

import functools
import math
from pathlib import Path
from typing import Any

import msgspec

from games.rules.graphs import Graph
from games.rules.places import described, direction

BOARDS = ("america", "europa")
COLOURS = ("green", "blue", "yellow", "red", "orange")
"""The five groups of cities, in the order of a hand."""

CITIES_PER_COLOUR = 7
_STEPS = ((0, 1), (1, 0), (1, 1))
"""(row, column) steps from a junction to its later neighbours."""


class BoardFault(Exception):
    """The facts of a board contradict each other."""


class City(msgspec.Struct, frozen=True):
    """A city. `dashed` ones are out of play with two or three players."""

    name: str
    colour: str
    junction: int
    dashed: bool


class CityFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city in a facts file."""

    name: str
    colour: str
    junction: str
    four_plus_players_only: bool


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a board must count."""

    junctions: int
    lines: int
    double_lines: int


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A facts file. rows: for each row the [first, last] columns of its runs of junctions."""

    about: str
    rails: int
    counts: Counts
    rows: list[list[tuple[int, int]]]
    double_lines: list[str]
    cities: list[CityFacts]
    disputed_lines: list[str] = []


def read_facts(name: str) -> Facts:
    """The facts of a board of BOARDS. Raises msgspec.ValidationError for a file of another form."""
    return msgspec.json.decode((Path(__file__).parent / f"{name}.json").read_bytes(), type=Facts)


class Board:
    """A board. Everything in it is fixed; use `board(name)` to share one.

    junctions: (row, column) of each, row by row. positions: (x, y) of each, a line being 1 long and y growing south.
    lines: the (junction, junction) of each, in board order. costs: 1 or 2 for each line.
    neighbours: for each junction its (other junction, line, cost).
    rails: how many rails a round has. Raises BoardFault where the facts contradict each other or the rules.
    """

    def __init__(self, name: str, facts: Facts) -> None:
        self.name = name
        self.rails = facts.rails
        self.junctions = tuple(
            (row, column) for row, runs in enumerate(facts.rows) for run in runs for column in range(run[0], run[1] + 1)
        )
        self.positions = tuple((column - row / 2, row * math.sqrt(3) / 2) for row, column in self.junctions)
        self.junction_names = tuple(f"{row}-{column}" for row, column in self.junctions)
        self.junction_index = {name: junction for junction, name in enumerate(self.junction_names)}
        at = {place: junction for junction, place in enumerate(self.junctions)}
        self.lines = tuple(
            sorted(
                (junction, at[row + south, column + east])
                for junction, (row, column) in enumerate(self.junctions)
                for south, east in _STEPS
                if (row + south, column + east) in at
            )
        )
        self.line_names = tuple(f"{self.junction_names[a]}:{self.junction_names[b]}" for a, b in self.lines)
        self.line_index = {name: line for line, name in enumerate(self.line_names)}
        doubles = set(facts.double_lines)
        self.costs = tuple(2 if name in doubles else 1 for name in self.line_names)
        self.graph = Graph(
            len(self.junctions), [(a, b, cost) for (a, b), cost in zip(self.lines, self.costs, strict=True)]
        )
        self.neighbours = self.graph.neighbours
        for fact in facts.cities:
            if fact.junction not in self.junction_index:
                raise BoardFault(f"{name}: {fact.name} lies on no junction")
        self.cities = tuple(
            City(fact.name, fact.colour, self.junction_index[fact.junction], fact.four_plus_players_only)
            for fact in facts.cities
        )
        self.city_at = {city.junction: index for index, city in enumerate(self.cities)}
        self._check(facts)

    def _check(self, facts: Facts) -> None:
        """Raise BoardFault where the board is not what its facts say or what the rules need."""
        unknown = (set(facts.double_lines) | set(facts.disputed_lines)) - set(self.line_index)
        found = Counts(len(self.junctions), len(self.lines), self.costs.count(2))
        colours = [city.colour for city in self.cities]
        faults = {
            f"no such lines: {sorted(unknown)}": bool(unknown),
            f"double lines listed twice among {len(facts.double_lines)}": len(facts.double_lines) != found.double_lines,
            f"counts {found}": found != facts.counts,
            "junctions not in board order": list(self.junctions) != sorted(set(self.junctions)),
            "a disputed line counts as double": bool(set(facts.disputed_lines) & set(facts.double_lines)),
            "junctions out of reach": len(self.graph.reachable(0, range(len(self.lines)))) != len(self.junctions),
            "not seven cities of each colour": sorted(colours) != sorted(COLOURS * CITIES_PER_COLOUR),
            "not two dashed cities of each colour": sorted(city.colour for city in self.cities if city.dashed)
            != sorted(COLOURS * 2),
            "two cities on one junction": len(self.city_at) != len(self.cities),
            "two cities of one name": len({city.name for city in self.cities}) != len(self.cities),
        }
        if wrong := [fault for fault, is_so in faults.items() if is_so]:
            raise BoardFault(f"{self.name}: {'; '.join(wrong)}")

    def cities_of(self, colour: str, seats: int) -> list[int]:
        """The cities of a colour that are in play at a table of so many seats."""
        return [
            index for index, city in enumerate(self.cities) if city.colour == colour and (seats > 3 or not city.dashed)
        ]

    def position(self, junction: int) -> tuple[float, float]:
        """Where a junction is drawn: (x, y), a line being 1 long and y growing south."""
        return self.positions[junction]

    @functools.cached_property
    def _places(self) -> tuple[dict[str, Any], ...]:
        return described(self.positions, {city.junction: city.name for city in self.cities})

    def describe_junction(self, junction: int) -> dict[str, Any]:
        """A junction in words, from the nearest city, as of `places.described`."""
        return dict(self._places[junction])

    @functools.cached_property
    def _ways(self) -> tuple[dict[str, Any], ...]:
        return tuple(self._way(ends) for ends in self.lines)

    def _way(self, ends: tuple[int, int]) -> dict[str, Any]:
        named = [end for end in ends if end in self.city_at]
        if named:
            end, other = (named[0], ends[1] if named[0] == ends[0] else ends[0])
            place = {
                "place": self.cities[self.city_at[end]].name,
                "distance": 0,
                "direction": direction(self.positions[end], self.positions[other]),
            }
            if other in self.city_at:
                place["to"] = self.cities[self.city_at[other]].name
            return place
        start = min(ends, key=lambda end: self._places[end]["distance"])
        other = ends[1] if start == ends[0] else ends[0]
        return self._places[start] | {"towards": direction(self.positions[start], self.positions[other])}

    def describe(self, line: int) -> dict[str, Any]:
        """A line in words.

        With a city at an end: the city (`place`), `distance` 0 and the `direction` in which the line leaves it, and
        `to`, the city at the other end, where there is one. Else the words for the end nearer to a city, as of
        `describe_junction`, and `towards`, the direction in which the line leaves it. No two lines have the same words.
        """
        return dict(self._ways[line])


@functools.cache
def board(name: str) -> Board:
    """The board of a name of BOARDS."""
    if name not in BOARDS:
        raise ValueError(f"no board {name!r}")
    return Board(name, read_facts(name))
