"""Boards inside a page: the scene as an inline SVG over a still map, a static picture. Its looks are in board.css."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from games.rules.contract import Choices, Saying
from games.rules.registry import GAMES
from games.rules.shapes import Scene
from games.scenes.styles import THEMES
from games.scenes.svg import svg
from games.words import say


def board(game: str, view: Any, names: Sequence[str], choices: Choices | None = None) -> SafeString:
    """The view as one `<svg>` for a page. With choices, what can be chosen is lit and can be pressed."""
    return _draw(game, GAMES[game].scene(view, choices), names)


def illustration(game: str, view: Any, names: Sequence[str], mark: str, choices: Choices | None = None) -> SafeString:
    """The view as one of several boards of a page. Choices are lit, but nothing can be pressed.

    mark: makes the ids inside unique on the page.
    """
    scene = GAMES[game].scene(view, choices)
    unpressed = tuple(shape for shape in scene.shapes if shape.move is None)
    drawn = _draw(game, msgspec.structs.replace(scene, shapes=unpressed), names)
    marked = drawn.replace(' id="', f' id="{mark}-').replace(' href="#', f' href="#{mark}-')
    return mark_safe(marked)  # noqa: S308 - as below


def _draw(game: str, scene: Scene, names: Sequence[str]) -> SafeString:
    def speak(code: str, params: dict[str, Any]) -> str:
        return say(game, Saying(code, params), names)

    day, night = (static(f"board/{scene.backdrop}-{theme}.svg") for theme in THEMES)
    return mark_safe(svg(scene, speak, backdrop=(day, night)))  # noqa: S308 - `svg` escapes all words
