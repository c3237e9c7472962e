"""The pictures of the rules pages: small positions of each game, drawn by the scenes that draw matches.

A game's module here makes them; its page lies in `templates/pages/rules/`. Names and numbers in a page's text come from
the same positions, so that the text stays true to its pictures; tests hold it to them.
"""

from types import ModuleType
from typing import Any

from django.utils.safestring import SafeString

from games.web.boards import board
from games.web.rules_pages import paris_connection, trans_america

PAGES: dict[str, ModuleType] = {"trans-america": trans_america, "paris-connection": paris_connection}


def pictures(game: str) -> dict[str, Any]:
    """What the page of a game shows: SVGs by name, and the facts that its text speaks of."""
    return PAGES[game].pictures()


def example_view(game: str) -> Any:
    """A spectator's view of the middle of a match."""
    return PAGES[game].example()


def example(game: str) -> SafeString:
    """The board of that view, for when nobody plays."""
    return board(game, example_view(game), PAGES[game].NAMES)
