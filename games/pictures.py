"""Boards as pictures for programs, mails and link previews: a game's scene, drawn with the words of the request's
language. Boards inside of pages are made by `games/web/boards.py`."""

from collections.abc import Sequence
from typing import Any

from games.rules.contract import Saying
from games.rules.registry import GAMES
from games.scenes.png import png as draw_png
from games.scenes.svg import svg as draw_svg
from games.words import say


def svg(game: str, view: Any, names: Sequence[str], theme: str) -> str:
    """The view as one `<svg>` that stands alone, by day or by night."""

    def speak(code: str, params: dict[str, Any]) -> str:
        return say(game, Saying(code, params), names)

    return draw_svg(GAMES[game].scene(view), speak, theme=theme)


def png(game: str, view: Any, width: int = 1200, theme: str = "day") -> bytes:
    """The view as a PNG, `width` pixels wide."""
    return draw_png(GAMES[game].scene(view), width, theme=theme)


def small_png(game: str, view: Any, width: int) -> bytes:
    """The view by day in 128 colours, which nobody sees and which makes it a quarter as large: for mails."""
    return draw_png(GAMES[game].scene(view), width, colours=128)


def words(game: str, view: Any, names: Sequence[str]) -> str:
    """What the picture shows, for those who do not see it."""
    return say(game, Saying(*GAMES[game].scene(view).title), names)
