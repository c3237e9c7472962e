"""What the others may hold: deals that fit all that is known, each drawn anew.

Known are the own shares, how many of each company all hands hold together, how many shares each was dealt, and every
trade: what somebody gave they held then. Not here: guesses from what somebody built, since views do not tell it.
"""

from games.rules.chance import Chance
from games.rules.paris_connection.game import DEALT
from games.rules.paris_connection.opponents.sight import COMPANY_NUMBERS, Sight
from games.rules.paris_connection.values import COMPANIES


class Deals:
    """The deals that a seat may believe in."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        seats = range(sight.seats)
        self._change = [[0] * len(COMPANIES) for _ in seats]  # what trades did to each hand since the deal
        needed = [[0] * len(COMPANIES) for _ in seats]  # what each must have been dealt for its trades
        for trade in sight.view.trades:
            give, take = COMPANIES.index(trade.give), COMPANIES.index(trade.take)
            change = self._change[trade.seat]
            change[give] -= 1
            change[take] += trade.count
            needed[trade.seat][give] = max(needed[trade.seat][give], -change[give])
        needed[sight.seat] = [now - change for now, change in zip(sight.hand, self._change[sight.seat], strict=True)]
        self._needed = needed
        self._open = [DEALT[sight.seats] - sum(needed[seat]) for seat in seats]
        self._rest = [
            company
            for company in COMPANY_NUMBERS
            for _ in range(
                sight.held[company] - sum(needed[seat][company] + self._change[seat][company] for seat in seats)
            )
        ]

    def draw(self, chance: Chance) -> list[list[int]]:
        """Each seat's shares by company now, if what trades do not tell was dealt by chance."""
        known = self._sight.view.holdings
        rest = chance.shuffled(self._rest)
        hands = []
        for seat, open_ in enumerate(self._open):
            hand = [a + b for a, b in zip(self._needed[seat], self._change[seat], strict=True)]
            for company in rest[:open_]:
                hand[company] += 1
            del rest[:open_]
            shown = known[seat]
            hands.append(hand if shown is None else list(shown))
        return hands
