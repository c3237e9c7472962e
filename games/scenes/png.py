"""Draws a scene as PNG with Pillow, for mails and link previews: the same table of styles as the SVG and no browser.

Everything is drawn several times too large and reduced, which smooths its edges. Words that only screen readers get are
not drawn.
"""

import io
import itertools
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path as File
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageFont

from games.rules.shapes import Circle, Path, Point, Scene, Text
from games.scenes.styles import TOKENS, Style, colour, resolve
from games.scenes.svg import CAPITAL_HEIGHT, is_still

FINENESS = 2
"""How many drawn pixels make one pixel's side."""

_FONTS = File(__file__).parent / "fonts"
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}

Shapes = tuple[Path | Circle | Text, ...]


def png(scene: Scene, width: int, height: int | None = None, theme: str = "day", colours: int | None = None) -> bytes:
    """The scene as PNG bytes, `width` pixels wide; with so many colours at most, if that is given (256 or fewer).

    Without a height the picture has the scene's own proportions. With one the whole scene is fitted into the middle and
    the map goes on around it.
    """
    canvas = _Canvas(scene.box, width, height, theme)
    still = tuple(shape for shape in scene.shapes if is_still(shape))
    image = _still(still, scene.box, width, height, theme).copy()
    _draw(tuple(shape for shape in scene.shapes if not is_still(shape)), canvas, image)
    out = io.BytesIO()
    image = image.resize((canvas.width, canvas.height), Image.Resampling.LANCZOS)
    if colours is not None:
        image = image.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    image.save(out, "PNG")  # the strongest compression saves two per cent and takes seven times as long
    return out.getvalue()


class _Canvas:
    """Where board units fall on the enlarged picture."""

    def __init__(self, box: tuple[float, float, float, float], width: int, height: int | None, theme: str) -> None:
        left, top, wide, high = box
        self.theme = theme
        self.width = width
        self.height = round(width * high / wide) if height is None else height
        self.unit = min(self.width / wide, self.height / high) * FINENESS
        self.left = left - (self.width * FINENESS / self.unit - wide) / 2
        self.top = top - (self.height * FINENESS / self.unit - high) / 2

    def at(self, point: Point) -> tuple[float, float]:
        return (point[0] - self.left) * self.unit, (point[1] - self.top) * self.unit


@lru_cache(maxsize=4)
def _still(shapes: Shapes, *canvas: Any) -> Image.Image:
    """The still map, kept for the next picture of the same size: most of the work is in it."""
    return _draw(shapes, _Canvas(*canvas))


def _draw(shapes: Shapes, canvas: _Canvas, image: Image.Image | None = None) -> Image.Image:
    if image is None:
        size = (canvas.width * FINENESS, canvas.height * FINENESS)
        image = Image.new("RGB", size, TOKENS["sea"][canvas.theme == "night"])
    pen = ImageDraw.Draw(image, "RGBA")
    for shape in shapes:
        style = resolve(shape.kind)
        match shape:
            case Path():
                _path(pen, shape, style, canvas)
            case Circle():
                _circle(pen, shape, style, canvas)
            case Text():
                _text(pen, shape, style, canvas)
    return image


def _ink(name: str | None, style: Style, theme: str) -> tuple[int, int, int, int] | None:
    if name is None or name == "none":
        return None
    code = colour(name, style, theme)
    red, green, blue = (int(code[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue, round(255 * (1 if style.opacity is None else style.opacity))


def _path(pen: ImageDraw.ImageDraw, shape: Path, style: Style, canvas: _Canvas) -> None:
    parts = [[canvas.at(point) for point in part] for part in shape.parts]
    fill, stroke = (_ink(name, style, canvas.theme) for name in (style.fill, style.stroke))
    if fill and style.fill_opacity is not None:
        fill = (*fill[:3], round(fill[3] * style.fill_opacity))
    if fill and shape.closed:
        _fill(pen, parts, fill)
    if stroke and style.width:
        width = max(1.0, style.width * canvas.unit)
        for part in parts:
            line = [*part, part[0]] if shape.closed else part
            for piece in _dashed(line, [length * canvas.unit for length in style.dash or ()]):
                _stroke(pen, piece, stroke, width, style.cap != "butt")


def _fill(pen: ImageDraw.ImageDraw, parts: list[list[Point]], ink: tuple[int, int, int, int]) -> None:
    """Fill areas by the even-odd rule: parts may lie in parts."""
    if len(parts) == 1:
        pen.polygon(parts[0], fill=ink)
        return
    size = pen.im.size
    mask = Image.new("1", size)
    for part in parts:
        xs, ys = zip(*part, strict=True)
        left, top = max(0, math.floor(min(xs)) - 1), max(0, math.floor(min(ys)) - 1)
        right, bottom = min(size[0], math.ceil(max(xs)) + 2), min(size[1], math.ceil(max(ys)) + 2)
        if right > left and bottom > top:
            area = (left, top, right, bottom)
            one = Image.new("1", (right - left, bottom - top))
            ImageDraw.Draw(one).polygon([(x - left, y - top) for x, y in part], fill=1)
            mask.paste(ImageChops.logical_xor(mask.crop(area), one), area)
    pen.bitmap((0, 0), mask, fill=ink)


def _stroke(
    pen: ImageDraw.ImageDraw, line: Sequence[Point], ink: tuple[int, int, int, int], width: float, round_ends: bool
) -> None:
    half = width / 2
    if len(line) > 1:
        pen.line(line, fill=ink, width=max(1, round(width)), joint="curve" if width > 2 else None)
    # A see-through stroke must not cover its own ends twice.
    if (round_ends and width > 2 and ink[3] == 255) or len(line) == 1:
        for x, y in {line[0], line[-1]}:
            pen.ellipse((x - half, y - half, x + half, y + half), fill=ink)


def _dashed(line: list[Point], dash: Sequence[float]) -> Iterator[list[Point]]:
    """The inked pieces of a line. dash: lengths of stroke, gap, stroke, ... in pixels; an odd number is gone through
    twice, as in SVG."""
    if not dash:
        yield line
        return
    pattern = [*dash, *dash] if len(dash) % 2 else list(dash)
    index, left, piece = 0, pattern[0], [line[0]]
    for start, end in itertools.pairwise(line):
        length = math.dist(start, end)
        gone = 0.0
        while length - gone > left:
            gone += left
            point = (start[0] + (end[0] - start[0]) * gone / length, start[1] + (end[1] - start[1]) * gone / length)
            if index % 2 == 0:
                yield [*piece, point]
            piece = [point]
            index = (index + 1) % len(pattern)
            left = pattern[index]
        left -= length - gone
        if index % 2 == 0:
            piece.append(end)
    if index % 2 == 0 and len(piece) > 1:
        yield piece


def _circle(pen: ImageDraw.ImageDraw, shape: Circle, style: Style, canvas: _Canvas) -> None:
    x, y = canvas.at(shape.at)
    radius = shape.radius * canvas.unit
    fill, stroke = (_ink(name, style, canvas.theme) for name in (style.fill, style.stroke))
    half = (style.width or 0) * canvas.unit / 2 if stroke else 0
    if stroke:
        outer = radius + half
        pen.ellipse(
            (x - outer, y - outer, x + outer, y + outer),
            fill=stroke if fill else None,
            outline=stroke,
            width=max(1, round(2 * half)),
        )
    if fill:
        inner = radius - half
        pen.ellipse((x - inner, y - inner, x + inner, y + inner), fill=fill)


def _text(pen: ImageDraw.ImageDraw, shape: Text, style: Style, canvas: _Canvas) -> None:
    font = _font(700 if style.weight == 700 else 500, max(4, round(shape.size * canvas.unit)))
    x, y = canvas.at((shape.at[0], shape.at[1] + shape.size * CAPITAL_HEIGHT / 2))
    fill, halo = (_ink(name, style, canvas.theme) for name in (style.fill, style.halo))
    anchor = _ANCHORS[shape.anchor]
    if halo:
        around = max(1, round((style.halo_width or 0) * canvas.unit / 2))
        pen.text((x, y), shape.text, fill=halo, font=font, anchor=anchor, stroke_width=around, stroke_fill=halo)
    if fill:
        pen.text((x, y), shape.text, fill=fill, font=font, anchor=anchor)


@lru_cache(maxsize=32)
def _font(weight: int, size: int) -> ImageFont.FreeTypeFont:
    name = "Bold" if weight == 700 else "Medium"
    return ImageFont.truetype(str(_FONTS / f"BarlowSemiCondensed-{name}.ttf"), size)
