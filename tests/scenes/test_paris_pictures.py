"""What the picture of Paris Connection promises: every build can be chosen, nothing hidden shows, all is legible."""

import io
import itertools
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path as File
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from PIL import Image, ImageFont

import games.scenes
from games.rules.chance import Chance
from games.rules.contract import Choices, complete_options
from games.rules.paris_connection import game
from games.rules.paris_connection.board import HIGHEST_VALUE, board
from games.rules.paris_connection.scene import LAP, empty_scene
from games.rules.paris_connection.values import COMPANIES, Build, LocomotiveView, State, View
from games.rules.shapes import Circle, Path, Point, Scene, Shape, Text
from games.scenes.png import png
from games.scenes.styles import THEMES, TOKENS, resolve
from games.scenes.svg import is_still, still_svg, svg

SEED = bytes(range(32))
FONT = ImageFont.truetype(str(File(games.scenes.__path__[0]) / "fonts/BarlowSemiCondensed-Bold.ttf"), 100)


@cache
def reached(seats: int, until: Callable[[State], bool]) -> State:
    """The first such state of a match in which everybody builds at random, but nobody in the last city before it."""
    dice = random.Random(1)
    state = game.start(seats, complete_options(game, {}), Chance(SEED, 0))
    number = 1
    while not until(state):
        if state.mover is None:
            state = game.settle(state, Chance(SEED, number))
        else:
            moves = game.choices(state, state.mover).moves
            builds = [move for move in moves if isinstance(move, Build) and move.hex != "N11"]
            state = game.play(state, state.mover, dice.choice(builds or moves))
        number += 1
    return state


def dealt(state: State) -> bool:
    return state.phase == "turn"


def between_two_builds(state: State) -> bool:
    return len(state.locomotives) >= 40 and len(state.turn) == 0


def amid_a_build(state: State) -> bool:
    return len(state.locomotives) >= 60 and len(state.turn) == 3


def late(state: State) -> bool:
    return len(state.locomotives) >= 100 and not state.turn


def over(state: State) -> bool:
    return state.phase == "over"


MOMENTS = {
    "dealt": (6, dealt),
    "between two builds": (4, between_two_builds),
    "amid a build": (3, amid_a_build),
    "late": (5, late),
    "over": (3, over),
}


def seen(name: str) -> tuple[View, Choices | None]:
    """What the seat that is waited for sees, or the first seat when nobody is."""
    state = reached(*MOMENTS[name])
    seat = 0 if state.mover is None else state.mover
    return game.view(state, seat), None if state.mover is None else game.choices(state, seat)


@cache
def pictures() -> tuple[Scene, ...]:
    """A scene of every moment, and one with a company that has gone once round the value track."""
    found = [game.scene(*seen(name)) for name in MOMENTS]
    return *found, game.scene(worth(LAP + 4))


def worth(*values: int) -> View:
    """A view in which the first companies are worth so much."""
    view, _ = seen("late")
    changed = (msgspec.structs.replace(each, value=value) for each, value in zip(view.companies, values, strict=False))
    return msgspec.structs.replace(view, companies=(*changed, *view.companies[len(values) :]))


@pytest.fixture(params=list(MOMENTS), ids=str)
def moment(request: pytest.FixtureRequest) -> tuple[View, Choices | None]:
    return seen(request.param)


@pytest.fixture
def scene(moment: tuple[View, Choices | None]) -> Scene:
    return game.scene(*moment)


def say(code: str, facts: dict[str, Any]) -> str:
    return f"{code} {sorted(facts.items())}"


def elements(picture: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(picture).iter()


def titled(scene: Scene, *codes: str) -> list[Shape]:
    return [shape for shape in scene.shapes if shape.title is not None and shape.title[0] in codes]


LOCOMOTIVES = ("locomotive", "new-locomotive", "running-locomotive")


def test_every_build_is_one_shape_and_no_shape_stands_for_anything_else(moment):
    view, choices = moment
    found = [shape.move for shape in game.scene(view, choices).shapes if shape.move is not None]
    wanted = [] if choices is None else [move for move in choices.moves if isinstance(move, Build)]
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert choices is None or wanted
    assert not any(shape.move for shape in game.scene(view).shapes)


def test_a_page_gets_each_build_as_a_named_button_that_says_which_company_it_is_offered_for(moment):
    view, choices = moment
    buttons = [element for element in elements(svg(game.scene(view, choices), say)) if element.get("data-move")]
    moves = [msgspec.json.decode(button.get("data-move", ""), type=game.move_type) for button in buttons]
    assert [button.get("data-offer") for button in buttons] == [move.company for move in moves]
    assert [button.get("id") for button in buttons] == [f"build-{move.company}-{move.hex}" for move in moves]
    assert all(button.get("role") == "button" and button.get("tabindex") == "0" for button in buttons)
    names = [button.get("aria-label") for button in buttons]
    assert len(set(names)) == len(names)


def test_a_shape_to_choose_lies_on_its_hex_below_all_that_stands_there():
    view, choices = seen("between two builds")
    scene = game.scene(view, choices)
    targets = [shape for shape in scene.shapes if shape.move is not None]
    for shape in targets:
        x, y = middle(shape)
        assert (x, y) == pytest.approx(board().positions[board().index[shape.move.hex]])
    first = next(place for place, shape in enumerate(scene.shapes) if not is_still(shape))
    assert scene.shapes[first : first + len(targets)] == tuple(targets)


def middle(shape: Path) -> Point:
    xs, ys = zip(*shape.parts[0], strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def test_during_a_build_only_its_company_is_offered():
    view, choices = seen("amid a build")
    assert {shape.offer for shape in game.scene(view, choices).shapes if shape.move} == {view.building}
    view, choices = seen("dealt")
    assert {shape.offer for shape in game.scene(view, choices).shapes if shape.move} == set(COMPANIES)


def test_nothing_shows_what_the_others_hold():
    state = reached(*MOMENTS["between two builds"])
    for seat in range(4):
        others = [other for other in range(4) if other != seat]
        hands = list(state.hands)
        for other in others:
            hands[other] = tuple(reversed(state.hands[other]))
        twin = msgspec.structs.replace(state, hands=tuple(hands))
        assert twin != state
        choices = game.choices(state, seat)
        assert game.scene(game.view(twin, seat), choices) == game.scene(game.view(state, seat), choices)


def test_the_picture_is_the_same_for_everybody_who_has_nothing_to_choose():
    state = reached(*MOMENTS["late"])
    nobodys = game.scene(game.view(state, None))
    assert all(game.scene(game.view(state, seat)) == nobodys for seat in range(5))


def test_every_locomotive_is_said_once_with_its_company_and_hex(moment):
    view, _ = moment
    said = [shape.title[1] for shape in titled(game.scene(view), *LOCOMOTIVES)]
    assert sorted((facts["company"], facts["hex"]) for facts in said) == sorted(
        (each.company, each.hex) for each in view.locomotives
    )


def test_every_city_says_its_name_and_value_and_the_last_one_that_it_is_it(scene):
    cities = {shape.title[1]["city"]: shape.title[1]["value"] for shape in titled(scene, "city", "last-city")}
    assert cities == {each.name: each.value for each in board().hexes if each.kind == "city"}
    assert [shape.title[1]["value"] for shape in titled(scene, "last-city")] == [HIGHEST_VALUE]
    assert len(titled(scene, "station")) == 6


def test_cities_differ_by_value_in_outline_and_colour_and_show_the_figure(scene):
    looks = {}
    for badge in titled(scene, "city", "last-city"):
        outline = len(badge.parts[0]) if isinstance(badge, Path) else 0
        slant = isinstance(badge, Path) and abs(badge.parts[0][0][1] - badge.parts[0][1][1]) > 0.01
        looks.setdefault(badge.title[1]["value"], set()).add((outline, slant, resolve(badge.kind).stroke))
    assert all(len(each) == 1 for each in looks.values())
    assert len({look[:2] for each in looks.values() for look in each}) == HIGHEST_VALUE
    figures = [shape.text for shape in scene.shapes if shape.kind == "badge-figure"]
    assert sorted(figures) == sorted(str(value) for value in board().values if value)


def test_companies_differ_in_their_symbols_and_not_only_in_colour(scene):
    symbols = {}
    for shape in scene.shapes:
        if shape.kind.startswith("symbol"):
            x, y = middle(shape)
            symbols[shape.kind] = tuple((round(a - x, 3), round(b - y, 3)) for a, b in shape.parts[0])
    assert len(symbols) == len(set(symbols.values())) == len(COMPANIES)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("company", COMPANIES)
def test_a_companys_symbol_is_clear_on_its_colour(company, theme):
    edition = THEMES.index(theme)
    dark, bright = sorted(light(TOKENS[f"company-{company}{end}"][edition]) for end in ("", "-ink"))
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["hex-rural", "hex-start", "hex-1", "hex-2", "hex-3", "hex-4", "paper"])
def test_names_figures_and_the_edges_of_locomotives_are_clear_on_every_hex(ground, theme):
    edition = THEMES.index(theme)
    dark, bright = sorted(light(TOKENS[name][edition]) for name in (ground, "ink"))
    assert (bright + 0.05) / (dark + 0.05) >= 7


def light(code: str) -> float:
    """The relative luminance of a colour as WCAG 2 defines it."""
    parts = [int(code[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_running_build_and_the_last_turn_stand_on_grounds_of_their_own():
    view, _ = seen("amid a build")
    scene = game.scene(view)
    spots = {shape.title[0]: [] for shape in titled(scene, *LOCOMOTIVES)}
    for shape in titled(scene, *LOCOMOTIVES):
        spots[shape.title[0]].append(shape.at)
    grounds = {shape.kind: [] for shape in scene.shapes if shape.kind.endswith("-ground")}
    for shape in scene.shapes:
        if shape.kind in grounds:
            grounds[shape.kind].append(shape.at)
    assert len(view.turn) == len(grounds["running-ground"]) == 3
    assert len(view.last.built) == len(grounds["last-ground"])
    assert sorted(spots["running-locomotive"]) == sorted(grounds["running-ground"])
    assert sorted(spots["new-locomotive"]) == sorted(grounds["last-ground"])


def test_markers_of_equal_value_stand_side_by_side_and_higher_ones_higher():
    spots = [shape.at for shape in titled(game.scene(worth(7, 7, 8, 7, 7, 7)), "value")]
    heights = [y for _, y in spots]
    assert all(right - left > 0.4 for (left, _), (right, _) in itertools.pairwise(spots))
    assert len(set(heights)) == 2
    assert min(heights) == heights[2]


@pytest.mark.parametrize(("value", "laps"), [(29, ""), (30, ""), (31, "+30"), (60, "+30"), (61, "+60")])
def test_a_marker_begins_again_after_thirty_and_says_so(value, laps):
    scene = game.scene(worth(value, 0, 0, 0, 0, 0))
    assert "".join(shape.text for shape in scene.shapes if shape.kind == "track-lap") == laps
    assert [shape.text for shape in scene.shapes if shape.kind == "track-value"] == [str(value), *"00000"]
    marker, nought = titled(scene, "value")[:2]
    assert nought.at[1] - marker.at[1] == pytest.approx((value - int(laps or 0)) * 0.19)


def crowded() -> View:
    """Every hex as full as it can be."""
    view, _ = seen("late")
    map_ = board()
    held = [
        LocomotiveView(company, map_.names[place])
        for place in range(len(map_.hexes))
        for company in COMPANIES[: map_.room(place) or (map_.hexes[place].kind == "start")]
    ]
    return msgspec.structs.replace(view, locomotives=tuple(held), turn=(), building=None, last=None)


def extent(shape: Path | Circle | Text) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    match shape:
        case Path():
            xs, ys = zip(*(point for part in shape.parts for point in part), strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Circle():
            (x, y), radius = shape.at, shape.radius
            return x - radius, y - radius, x + radius, y + radius
        case Text():
            wide, half = FONT.getlength(shape.text) / 100 * shape.size, shape.size * 0.35
            left = shape.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
            return left, shape.at[1] - half, left + wide, shape.at[1] + half


def test_no_locomotive_covers_a_name_even_where_every_hex_is_full():
    shapes = game.scene(crowded()).shapes
    names = [shape for shape in shapes if shape.kind.split()[0] in ("town-name", "station-name")]
    engines = [
        extent(Path(kind="", parts=(part,)))
        for shape in shapes
        if isinstance(shape, Path) and shape.kind.startswith("engine")
        for part in shape.parts
    ]
    engines += [extent(shape) for shape in shapes if isinstance(shape, Circle) and shape.kind.startswith("engine")]
    assert len(names) == 55
    assert len(engines) == 3 * (2 * 79 + 49 + 6 + 6)
    for name in names:
        left, top, right, bottom = extent(name)
        covering = [one for one in engines if one[0] < right and left < one[2] and one[1] < bottom and top < one[3]]
        assert not covering, name.text


def test_no_two_locomotives_overlap_where_every_hex_is_full():
    engines = [shape for shape in game.scene(crowded()).shapes if isinstance(shape, Circle) and "engine" in shape.kind]
    for one, other in itertools.combinations(engines, 2):
        apart = ((one.at[0] - other.at[0]) ** 2 + (one.at[1] - other.at[1]) ** 2) ** 0.5
        assert apart >= one.radius + other.radius


def test_every_shape_lies_inside_the_picture():
    left, top, width, height = empty_scene().box
    scenes = (*pictures(), game.scene(crowded()), game.scene(worth(30, 60, 0, 31, 99, 1)))
    shapes = [shape for scene in scenes for shape in scene.shapes if not is_still(shape)]
    shapes += [shape for shape in empty_scene().shapes if "hex" in shape.kind or "track" in shape.kind]
    for shape in shapes:
        one = extent(shape)
        assert left < one[0] and one[2] < left + width, shape  # noqa: PT018
        assert top < one[1] and one[3] < top + height, shape  # noqa: PT018


def test_the_still_picture_never_changes(scene):
    still = empty_scene()
    assert scene.backdrop == still.backdrop
    assert scene.shapes[: len(still.shapes)] == still.shapes
    assert not any(is_still(shape) for shape in scene.shapes[len(still.shapes) :])
    assert all(is_still(shape) for shape in still.shapes)
    assert still_svg(scene, "day") == still_svg(still, "day")


def test_ribbons_run_along_every_side_that_they_bar():
    (ribbon,) = (shape for shape in empty_scene().shapes if shape.kind == "map-ribbon")
    sides = [pair for chain in ribbon.parts for pair in itertools.pairwise(chain)]
    between = set()
    for pair in board().ribbons:
        one, other = (board().positions[board().index[name]] for name in pair)
        between.add((round((one[0] + other[0]) / 2, 3), round((one[1] + other[1]) / 2, 3)))
    assert {(round((a + c) / 2, 3), round((b + d) / 2, 3)) for (a, b), (c, d) in sides} == between
    assert len(sides) == len(between) == 18


def test_every_kind_has_a_style_whose_colours_exist():
    for scene in pictures():
        for kind in {shape.kind for shape in scene.shapes}:
            style = resolve(kind)
            for name in (style.fill, style.stroke, style.halo):
                wanted = None if name is None else name.replace("tint", style.tint or "no tint")
                assert wanted in (None, "none") or wanted in TOKENS


def test_letters_on_the_board_are_read_out_only_where_a_title_says_them(scene):
    letters = [element for element in elements(svg(scene, say)) if element.tag.endswith("}text")]
    stations = [element for element in letters if element.get("aria-hidden") != "true"]
    assert len(letters) > 100
    assert [element.get("role") for element in stations] == ["img"] * 6


def test_pages_stay_light():
    for scene in (*pictures(), game.scene(crowded())):
        assert len(svg(scene, say, ("/day.svg", "/night.svg")).encode()) < 120_000
        assert len(svg(scene, say, theme="day").encode()) < 200_000


@pytest.mark.parametrize("theme", THEMES)
def test_a_png_shows_every_company_in_its_colour(theme):
    view, _ = seen("late")
    picture = Image.open(io.BytesIO(png(game.scene(view), 900, theme=theme))).convert("RGB")
    assert picture.size[0] == 900
    colours = set(picture.get_flattened_data())
    for company in COMPANIES:
        code = TOKENS[f"company-{company}"][THEMES.index(theme)]
        assert tuple(int(code[start : start + 2], 16) for start in (1, 3, 5)) in colours


def test_a_png_by_night_is_dark_and_by_day_light(scene):
    day, night = (Image.open(io.BytesIO(png(scene, 200, theme=theme))).convert("L") for theme in THEMES)
    assert day.resize((1, 1)).getpixel((0, 0)) > 170
    assert night.resize((1, 1)).getpixel((0, 0)) < 80
