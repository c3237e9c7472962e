"""The pictures of the rules of Trans America: one round of four players."""

import functools
from collections.abc import Iterable
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from games.rules.chance import Chance
from games.rules.contract import Choices, complete_options
from games.rules.registry import GAMES
from games.rules.trans_america.board import Board, board
from games.web.boards import illustration

KEY = "trans-america"
NAMES = ("Ann", "Ben", "Cleo", "Dov")
HANDS = (
    ("Seattle", "Chicago", "Denver", "Dallas", "Washington"),
    ("Portland", "Helena", "Omaha", "Phoenix", "New York"),
    ("Los Angeles", "Minneapolis", "Santa Fe", "El Paso", "Charleston"),
    ("San Francisco", "Buffalo", "St. Louis", "Atlanta", "Jacksonville"),
)
MARKERS = ("Denver", "Helena", "Santa Fe", "St. Louis")
EARLY = (("Denver", "Omaha"), ("Santa Fe", "El Paso"), ("St. Louis", "Memphis"), ("Helena", "Salt Lake City"))
LATE = (
    *EARLY,
    ("Denver", "Salt Lake City"),
    ("Salt Lake City", "Portland"),
    ("Portland", "Seattle"),
    ("Denver", "Santa Fe"),
    ("Omaha", "Chicago"),
    ("St. Louis", "Chicago"),
    ("Memphis", "Atlanta"),
    ("Memphis", "Dallas"),
    ("Chicago", "Buffalo"),
    ("Buffalo", "Washington"),
)


def example() -> Any:
    """A spectator's view of a round that is half played."""
    return GAMES[KEY].view(_position(LATE), None)


def pictures() -> dict[str, Any]:
    """The round from the deal to the score, as Ann sees it, and its score by player."""
    game = GAMES[KEY]
    deal, early, late = _position(()), _position(EARLY), _position(LATE, over=True)
    scored = game.settle(late, Chance(bytes(32), 2))
    choices = game.choices(early, 0)

    def draw(name: str, state: Any, choices: Choices | None = None) -> SafeString:
        return illustration(KEY, game.view(state, 0), NAMES, name, choices)

    return {
        "deal": draw("deal", deal),
        "lay": draw("lay", early, choices),
        "joined": draw("joined", late),
        "scored": draw("scored", scored),
        "rows": list(zip(NAMES, scored.rounds[-1].penalties, scored.points, strict=True)),
    }


def _position(ways: Iterable[tuple[str, str]], over: bool = False) -> Any:
    """A round of four with rails along the shortest ways between cities; Ann is to move, or it is over."""
    game, map_ = GAMES[KEY], board("america")
    start = game.start(len(NAMES), complete_options(game, {}), Chance(bytes(32), 0))
    city_of = {city.name: index for index, city in enumerate(map_.cities)}
    rails: list[int] = []
    for way in ways:
        tree = map_.graph.steiner_tree([_junction(map_, name) for name in way], rails)
        assert tree is not None
        rails += [line for line in tree.edges if line not in rails]
    return msgspec.structs.replace(
        game.settle(start, Chance(bytes(32), 1)),
        phase="score" if over else "lay",
        start=0,
        mover=None if over else 0,
        hands=tuple(tuple(city_of[name] for name in hand) for hand in HANDS),
        markers=tuple(_junction(map_, name) for name in MARKERS),
        rails=tuple(rails),
    )


@functools.cache
def _junction(map_: Board, city: str) -> int:
    return next(each.junction for each in map_.cities if each.name == city)
