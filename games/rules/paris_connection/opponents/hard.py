"""The hard opponent: it plays the rest of the match in its head, in many likely deals, before it chooses.

Every choice is played on in the same deals (`deals`), with everybody ending the match where that wins it, and else
taking what gains most at the moment (`ahead`). What counts is its rank in the end, and a little by how much. So what
the others will build for it, which companies will grow, what shares above the limit cost, whether to end the match and
not to bring the end within reach of somebody who is ahead are part of what it weighs.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.chance import Chance
from games.rules.paris_connection.board import board
from games.rules.paris_connection.opponents.ahead import Ahead
from games.rules.paris_connection.opponents.builds import LAST_CITY, NOTHING, Plan, way_to
from games.rules.paris_connection.opponents.deals import Deals
from games.rules.paris_connection.opponents.sight import COMPANY_NUMBERS, Exchange, Sight, trade_moves
from games.rules.paris_connection.values import Company, Move

EFFORT = 64
"""How many matches are played in the head before the worse half of the choices left is dropped."""

FORESIGHT = 6
"""How many matches are played in the head to learn what companies will be worth, before trades are chosen from."""

TRADES = 5
"""How many trades, the best by what companies will be worth, are among the choices."""

PER_POINT = 1 / 100
"""What a point more than the best other one is worth, in ranks."""


class Choice(NamedTuple):
    """A build of a company, or a trade."""

    company: Company
    plan: Plan
    trade: Exchange | None = None


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """The build or the trade that comes out best in matches played in the head."""
    builds = _builds(sight)
    if not builds:
        return trade_moves(sight.way_out())
    now, deals = Ahead(sight), Deals(sight)
    for company in COMPANY_NUMBERS:
        now.plan(company)
    best = _best([*builds, *_trades(sight, now, deals, chance)], sight.seat, now, deals, chance)
    return sight.build(best.company, best.plan.hexes) if best.trade is None else trade_moves(best.trade)


def _builds(sight: Sight) -> list[Choice]:
    """Builds worth a thought: of each company the most valuable one, ways to near and to great cities, and the end."""
    map_ = board()
    choices = [] if sight.building is None else [Choice(sight.building, NOTHING)]  # a build that has begun may stop
    for company in COMPANY_NUMBERS:
        plans = list(sight.plans(company))
        own, free, most = sight.position.at[company], sight.position.enterable(company), sight.most(company)
        if most:
            great = sum(1 << hex_ for hex_, value in enumerate(map_.values) if value > 1)
            plans += [sight.allowed(company, way_to(own, free, goals, most)) for goals in (great, LAST_CITY)]
        choices += [Choice(company, plan) for plan in dict.fromkeys(plans) if plan != NOTHING]
    return choices


def _trades(sight: Sight, now: Ahead, deals: Deals, chance: Chance) -> list[Choice]:
    """The trades that are best by what companies come to be worth, of those that bring the end nearer or gain now."""
    trades = [trade for trade in sight.trades() if trade.shares > 1 or sight.gain(trade) > 0]
    if not trades:
        return []
    sums = [0] * len(sight.values)
    for _ in range(FORESIGHT):
        match = now.copy(deals.draw(chance))
        match.play_on()
        sums = [a + b for a, b in zip(sums, match.values, strict=True)]

    def later(trade: Exchange) -> float:
        hand = list(sight.hand)
        hand[trade.give] -= 1
        hand[trade.take] += trade.shares
        return sight.worth(hand, [each / FORESIGHT for each in sums])

    trades.sort(key=later, reverse=True)
    chosen = dict.fromkeys([*trades[:TRADES], max(trades, key=sight.gain)])
    return [Choice(trade.take, NOTHING, trade) for trade in chosen]


def _best(choices: Sequence[Choice], seat: int, now: Ahead, deals: Deals, chance: Chance) -> Choice:
    """The choice of the greatest value over deals, the same ones for all; worse ones get fewer of them."""
    left = [(0.0, place) for place in range(len(choices))]
    while len(left) > 1:
        hands = [deals.draw(chance) for _ in range(max(2, EFFORT // len(left)))]
        left = [
            (total + sum(_value(choices[place], seat, now.copy(each)) for each in hands), place)
            for total, place in left
        ]
        left.sort(key=lambda each: (-each[0], each[1]))
        del left[(len(left) + 1) // 2 :]
    return choices[left[0][1]]


def _value(choice: Choice, seat: int, match: Ahead) -> float:
    """What a choice leads to in a match: the rank, turned round, and a little for the points."""
    if choice.trade is None:
        match.build(choice.company, choice.plan)
    else:
        match.trade(choice.trade)
    match.play_on()
    scores = match.scores()
    own = scores.pop(seat)
    return PER_POINT * (own - max(scores)) - sum((other > own) + (other == own) / 2 for other in scores)
