"""The medium opponent: starts in the middle of its cities and always builds to the nearest one that it misses."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.trans_america.opponents.sight import Reach, Sight, Turn
from games.rules.trans_america.values import Move


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Two points towards the nearest missing city; where that needs a dearer line, towards the next one."""
    if sight.view.phase == "place":
        return sight.place(_middle(sight))
    going = Turn(sight)
    while not going.over:
        step = going.step(going.missing())
        if step is None:
            break
        going.lay(step)
    return going.end(chance)


def _middle(sight: Sight) -> int:
    """The own city from which the others are nearest in sum, among those without a marker."""

    def farness(junction: int) -> int:
        cost = Reach(sight.map, sight.map.costs, junction, sight.hand).cost
        return sum(cost[city] for city in sight.hand)

    return min(sight.free_junctions(sight.hand), key=farness)
