"""The picture of a Trans America view: a printed map with its lattice, the rails, the cities, and what may be chosen.

Shapes only, in units of the lattice; looks are in `games/scenes/styles.py`, words in the game's catalogue. Codes of the
titles made here: map, board, city, own-city, city-out, dealt-city, marker, rail, missing, line, own-line, junction.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path as File
from typing import Any

import msgspec

from games.rules.contract import Choices, Seat
from games.rules.shapes import Box, Circle, Path, Point, Scene, Text
from games.rules.trans_america.board import Board, board
from games.rules.trans_america.values import Lay, Place, ReportView, View

Shapes = list[Path | Circle | Text]
Parts = tuple[tuple[Point, ...], ...]

CITY_SIZE = 0.17
NAME_SIZE = 0.42
OWN_NAME_SIZE = 0.46
PIN_SIZE = 0.2
PIN_HEIGHT = 0.42
"""From the junction that a start marker points at to the middle of its head. No line of the lattice leaves a junction
straight up or down, so a head of this size there hides no line."""

TAG_SIZE = 0.16

DOUBLE_END = 0.1
"""How much of each end of a double line is left open, so that each can be told from its neighbours."""

PRICE_SIZE = 0.36
PRICE_SPOTS = (0.7, 0.55, 0.85, 0.4, 0.25)
"""Where on a double line its price may stand, seen from the end that the network has reached; the best place first."""
PRICE_SPOTS_BETWEEN = (0.5, 0.35, 0.65, 0.2, 0.8)
"""The same on a line with both ends in the network."""
LETTER_WIDTH, LETTER_HEIGHT = 0.46, 0.72
"""Of a letter, in font sizes; as wide as letters are on average."""

TARGET_END = 0.16
"""How much of each end of a line is not touched as that line, so that neighbours can be told apart."""

TRACK_GAP = 0.13
"""Between the missing lines of several seats on the same line of the board."""

SPOTS: dict[str, tuple[float, float, str]] = {
    "n": (0.0, -0.43, "middle"),
    "s": (0.0, 0.43, "middle"),
    "e": (0.32, 0.0, "start"),
    "w": (-0.32, 0.0, "end"),
    "ne": (0.34, -0.43, "start"),
    "nw": (-0.34, -0.43, "end"),
    "se": (0.1, 0.43, "start"),
    "sw": (-0.1, 0.43, "end"),
}
"""Where a city's name stands, seen from the city."""


class _Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map file, made by `games/scenes/maps_source`. grid, rivers, borders and states are lines; the rest areas."""

    box: tuple[float, float, float, float]
    grid: Parts
    land: Parts
    home: Parts
    lakes: Parts
    rivers: Parts
    borders: Parts
    states: Parts


_FOLDER = File(__file__).parent / "maps"


@functools.cache
def _map(name: str) -> _Map:
    return msgspec.json.decode((_FOLDER / f"{name}.json").read_bytes(), type=_Map)


@functools.cache
def _name_spots(name: str) -> dict[str, str]:
    """For each city the key of SPOTS where its name stands."""
    spots = msgspec.json.decode((_FOLDER / "names.json").read_bytes(), type=dict[str, dict[str, str]])
    return spots[name]


_BACKDROP = "trans-america-"


@functools.cache
def backdrop(name: str) -> tuple[Path | Circle | Text, ...]:
    """All that never changes on a board: the map and the lattice. Its kinds begin with `map-`."""
    map_, board_ = _map(name), board(name)
    left, top, width, height = map_.box
    around = (left - width, top - height, left + 2 * width, top + 2 * height)
    sea = ((around[0], around[1]), (around[2], around[1]), (around[2], around[3]), (around[0], around[3]))
    single = _lines(board_, (line for line, cost in enumerate(board_.costs) if cost == 1))
    double = _lines(board_, (line for line, cost in enumerate(board_.costs) if cost == 2))
    double = tuple((_between(a, b, DOUBLE_END), _between(a, b, 1 - DOUBLE_END)) for a, b in double)
    return (
        Path(kind="map-sea", parts=(sea,), closed=True),
        Path(kind="map-grid", parts=map_.grid),
        *(Path(kind=f"map-shore-{far}", parts=map_.land, closed=True) for far in ("far", "mid", "near")),
        Path(kind="map-abroad" if map_.home else "map-land", parts=map_.land, closed=True),
        *((Path(kind="map-land", parts=map_.home, closed=True),) if map_.home else ()),
        Path(kind="map-state", parts=map_.states),
        Path(kind="map-river", parts=map_.rivers),
        Path(kind="map-lake", parts=map_.lakes, closed=True),
        Path(kind="map-border", parts=map_.borders),
        Path(kind="map-coast", parts=map_.land, closed=True),
        Path(kind="map-double", parts=double),
        Path(kind="map-double-core", parts=double),
        Path(kind="map-line", parts=single),
        Path(kind="map-junction", parts=tuple((point,) for point in board_.positions)),
    )


def empty_scene(name: str) -> Scene:
    """The still picture alone."""
    return Scene(_map(name).box, backdrop(name), ("map", {"board": name}), backdrop=f"{_BACKDROP}{name}")


def scene(map_: Board, view: View, choices: Choices | None = None) -> Scene:
    """The board as a view's seat may see it. With choices, a shape for each move that is made on the board."""
    report = view.rounds[-1] if view.phase in ("deal", "over") and view.rounds else None
    shapes: Shapes = [*backdrop(map_.name)]
    shapes += _rails(map_, view)
    if report is not None:
        shapes += _missing(map_, report)
    if choices is not None:
        shapes += _glow(map_, view, choices)
    shapes += (cities := _cities(map_, view, report))
    names = [_box_of(shape) for shape in cities if isinstance(shape, Text) and shape.kind.startswith("city-name")]
    shapes += _markers(map_, view, names)
    if choices is not None:
        shapes += _prices(map_, view, choices, names)
        shapes += _targets(map_, view, choices)
    return Scene(
        _map(map_.name).box,
        tuple(shapes),
        ("board", {"board": map_.name, "round": view.round}),
        backdrop=f"{_BACKDROP}{map_.name}",
    )


def _ends(map_: Board, line: int) -> tuple[Point, Point]:
    a, b = map_.lines[line]
    return map_.positions[a], map_.positions[b]


def _lines(map_: Board, lines: Iterable[int]) -> Parts:
    return tuple(_ends(map_, line) for line in lines)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _beside(ends: tuple[Point, Point], away: float) -> tuple[Point, Point]:
    """The same line, so far to its right."""
    (ax, ay), (bx, by) = ends
    east, south = -(by - ay) * away, (bx - ax) * away
    return (ax + east, ay + south), (bx + east, by + south)


def _box_of(text: Text) -> Box:
    """About where words stand."""
    width, height = len(text.text) * text.size * LETTER_WIDTH, text.size * LETTER_HEIGHT
    left = text.at[0] - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    return left, text.at[1] - height / 2, width, height


def _square(at: Point, half: float) -> Box:
    return at[0] - half, at[1] - half, 2 * half, 2 * half


def _covered(box: Box, taken: Iterable[Box]) -> float:
    """How much of what is there already would be hidden."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    covered = 0.0
    for other_left, other_top, other_width, other_height in taken:
        if other_left < right and other_top < bottom and other_left + other_width > left:
            high = min(bottom, other_top + other_height) - max(top, other_top)
            if high > 0:
                covered += high * (min(right, other_left + other_width) - max(left, other_left))
    return covered


def _clearest(boxes: Sequence[Box], taken: Sequence[Box]) -> int:
    """Which of these places covers the least; the first of those that cover nothing."""
    best, least = 0, math.inf
    for place, box in enumerate(boxes):
        covered = _covered(box, taken)
        if covered < least:
            best, least = place, covered
        if not covered:
            break
    return best


def _sign(kind: str, seat: Seat, at: Point, radius: float, title: tuple[str, dict[str, Any]] | None = None) -> Shapes:
    """A disc in a seat's colour with its number."""
    return [
        Circle(kind=f"{kind} seat-{seat}", at=at, radius=radius, title=title),
        Text(kind=f"sign seat-{seat}", at=at, text=str(seat + 1), size=radius * 1.5),
    ]


def _rails(map_: Board, view: View) -> Shapes:
    """The built lines: the last turn on a light ground, the running one in its own colour, coloured rails marked."""
    running = {map_.line_index[name] for name in view.turn}
    built = [(map_.line_index[rail.line], rail.seat) for rail in view.rails]
    shapes: Shapes = []
    if view.last is not None and view.last.lines:
        last = _lines(map_, (map_.line_index[name] for name in view.last.lines))
        shapes.append(Path(kind="last", parts=last))
    if rails := _lines(map_, (line for line, _ in built if line not in running)):
        shapes += [Path(kind="rail", parts=rails), Path(kind="rail-core", parts=rails)]
    if laid := _lines(map_, sorted(running)):
        shapes += [Path(kind="running", parts=laid), Path(kind="running-core", parts=laid)]
    for line, seat in built:
        if seat is not None:
            ends = _ends(map_, line)
            shapes += [
                Path(kind="rail", parts=(ends,)),
                Path(kind="rail-ground", parts=(ends,)),
                Path(kind=f"rail-own seat-{seat}", parts=(ends,)),
                *_sign("tag", seat, _between(*ends, 0.5), 0.15, ("rail", {"seat": seat, **map_.describe(line)})),
            ]
    return shapes


def _missing(map_: Board, report: ReportView) -> Shapes:
    """What each seat lacked to join its cities, side by side where several lacked the same line."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat, names in enumerate(report.missing):
        for name in names:
            seats[map_.line_index[name]].append(seat)
    tracks: dict[Seat, list[tuple[Point, Point]]] = defaultdict(list)
    for line, who in sorted(seats.items()):
        for place, seat in enumerate(who):
            tracks[seat].append(_beside(_ends(map_, line), (place - (len(who) - 1) / 2) * TRACK_GAP))
    under = tuple(track for seat in sorted(tracks) for track in tracks[seat])
    shapes: Shapes = [Path(kind="missing-under", parts=under)] if under else []
    for seat, own in sorted(tracks.items()):
        title = ("missing", {"seat": seat, "penalty": report.penalties[seat]})
        shapes.append(Path(kind=f"missing seat-{seat}", parts=tuple(own), title=title))
    return shapes


def _cities(map_: Board, view: View, report: ReportView | None) -> Shapes:
    own = {city.junction for city in view.hand}
    if report is not None and view.seat is not None:
        own = {city.junction for city in report.hands[view.seat]}
    hands = report.hands if report is not None else view.hands
    owners = {city.junction: seat for seat, hand in enumerate(hands) for city in hand}
    spots = _name_spots(map_.name)
    dots: Shapes = []
    names: Shapes = []
    for city in map_.cities:
        at = map_.positions[city.junction]
        junction = map_.junction_names[city.junction]
        mine, out = junction in own, city.dashed and len(view.points) <= 3
        facts: dict[str, Any] = {"city": city.name, "colour": city.colour}
        if junction in owners:
            title = ("dealt-city", facts | {"seat": owners[junction]})
        else:
            title = ("own-city" if mine else "city-out" if out else "city", facts)
        if mine:
            dots.append(Circle(kind="city-ring", at=at, radius=0.31))
        size = CITY_SIZE * (1.25 if mine else 1)
        dots.append(_city(city.colour, at, size, "city-out" if out else "city", title))
        east, south, anchor = SPOTS[spots[city.name]]
        if junction in owners:
            spot = _tag_spot(at, SPOTS[spots[city.name]], marked=junction in view.markers)
            dots += _sign("tag", owners[junction], spot, TAG_SIZE)
        kind = "city-name name-own" if mine else "city-name name-out" if out else "city-name"
        stretch = 1.2 if mine else 1
        names.append(
            Text(
                kind=kind,
                at=(at[0] + east * stretch, at[1] + south * stretch),
                text=city.name,
                size=OWN_NAME_SIZE if mine else NAME_SIZE,
                anchor=anchor,
            )
        )
    return names + dots


def _tag_spot(city: Point, name: tuple[float, float, str], marked: bool) -> Point:
    """Where the number of a city's owner stands: away from its name, and from a marker, which is away from it too."""
    _, south, anchor = name
    if anchor == "middle" and not marked:
        return city[0], city[1] - math.copysign(0.44, south)
    return city[0] + (0.44 if anchor == "end" else -0.44), city[1]


def _polygon(at: Point, radius: float, corners: int, turn: float) -> tuple[Point, ...]:
    angles = (turn + 2 * math.pi * corner / corners for corner in range(corners))
    return tuple((at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)) for angle in angles)


_CORNERS: dict[str, tuple[int, float, float]] = {
    "blue": (4, math.pi / 4, 1.25),
    "yellow": (3, -math.pi / 2, 1.4),
    "red": (4, 0.0, 1.35),
    "orange": (6, 0.0, 1.15),
}
"""A city's shape by its colour: corners, the angle of the first one, and a factor that makes all look equally large.
Green cities are round."""


def _city(colour: str, at: Point, size: float, kind: str, title: tuple[str, dict[str, Any]]) -> Path | Circle:
    kinds = f"{kind} city-{colour}"
    if colour == "green":
        return Circle(kind=kinds, at=at, radius=size, title=title)
    corners, turn, factor = _CORNERS[colour]
    centre = (at[0], at[1] + size * 0.2) if corners == 3 else at
    return Path(kind=kinds, parts=(_polygon(centre, size * factor, corners, turn),), closed=True, title=title)


def _pin_head(at: Point, names: Sequence[Box]) -> Point:
    """The middle of a start marker's head: above its junction, or below where it covers less of names."""
    heads = [(at[0], at[1] + towards * PIN_HEIGHT) for towards in (-1, 1)]
    return heads[_clearest([_square(head, PIN_SIZE) for head in heads], names)]


def _pin(at: Point, head: Point) -> tuple[Point, ...]:
    """The outline of a start marker: round, with its tip on the junction."""
    towards = math.copysign(1, head[1] - at[1])
    arc = [math.radians(angle) for angle in range(-60, 241, 15)]
    return at, *((head[0] + PIN_SIZE * math.cos(a), head[1] + towards * PIN_SIZE * math.sin(a)) for a in arc)


def _markers(map_: Board, view: View, names: Sequence[Box]) -> Shapes:
    """Northern ones first, so that no pin's head hides under another's tip. Pins stand away from names of cities."""
    placed = [(map_.junction_index[name], seat) for seat, name in enumerate(view.markers) if name is not None]
    shapes: Shapes = []
    for junction, seat in sorted(placed):
        at = map_.positions[junction]
        head = _pin_head(at, names)
        outline = _pin(at, head)
        title = ("marker", {"seat": seat, **map_.describe_junction(junction)})
        shapes += [
            Path(kind="marker-own" if seat == view.seat else "marker-edge", parts=(outline,), closed=True),
            Path(kind=f"marker seat-{seat}", parts=(outline,), closed=True, title=title),
            Text(kind=f"sign seat-{seat}", at=head, text=str(seat + 1), size=0.3),
        ]
    return shapes


def _priced(choices: Choices) -> list[tuple[Any, int | None]]:
    costs: Sequence[int | None] = choices.costs or (None,) * len(choices.moves)
    return list(zip(choices.moves, costs, strict=True))


def _glow(map_: Board, view: View, choices: Choices) -> Shapes:
    """The light on what may be chosen."""
    own = {city.junction for city in view.hand}
    lines = [map_.line_index[move.line] for move in choices.moves if isinstance(move, Lay) and not move.own]
    shapes: Shapes = [Path(kind="legal-line", parts=_lines(map_, lines))] if lines else []
    free = [map_.junction_index[move.junction] for move in choices.moves if isinstance(move, Place)]
    if spots := tuple((map_.positions[junction],) for junction in free if junction not in map_.city_at):
        shapes.append(Path(kind="legal-spot", parts=spots))
    for junction in free:
        if junction in map_.city_at:
            mine = map_.junction_names[junction] in own
            shapes.append(Circle(kind="legal-city", at=map_.positions[junction], radius=0.46 if mine else 0.29))
    return shapes


def _prices(map_: Board, view: View, choices: Choices, names: Sequence[Box]) -> Shapes:
    """What each line costs that costs more than 1, away from the crowded end where the network is, and from names,
    cities, markers and other prices where there is room on the line."""
    lines = [map_.line_index[move.line] for move in choices.moves if isinstance(move, Lay) and not move.own]
    reached = frozenset() if view.seat is None else network(map_, view, view.seat)
    markers = [map_.positions[map_.junction_index[name]] for name in view.markers if name is not None]
    taken = [*names, *(_square(map_.positions[city.junction], CITY_SIZE) for city in map_.cities)]
    taken += [_square(_pin_head(at, names), PIN_SIZE) for at in markers]
    shapes: Shapes = []
    for line in lines:
        if map_.costs[line] > 1:
            near, far = map_.lines[line]
            if far in reached:
                near, far = far, near
            spots = PRICE_SPOTS_BETWEEN if far in reached else PRICE_SPOTS
            places = [_between(map_.positions[near], map_.positions[far], share) for share in spots]
            prices = [Text(kind="legal-cost", at=at, text=str(map_.costs[line]), size=PRICE_SIZE) for at in places]
            price = prices[_clearest([_box_of(each) for each in prices], taken)]
            taken.append(_box_of(price))
            shapes.append(price)
    return shapes


def network(map_: Board, view: View, seat: Seat) -> AbstractSet[int]:
    """The junctions joined to a seat's marker by rails that the seat may use; empty before the marker is set."""
    marker = view.markers[seat]
    if marker is None:
        return frozenset()
    usable = frozenset(map_.line_index[rail.line] for rail in view.rails if rail.seat in (None, seat))
    return map_.graph.reachable(map_.junction_index[marker], usable)


def _targets(map_: Board, view: View, choices: Choices) -> Shapes:
    """One shape for each move on the board. Topmost, so that nothing takes their clicks."""
    shapes: Shapes = []
    for move, cost in _priced(choices):
        if isinstance(move, Place):
            junction = map_.junction_index[move.junction]
            title = ("junction", map_.describe_junction(junction))
            shapes.append(
                Circle(kind="legal", at=map_.positions[junction], radius=0.36, title=title, move=move, cost=cost)
            )
        elif isinstance(move, Lay):
            line = map_.line_index[move.line]
            a, b = _ends(map_, line)
            facts = {**map_.describe(line), "cost": cost}
            if move.own:
                shapes.append(
                    Circle(
                        kind=f"legal-own seat-{view.seat}",
                        at=_between(a, b, 0.5),
                        radius=0.14,
                        title=("own-line", facts),
                        move=move,
                        offer="own",
                        cost=cost,
                    )
                )
            else:
                part = (_between(a, b, TARGET_END), _between(a, b, 1 - TARGET_END))
                shapes.append(
                    Path(kind="legal", parts=(part,), title=("line", facts), move=move, cost=cost, offer="plain")
                )
    return shapes
