"""What an opponent works with: a view in the house's ints, what its holdings are worth, and turns in the making.

Not for choosing: that is the levels' part. But here is what makes matches end whatever the levels choose. They may
choose builds, trades of one share for two, and swaps that make their holdings worth more now (`gains`). The supplies
together never grow, each build and each trade for two lessens them, and while they stay as they are swaps that gain
come to an end. Where nothing can be built any more, `way_out` is the turn.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.rules.paris_connection.board import Hexes, board, hexes_of
from games.rules.paris_connection.game import BUILD_MOST, LIMITS, PENALTY, TAKE_MOST
from games.rules.paris_connection.opponents.builds import NOTHING, Plan, best_build, way_to
from games.rules.paris_connection.position import Position
from games.rules.paris_connection.values import COMPANIES, Build, Company, Hex, Move, Stop, Trade, View

_MAP = board()
COMPANY_NUMBERS = range(len(COMPANIES))
WIDE = 6
"""How many cities are tried for each part of a build that is really to be made."""


class Exchange(NamedTuple):
    """A trade."""

    give: Company
    take: Company
    shares: int


class Sight:
    """A view of a seat that has the turn.

    hand, supply, values, held: by company; the running build counts in its value. building: the company that is being
    built; spare: how many locomotives may follow in this turn.
    """

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        hand = view.holdings[view.seat]
        assert hand is not None
        self.view, self.seat, self.hand = view, view.seat, hand
        self.seats = len(view.holdings)
        self.supply = tuple(company.supply for company in view.companies)
        self.held = tuple(company.held for company in view.companies)
        self.position = Position.of((COMPANIES.index(each.company), _MAP.index[each.hex]) for each in view.locomotives)
        self.building = None if view.building is None else COMPANIES.index(view.building)
        self.spare = BUILD_MOST - len(view.turn)
        built = sum(_MAP.values[_MAP.index[hex_]] for hex_ in view.turn)
        self.values = tuple(
            company.value + (built if number == self.building else 0) for number, company in enumerate(view.companies)
        )
        self.always = view.cut_off == "always"

    def most(self, company: Company) -> int:
        """How many locomotives of a company may be built in this turn at most."""
        return min(self.spare, self.supply[company]) if self.building in (None, company) else 0

    def legal(self, company: Company) -> Hexes:
        """Where the next locomotive of a company may be built."""
        return self.position.legal(company, self.always) if self.most(company) else 0

    def plans(self, company: Company) -> Iterator[Plan]:
        """Builds of a company that the rules allow: the one of the greatest gain, and the way to the nearest city.

        Where no city can be reached, or none may be, as many locomotives as there is room for; none at all only where
        no locomotive of the company may be built.
        """
        own, free, most = self.position.at[company], self.position.enterable(company), self.most(company)
        found = False
        if most:
            for plan in (best_build(own, free, most, WIDE), way_to(own, free, _MAP.cities, most)):
                if (allowed := self.allowed(company, plan)) != NOTHING:
                    found = True
                    yield allowed
        if not found and (filling := self._filling(company)) != NOTHING:
            yield filling

    def _filling(self, company: Company) -> Plan:
        """Locomotives wherever there is room."""
        hexes: list[Hex] = []
        position = self.position
        while len(hexes) < self.most(company) and (legal := position.legal(company, self.always)):
            hexes.append(next(hexes_of(legal)))
            position = position.after(company, hexes[-1])
        return plan_of(hexes)

    def allowed(self, company: Company, plan: Plan) -> Plan:
        """As much of a build as the cut-off ban allows."""
        position = self.position
        for count, hex_ in enumerate(plan.hexes):
            if position.cut_off(company, hex_, self.always) is not None:
                return plan_of(plan.hexes[:count])
            position = position.after(company, hex_)
        return plan

    def build(self, company: Company, hexes: Sequence[Hex]) -> list[Move]:
        """A build as moves, with a stop where it could go on."""
        moves: list[Move] = [Build(COMPANIES[company], _MAP.names[hex_]) for hex_ in hexes]
        position = self.position
        for hex_ in hexes:
            position = position.after(company, hex_)
        goes_on = len(hexes) < self.most(company) and _MAP.last_city not in hexes
        return [*moves, Stop()] if goes_on and position.legal(company, self.always) else moves

    def worth(self, hand: Sequence[int], values: Sequence[float]) -> float:
        """What a seat with these shares would score if the match ended at these values."""
        shares = sum(count * value for count, value in zip(hand, values, strict=True))
        return shares - self.fine(sum(hand))

    def fine(self, shares: int) -> int:
        """What so many shares cost at the end."""
        over = max(0, shares - LIMITS[self.seats])
        return PENALTY * (min(1, over) if self.view.penalty == "once" else over)

    def trades(self) -> Iterator[Exchange]:
        """Every trade that the rules allow."""
        if self.building is not None:
            return
        for give in COMPANY_NUMBERS:
            for take in COMPANY_NUMBERS:
                if self.hand[give] and give != take:
                    for count in range(1, min(TAKE_MOST, self.supply[take]) + 1):
                        yield Exchange(give, take, count)

    def gain(self, trade: Exchange) -> float:
        """How much more the own holdings would be worth now after a trade."""
        hand = list(self.hand)
        hand[trade.give] -= 1
        hand[trade.take] += trade.shares
        return self.worth(hand, self.values) - self.worth(self.hand, self.values)

    def way_out(self) -> Exchange:
        """The trade where nothing can be built. With the stall guard, which ends the match, the one that gains most.

        Without it, one that brings the end nearer whatever others do. Two shares for one lessen the supplies together.
        Else one share that empties a supply and fills none. Else, where all supplies are single shares of companies
        that the seat does not hold: one of its largest holding, for the share that the fewest hold. What stays is then
        held by more and more, until somebody who holds it can give it to empty the others: nobody has fewer shares than
        dealt, so that there are two of something to give one of.
        """
        trades = list(self.trades())
        if self.view.swaps_to_end:
            return max(trades, key=self.gain)
        for_two = [trade for trade in trades if trade.shares == TAKE_MOST]
        emptying = [trade for trade in trades if self.supply[trade.give] and self.supply[trade.take] == 1]
        if for_two or emptying:
            return max(for_two or emptying, key=self.gain)
        return min(trades, key=lambda trade: (self.held[trade.take], trade.take, -self.hand[trade.give]))


def plan_of(hexes: Sequence[Hex]) -> Plan:
    """A build in these hexes."""
    return Plan(tuple(hexes), sum(1 << hex_ for hex_ in hexes), sum(_MAP.values[hex_] for hex_ in hexes))


def trade_moves(trade: Exchange) -> list[Move]:
    """A trade as moves."""
    return [Trade(COMPANIES[trade.give], (COMPANIES[trade.take],) * trade.shares)]
