"""Boards as pictures for programs, mails and link previews: a game's scene, drawn with the words of the request's
language. Boards inside of pages are made by `games/web/boards.py`."""

import zlib
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache

from games import record
from games.models import Match
from games.rules.contract import Saying
from games.rules.registry import GAMES
from games.scenes.png import png as draw_png
from games.scenes.svg import svg as draw_svg
from games.words import say

KEPT_AT_ONCE = 64
"""Pictures of whole boards in the cache. One is about 0.6 MB, so all of them are some 40 MB, however many are asked
for."""
KEPT_SECONDS = 60 * 60
"""Not for ever: a new release may draw otherwise."""


def svg(game: str, view: Any, names: Sequence[str], theme: str) -> str:
    """The view as one `<svg>` that stands alone, by day or by night."""

    def speak(code: str, params: dict[str, Any]) -> str:
        return say(game, Saying(code, params), names)

    return draw_svg(GAMES[game].scene(view), speak, theme=theme)


def png(game: str, view: Any, width: int = 1200, theme: str = "day") -> bytes:
    """The view as a PNG, `width` pixels wide."""
    return draw_png(GAMES[game].scene(view), width, theme=theme)


def match_png(match: Match, seat: int | None, theme: str) -> bytes:
    """The board of a match that has begun as this seat may see it, as `png` draws it. seat: None for who has none."""
    # What is seen follows from the match, its version and the seat. All of it is kept with the picture and compared,
    # since pictures share places: nobody is given what was drawn for another's eyes.
    drawn = (match.key, match.version, seat, theme)
    place = f"picture:{zlib.crc32(f'{match.key} {seat} {theme}'.encode()) % KEPT_AT_ONCE}"
    kept = cache.get(place)
    if kept is not None and kept[0] == drawn:
        return kept[1]
    picture = png(match.game, GAMES[match.game].view(record.load_state(match), seat), theme=theme)
    cache.set(place, (drawn, picture), KEPT_SECONDS)
    return picture


def small_png(game: str, view: Any, width: int) -> bytes:
    """The view by day in 128 colours, which nobody sees and which makes it a quarter as large: for mails."""
    return draw_png(GAMES[game].scene(view), width, colours=128)


def words(game: str, view: Any, names: Sequence[str]) -> str:
    """What the picture shows, for those who do not see it."""
    return say(game, Saying(*GAMES[game].scene(view).title), names)
