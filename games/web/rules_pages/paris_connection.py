"""The pictures of the rules of Paris Connection: moments of two matches of four players, Ann to move in each."""

from typing import Any

import msgspec
from django.utils.safestring import SafeString

from games.rules.chance import Chance
from games.rules.contract import Choices, complete_options
from games.rules.paris_connection.board import board
from games.rules.paris_connection.game import DEALT, IN_THE_BAG, LIMITS
from games.rules.paris_connection.values import COMPANIES, Build, CompanyName
from games.rules.registry import GAMES
from games.rules.shapes import Box
from games.web.boards import illustration
from games.words import say

Way = tuple[CompanyName, str]
"""What is built of a company: hexes in the order of building."""

Ways = dict[CompanyName, str]
"""The same of several companies, without their stations."""

KEY = "paris-connection"
NAMES = ("Ann", "Ben", "Cleo", "Dov")
STATIONS: dict[CompanyName, str] = {
    "red": "K4",
    "blue": "K3",
    "black": "I4",
    "brown": "J5",
    "yellow": "I3",
    "purple": "J3",
}

HANDS = ((2, 1, 0, 3, 1, 1), (1, 2, 3, 0, 0, 2), (2, 0, 1, 2, 2, 1), (0, 3, 1, 1, 2, 1))
"""Each player's shares after the deal, in the order of COMPANIES."""
BEFORE_A_BUILD: Ways = {"black": "H2 H3 I5", "brown": "J6 I6 H4 H3"}
A_BUILD: Way = ("yellow", "H1 H2")
NORTH_WEST = (-3.12, -2.1, 4.42, 4.08)

BEFORE_A_BAN: Ways = {"black": "H2 H1 I2", "yellow": "I2 I1 J1", "blue": "K2 J2"}
A_BAN: Way = ("red", "L3 L2")
NORTH = (-2.09, -3.6, 5.29, 5.05)

LATE: Ways = {
    "red": "L4 L5 M5 K6 M6 M7 M8 N8 M9 M10",
    "blue": "L3 M3 M4 L5 L6 K7 J8 J9 J10 J11 I11 I12 H9",
    "black": "H2 G1 F1 E1 H1 I2 J2 J1 K1 K2 L2 M1 N1 O1 P1 Q1 O2 O3 O4 P3",
    "brown": "I5 H4 G3 F4 E4 E5 D1 C1 B1 A1",
    "yellow": "H2 G2 F2 E3 D1 C2 B1",
    "purple": "K2 L1 M1 M2 M3 M4 N4 N5 M6 L7 K8 J8 I8 I9 H6 G5 F6 F7 G7 G8 F8",
}
LAST: Way = ("red", "M11 N11")
HELD_AT_THE_END = ((6, 0, 2, 3, 1, 2), (1, 2, 4, 5, 0, 2), (4, 1, 3, 2, 2, 5), (2, 3, 1, 4, 1, 0))


def example() -> Any:
    """A spectator's view of a match shortly before its end."""
    return GAMES[KEY].view(position(LATE, HELD_AT_THE_END), None)


def pictures() -> dict[str, Any]:
    """The board after the deal, a build, a build with a hex that is barred, and the end with all that is counted.

    cities: how many there are of each value. deals: players, shares of each, all supplies, limit. The rest is of the
    end: each company with the shares of it, and each player's shares, their worth, what is taken, and the points.
    """
    game, map_ = GAMES[KEY], board()
    build, ban = position(BEFORE_A_BUILD, HANDS, A_BUILD), position(BEFORE_A_BAN, HANDS, A_BAN)
    end = game.settle(position(LATE, HELD_AT_THE_END, LAST), Chance(bytes(32), 2))
    result = game.result(end)
    assert result is not None
    by_company = result.sheet[: len(COMPANIES)]

    def draw(name: str, state: Any, choices: Choices | None = None, window: Box | None = None) -> SafeString:
        return illustration(KEY, game.view(state, 0), NAMES, name, choices, window)

    return {
        "board": draw("board", position({}, HANDS)),
        "build": draw("build", build, game.choices(build, 0), NORTH_WEST),
        "ban": draw("ban", ban, game.choices(ban, 0), NORTH),
        "end": draw("end", end),
        "deals": [
            (seats, dealt, IN_THE_BAG * len(COMPANIES) - seats * dealt, LIMITS[seats]) for seats, dealt in DEALT.items()
        ],
        "names": NAMES,
        "cities": [(value, sum(1 for each in map_.values if each == value)) for value in (1, 2, 3, 4)],
        "companies": [
            (say(KEY, line.label, NAMES), [hand[place] for hand in end.hands]) for place, line in enumerate(by_company)
        ],
        "worth": [sum(line.amounts[seat] or 0 for line in by_company) for seat in range(len(NAMES))],
        "held": [sum(hand) for hand in end.hands],
        "penalties": result.sheet[-1].amounts,
        "points": result.points,
    }


def position(built: Ways, hands: Any, turn: Way | None = None) -> Any:
    """Ann's turn, with these hexes built by company and these shares held; after the builds of a running turn."""
    game, map_ = GAMES[KEY], board()
    hexes = {name: [map_.index[hex_] for hex_ in (STATIONS[name], *built.get(name, "").split())] for name in COMPANIES}
    held = [sum(hand[place] for hand in hands) for place in range(len(COMPANIES))]
    state = msgspec.structs.replace(
        game.start(len(hands), complete_options(game, {}), Chance(bytes(32), 0)),
        phase="turn",
        mover=0,
        hands=hands,
        supply=tuple(IN_THE_BAG + 1 - len(hexes[name]) - held[place] for place, name in enumerate(COMPANIES)),
        values=tuple(sum(map_.values[hex_] for hex_ in hexes[name]) for name in COMPANIES),
        locomotives=tuple((place, hex_) for place, name in enumerate(COMPANIES) for hex_ in hexes[name]),
    )
    if turn is not None:
        company, names = turn
        for name in names.split():
            state = game.play(state, 0, Build(company, name))
    return state
