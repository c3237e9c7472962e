"""The easy opponent: it knows its cities and the way to each, but not which to take next. Beaten by a newcomer."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.trans_america.opponents.sight import Sight, Turn
from games.rules.trans_america.values import Move

WANDERS = 2
"""One in so many rails goes towards any of its cities, the others to the nearest one."""


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Starts in any of its cities; each rail goes to the nearest missing city, or now and then to another one."""
    if sight.view.phase == "place":
        return sight.place(chance.pick(sight.free_junctions(sight.hand)))
    going = Turn(sight)
    while not going.over and (missing := going.missing()):
        city = chance.pick(missing) if chance.below(WANDERS) == 0 else missing[0]
        step = going.step([city])
        if step is None:
            break
        going.lay(step)
    return going.end(chance)
