"""The form of a panel: what every game answers for the page of a match."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.rules.contract import Seat


@dataclass(frozen=True)
class Option:
    """A move that can be chosen next, in words. `plain` is the move as plain JSON values, `move` the same as JSON;
    `moves` is the turn so far with it, as JSON for the address."""

    label: str
    plain: Mapping[str, Any]
    move: str
    moves: str


@dataclass(frozen=True)
class Panel:
    """What a game shows of a view in words and figures.

    points: of each seat; None where nobody may know them yet. start: the start player. notes: for each seat further
    public facts in words.
    moment: where in the match this is, in words ("Round 2"). spent: what the running turn has used, in words.
    switch: where one place on the board can stand for several moves, what can be offered there: the switch's name and
    its (offer of the scene's shapes, words), the usual one first; none of them while there is nothing to tell apart.
    None where there never is. sign: the template of the sign that an offer (`of`) has on the board; empty for none.
    warning: what everybody should know before this turn is confirmed, in words; empty mostly.
    menus: for a type of moves that are not made on the board and too many for a button each, what lays them out: given
    those that can be chosen now, a template and facts for it.
    own: a template for the private things of the viewer and the facts for it; None where there is nothing to show.
    report: a template and facts for the round that was scored last; None before the first one. scored: the same in a
    few words ("Round 2 is scored."). summary: what it means for the viewer; empty for a spectator.
    shows_report: whether the board still shows that round. legend: a template and facts for the signs on the board.
    """

    points: Sequence[int | None]
    start: Seat | None = None
    notes: Mapping[Seat, Sequence[str]] = field(default_factory=dict)
    moment: str = ""
    spent: str = ""
    switch: tuple[str, Sequence[tuple[str, str]]] | None = None
    sign: str = ""
    warning: str = ""
    menus: Mapping[str, Callable[[Sequence[Option]], tuple[str, Mapping[str, Any]]]] = field(default_factory=dict)
    own: tuple[str, Mapping[str, Any]] | None = None
    report: tuple[str, Mapping[str, Any]] | None = None
    scored: str = ""
    summary: str = ""
    shows_report: bool = False
    legend: tuple[str, Mapping[str, Any]] | None = None
