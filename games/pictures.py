"""Boards as pictures for everybody: a game's scene, drawn with the words of the request's language."""

from collections.abc import Sequence
from typing import Any

from games.rules.contract import Choices, Saying
from games.rules.registry import GAMES
from games.scenes.png import png as draw_png
from games.scenes.svg import svg as draw_svg
from games.words import say


def svg(
    game: str,
    view: Any,
    names: Sequence[str],
    theme: str | None = None,
    *,
    choices: Choices | None = None,
    backdrop: tuple[str, str] | None = None,
) -> str:
    """The view as one `<svg>`: for a page with `backdrop` (see games.scenes.svg), or with `theme` to stand alone."""
    scene = GAMES[game].scene(view, choices)

    def speak(code: str, params: dict[str, Any]) -> str:
        return say(game, Saying(code, params), names)

    return draw_svg(scene, speak, backdrop=backdrop, theme=theme)


def png(game: str, view: Any, width: int = 1200, theme: str = "day") -> bytes:
    """The view as a PNG, `width` pixels wide."""
    return draw_png(GAMES[game].scene(view), width, theme=theme)
