"""The hard opponent: it asks what the others will build for it, and builds the rest."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.trans_america.opponents import medium
from games.rules.trans_america.opponents.sight import Sight, Turn
from games.rules.trans_america.values import Move


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Builds along the cheapest tree that joins its cities."""
    if sight.view.phase == "place":
        return sight.place(medium.start(sight, sight.hand))
    going = Turn(sight)
    while not going.over:
        free = [line for line, price in enumerate(going.prices) if price == 0]
        shut = [line for line, owner in sight.coloured.items() if owner != sight.seat]
        marker = sight.markers[sight.seat]
        assert marker is not None
        tree = sight.map.graph.steiner_tree([marker, *sight.hand], free, shut)
        steps = [line for line in going.open_lines() if tree is not None and line in tree.edges]
        if not steps:
            break
        going.lay(steps[0])
    return going.end(chance)
