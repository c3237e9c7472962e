"""Computer opponents of Paris Connection: three levels that know nothing but the view of their own seat.

easy builds and trades as it likes; medium takes what makes its own holdings worth most now; hard plays the rest of the
match in its head (`hard`). All draw from the given Chance alone, so that a turn can be repeated, and matches of theirs
always end (`sight`). Not here: how the house runs them, and how long they seem to think.
"""

from collections.abc import Callable, Sequence

from games.rules.chance import Chance
from games.rules.paris_connection.opponents import easy, hard, medium
from games.rules.paris_connection.opponents.sight import Sight
from games.rules.paris_connection.values import Move, View

_LEVELS: dict[str, Callable[[Sight, Chance], Sequence[Move]]] = {
    "easy": easy.turn,
    "medium": medium.turn,
    "hard": hard.turn,
}


def think(view: View, level: str, chance: Chance) -> Sequence[Move]:
    """The rest of the turn of the seat that the view belongs to, as moves that end its turn.

    The seat must have the turn. Raises KeyError for a level that is not in contract.LEVELS.
    """
    return _LEVELS[level](Sight(view), chance)
