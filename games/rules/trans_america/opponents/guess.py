"""What the others' cities may be, guessed from where they started and what they built.

Every city of a colour gets a weight for every seat, as a logit model: exp of a sum of what speaks for it. The weights
of evidence were fitted to rounds of easy and medium opponents on both boards, and rounded down towards caution, since
people play in more ways. Not here: anything that is known.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from games.rules.chance import Chance
from games.rules.trans_america.board import COLOURS
from games.rules.trans_america.game import TURN_POINTS
from games.rules.trans_america.opponents.sight import Reach, Sight

STARTED_THERE = 5.0
PER_POINT_FROM_START = -0.12
PER_POINT_NEARER = 0.35
"""For every point by which a turn brought the city nearer."""

ARRIVED = 2.0
"""For a turn that joined the city."""

PASSED_OVER = -3.0
"""For a turn that brought the city no nearer: divided by its distance, since near cities come first."""

TRIES = 20
"""How often hands are drawn anew that would have ended the round."""

_GRAIN = 1 << 16
"""The least weight that is drawn with, as a share of a colour's largest."""


class Guess:
    """The weights of every seat's cities, and deals drawn by them.

    reaches: the ways from each seat's marker now; empty while markers are being set.
    """

    def __init__(self, sight: Sight) -> None:
        map_ = sight.map
        self._sight = sight
        seats = len(sight.markers)
        mine = set(sight.hand)
        evidence = _evidence(sight)
        self.reaches = [] if None in sight.markers else [sight.reach(seat) for seat in range(seats)]
        self._colours = [
            [city for city in map_.cities_of(colour, seats) if map_.cities[city].junction not in mine]
            for colour in COLOURS
        ]
        self._weights = [[_weights([row[city] for city in cities]) for cities in self._colours] for row in evidence]

    def deal(self, chance: Chance) -> list[list[int]]:
        """A hand, as junctions, for each seat: the own one, and drawn ones without doubles for the others.

        Hands that are joined already are not likely to be in play, since the round goes on.
        """
        for _ in range(TRIES):
            hands = self._draw(chance)
            if all(any(reach.cost[city] for city in hand) for reach, hand in zip(self.reaches, hands, strict=False)):
                break
        return hands

    def _draw(self, chance: Chance) -> list[list[int]]:
        """A deal by the weights alone."""
        map_ = self._sight.map
        hands: list[list[int]] = [[] for _ in self._weights]
        others = [seat for seat in range(len(hands)) if seat != self._sight.seat]
        for colour, cities in enumerate(self._colours):
            left = list(range(len(cities)))
            # Whoever draws first leaves the others the rest, so that the order has to change.
            for seat in chance.shuffled(others):
                weights = self._weights[seat][colour]
                sums = list(accumulate(weights[place] for place in left))
                drawn = chance.below(sums[-1])
                place = left.pop(next(place for place, total in enumerate(sums) if drawn < total))
                hands[seat].append(map_.cities[cities[place]].junction)
        hands[self._sight.seat] = list(self._sight.hand)
        return hands


def _weights(evidence: Sequence[float]) -> list[int]:
    """Whole weights of 1 and more, by which chance can draw."""
    most = max(evidence)
    return [1 + int(_GRAIN * math.exp(value - most)) for value in evidence]


def _turns(sight: Sight, reaches: Mapping[int, Reach]) -> Iterator[tuple[int, list[int]]]:
    """The seat of each finished turn of the round, and its distances before. Lays the turn's rails in the reaches.

    Views do not tell who built what, but for the last turn. So a turn is taken to be as long as its points and its
    seat's network allow, which is wrong where a stop or a seat passed over leaves no trace.
    """
    map_ = sight.map
    seat, left = sight.view.start, TURN_POINTS
    before: list[int] = []
    for line in sight.rails[: len(sight.rails) - len(sight.laid)]:
        near = min(reaches[seat].cost[end] for end in map_.lines[line])
        if before and (near > 0 or map_.costs[line] > left):
            yield seat, before
            seat, left, before = (seat + 1) % len(reaches), TURN_POINTS, []
        before = before or list(reaches[seat].cost)
        left -= map_.costs[line]
        for reach in reaches.values():
            reach.lay(line)
    if before:
        yield seat, before


def _evidence(sight: Sight) -> list[list[float]]:
    """For each seat, what speaks for each city of the board. Nothing does where the seat has no marker yet."""
    map_ = sight.map
    cities = [city.junction for city in map_.cities]
    evidence = [[0.0] * len(cities) for _ in sight.markers]
    reaches = {
        seat: Reach(map_, map_.costs, marker, cities) for seat, marker in enumerate(sight.markers) if marker is not None
    }
    for seat, reach in reaches.items():
        for city, junction in enumerate(cities):
            away = reach.cost[junction]
            evidence[seat][city] = PER_POINT_FROM_START * away if away else STARTED_THERE
    for seat, before in _turns(sight, reaches):
        after = reaches[seat].cost
        for city, junction in enumerate(cities):
            if away := before[junction]:
                nearer = away - after[junction]
                evidence[seat][city] += PER_POINT_NEARER * nearer if nearer else PASSED_OVER / away
                if nearer == away:
                    evidence[seat][city] += ARRIVED
    return evidence
