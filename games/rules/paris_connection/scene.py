"""The picture of a Paris Connection view: a map of France under hexes, the locomotives, the values, what may be chosen.

Shapes only, in units of the board (neighbours are 1 apart); looks are in `games/scenes/styles.py`, words in the game's
catalogue. Codes of the titles made here: map, board, city, last-city, station, locomotive, new-locomotive,
running-locomotive, value, build-here.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path as File
from typing import Any

import msgspec

from games.rules.contract import Choices
from games.rules.paris_connection.board import Board, board, hexes_of
from games.rules.paris_connection.values import COMPANIES, Build, CompanyName, CompanyView, View
from games.rules.shapes import Circle, Path, Point, Scene, Text

Shapes = list[Path | Circle | Text]
Parts = tuple[tuple[Point, ...], ...]
Title = tuple[str, dict[str, Any]]

CORNER = 1 / math.sqrt(3)
"""From the middle of a hex to its corners."""

UPPER = -0.17
"""From the middle of a city or a station up to its badge, which its locomotive covers."""

NAME_DOWN = 0.205
"""From there down to its name. Names run on over the slanting neighbours, where they pass between the locomotives."""

NAME_SIZE = 0.3
STATION_SIZE = 0.24
BADGE_SIZE = 0.25
PAIR = 0.255
"""From the middle of a hex to each of two locomotives."""

RURAL_DOWN = 0.08
"""Down to the locomotives there, which keeps them clear of the names that run on from above."""
BOILER = 0.2
"""The radius of a locomotive's boiler, which is seen from the front."""

_NAME_EAST = {
    "Saint-Étienne": -0.36,
    "Grenoble": -0.06,
    "Clermont-Ferrand": 0.16,
    "Angoulême": 0.2,
    "Chambéry": 0.08,
    "Gare Montparnasse": -0.08,
}
"""For names that would cover a ribbon or a badge: how far they stand from below the middle of their hex."""

ZERO, STEP, LANE = (-7.98, 9.88), 0.19, 0.535
"""Of the value track: where the first company's nought is, how high a point is, how far lanes are apart."""

LAP = 30
"""After so many points a marker begins again at the foot of the track."""


class _Map(msgspec.Struct, frozen=True):
    """The map file, made by `games/scenes/maps_source`. grid, rivers and borders are lines; the rest areas."""

    box: tuple[float, float, float, float]
    grid: Parts
    land: Parts
    home: Parts
    lakes: Parts
    rivers: Parts
    borders: Parts


@functools.cache
def _map() -> _Map:
    return msgspec.json.decode((File(__file__).parent / "maps/france.json").read_bytes(), type=_Map)


_BACKDROP = "paris-connection-france"


@functools.cache
def backdrop() -> tuple[Path | Circle | Text, ...]:
    """All that never changes: the map, the hexes, the ribbons, Paris and the ruling of the track. Kinds `map-`."""
    map_, board_ = _map(), board()
    left, top, width, height = map_.box
    sea = _rectangle(left - width, top - height, left + 2 * width, top + 2 * height)
    ribbons = _chains(board_)
    paris = board_.positions[board_.index["J4"]]
    return (
        Path(kind="map-sea", parts=(sea,), closed=True),
        Path(kind="map-grid", parts=map_.grid),
        *(Path(kind=f"map-shore-{far}", parts=map_.land, closed=True) for far in ("far", "mid", "near")),
        Path(kind="map-abroad", parts=map_.land, closed=True),
        Path(kind="map-land", parts=map_.home, closed=True),
        Path(kind="map-border", parts=map_.borders),
        *(
            Path(
                kind=f"map-hex map-hex-{look}",
                parts=tuple(_hexagon(board_.positions[each]) for each in places),
                closed=True,
            )
            for look, places in _looks(board_).items()
        ),
        Path(kind="map-river", parts=map_.rivers),
        Path(kind="map-lake", parts=map_.lakes, closed=True),
        Path(kind="map-coast", parts=map_.land, closed=True),
        Path(kind="map-ribbon-edge", parts=ribbons),
        Path(kind="map-ribbon", parts=ribbons),
        Path(kind="map-ribbon-red", parts=ribbons),
        *_tower(paris),
        *_track_ruling(),
    )


def empty_scene() -> Scene:
    """The still picture alone."""
    return Scene(_map().box, backdrop(), ("map", {}), backdrop=_BACKDROP)


def scene(view: View, choices: Choices | None = None) -> Scene:
    """The board as a view's seat may see it. With choices, a shape for each move that is made on the board."""
    map_ = board()
    shapes: Shapes = [*backdrop()]
    if choices is not None:
        shapes += _targets(map_, choices)
    shapes += _badges(map_)
    shapes += _locomotives(map_, view)
    shapes += _names(map_)
    shapes += _track(view.companies)
    title = ("board", {"locomotives": len(view.locomotives)})
    return Scene(_map().box, tuple(shapes), title, backdrop=_BACKDROP)


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _polygon(at: Point, radius: float, corners: int, turn: float = 0.0, inner: float = 1.0) -> tuple[Point, ...]:
    """A regular polygon whose first corner lies at an angle; with `inner` below 1 every second corner is drawn in."""
    found = []
    for corner in range(corners):
        angle = turn + 2 * math.pi * corner / corners
        away = radius * (inner if corner % 2 else 1)
        found.append((at[0] + away * math.cos(angle), at[1] + away * math.sin(angle)))
    return tuple(found)


def _hexagon(at: Point, inset: float = 0.0) -> tuple[Point, ...]:
    """A hex of the board, or its middle part: so far from its sides."""
    return _polygon(at, CORNER * (1 - 2 * inset), 6)


def _looks(map_: Board) -> dict[str, list[int]]:
    """The hexes by their ground: rural, start, paris, and cities by value."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(map_.hexes):
        found[str(each.value) if each.value else each.kind].append(place)
    return dict(sorted(found.items()))


def _chains(map_: Board) -> Parts:
    """The ribbons as lines along the sides of hexes, each as long as it goes."""
    sides: list[list[Point]] = []
    for pair in map_.ribbons:
        one, other = (set(_corners(map_.positions[map_.index[name]])) for name in pair)
        sides.append(sorted(one & other))
    chains: list[list[Point]] = []
    while sides:
        chain = sides.pop(0)
        while joining := next((side for side in sides if {chain[0], chain[-1]} & set(side)), None):
            sides.remove(joining)
            if chain[-1] not in joining:
                chain.reverse()
            chain.append(joining[0] if joining[1] == chain[-1] else joining[1])
        chains.append(chain)
    return tuple(tuple(chain) for chain in chains)


def _corners(at: Point) -> list[Point]:
    """A hex's corners, so rounded that those of neighbours are equal."""
    return [(round(x, 4), round(y, 4)) for x, y in _hexagon(at)]


def _tower(at: Point) -> Shapes:
    """The tower of Paris: two legs that meet in a spire, three decks, an arch below."""
    x, y = at

    def line(points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple((x + east, y + south) for east, south in points)

    left = [(-0.27, 0.4), (-0.19, 0.22), (-0.13, 0.06), (-0.08, -0.12), (-0.04, -0.28), (-0.015, -0.4)]
    right = [(-east, south) for east, south in reversed(left)]
    arch = [(0.17, 0.4), (0.13, 0.29), (0.07, 0.235), (0.0, 0.22), (-0.07, 0.235), (-0.13, 0.29), (-0.17, 0.4)]
    window = [(0.0, -0.14), (0.045, 0.03), (-0.045, 0.03)]
    lower = [(-0.085, 0.09), (0.085, 0.09), (0.11, 0.16), (-0.11, 0.16)]
    return [
        Path(kind="map-tower", parts=(line([*left, *right, *arch]), line(window), line(lower)), closed=True),
        Path(
            kind="map-tower-deck",
            parts=(
                line([(-0.2, 0.19), (0.2, 0.19)]),
                line([(-0.13, 0.06), (0.13, 0.06)]),
                line([(-0.05, -0.27), (0.05, -0.27)]),
                line([(0.0, -0.38), (0.0, -0.46)]),
            ),
        ),
    ]


def _lane(company: int) -> float:
    return ZERO[0] + LANE * company


def _track_ruling() -> Shapes:
    """The panel of the value track, with a line for each point."""
    left, right = _lane(0) - LANE / 2, _lane(len(COMPANIES) - 1) + LANE / 2
    height = [ZERO[1] - STEP * value for value in range(LAP + 1)]

    def lines(values: Iterable[int]) -> Parts:
        return tuple(((left, height[value]), (right, height[value])) for value in values)

    lanes = tuple(((_lane(place), height[0]), (_lane(place), height[LAP])) for place in range(len(COMPANIES)))
    panel = _rectangle(left - 0.42, height[LAP] - 0.62, right + 0.08, height[0] + 0.78)
    return [
        Path(kind="map-track", parts=(panel,), closed=True),
        Path(kind="map-track-one", parts=lines(value for value in range(LAP) if value % 5)),
        Path(kind="map-track-five", parts=lines(range(0, LAP + 1, 5))),
        Path(kind="map-track-lane", parts=lanes),
    ]


def _track(companies: Sequence[CompanyView]) -> Shapes:
    """A marker for each company on its own lane, so that companies of equal value stand side by side."""
    left = _lane(0) - LANE / 2 - 0.07
    shapes: Shapes = [
        Text(kind="track-figure", at=(left, ZERO[1] - STEP * value), text=str(value), size=0.26, anchor="end")
        for value in range(0, LAP + 1, 5)
    ]
    bars: Shapes = []
    spots: list[tuple[CompanyName, Point, Title]] = []
    for place, company in enumerate(companies):
        laps = max(0, company.value - 1) // LAP
        x, y = _lane(place), ZERO[1] - STEP * (company.value - LAP * laps)
        spots.append((company.company, (x, y), ("value", {"company": company.company, "value": company.value})))
        bar = ((x, ZERO[1]), (x, y))
        bars += [
            Path(kind="track-bar-edge", parts=(bar,)),
            Path(kind=f"track-bar company-{company.company}", parts=(bar,)),
        ]
        shapes.append(Text(kind="track-value", at=(x, ZERO[1] + 0.54), text=str(company.value), size=0.38))
        if laps:
            above = (x, ZERO[1] - STEP * LAP - 0.4)
            shapes.append(Text(kind="track-lap", at=above, text=f"+{LAP * laps}", size=0.26))
    return bars + shapes + _engines(spots)


def _badges(map_: Board) -> Shapes:
    """The value of each city, in a shape of its own for each value."""
    shapes: Shapes = []
    for place in hexes_of(map_.cities):
        each = map_.hexes[place]
        at = _upper(map_, place)
        title = ("last-city" if place == map_.last_city else "city", {"city": each.name, "value": each.value})
        shapes += [_badge(each.value, at, title), Text(kind="badge-figure", at=at, text=str(each.value), size=0.3)]
    return shapes


def _badge(value: int, at: Point, title: Title) -> Path | Circle:
    kind = f"badge badge-{value}"
    if value == 1:
        return Circle(kind=kind, at=at, radius=BADGE_SIZE * 0.88, title=title)
    outline = {
        2: _polygon(at, BADGE_SIZE * 1.15, 4, math.pi / 4),
        3: _polygon(at, BADGE_SIZE * 1.2, 4),
        4: _polygon(at, BADGE_SIZE * 1.5, 16, math.pi / 16, 0.72),
    }
    return Path(kind=kind, parts=(outline[value],), closed=True, title=title)


def _upper(map_: Board, place: int) -> Point:
    x, y = map_.positions[place]
    return x, y + UPPER


_SHORT = {"Gare Saint-Lazare": "St-Lazare"}


def _names(map_: Board) -> Shapes:
    shapes: Shapes = []
    for place, each in enumerate(map_.hexes):
        x, y = map_.positions[place]
        if each.kind == "city":
            at = (x + _NAME_EAST.get(each.name, 0.0), y + NAME_DOWN)
            kind = "town-name name-own" if place == map_.last_city else "town-name"
            shapes.append(Text(kind=kind, at=at, text=each.name, size=NAME_SIZE))
        elif each.kind == "start":
            short = _SHORT.get(each.name) or each.name.replace("'", " ").split()[-1]
            title = ("station", {"station": each.name})
            at = (x + _NAME_EAST.get(each.name, 0.0), y + NAME_DOWN + 0.02)
            shapes.append(Text(kind="station-name", at=at, text=short, size=STATION_SIZE, title=title))
    return shapes


def _locomotives(map_: Board, view: View) -> Shapes:
    """All locomotives, those of the last turn and of the running build on a ground of their own."""
    running = {(view.building, name) for name in view.turn}
    last = {(each.company, each.hex) for each in view.last.built} if view.last is not None else set()
    held: dict[str, list[CompanyName]] = defaultdict(list)
    for each in view.locomotives:
        held[each.hex].append(each.company)
    spots: list[tuple[CompanyName, Point, Title]] = []
    grounds: Shapes = []
    for name, companies in held.items():
        place = map_.index[name]
        for company, at in zip(companies, _stands(map_, place, len(companies)), strict=True):
            code = "locomotive"
            if (company, name) in running:
                code = "running-locomotive"
                grounds.append(Circle(kind="running-ground", at=at, radius=BOILER * 1.6))
            elif (company, name) in last:
                code = "new-locomotive"
                grounds.append(Circle(kind="last-ground", at=at, radius=BOILER * 1.6))
            spots.append((company, at, (code, {"company": company, **map_.describe(place)})))
    return grounds + _engines(spots)


def _stands(map_: Board, place: int, count: int) -> list[Point]:
    """Where the locomotives of a hex stand."""
    x, y = map_.positions[place]
    if map_.hexes[place].kind != "rural":
        return [(x, y + UPPER)]
    if count == 1:
        return [(x, y + RURAL_DOWN)]
    return [(x - PAIR, y + RURAL_DOWN), (x + PAIR, y + RURAL_DOWN)]


_CHIMNEY = ((-0.07, -0.15), (-0.1, -0.265), (0.1, -0.265), (0.07, -0.15))
_BUFFERS = (
    (-0.24, 0.1),
    (0.24, 0.1),
    (0.24, 0.22),
    (0.15, 0.22),
    (0.11, 0.26),
    (-0.11, 0.26),
    (-0.15, 0.22),
    (-0.24, 0.22),
)

_SYMBOLS: dict[CompanyName, tuple[Point, ...]] = {
    "red": _polygon((0, 0), 0.115, 16),
    "blue": _polygon((0, 0), 0.15, 4, math.pi / 4),
    "black": _polygon((0, 0.03), 0.15, 3, -math.pi / 2),
    "brown": _polygon((0, 0), 0.155, 4),
    "yellow": _polygon((0, 0.01), 0.17, 10, -math.pi / 2, 0.42),
    "purple": tuple(
        (0.15 * x, 0.15 * y)
        for x, y in (
            (-0.32, -1),
            (0.32, -1),
            (0.32, -0.32),
            (1, -0.32),
            (1, 0.32),
            (0.32, 0.32),
            (0.32, 1),
            (-0.32, 1),
            (-0.32, 0.32),
            (-1, 0.32),
            (-1, -0.32),
            (-0.32, -0.32),
        )
    ),
}
"""On a locomotive's boiler, so that colour is not the only sign of its company."""


def _engines(spots: Iterable[tuple[CompanyName, Point, Title]]) -> Shapes:
    """Locomotives seen from the front. What all of a company have in common is one shape, which keeps files small."""
    at: dict[CompanyName, list[Point]] = defaultdict(list)
    boilers: Shapes = []
    for company, spot, title in spots:
        at[company].append(spot)
        boilers.append(Circle(kind=f"engine company-{company}", at=spot, radius=BOILER, title=title))
    frames: Shapes = []
    symbols: Shapes = []
    for company, points in sorted(at.items()):
        frame = tuple(_moved(part, point) for point in points for part in (_CHIMNEY, _BUFFERS))
        symbol = tuple(_moved(_SYMBOLS[company], point) for point in points)
        frames.append(Path(kind=f"engine company-{company}", parts=frame, closed=True))
        symbols.append(Path(kind=f"symbol company-{company}", parts=symbol, closed=True))
    return frames + boilers + symbols


def _moved(part: Sequence[Point], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in part)


def _targets(map_: Board, choices: Choices) -> Shapes:
    """One shape for each locomotive that may be built, below names and locomotives; pages let clicks through to it."""
    shapes: Shapes = []
    for move in choices.moves:
        if isinstance(move, Build):
            place = map_.index[move.hex]
            facts = {"company": move.company, "value": map_.values[place], **map_.describe(place)}
            shapes.append(
                Path(
                    kind=f"legal legal-hex company-{move.company}",
                    id=f"build-{move.company}-{move.hex}",
                    parts=(_hexagon(map_.positions[place], 0.085),),
                    closed=True,
                    title=("build-here", facts),
                    move=move,
                    offer=move.company,
                )
            )
    return shapes
