"""The medium opponent: it takes what makes its own holdings worth most now, and looks no further."""

from collections.abc import Sequence

from games.rules.chance import Chance
from games.rules.paris_connection.opponents.builds import Plan
from games.rules.paris_connection.opponents.sight import COMPANY_NUMBERS, Sight, trade_moves
from games.rules.paris_connection.values import Company, Move


def turn(sight: Sight, chance: Chance) -> Sequence[Move]:
    """The trade or the build of the greatest gain; where none gains, what it holds most of goes to the nearest city."""
    builds = [(company, plan) for company in COMPANY_NUMBERS for plan in sight.plans(company)]
    if not builds:
        return trade_moves(sight.way_out())
    worth = [_worth(sight, *build) for build in builds]
    company, plan = chance.pick([build for build, each in zip(builds, worth, strict=True) if each == max(worth)])
    gain, trade = max(((sight.gain(trade), trade) for trade in sight.trades()), default=(0, None))
    if trade is not None and gain > sight.hand[company] * plan.gain:
        return trade_moves(trade)
    return sight.build(company, plan.hexes)


def _worth(sight: Sight, company: Company, plan: Plan) -> tuple[int, int, int]:
    """What a build is chosen by: what it gains, whom it serves, and no locomotive without need where it gains."""
    shares, length = sight.hand[company], len(plan.hexes)
    return shares * plan.gain, shares, -length if plan.gain else length
