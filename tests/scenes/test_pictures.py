"""What a board's picture promises: every move can be chosen on it, all is said in words, styles say how it looks."""

import io
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from PIL import Image

from games import words
from games.rules.chance import Chance
from games.rules.contract import Choices, Saying, complete_options
from games.rules.shapes import Circle, Path, Scene, Text
from games.rules.trans_america import game
from games.rules.trans_america.board import BOARDS, board
from games.rules.trans_america.scene import SPOTS, empty_scene
from games.rules.trans_america.values import CityView, Lay, Place, ReportView, State, View
from games.scenes.__main__ import FOLDER, files
from games.scenes.png import png
from games.scenes.styles import STYLES, THEMES, TOKENS, resolve
from games.scenes.svg import still_svg, svg
from tests.scenes.test_paris_pictures import pictures as paris_pictures

NAMES = ("Ann & <Bob>", "Bob", "Cem", "Dörte", "Eve", "Fay")
SEED = bytes(range(32))
STILLS = ("/static/day.svg", "/static/night.svg")


def say(code: str, params: dict[str, Any]) -> str:
    return words.say("trans-america", Saying(code, params), NAMES)


@cache
def reached(seats: int, until: Callable[[State], bool], **options: Any) -> State:
    """The first state of a match in which computer opponents have played so far."""
    state = game.start(seats, complete_options(game, options), Chance(SEED, 0))
    number = 1
    while not until(state):
        if waiting := game.waiting_for(state):
            seat = min(waiting)
            mind = Chance(SEED, number, "opponent")
            for move in game.think(game.view(state, seat), "easy", mind):
                if until(state):
                    break
                if own_instead(state, seat, move):
                    move = msgspec.structs.replace(move, own=True)
                state = game.play(state, seat, move)
        else:
            state = game.settle(state, Chance(SEED, number))
        number += 1
    return state


def own_instead(state: State, seat: int, move: Any) -> bool:
    """Opponents rarely use their coloured rails; the picture is to show some."""
    return isinstance(move, Lay) and msgspec.structs.replace(move, own=True) in game.choices(state, seat).moves


def placing(state: State) -> bool:
    return state.phase == "place" and sum(marker is not None for marker in state.markers) == 1


def laying(state: State) -> bool:
    return state.phase == "lay" and len(state.rails) >= 30 and not state.turn


def laying_with_own_rails_left(state: State) -> bool:
    return state.phase == "lay" and len(state.coloured) == 4 and not state.turn


def between_two_rails(state: State) -> bool:
    return len(state.rails) >= 20 and len(state.turn) == 1


def scored(state: State) -> bool:
    return bool(state.rounds)


MOMENTS = {
    "placing": (4, placing, {}),
    "laying": (6, laying, {}),
    "between two rails": (3, between_two_rails, {}),
    "vexation": (4, laying_with_own_rails_left, {"vexation": True}),
    "a scored round": (5, scored, {}),
    "a scored round with two": (2, scored, {"board": "europa"}),
    "Europa": (6, laying, {"board": "europa"}),
}


@pytest.fixture(params=list(MOMENTS), ids=str)
def moment(request: pytest.FixtureRequest) -> tuple[View, Choices | None]:
    """What the seat that is waited for sees, or the first seat when the house moves."""
    seats, until, options = MOMENTS[request.param]
    state = reached(seats, until, **options)
    waiting = game.waiting_for(state)
    seat = min(waiting, default=0)
    return game.view(state, seat), game.choices(state, seat) if waiting else None


@pytest.fixture
def scene(moment: tuple[View, Choices | None]) -> Scene:
    return game.scene(*moment)


def elements(picture: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(picture).iter()


def local(element: ElementTree.Element) -> str:
    return element.tag.split("}")[1]


def kinds(scene: Scene) -> set[str]:
    return {shape.kind for shape in scene.shapes}


def test_every_move_that_is_made_on_the_board_is_one_shape_with_its_price(moment):
    view, choices = moment
    picture = svg(game.scene(view, choices), say)
    found = [
        (msgspec.json.decode(element.get("data-move"), type=game.move_type), int(element.get("data-cost", "-1")))
        for element in elements(picture)
        if element.get("data-move")
    ]
    wanted = [] if choices is None else list(zip(choices.moves, choices.costs, strict=True))
    on_the_board = [(move, cost) for move, cost in wanted if isinstance(move, Place | Lay)]
    assert sorted(map(repr, found)) == sorted(map(repr, on_the_board))


def test_a_shape_that_can_be_chosen_is_a_named_button_for_the_keyboard(scene):
    buttons = [element for element in elements(svg(scene, say)) if element.get("data-move")]
    assert all(button.get("role") == "button" and button.get("tabindex") == "0" for button in buttons)
    names = [button.get("aria-label") for button in buttons]
    assert all(names)


def test_a_spectators_picture_offers_nothing(moment):
    view, _ = moment
    spectator = msgspec.structs.replace(view, seat=None, hand=())
    assert "data-move" not in svg(game.scene(spectator), say)


def test_ids_are_unique(scene):
    ids = [element.get("id") for element in elements(svg(scene, say)) if element.get("id")]
    assert len(set(ids)) == len(ids)


def test_names_of_players_are_escaped(scene):
    for picture in (svg(scene, say), svg(scene, say, STILLS), svg(scene, say, theme="night")):
        assert "<Bob>" not in picture
        ElementTree.fromstring(picture)


def test_the_picture_and_every_city_and_marker_has_words(moment):
    view, choices = moment
    picture = ElementTree.fromstring(svg(game.scene(view, choices), say))
    assert picture[0].text
    titles = [element.text for element in picture.iter() if local(element) == "title"]
    for city in board(view.board).cities:
        assert any(title.startswith(city.name) for title in titles)
    placed = sum(marker is not None for marker in view.markers)
    assert sum("start marker" in title for title in titles) == placed


def test_letters_on_the_board_are_not_read_out_twice(scene):
    letters = [element for element in elements(svg(scene, say)) if local(element) == "text"]
    assert letters
    assert all(letter.get("aria-hidden") == "true" for letter in letters)


def test_every_kind_has_a_style_and_every_style_its_colours(scene):
    for kind in kinds(scene):
        style = resolve(kind)
        for name in (style.fill, style.stroke, style.halo):
            if name == "tint-ink":
                assert f"{style.tint}-ink" in TOKENS
            elif name == "tint":
                assert style.tint in TOKENS
            else:
                assert name in (None, "none") or name in TOKENS


def test_no_style_is_left_without_a_use():
    used = set()
    for seats, until, options in MOMENTS.values():
        state = reached(seats, until, **options)
        for seat in range(seats):
            choices = game.choices(state, seat) if seat in game.waiting_for(state) else None
            for kind in kinds(game.scene(game.view(state, seat), choices)):
                used |= set(kind.split())
    for scene in paris_pictures():
        used |= {name for shape in scene.shapes for name in shape.kind.split()}
    assert set(STYLES) - used == set()


def test_a_kind_without_a_style_is_an_error():
    with pytest.raises(KeyError, match="no style for 'unheard-of'"):
        resolve("rail unheard-of")


def test_every_token_has_a_day_and_a_night():
    for values in TOKENS.values():
        assert len(values) == len(THEMES)
        assert all(re.fullmatch("#[0-9a-f]{6}", value) for value in values)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("seat", range(6))
def test_a_seats_number_is_legible_on_its_colour(seat, theme):
    edition = THEMES.index(theme)
    assert contrast(TOKENS[f"seat-{seat}"][edition], TOKENS[f"seat-{seat}-ink"][edition]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["land", "abroad", "sea"])
def test_names_of_cities_are_legible_on_the_map(ground, theme):
    edition = THEMES.index(theme)
    assert contrast(TOKENS["ink"][edition], TOKENS[ground][edition]) >= 7


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def light(code: str) -> float:
        parts = [int(code[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_seats_differ_in_their_dashes_and_not_only_in_colour():
    assert len({STYLES[f"seat-{seat}"].dash for seat in range(6)}) == 6


def test_colours_of_cities_differ_in_shape():
    view = game.view(reached(4, placing), 0)
    outlines = {}
    for shape in game.scene(view).shapes:
        if shape.kind.startswith("city city-"):
            corners = len(shape.parts[0]) if isinstance(shape, Path) else 0
            flat = isinstance(shape, Path) and abs(shape.parts[0][0][1] - shape.parts[0][1][1]) < 0.01
            outlines.setdefault(shape.kind, set()).add((corners, flat))
    assert all(len(looks) == 1 for looks in outlines.values())
    assert len({min(looks) for looks in outlines.values()}) == 5


def test_own_cities_are_marked_for_their_owner_alone():
    state = reached(4, placing)
    mine, nobodys = game.view(state, 0), game.view(state, None)
    assert sum(shape.kind == "city-ring" for shape in game.scene(mine).shapes) == 5
    assert not any("own" in kind or kind == "city-ring" for kind in kinds(game.scene(nobodys)))


def test_dashed_cities_are_shown_as_out_of_play_with_three_players_and_not_with_four():
    few = game.scene(game.view(reached(3, between_two_rails), 0))
    many = game.scene(game.view(reached(4, placing), 0))
    assert sum(shape.kind.startswith("city-out") for shape in few.shapes) == 10
    assert not any(shape.kind.startswith("city-out") for shape in many.shapes)


def test_rails_of_the_running_turn_stand_apart_from_the_others():
    view = game.view(reached(3, between_two_rails), 0)
    parts = {shape.kind: shape.parts for shape in game.scene(view).shapes if isinstance(shape, Path)}
    assert len(parts["running"]) == len(view.turn) == 1
    assert len(parts["rail"]) == len(view.rails) - 1


def test_the_last_turn_lies_on_a_light_ground():
    view = game.view(reached(6, laying), 0)
    last = next(shape for shape in game.scene(view).shapes if shape.kind == "last")
    assert len(last.parts) == len(view.last.lines)


def test_a_double_line_that_may_be_built_shows_its_price():
    state = reached(6, laying)
    seat = state.mover
    choices = game.choices(state, seat)
    scene = game.scene(game.view(state, seat), choices)
    prices = [shape.text for shape in scene.shapes if shape.kind == "legal-cost"]
    assert prices == ["2"] * choices.costs.count(2)


def boxes(shapes: list[Any]) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of words, and of outlines."""
    found = []
    for shape in shapes:
        if isinstance(shape, Text):
            wide, high = len(shape.text) * shape.size * 0.45, shape.size * 0.7
            left = shape.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
            found.append((left, shape.at[1] - high / 2, left + wide, shape.at[1] + high / 2))
        else:
            xs, ys = zip(*shape.parts[0], strict=True)
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("name", BOARDS)
def test_a_start_marker_covers_no_name_of_a_city_wherever_it_stands(name):
    """Save for a few junctions with names above and below."""
    view = msgspec.structs.replace(game.view(reached(2, laying, board=name), 0), rails=(), last=None, hand=())
    crowded = []
    for junction in board(name).junction_names:
        shapes = game.scene(msgspec.structs.replace(view, markers=(junction, None))).shapes
        names = boxes([shape for shape in shapes if shape.kind.startswith("city-name")])
        pin = boxes([shape for shape in shapes if shape.kind == "marker seat-0"])[0]
        if any(meet(pin, each) for each in names):
            crowded.append(junction)
    assert len(crowded) <= 8, crowded


@pytest.mark.parametrize("options", [{}, {"board": "europa"}], ids=["america", "europa"])
def test_prices_stand_on_names_and_markers_only_where_there_is_no_room_and_never_on_one_another(options):
    state = reached(6, laying, **options)
    covered, all_prices = 0, 0
    for seat in range(6):
        view = game.view(state, seat)
        choices = game.choices(msgspec.structs.replace(state, mover=seat), seat)
        shapes = game.scene(view, choices).shapes
        prices = boxes([shape for shape in shapes if shape.kind == "legal-cost"])
        others = boxes([shape for shape in shapes if shape.kind.startswith(("city-name", "marker seat"))])
        covered += sum(any(meet(price, other) for other in others) for price in prices)
        all_prices += len(prices)
        assert not any(meet(one, other) for n, one in enumerate(prices) for other in prices[n + 1 :])
    assert covered <= all_prices // 10


def test_after_scoring_each_seats_missing_lines_are_drawn():
    state = reached(5, scored)
    report = game.view(state, 0).rounds[-1]
    scene = game.scene(game.view(state, 0))
    for seat, lines in enumerate(report.missing):
        drawn = [shape.parts for shape in scene.shapes if shape.kind == f"missing seat-{seat}"]
        assert [len(parts) for parts in drawn] == ([len(lines)] if lines else [])


def test_a_line_that_two_lacked_is_drawn_once_for_each_beside_one_another():
    map_ = board("america")
    city = CityView("Denver", "yellow", "5-7")
    report = ReportView(1, 0, ((city,), ()), ("0-0", "1-0"), 9, (), (1, 1), (("5-7:5-8",), ("5-7:5-8",)), (12, 12))
    view = game.view(reached(2, scored), 0)
    view = msgspec.structs.replace(
        view, board="america", phase="over", rails=(), last=None, markers=(None, None), rounds=(report,)
    )
    tracks = [shape.parts[0] for shape in game.scene(view).shapes if shape.kind.startswith("missing seat-")]
    straight = tuple(map_.positions[junction] for junction in map_.lines[map_.line_index["5-7:5-8"]])
    assert len(tracks) == 2
    assert tracks[0] != tracks[1]
    for end in (0, 1):
        middle = [(one + other) / 2 for one, other in zip(tracks[0][end], tracks[1][end], strict=True)]
        assert middle == pytest.approx(straight[end])


@pytest.mark.parametrize("name", BOARDS)
def test_every_city_has_a_place_for_its_name_inside_the_picture(name):
    left, top, width, height = empty_scene(name).box
    for seats in (2, 4):
        view = msgspec.structs.replace(game.view(reached(seats, scored), 0), board=name, rounds=(), rails=(), last=None)
        view = msgspec.structs.replace(view, markers=(None,) * seats, hand=())
        names = [shape for shape in game.scene(view).shapes if shape.kind.startswith("city-name")]
        assert len(names) == 35
        for text in names:
            wide = len(text.text) * text.size * 0.5
            start = text.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
            assert left < start
            assert start + wide < left + width
            assert top < text.at[1] < top + height
    assert {anchor for *_, anchor in SPOTS.values()} == {"start", "middle", "end"}


@pytest.mark.parametrize("name", BOARDS)
def test_the_whole_lattice_lies_inside_the_picture(name):
    left, top, width, height = empty_scene(name).box
    assert all(left + 1 < x < left + width - 1 and top + 1 < y < top + height - 1 for x, y in board(name).positions)


def test_a_page_gets_the_still_map_as_an_image_and_the_rest_as_shapes(scene):
    page = svg(scene, say, STILLS)
    images = {element.get("class"): element.get("href") for element in elements(page) if local(element) == "image"}
    assert images == {"map-day": STILLS[0], "map-night": STILLS[1]}
    drawn = [element.get("class", "") for element in elements(page) if local(element) in ("path", "use")]
    assert drawn
    assert not any(kind.startswith("map-") for kind in drawn)


def test_a_picture_that_stands_alone_brings_its_colours(scene):
    night = svg(scene, say, theme="night")
    assert TOKENS["land"][1] in night
    assert TOKENS["land"][0] not in night


def test_pages_stay_light(scene):
    assert len(svg(scene, say, STILLS).encode()) < 60_000
    assert len(svg(scene, say, theme="day").encode()) < 110_000


def test_the_static_files_are_those_that_the_styles_and_maps_make():
    made = files()
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"run python -m games.scenes: {name} is old"
    assert all(len(text.encode()) < 60_000 for text in made.values())


@pytest.mark.parametrize("name", BOARDS)
def test_scenes_with_the_same_backdrop_have_the_same_still_shapes(name):
    empty = empty_scene(name)
    view = msgspec.structs.replace(
        game.view(reached(4, placing), 0), board=name, markers=(None,) * 4, rails=(), last=None, hand=()
    )
    scene = game.scene(view)
    assert scene.backdrop == empty.backdrop
    assert scene.shapes[: len(empty.shapes)] == empty.shapes
    assert still_svg(scene, "day") == still_svg(empty, "day")


@pytest.mark.parametrize("theme", THEMES)
def test_a_png_has_the_size_that_was_asked_for(scene, theme):
    whole = Image.open(io.BytesIO(png(scene, 400, theme=theme)))
    assert whole.format == "PNG"
    assert whole.size == (400, round(400 * scene.box[3] / scene.box[2]))
    preview = Image.open(io.BytesIO(png(scene, 600, 315, theme)))
    assert preview.size == (600, 315)


def test_a_png_by_night_is_dark_and_by_day_light(scene):
    day, night = (Image.open(io.BytesIO(png(scene, 200, theme=theme))).convert("L") for theme in THEMES)
    assert day.resize((1, 1)).getpixel((0, 0)) > 170
    assert night.resize((1, 1)).getpixel((0, 0)) < 70


def test_a_png_shows_markers_in_the_colour_of_their_seats():
    view = game.view(reached(4, placing), 0)
    picture = Image.open(io.BytesIO(png(game.scene(view), 1000))).convert("RGB")
    seat = next(seat for seat, marker in enumerate(view.markers) if marker)
    code = TOKENS[f"seat-{seat}"][0]
    assert tuple(int(code[start : start + 2], 16) for start in (1, 3, 5)) in set(picture.get_flattened_data())


def test_shapes_can_be_sent_as_json(scene):
    sent = json.loads(msgspec.json.encode(scene))
    assert {shape["type"] for shape in sent["shapes"]} == {"path", "circle", "text"}
    assert all(isinstance(shape, Path | Circle | Text) for shape in scene.shapes)
