"""Computer opponents of Trans America: three levels that know nothing but the view of their own seat.

easy starts in one of its cities and wanders towards them; medium starts in the middle of its cities and always builds
to the nearest one; hard asks what the others will build for it, and builds the rest (`hard`). All draw from the given
Chance alone, so that a turn can be repeated. Not here: how the house runs them, and how long they seem to think.
"""

from collections.abc import Callable, Sequence

from games.rules.chance import Chance
from games.rules.trans_america.board import Board
from games.rules.trans_america.opponents import easy, hard, medium
from games.rules.trans_america.opponents.sight import Sight
from games.rules.trans_america.values import Move, View

_LEVELS: dict[str, Callable[[Sight, Chance], Sequence[Move]]] = {
    "easy": easy.turn,
    "medium": medium.turn,
    "hard": hard.turn,
}


def think(map_: Board, view: View, level: str, chance: Chance) -> Sequence[Move]:
    """The rest of the turn of the seat that the view belongs to, as moves that end its turn.

    The seat must have the turn. What the view does not tell may end the turn earlier: a rail that joins another's
    cities. Raises KeyError for a level that is not in contract.LEVELS.
    """
    return _LEVELS[level](Sight(map_, view), chance)
