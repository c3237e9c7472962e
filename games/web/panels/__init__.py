"""What a match page shows beside the board, as far as each game decides it: from a view alone, so that nothing leaks.

A game's module here turns its view into a `Panel`; its templates lie in `templates/match/<game>/`. Not for the board
(that is a scene) and not for what all games share (`games/web/table.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.rules.contract import Seat
from games.web.panels import paris_connection, trans_america
from games.web.panels.base import Panel

PANELS: dict[str, Callable[[Any, Seat | None], Panel]] = {
    "trans-america": trans_america.panel,
    "paris-connection": paris_connection.panel,
}

SINCE: dict[str, Callable[[Any, Sequence[Sequence[Mapping[str, Any]]]], Any]] = {
    "trans-america": trans_america.since,
    "paris-connection": paris_connection.since,
}


def panel(game: str, view: Any, viewer: Seat | None) -> Panel:
    """The panel of a game's view for who sits at a seat; None: for a spectator."""
    return PANELS[game](view, viewer)


def since(game: str, view: Any, turns: Sequence[Sequence[Mapping[str, Any]]]) -> Any:
    """The view in which all that was done in some turns, each its plain moves, is marked as its last turn is."""
    return SINCE[game](view, turns)
