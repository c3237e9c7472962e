"""The values of Trans America: moves, the state of a match and the view of it.

The state is for the house: small, with the board's ints for junctions, lines and cities. Moves and views are for
people and programs outside: they name junctions ("5-7"), lines ("5-7:5-8") and cities. No rules here.
"""

from typing import Literal

from games.rules.contract import Seat, Value

Line = int
City = int
Junction = int

Phase = Literal["deal", "place", "lay", "pass", "score", "over"]
"""deal, pass and score are the house's. Between rounds (deal) the board still shows the round before."""


class Place(Value, frozen=True, tag_field="type", tag="place"):
    """Set the start marker on a free junction."""

    junction: str


class Lay(Value, frozen=True, tag_field="type", tag="lay"):
    """Lay one rail on a free line; `own`: one of the three rails of the own colour (option vexation)."""

    line: str
    own: bool = False


class Stop(Value, frozen=True, tag_field="type", tag="stop"):
    """End the turn after its first rail."""


Move = Place | Lay | Stop


class LastTurn(Value, frozen=True):
    """A finished turn of this round: the marker set in it, or the rails laid."""

    seat: Seat
    marker: Junction | None = None
    lines: tuple[Line, ...] = ()


class Report(Value, frozen=True):
    """A scored round. hands, penalties, missing, points and markers hold one entry a seat.

    missing: the lines of the cheapest set that would have joined the seat's cities. points: what was left afterwards.
    done: the seats whose cities were joined. rails: how many were laid.
    """

    number: int
    start: Seat
    hands: tuple[tuple[City, ...], ...]
    markers: tuple[Junction, ...]
    rails: int
    done: tuple[Seat, ...]
    penalties: tuple[int, ...]
    missing: tuple[tuple[Line, ...], ...]
    points: tuple[int, ...]


class State(Value, frozen=True):
    """A match at one moment.

    round: the number of the running round, 0 before the first deal. start: its start player. mover: who has the turn.
    threshold: the match ends with a round after which a seat has this many points or fewer.
    hands: each seat's cities in the order of COLOURS, empty before the deal, once scored, and where hidden.
    rails: the lines built, in the order of building. coloured: those of them that carry a seat's own rail.
    turn: the lines laid in the running turn.
    """

    board: str
    barrier: bool
    vexation: bool
    phase: Phase
    round: int
    start: Seat
    mover: Seat | None
    points: tuple[int, ...]
    threshold: int
    hands: tuple[tuple[City, ...], ...]
    markers: tuple[Junction | None, ...]
    rails: tuple[Line, ...]
    coloured: tuple[tuple[Line, Seat], ...]
    turn: tuple[Line, ...]
    last: LastTurn | None
    rounds: tuple[Report, ...]


class CityView(Value, frozen=True):
    """A city of a hand."""

    name: str
    colour: str
    junction: str


class RailView(Value, frozen=True):
    """A built line; `seat` owns it when it carries a coloured rail."""

    line: str
    seat: Seat | None = None


class LastTurnView(Value, frozen=True):
    """A finished turn of this round: the marker set in it, or the rails laid."""

    seat: Seat
    marker: str | None = None
    lines: tuple[str, ...] = ()


class ReportView(Value, frozen=True):
    """A scored round, as Report."""

    number: int
    start: Seat
    hands: tuple[tuple[CityView, ...], ...]
    markers: tuple[str, ...]
    rails: int
    done: tuple[Seat, ...]
    penalties: tuple[int, ...]
    missing: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]


class View(Value, frozen=True):
    """A match as one seat (None: a spectator) may know it; fields of the same name as in State mean the same.

    hand: the own cities, empty outside a round. rails_left: of the round's supply. coloured_left: one entry a seat, all
    0 without vexation. points_left: what the running turn may still spend, 0 outside of one. rounds: every scored round
    with everybody's cities; the last of them is the one on the board while the phase is deal or over. hands: every
    seat's cities, only when nothing is hidden any more (`unveil`).
    """

    seat: Seat | None
    board: str
    barrier: bool
    vexation: bool
    phase: Phase
    round: int
    start: Seat
    mover: Seat | None
    points: tuple[int, ...]
    threshold: int
    hand: tuple[CityView, ...]
    markers: tuple[str | None, ...]
    rails: tuple[RailView, ...]
    rails_left: int
    coloured_left: tuple[int, ...]
    turn: tuple[str, ...]
    points_left: int
    last: LastTurnView | None
    rounds: tuple[ReportView, ...]
    hands: tuple[tuple[CityView, ...], ...] = ()
