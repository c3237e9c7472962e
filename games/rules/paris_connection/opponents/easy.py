"""The easy opponent: it builds what it holds towards the nearest city, or trades for anything. Beaten by a newcomer."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.paris_connection.game import BUILD_MOST, LIMITS, TAKE_MOST
from games.rules.paris_connection.opponents.sight import COMPANY_NUMBERS, Sight, trade_moves
from games.rules.paris_connection.values import Move

TRADES = 4
"""One in so many turns is a trade, until it holds as many shares as are free of charge."""


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """Now and then two shares of anything for one of anything, else a few locomotives of one of its companies."""
    for_two = [trade for trade in sight.trades() if trade.shares == TAKE_MOST]
    if for_two and sum(sight.hand) < LIMITS[sight.seats] and chance.below(TRADES) == 0:
        return trade_moves(chance.pick(for_two))
    buildable = [company for company in COMPANY_NUMBERS if sight.legal(company)]
    if not buildable:
        return trade_moves(sight.way_out())
    shares = [company for company in buildable for _ in range(sight.hand[company])]
    company = chance.pick(shares or buildable)
    *_, towards_the_nearest = sight.plans(company)
    return sight.build(company, towards_the_nearest.hexes[: 1 + chance.below(BUILD_MOST)])
