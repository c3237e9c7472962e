"""Matches in which everybody moves at random or as the computer does, for tests of what holds in every match.

Random matches reach odd positions and are short; the computer's have many rounds.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st

from games.rules.chance import Chance
from games.rules.contract import Game, Seat, complete_options
from games.rules.registry import GAMES

LONGEST = 5000
"""More steps than any match of the house has; a play-out beyond it would never end."""


QUICK_LEVELS = ("easy", "medium")


class Step(NamedTuple):
    """A move and the states around it; seat and move are None for the house."""

    before: Any
    after: Any
    seat: Seat | None
    move: Any


class Table(NamedTuple):
    """What decides a play-out."""

    key: str
    seats: int
    options: dict[str, Any]
    luck: int
    level: str | None = None
    """Of the computer opponents on all seats; None: everybody moves at random."""

    @property
    def game(self) -> Game:
        return GAMES[self.key]

    @property
    def seed(self) -> bytes:
        return self.luck.to_bytes(32, "big")


def begin(table: Table) -> Any:
    """The match before anybody moves."""
    return table.game.start(table.seats, complete_options(table.game, table.options), Chance(table.seed, 0))


def play_out(table: Table) -> Iterator[Step]:
    """Every step of a match to its end."""
    game, dice = table.game, random.Random(table.luck)
    state, number = begin(table), 1
    planned: dict[Seat, list[Any]] = {}  # the rest of the turns that computer opponents have thought out
    for step in range(LONGEST):
        if game.result(state) is not None:
            return
        waiting = sorted(game.waiting_for(state))
        if not waiting:
            after, planned = game.settle(state, Chance(table.seed, number)), {}
            number += 1
            yield Step(state, after, None, None)
        else:
            seat = dice.choice(waiting)
            if table.level is None:
                move = dice.choice(game.choices(state, seat).moves)
            else:
                thought = Chance(table.seed, step, "opponent")
                if seat not in planned:
                    planned[seat] = list(game.think(game.view(state, seat), table.level, thought))
                move = planned[seat].pop(0)
            after = game.play(state, seat, move)
            yield Step(state, after, seat, move)
            if seat not in game.waiting_for(after):
                planned.pop(seat, None)
        state = after
    raise AssertionError("the match does not end")


def last_state(table: Table) -> Any:
    """The state after the last step."""
    state = begin(table)
    for step in play_out(table):
        state = step.after
    return state


@st.composite
def tables(draw: st.DrawFn, key: str | None = None) -> Table:
    """Any number of seats and any options of a game."""
    game = GAMES[key or draw(st.sampled_from(sorted(GAMES)))]
    options = {option.key: draw(st.sampled_from(option.values)) for option in game.options}
    level = draw(st.sampled_from((None, *QUICK_LEVELS)))
    return Table(game.key, draw(st.sampled_from(game.seats)), options, draw(st.integers(0, 2**32 - 1)), level)
