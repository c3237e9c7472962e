"""The values of Paris Connection: moves, the state of a match and the view of it.

The state is for the house: small, with ints for companies (their place in COMPANIES) and the board's ints for hexes.
Moves and views are for people and programs outside: they name companies ("red") and hexes ("N11"). No rules here.
"""

from typing import Literal

from games.rules.contract import Seat, Value

CompanyName = Literal["red", "blue", "black", "brown", "yellow", "purple"]
COMPANIES: tuple[CompanyName, ...] = ("red", "blue", "black", "brown", "yellow", "purple")
"""The six companies, in the order of every tuple that holds one entry a company."""

Company = int
Hex = int

Phase = Literal["deal", "turn", "score", "over"]
"""deal and score are the house's: it deals the shares, and at the end it shows and counts them."""

Ending = Literal["supply", "last-city", "stall"]
"""Why a match ended: one supply left, a locomotive in the last city, or nothing but swaps."""


class Build(Value, frozen=True, tag_field="type", tag="build"):
    """Put one locomotive from a company's supply into a hex."""

    company: CompanyName
    hex: str


class Stop(Value, frozen=True, tag_field="type", tag="stop"):
    """End a build that could go on."""


class Trade(Value, frozen=True, tag_field="type", tag="trade"):
    """Return one own share of a company to its supply and take one or two of one other company: ["blue", "blue"]."""

    give: CompanyName
    take: tuple[CompanyName, ...]


Move = Build | Stop | Trade


class Traded(Value, frozen=True):
    """A trade that has been made."""

    seat: Seat
    give: Company
    take: Company
    count: int


class LastTurn(Value, frozen=True):
    """A finished turn: the locomotives built, each (company, hex), or the trade made."""

    seat: Seat
    built: tuple[tuple[Company, Hex], ...] = ()
    trade: Traded | None = None


class State(Value, frozen=True):
    """A match at one moment. supply, values: one entry a company.

    hands: each seat's shares by company; empty before the deal and where hidden.
    locomotives: (company, hex) of all on the map in the order of building, those of the start hexes first.
    building, turn: the company and the hexes of the running build.
    swaps: how many turns running have been trades of one share for one. trades: all of them, in order.
    """

    penalty: str
    cut_off: str
    show_holdings: bool
    stall_guard: bool
    phase: Phase
    start: Seat
    mover: Seat | None
    hands: tuple[tuple[int, ...], ...]
    supply: tuple[int, ...]
    values: tuple[int, ...]
    locomotives: tuple[tuple[Company, Hex], ...]
    building: Company | None
    turn: tuple[Hex, ...]
    swaps: int
    trades: tuple[Traded, ...]
    last: LastTurn | None
    ending: Ending | None


class CompanyView(Value, frozen=True):
    """A company. held: its shares in all hands together; what is not there is in the supply or on the map."""

    company: CompanyName
    value: int
    supply: int
    held: int


class LocomotiveView(Value, frozen=True):
    """A locomotive on the map."""

    company: CompanyName
    hex: str


class TradeView(Value, frozen=True):
    """A trade that has been made."""

    seat: Seat
    give: CompanyName
    take: CompanyName
    count: int


class LastTurnView(Value, frozen=True):
    """A finished turn: the locomotives built, or the trade made."""

    seat: Seat
    built: tuple[LocomotiveView, ...] = ()
    trade: TradeView | None = None


class View(Value, frozen=True):
    """A match as one seat (None: a spectator) may know it; fields of the same name as in State mean the same.

    limit: how many shares one may hold at the end without losing points.
    companies: in the order of COMPANIES. holdings: each seat's shares in that order; None where they are hidden.
    turn, building: of the running build. swaps_to_end: with this many swaps the match ends; 0 without the stall guard.
    """

    seat: Seat | None
    penalty: str
    cut_off: str
    show_holdings: bool
    stall_guard: bool
    limit: int
    phase: Phase
    start: Seat
    mover: Seat | None
    companies: tuple[CompanyView, ...]
    holdings: tuple[tuple[int, ...] | None, ...]
    locomotives: tuple[LocomotiveView, ...]
    building: CompanyName | None
    turn: tuple[str, ...]
    swaps: int
    swaps_to_end: int
    trades: tuple[TradeView, ...]
    last: LastTurnView | None
    ending: Ending | None
