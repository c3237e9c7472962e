"""Draws a scene as SVG: whole for the API and for files, without the still map for pages, which show that as an image.

Knows no game and no request. Words come from the caller's `say`; looks come from `styles.py`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from games.rules.shapes import Box, Circle, Path, Point, Scene, Shape, Text
from games.scenes.styles import SCALE, THEMES, css

Say = Callable[[str, dict[str, Any]], str]

CAPITAL_HEIGHT = 0.7
"""Of the board's font, in font sizes: letters are centred by it."""


def is_still(shape: Shape) -> bool:
    """Whether a shape belongs to the map that never changes during a match."""
    return shape.kind.startswith("map-")


def svg(
    scene: Scene,
    say: Say,
    backdrop: tuple[str, str] | None = None,
    theme: str | None = None,
    window: Box | None = None,
) -> str:
    """The scene as one `<svg>` element.

    backdrop: addresses of the still map by day and by night; the map's shapes are then left out and pages show the
    image that fits their theme. theme: "day" or "night" to put the style sheet inside, for a picture that stands alone.
    window: the part of the scene's box that the picture shows, where not all of it.
    """
    shapes = [shape for shape in scene.shapes if backdrop is None or not is_still(shape)]
    body: list[str] = [f"<title>{escape(say(*scene.title))}</title>"]
    if backdrop is not None:
        left, top, width, height = (_units(value) for value in scene.box)
        for edition, address in zip(THEMES, backdrop, strict=True):
            body.append(
                f'<image class="map-{edition}" href={quoteattr(address)} x="{left}" y="{top}" width="{width}"'
                f' height="{height}" aria-hidden="true"/>'
            )
    body.append(_draw_all(shapes, say))
    return _whole(window or scene.box, shapes, "".join(body), theme)


def still_svg(scene: Scene, theme: str) -> str:
    """The still map of a scene as a picture that stands alone: what `backdrop` of `svg` points to. It says nothing."""
    shapes = [shape for shape in scene.shapes if is_still(shape)]
    return _whole(scene.box, shapes, _draw_all(shapes, lambda code, facts: ""), theme)


def _whole(box: Box, shapes: list[Path | Circle | Text], body: str, theme: str | None) -> str:
    left, top, width, height = (_units(value) for value in box)
    style = "" if theme is None else f"<style>{css((shape.kind for shape in shapes), theme)}</style>"
    role = "group" if any(shape.move is not None for shape in shapes) else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{left} {top} {width} {height}" role="{role}">'
        f"{style}{body}</svg>"
    )


def _draw_all(shapes: list[Path | Circle | Text], say: Say) -> str:
    """All shapes in order. A long path that several shapes share is written once and used by each."""
    uses: dict[int, int] = {}
    for shape in shapes:
        if isinstance(shape, Path):
            uses[id(shape.parts)] = uses.get(id(shape.parts), 0) + 1
    shared = {key: f"shared-{number}" for number, key in enumerate(key for key, count in uses.items() if count > 1)}
    known: set[str] = set()
    drawn: list[str] = []
    for shape in shapes:
        name = shared.get(id(shape.parts)) if isinstance(shape, Path) else None
        if isinstance(shape, Path) and name is not None and name not in known:
            known.add(name)
            drawn.append(f'<defs><path id="{name}" d="{path_data(shape.parts, shape.closed)}"/></defs>')
        drawn.append(_draw(shape, say, name))
    return "".join(drawn)


def _draw(shape: Path | Circle | Text, say: Say, shared: str | None) -> str:
    attributes = f' class="{shape.kind}"'
    if shape.id is not None:
        attributes += f" id={quoteattr(shape.id)}"
    inside = ""
    if shape.move is not None:
        move = msgspec.json.encode(shape.move).decode()
        attributes += f' role="button" tabindex="0" data-move=\'{escape(move, {chr(39): "&#39;"})}\''
        if shape.cost is not None:
            attributes += f' data-cost="{shape.cost}"'
        if shape.offer is not None:
            attributes += f" data-offer={quoteattr(shape.offer)}"
        if shape.title is not None:
            attributes += f" aria-label={quoteattr(say(*shape.title))}"
    elif shape.title is not None:
        attributes += ' role="img"'
        inside = f"<title>{escape(say(*shape.title))}</title>"
    outline, finger = _outline(shape, shared)
    if isinstance(shape, Text):
        if shape.title is None:
            attributes += ' aria-hidden="true"'
        inside += escape(shape.text)
    if finger is not None:
        return f'<g{attributes}><{finger} class="hit"/><{outline}/>{inside}</g>'
    tag = outline.split(" ", 1)[0]
    outline += attributes
    return f"<{outline}>{inside}</{tag}>" if inside else f"<{outline}/>"


def _outline(shape: Path | Circle | Text, shared: str | None) -> tuple[str, str | None]:
    """The opening of the shape's element; and for a line that can be chosen, of the unseen wide one round it."""
    match shape:
        case Path() if shared is not None:
            return f'use href="#{shared}"', None
        case Path():
            outline = f'path d="{path_data(shape.parts, shape.closed)}"'
            if shape.closed:
                return f'{outline} fill-rule="evenodd"', None
            return outline, None if shape.move is None else outline
        case Circle():
            x, y = _point(shape.at)
            return f'circle cx="{x}" cy="{y}" r="{_units(shape.radius)}"', None
        case Text():
            x, y = _point((shape.at[0], shape.at[1] + shape.size * CAPITAL_HEIGHT / 2))
            outline = f'text x="{x}" y="{y}" font-size="{_units(shape.size)}"'
            return outline if shape.anchor == "start" else f'{outline} text-anchor="{shape.anchor}"', None


@lru_cache(maxsize=4096)
def path_data(parts: tuple[tuple[Point, ...], ...], closed: bool) -> str:
    """The `d` of a path: absolute starts, then steps in whole SVG units."""
    data: list[str] = []
    for part in parts:
        x, y = _point(part[0])
        data.append(f"M{x} {y}")
        if len(part) == 1:
            data.append("h0")
            continue
        steps: list[str] = []
        for point in part[1:]:
            to_x, to_y = _point(point)
            steps.append(f"{to_x - x} {to_y - y}")
            x, y = to_x, to_y
        data.append("l" + " ".join(steps).replace(" -", "-"))
        if closed:
            data.append("z")
    return "".join(data)


def _units(value: float) -> int:
    return round(value * SCALE)


def _point(point: Point) -> tuple[int, int]:
    return round(point[0] * SCALE), round(point[1] * SCALE)
