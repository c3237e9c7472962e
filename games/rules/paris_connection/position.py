"""Where the locomotives of Paris Connection stand and what that allows: the geometry of a build.

For the rules and for opponents, who look many builds ahead. It knows the map and nothing of supplies, shares or turns.
"""

from collections.abc import Iterable

from games.rules.paris_connection.board import Hexes, bits, board, hexes_of
from games.rules.paris_connection.values import COMPANIES, Company, Hex

_MAP = board()
_ROOM_FOR_ONE = bits(hex_ for hex_ in range(len(_MAP.hexes)) if _MAP.room(hex_) == 1)
_NO_ROOM = bits(hex_ for hex_ in range(len(_MAP.hexes)) if _MAP.room(hex_) == 0)


class Position:
    """The locomotives on the map. A position never changes; `after` makes the next one.

    at: for each company the hexes that hold it. held: the hexes that hold anything. full: those with no room left.
    """

    __slots__ = ("at", "full", "held")

    def __init__(self, at: tuple[Hexes, ...], held: Hexes, full: Hexes) -> None:
        self.at, self.held, self.full = at, held, full

    @classmethod
    def of(cls, locomotives: Iterable[tuple[Company, Hex]]) -> "Position":
        """The position of (company, hex) pairs, in any order."""
        position = cls((0,) * len(COMPANIES), 0, _NO_ROOM)
        for company, hex_ in locomotives:
            position = position.after(company, hex_)
        return position

    def after(self, company: Company, hex_: Hex) -> "Position":
        """The position with one locomotive more."""
        bit = 1 << hex_
        at = (*self.at[:company], self.at[company] | bit, *self.at[company + 1 :])
        fills = bit & (_ROOM_FOR_ONE | self.held)
        return Position(at, self.held | bit, self.full | fills)

    def enterable(self, company: Company) -> Hexes:
        """The hexes that have room for a locomotive of a company, wherever they are."""
        return ~(self.full | self.at[company])

    def beside(self, company: Company) -> Hexes:
        """The hexes with room that touch the company's network."""
        return _MAP.beside(self.at[company]) & self.enterable(company)

    def legal(self, company: Company, always: bool) -> Hexes:
        """Where the next locomotive of a company may be built. always: as of `cut_off`."""
        open_ = self.beside(company)
        for hex_ in hexes_of(open_):
            if self.cut_off(company, hex_, always) is not None:
                open_ ^= 1 << hex_
        return open_

    def cut_off(self, builder: Company, hex_: Hex, always: bool) -> Company | None:
        """A company other than the builder's that the next locomotive there leaves without a way to a free city.

        Only companies that have not reached any city are looked at, unless `always`. A company that has no way before
        (it took the last city within its own reach) loses none.
        """
        if not 1 << hex_ & (_ROOM_FOR_ONE | self.held):
            return None  # the hex keeps room for the others
        then = self.after(builder, hex_)
        for company, at in enumerate(self.at):
            looked_at = company != builder and (always or not at & _MAP.cities)
            if looked_at and not then._has_way(company) and self._has_way(company):
                return company
        return None

    def _has_way(self, company: Company) -> bool:
        free = _MAP.cities & ~self.held
        return bool(_MAP.reached(self.at[company], self.enterable(company), free) & free)
