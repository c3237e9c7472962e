"""Boards inside a page: the scene as an inline SVG over a still map, a static picture. Its looks are in board.css."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from games.rules.contract import Choices, Saying
from games.rules.registry import GAMES
from games.rules.shapes import Box, Circle, Path, Scene, Text
from games.scenes.styles import THEMES
from games.scenes.svg import svg
from games.words import say

UNSEEN = "legal"
"""The kind of shapes that are there to be pressed and show nothing by themselves."""

NEAR = 1.0
"""How far beyond a window the middle of what reaches into it may be, in board units."""


def board(game: str, view: Any, names: Sequence[str], choices: Choices | None = None) -> SafeString:
    """The view as one `<svg>` for a page. With choices, what can be chosen is lit and can be pressed."""
    return _draw(game, GAMES[game].scene(view, choices), names)


def illustration(
    game: str,
    view: Any,
    names: Sequence[str],
    mark: str,
    choices: Choices | None = None,
    window: Box | None = None,
) -> SafeString:
    """The view as one of several boards of a page. Choices are lit, but nothing can be pressed.

    mark: makes the ids inside unique on the page. window: the part of the board to show, where not all of it.
    """
    scene = GAMES[game].scene(view, choices)
    shapes = tuple(
        msgspec.structs.replace(shape, move=None)
        for shape in scene.shapes
        if shape.kind != UNSEEN and (window is None or _lies_in(window, shape))
    )
    drawn = _draw(game, msgspec.structs.replace(scene, shapes=shapes), names, window)
    marked = drawn.replace(' id="', f' id="{mark}-').replace(' href="#', f' href="#{mark}-')
    return mark_safe(marked)  # noqa: S308 - as below


def _lies_in(window: Box, shape: Path | Circle | Text) -> bool:
    """Whether any of a shape is in the window, or so near that it may reach into it."""
    left, top, width, height = window
    points = [point for part in shape.parts for point in part] if isinstance(shape, Path) else [shape.at]
    return any(left - NEAR < x < left + width + NEAR and top - NEAR < y < top + height + NEAR for x, y in points)


def _draw(game: str, scene: Scene, names: Sequence[str], window: Box | None = None) -> SafeString:
    def speak(code: str, params: dict[str, Any]) -> str:
        return say(game, Saying(code, params), names)

    day, night = (static(f"board/{scene.backdrop}-{theme}.svg") for theme in THEMES)
    return mark_safe(svg(scene, speak, (day, night), window=window))  # noqa: S308 - `svg` escapes all words
