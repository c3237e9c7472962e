"""The medium opponent: starts in the middle of its cities and always builds to the nearest one that it misses."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.trans_america.opponents.sight import Reach, Sight, Turn
from games.rules.trans_america.values import Move


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Two points towards the nearest missing city; where that needs a dearer line, towards the next one."""
    if sight.view.phase == "place":
        return sight.place(start(sight, sight.hand))
    going = Turn(sight)
    while not going.over:
        steps = [going.reach.way(city)[0] for city in going.missing()]
        step = next((line for line in steps if going.prices[line] <= going.points), None)
        if step is None:
            break
        going.lay(step)
    return going.end(chance)


def start(sight: Sight, hand: Sequence[int]) -> int:
    """The city of a hand from which the others are nearest in sum, among those without a marker."""
    prices = sight.map.costs

    def farness(junction: int) -> int:
        cost = Reach(sight.map, prices, junction).cost
        return sum(cost[city] for city in hand)

    return min(sight.free_junctions(hand), key=farness)
