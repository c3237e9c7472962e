"""Boards inside a page: the scene as an inline SVG over a still map, a static picture. Its looks are in board.css."""

from collections.abc import Sequence
from typing import Any

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from games import pictures
from games.rules.contract import Choices
from games.rules.registry import GAMES
from games.scenes.styles import THEMES


def board(game: str, view: Any, names: Sequence[str], choices: Choices | None = None, mark: str = "") -> SafeString:
    """The view as one `<svg>` for a page. mark: makes the ids inside unique where a page holds several boards."""
    name = GAMES[game].scene(view).backdrop
    day, night = (static(f"board/{name}-{theme}.svg") for theme in THEMES)
    drawn = pictures.svg(game, view, names, choices=choices, backdrop=(day, night))
    if mark:
        drawn = drawn.replace('id="', f'id="{mark}-').replace('href="#', f'href="#{mark}-')
    return mark_safe(drawn)  # noqa: S308 - scenes escape every name
