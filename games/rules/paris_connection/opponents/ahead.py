"""The rest of a match as it may go: played in the head, fast, by seats that end it where they win by that.

Else they all take what gains most now.

A light model of the match that can be changed and copied. It leaves out the cut-off ban, which shapes only the first
builds, and locomotives that lead to no city. Not for choosing: that is `hard`.
"""

import functools
from collections.abc import Sequence

from games.rules.paris_connection.board import Hexes, board
from games.rules.paris_connection.game import BUILD_MOST, TAKE_MOST
from games.rules.paris_connection.opponents.builds import LAST_CITY, NOTHING, Plan, best_build, way_to
from games.rules.paris_connection.opponents.sight import COMPANY_NUMBERS, Exchange, Sight
from games.rules.paris_connection.values import Company

_MAP = board()
_ROOM_FOR_ONE = _MAP.cities
_NARROW = 2
"""How many cities are tried for each part of a build in the head."""

_NEAR_THE_END = functools.reduce(lambda near, _: near | _MAP.beside(near), range(BUILD_MOST), LAST_CITY)
"""The hexes from which one build may come to the last city."""

_LONGEST = 200
"""More turns than a match has from anywhere in it: what is played in the head ends, too."""


class Ahead:
    """A match in the head. hands: of all seats; the rest as in Sight. over: whether it has ended."""

    __slots__ = ("_at", "_fines", "_full", "_held", "_plans", "hands", "mover", "over", "supply", "values")

    def __init__(self, sight: Sight) -> None:
        position = sight.position
        self._at, self._held, self._full = list(position.at), position.held, position.full
        self._plans: list[Plan | None] = [None] * len(position.at)
        self._fines = [sight.fine(shares) for shares in range(sum(sight.held) + sum(sight.supply) + TAKE_MOST)]
        self.hands: list[list[int]] = []
        self.supply, self.values = list(sight.supply), list(sight.values)
        self.mover, self.over = sight.seat, False

    def copy(self, hands: Sequence[Sequence[int]]) -> "Ahead":
        """The same with these hands."""
        twin = Ahead.__new__(Ahead)
        twin._at, twin._held, twin._full = self._at[:], self._held, self._full
        twin._plans, twin._fines = self._plans[:], self._fines
        twin.hands = [list(hand) for hand in hands]
        twin.supply, twin.values = self.supply[:], self.values[:]
        twin.mover, twin.over = self.mover, self.over
        return twin

    def scores(self) -> list[int]:
        """What each seat would score if the match ended now."""
        return [
            sum(count * value for count, value in zip(hand, self.values, strict=True)) - self._fines[sum(hand)]
            for hand in self.hands
        ]

    def build(self, company: Company, plan: Plan) -> None:
        """The mover builds."""
        filled = plan.mask & (_ROOM_FOR_ONE | self._held)
        self._at[company] |= plan.mask
        self._held |= plan.mask
        self._full |= filled
        self.supply[company] -= len(plan.hexes)
        self.values[company] += plan.gain
        plans = self._plans
        plans[company] = None
        for other, known in enumerate(plans):
            # What fills up can only spoil a plan: the others are as good as they were.
            if known is not None and known.mask & filled:
                plans[other] = None
        self._next(plan.ends)

    def trade(self, trade: Exchange) -> None:
        """The mover trades."""
        give, take, count = trade
        hand = self.hands[self.mover]
        hand[give] -= 1
        hand[take] += count
        self.supply[give] += 1
        self.supply[take] -= count
        for company in (give, take):
            known = self._plans[company]
            if known is not None and (len(known.hexes) > self.supply[company] or company == give):
                self._plans[company] = None
        self._next(False)

    def _next(self, ends: bool) -> None:
        self.mover = (self.mover + 1) % len(self.hands)
        self.over = ends or sum(map(bool, self.supply)) <= 1

    def plan(self, company: Company) -> Plan:
        """What is built of a company: what gains most, else the way to the nearest city. NOTHING: no city is left."""
        known = self._plans[company]
        if known is None:
            most = min(BUILD_MOST, self.supply[company])
            own, free = self._at[company], self._free(company)
            known = best_build(own, free, most, _NARROW)
            if known is NOTHING and most:
                known = way_to(own, free, _MAP.cities, most)
            self._plans[company] = known
        return known

    def _free(self, company: Company) -> Hexes:
        return ~(self._full | self._at[company])

    def best_trade(self) -> tuple[int, Exchange | None]:
        """The trade of the greatest gain now for the mover, and the gain; 0 and None where none gains."""
        hand, values, supply = self.hands[self.mover], self.values, self.supply
        shares = sum(hand)
        held = sorted([(values[company], company) for company in COMPANY_NUMBERS if hand[company]])[:2]
        most, best = 0, None
        for take in COMPANY_NUMBERS:
            count = min(TAKE_MOST, supply[take])
            give = held[-1] if held[0][1] == take else held[0]
            if give[1] == take:
                continue
            while count:
                gain = count * values[take] - give[0] - self._fines[shares + count - 1] + self._fines[shares]
                if gain > most:
                    most, best = gain, Exchange(give[1], take, count)
                count -= 1
        return most, best

    def winning_build(self) -> tuple[Company, Plan] | None:
        """A build to the last city that ends the match with the mover first, alone or not."""
        for company in COMPANY_NUMBERS:
            if self._at[company] & _NEAR_THE_END:
                plan = self.plan(company)
                if not plan.ends:
                    most = min(BUILD_MOST, self.supply[company])
                    plan = way_to(self._at[company], self._free(company), LAST_CITY, most)
                if plan.ends:
                    scores = [
                        score + plan.gain * hand[company] for score, hand in zip(self.scores(), self.hands, strict=True)
                    ]
                    if scores[self.mover] == max(scores):
                        return company, plan
        return None

    def play_on(self) -> None:
        """Play the match to its end, or until nobody has anything left that gains or leads to a city."""
        idle = 0
        for _ in range(_LONGEST):
            if self.over or idle == len(self.hands):
                break
            winning = self.winning_build()
            if winning is not None:
                self.build(*winning)
                break
            hand = self.hands[self.mover]
            most, trade = self.best_trade()
            chosen, best = -1, (0, -1, 0)
            for company in COMPANY_NUMBERS:
                plan = self.plan(company)
                if plan is not NOTHING:
                    worth = (hand[company] * plan.gain, hand[company], -len(plan.hexes))
                    if worth > best:
                        chosen, best = company, worth
            if trade is not None and most > best[0]:
                self.trade(trade)
                idle = 0
            elif chosen >= 0:
                self.build(chosen, self.plan(chosen))
                idle = 0
            else:
                self.mover = (self.mover + 1) % len(self.hands)
                idle += 1
