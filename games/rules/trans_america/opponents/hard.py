"""The hard opponent: it plays the rest of the round in its head, in many likely deals, before it chooses.

A choice is where to start, or which missing city to build to first. For each, the round is played on, with everybody
building to the nearest missing city, in the same guessed deals (`guess`). What counts in the end is what it would cost
to join its own cities, and, less, what it would cost the others theirs. So the rails that the others will build for it,
and who will end the round, are part of what it weighs.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.rules.chance import Chance
from games.rules.trans_america.game import TURN_POINTS
from games.rules.trans_america.opponents.guess import Guess
from games.rules.trans_america.opponents.sight import Reach, Sight, Turn
from games.rules.trans_america.values import Move

EFFORT = 480
"""How many rounds are played in the head before the worse half of the choices left is dropped, times the seats: rounds
of more seats take longer."""

SPITE = 0.7
"""What a point of the others' mean penalty is worth in points of the own one."""

GIFT = 0.25
"""A rail that brings each of the others so many points nearer to their cities is worth an own coloured one."""

GIFT_DEALS = 8


class Round(NamedTuple):
    """A round to be played in the head. reaches: each seat's ways to its missing cities.

    mover: who has the turn, with so many points to spend; rails: how many are left.
    """

    reaches: list[Reach]
    mover: int
    points: int
    rails: int


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Starts where, or builds to the city to which first, rounds played in the head came out best.

    Rails that would help the others much are coloured ones, where the match has those.
    """
    guess = Guess(sight)
    if sight.view.phase == "place":
        return sight.place(_start(sight, guess, chance))
    going = Turn(sight)
    first = _first(sight, going, guess, chance)
    while not going.over:
        step = going.step(sorted(going.missing(), key=lambda city: city != first))
        if step is None:
            break
        going.lay(step, own=going.coloured_left > 0 and _gift(sight, step, guess, chance) >= GIFT)
    return going.end(chance)


def _start(sight: Sight, guess: Guess, chance: Chance) -> int:
    """The best junction to start in, of those on the cheapest tree that joins the own cities."""
    map_ = sight.map
    tree = map_.graph.steiner_tree(sight.hand)
    assert tree is not None  # The board is connected.
    spots = sight.free_junctions(sorted({junction for line in tree.edges for junction in map_.lines[line]}))
    fresh: dict[int, Reach] = {}

    def reach(junction: int) -> Reach:
        if junction not in fresh:
            fresh[junction] = Reach(map_, map_.costs, junction, ())
        return fresh[junction]

    def middle(hand: Sequence[int], taken: Sequence[int | None]) -> int:
        free = [city for city in hand if city not in taken] or [spot for spot in everywhere if spot not in taken]
        return min(free, key=lambda spot: sum(reach(spot).cost[city] for city in hand))

    def value(spot: int, hands: list[list[int]]) -> float:
        markers = list(sight.markers)
        markers[sight.seat] = spot
        for later in range(sight.seat + 1, sight.seat + len(markers)):
            seat = later % len(markers)
            if markers[seat] is None:
                markers[seat] = middle(hands[seat], markers)
        reaches = [reach(marker).copy(hand) for marker, hand in zip(markers, hands, strict=True) if marker is not None]
        return _value(Round(reaches, sight.view.start, TURN_POINTS, map_.rails), sight.seat)

    everywhere = range(len(map_.junctions))
    return _best(spots, value, len(sight.markers), guess, chance)


def _first(sight: Sight, going: Turn, guess: Guess, chance: Chance) -> int | None:
    """The missing city to build to first; None where none is missing that can be joined."""

    def value(city: int, hands: list[list[int]]) -> float:
        reaches = [reach.copy(hand) for reach, hand in zip(guess.reaches, hands, strict=True)]
        round_ = Round(reaches, sight.seat, sight.points, sight.map.rails - len(sight.rails))
        return _value(round_, sight.seat, city)

    missing = going.missing()
    return _best(missing, value, len(sight.markers), guess, chance) if missing else None


def _best(
    choices: Sequence[int],
    value: Callable[[int, list[list[int]]], float],
    seats: int,
    guess: Guess,
    chance: Chance,
) -> int:
    """The choice of the least value over guessed deals, the same ones for all; worse ones get fewer of them."""
    left = list(choices)
    totals = dict.fromkeys(left, 0.0)
    while len(left) > 1:
        for _ in range(max(1, EFFORT // seats // len(left))):
            hands = guess.deal(chance)
            for choice in left:
                totals[choice] += value(choice, hands)
        left.sort(key=totals.__getitem__)
        del left[(len(left) + 1) // 2 :]
    return left[0]


def _gift(sight: Sight, line: int, guess: Guess, chance: Chance) -> float:
    """By how many points a rail brings each of the others nearer to its missing cities: the mean of guessed deals."""
    others = [seat for seat in range(len(guess.reaches)) if seat != sight.seat]
    nearer = 0
    for _ in range(GIFT_DEALS):
        hands = guess.deal(chance)
        for seat in others:
            reach = guess.reaches[seat].copy(hands[seat])
            goals = list(reach.missing)
            before = sum(reach.cost[goal] for goal in goals)
            reach.lay(line)
            nearer += before - sum(reach.cost[goal] for goal in goals)
    return nearer / GIFT_DEALS / len(others)


def _value(round_: Round, seat: int, first: int | None = None) -> float:
    """What a seat makes of a round in which it builds to `first` first: its penalty, less a share of the others'."""
    _play_on(round_, seat, first)
    penalties = [_penalty(reach) for reach in round_.reaches]
    own = penalties.pop(seat)
    return own - SPITE * sum(penalties) / len(penalties)


def _play_on(round_: Round, seat: int, first: int | None) -> None:
    """Play a round to its end."""
    reaches, mover, points, rails = round_
    seats = len(reaches)
    news: list[list[int]] = [[] for _ in reaches]
    idle = 0

    def learn(who: int) -> bool:
        """Bring a seat's reach up to date; whether it has joined all its cities."""
        reaches[who].lay(*news[who])
        news[who] = []
        return not reaches[who].missing

    while rails > 0 and idle < seats:
        reach = reaches[mover]
        if learn(mover):
            break
        before = rails
        while points and rails > 0:
            order = sorted(reach.missing, key=reach.cost.__getitem__)
            if mover == seat and first is not None:
                order.sort(key=lambda city: city != first)
            laid = _lines(reach, order, points)
            if not laid:
                break
            points -= sum(reach.prices[line] for line in laid)
            rails -= len(laid)
            for who, heard in enumerate(news):
                heard += laid
                # A rail may join somebody's last city at any time; all else can wait until the seat's own turn.
                if (who == mover or len(reaches[who].missing) == 1) and learn(who):
                    rails = 0
        idle = idle + 1 if rails == before else 0
        points = TURN_POINTS
        mover = (mover + 1) % seats
    for who in range(seats):
        learn(who)


def _lines(reach: Reach, order: list[int], points: int) -> list[int]:
    """What a seat lays next for so many points: the beginning of the way to the first city that it can go towards."""
    for city in order:
        laid = []
        left = points
        for line in reach.way(city):
            left -= reach.prices[line]
            if left < 0:
                break
            laid.append(line)
        if laid:
            return laid
    return []


def _penalty(reach: Reach) -> int:
    """What it costs to join the missing cities, one after the other: seldom more than the cheapest set of lines."""
    total = 0
    while missing := reach.missing:
        city = min(missing, key=reach.cost.__getitem__)
        total += reach.cost[city]
        if len(missing) == 1:
            break
        reach.lay(*reach.way(city))
    return total
