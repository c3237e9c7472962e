"""The hard opponent: it plays the rest of the round in its head, in many likely deals, before it chooses.

A choice is where to start, or which missing city to build to first. For each, the round is played on, with everybody
building to the nearest missing city, from the same guessed deals (`guess`); it takes what leaves it the least to pay,
and the others the most. So the others' rails to come, and the end of the round, are part of what it weighs.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.rules.chance import Chance
from games.rules.trans_america.game import TURN_POINTS
from games.rules.trans_america.opponents.guess import Guess
from games.rules.trans_america.opponents.sight import FAR, Reach, Sight, Turn
from games.rules.trans_america.values import Move

WORLDS = 24
MALICE = 0.5


class Ahead(NamedTuple):
    """A round played in the head. reaches and hands: one a seat; mover has the turn with so many points."""

    reaches: list[Reach]
    hands: list[list[int]]
    mover: int
    points: int
    rails: int


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    if sight.view.phase == "place":
        return sight.place(_start(sight, chance))
    going = Turn(sight)
    order = going.missing()
    if len(order) > 1:
        order = _order(sight, order, chance)
    while not going.over:
        missing = going.missing()
        step = going.step(sorted(missing, key=lambda city: city != order[0]))
        if step is None:
            break
        going.lay(step)
    return going.end(chance)


def _start(sight: Sight, chance: Chance) -> int:
    map_ = sight.map
    guess = Guess(sight)
    seats = len(sight.markers)
    fresh: dict[int, Reach] = {}

    def reach(junction):
        if junction not in fresh:
            fresh[junction] = Reach(map_, map_.costs, junction)
        return fresh[junction]

    spots = sight.free_junctions(sight.hand)
    worth = dict.fromkeys(spots, 0.0)
    for _ in range(WORLDS):
        hands = guess.deal(chance)
        for spot in spots:
            markers = list(sight.markers)
            markers[sight.seat] = spot
            for i in range(1, seats):
                seat = (sight.seat + i) % seats
                if markers[seat] is None:
                    markers[seat] = min(
                        (j for j in hands[seat] if j not in markers),
                        key=lambda j: sum(reach(j).cost[c] for c in hands[seat]),
                        default=None
                    )
                    if markers[seat] is None:
                        markers[seat] = next(j for j in range(len(map_.junctions)) if j not in markers)
            reaches = [reach(j).copy() for j in markers]
            worth[spot] += _outcome(Ahead(reaches, hands, sight.view.start, TURN_POINTS, map_.rails), sight.seat, None)
    return min(spots, key=worth.__getitem__)


def _order(sight: Sight, missing: list[int], chance: Chance) -> list[int]:
    guess = Guess(sight)
    base = [sight.reach(seat) for seat in range(len(sight.markers))]
    worth = dict.fromkeys(missing, 0.0)
    for _ in range(WORLDS):
        hands = guess.deal(chance)
        for city in missing:
            reaches = [reach.copy() for reach in base]
            ahead = Ahead(reaches, hands, sight.seat, sight.points, sight.map.rails - len(sight.rails))
            worth[city] += _outcome(ahead, sight.seat, city)
    return sorted(missing, key=worth.__getitem__)


def _outcome(ahead: Ahead, seat: int, first: int | None) -> float:
    _play_on(ahead, seat, first)
    rests = [_rest(reach, hand) for reach, hand in zip(ahead.reaches, ahead.hands)]
    mine = rests.pop(seat)
    return mine - MALICE * sum(rests) / len(rests)


def _rest(reach: Reach, hand: list[int]) -> int:
    total = 0
    cost = reach.cost
    while missing := [city for city in hand if 0 < cost[city] < FAR]:
        city = min(missing, key=cost.__getitem__)
        total += cost[city]
        if len(missing) == 1:
            break
        for line in reach.way(city):
            reach.lay(line)
    return total


def _play_on(ahead: Ahead, seat: int, first: int | None) -> None:
    reaches, hands, mover, points, rails = ahead
    seats = len(reaches)
    missing = [[c for c in hand if 0 < reach.cost[c] < FAR] for reach, hand in zip(reaches, hands)]
    idle = 0
    while rails:
        reach = reaches[mover]
        cost = reach.cost
        prices = reach.prices
        order = sorted(missing[mover], key=cost.__getitem__)
        if mover == seat and first is not None:
            order.sort(key=lambda city: city != first)
        before = rails
        for city in order:
            while points and cost[city]:
                line = reach.way(city)[0]
                if prices[line] > points:
                    break
                points -= prices[line]
                rails -= 1
                for other, (theirs, left) in enumerate(zip(reaches, missing)):
                    theirs.lay(line)
                    costs = theirs.cost
                    for x in left:
                        if not costs[x]:
                            missing[other] = [x for x in left if costs[x]]
                            if not missing[other]:
                                return
                            break
                if not rails:
                    return
            if not points:
                break
        idle = 0 if rails < before else idle + 1
        if idle == seats:
            return
        points = TURN_POINTS
        mover = (mover + 1) % seats
