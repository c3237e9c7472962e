"""The computer opponents of Paris Connection: their turns are legal and whole, made from their own view, and end.

How strong and how fast they are is measured by benchmarks/opponents.py.
"""

import random

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.contract import LEVELS, Seat, complete_options
from games.rules.paris_connection import game
from games.rules.paris_connection.board import board
from games.rules.paris_connection.game import LIMITS
from games.rules.paris_connection.opponents.ahead import Ahead
from games.rules.paris_connection.opponents.deals import Deals
from games.rules.paris_connection.opponents.sight import Sight
from games.rules.paris_connection.values import COMPANIES, Build, Move, State, Stop, Trade
from tests.rules.test_paris_connection import BOXED_IN, STATIONS, at, position

SEED = b"opponents in tests"
LONGEST = 600
"""More turns than any match of opponents has."""

OPTIONS = (
    {"stall_guard": False},
    {"stall_guard": False, "cut_off": "always", "penalty": "once"},
    {"stall_guard": False, "show_holdings": True},
)


def think(state: State, seat: Seat, level: str, number: int = 0) -> list[Move]:
    """A turn, after it has been seen to be whole: its last move and no other ends it."""
    moves, _ = taken(state, seat, level, number)
    return moves


def taken(state: State, seat: Seat, level: str, number: int) -> tuple[list[Move], State]:
    """The same and the state after it."""
    moves = list(game.think(game.view(state, seat), level, Chance(SEED, number, "opponent")))
    for move in moves:
        assert state.mover == seat, f"{move} comes after the end of the turn"
        state = game.play(state, seat, move)
    assert state.mover != seat, "the turn does not end"
    return moves, state


def dealt(seats: int, luck: int, **options: str | bool) -> State:
    seed = luck.to_bytes(32, "big")
    start = game.start(seats, complete_options(game, options), Chance(seed, 0))
    return game.settle(start, Chance(seed, 1))


def finish(state: State, levels: tuple[str, ...]) -> State:
    """The end of a match of computer opponents, one level a seat."""
    for number in range(LONGEST):
        if state.mover is None:
            return game.settle(state, Chance(SEED, number))
        _, state = taken(state, state.mover, levels[state.mover], number)
    raise AssertionError("the match does not end")


def some_states(state: State, luck: int, every: int) -> list[tuple[State, Seat]]:
    """Every so many states of a match in which everybody moves at random, in the middle of builds too."""
    dice, states = random.Random(luck), []
    while state.mover is not None:
        states.append((state, state.mover))
        state = game.play(state, state.mover, dice.choice(game.choices(state, state.mover).moves))
    return states[::every]


def test_turns_are_legal_and_whole_wherever_matches_may_come():
    seen: set[tuple[str, str]] = set()
    for seats in game.seats:
        for luck, options in enumerate(OPTIONS):
            for number, (state, seat) in enumerate(some_states(dealt(seats, luck, **options), luck, 17)):
                for level in LEVELS if number % 9 == 0 else LEVELS[:2]:
                    moves = think(state, seat, level, number)
                    seen.add((level, "middle" if state.building is not None else type(moves[-1]).__name__))
    assert seen >= {(level, kind) for level in LEVELS for kind in ("Build", "Stop", "Trade", "middle")}


@pytest.mark.parametrize(("level", "every"), [("easy", 5), ("medium", 5), ("hard", 40)])
def test_the_same_view_and_chance_give_the_same_turn_whatever_the_others_hold(level, every):
    compared = 0
    for number, (state, seat) in enumerate(some_states(dealt(4, 8), 8, every)):
        others = [other for other in range(4) if other != seat]
        turned = dict(zip(others, (*others[1:], others[0]), strict=True))
        hands = tuple(state.hands[turned.get(owner, owner)] for owner in range(4))
        assert hands != state.hands
        other = msgspec.structs.replace(state, hands=hands)
        assert think(state, seat, level, number) == think(other, seat, level, number)
        compared += 1
    assert compared > 2


@pytest.mark.parametrize("seats", game.seats)
@pytest.mark.parametrize("options", OPTIONS)
def test_matches_end_without_the_stall_guard(seats, options):
    dice = random.Random(seats)
    for luck, levels in enumerate((("easy",), ("medium",), ("easy", "medium"))):
        table = tuple(dice.choice(levels) for _ in range(seats))
        assert finish(dealt(seats, luck, **options), table).ending in ("supply", "last-city")


def test_a_match_of_hard_opponents_ends_without_the_stall_guard():
    assert finish(dealt(6, 5, stall_guard=False), ("hard",) * 6).ending in ("supply", "last-city")


def test_hard_beats_three_mediums():
    ranks = []
    for luck in range(6):
        over = finish(dealt(4, 100 + luck), tuple("hard" if seat == luck % 4 else "medium" for seat in range(4)))
        result = game.result(over)
        assert result is not None
        ranks.append(result.ranks[luck % 4])
    # Among equals the mean of six ranks is 2.4, give or take 0.45.
    assert sum(ranks) / len(ranks) <= 1.5, ranks


@pytest.mark.parametrize("level", LEVELS)
def test_who_can_only_trade_takes_no_share_that_costs_more_than_it_is_worth(level):
    hands = ((1, 3, 1, 0, 2, 1), (0, 0, 6, 0, 4, 5), (2, 5, 0, 0, 8, 5), (1, 1, 1, 4, 3, 0))
    state = position(BOXED_IN, hands=hands, supply=(0, 18, 12, 16, 0, 0), values=(9, 1, 4, 1, 7, 25))
    for seat in range(4):
        (trade,) = think(msgspec.structs.replace(state, mover=seat), seat, level)
        assert isinstance(trade, Trade)
        assert len(trade.take) == 1 or sum(hands[seat]) < LIMITS[4]


def shut_in(**changes) -> State:
    """A match in which nothing can be built: yellow and purple have filled every hex."""
    map_ = board()
    rooms = [(hex_, number) for hex_ in range(len(map_.hexes)) for number in range(map_.room(hex_))]
    state = position(STATIONS, stall_guard=False, **changes)
    filled = tuple((COMPANIES.index("yellow") + number, hex_) for hex_, number in rooms)
    return msgspec.structs.replace(state, locomotives=(*state.locomotives, *filled))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("supply", "hands"),
    [
        ((9, 8, 7, 6, 0, 0), ((2, 2, 2, 2, 1, 1),) * 3),
        # Single shares are left, which nobody holds any of.
        ((1, 1, 0, 0, 0, 0), ((0, 0, 3, 3, 2, 2), (0, 0, 10, 0, 0, 0), (0, 0, 0, 4, 3, 3))),
        ((1, 1, 1, 0, 0, 0), ((0, 0, 0, 4, 3, 3),) * 3),
        # All that this one holds is what has most supply.
        ((5, 1, 1, 0, 0, 0), ((10, 0, 0, 0, 0, 0), (0, 0, 0, 4, 3, 3), (2, 2, 2, 2, 1, 1))),
    ],
)
@pytest.mark.parametrize("values", [(0,) * 6, (9, 1, 5, 3, 7, 2)])
def test_where_nothing_can_be_built_trades_empty_the_supplies(level, supply, hands, values):
    state = shut_in(supply=supply, hands=hands, values=values)
    assert not any(isinstance(move, Build) for move in game.choices(state, 0).moves)
    assert finish(state, (level,) * 3).ending == "supply"


def test_medium_takes_what_gains_most_now():
    one_away = STATIONS | at("red J3 N10")
    near = position(one_away, supply=(1,) * 6)
    assert think(near, 0, "medium") == [Build("red", "N11")]  # two shares of four points more
    dear = msgspec.structs.replace(near, values=(0, 9, 0, 0, 0, 0))
    (trade,) = think(dear, 0, "medium")  # a share of nine points
    assert isinstance(trade, Trade)
    assert trade.take == ("blue",)


def test_hard_ends_the_match_while_it_is_ahead_but_not_behind():
    ahead, behind = (6, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 9)
    for own, other, ends in ((ahead, (0, 5, 5, 0, 0, 0), True), (behind, (2, 3, 3, 0, 0, 0), False)):
        state = position(STATIONS | at("red J3 N10"), values=(20, 0, 0, 0, 0, 0), hands=(own, other, other))
        assert (Build("red", "N11") in think(state, 0, "hard")) is ends


@pytest.mark.parametrize(("blue", "wins"), [(0, True), (3, False)])
def test_hard_reckons_with_others_who_end_the_match_only_where_they_win_by_it(blue, wins):
    hands = ((5, 0, 0, 0, 0, 0), (4, 9, 0, 0, 0, 0), (4, 9, 0, 0, 0, 0))
    values = (2, blue, 0, 0, 60, 0)  # to trade for yellow would gain more now than any build
    state = position(STATIONS | at("red J3 N10"), values=values, hands=hands)
    match = Ahead(Sight(game.view(state, 0))).copy(hands)
    assert (match.winning_build() is not None) is wins
    match.play_on()
    # Who ends it there keeps the hands that everybody had.
    assert (match.over and match.hands == [list(hand) for hand in hands]) is wins


def test_guessed_deals_fit_all_that_is_known():
    state = dealt(5, 3)
    dice = random.Random(3)
    for _ in range(40):
        trades = [move for move in game.choices(state, state.mover).moves if isinstance(move, Trade)]
        state = game.play(state, state.mover, dice.choice(trades))
    assert state.mover is not None
    first = [list(hand) for hand in dealt(5, 3).hands]
    deals, drawn = Deals(Sight(game.view(state, state.mover))), set()
    for number in range(20):
        hands = deals.draw(Chance(SEED, number))
        drawn.add(str(hands))
        assert tuple(hands[state.mover]) == state.hands[state.mover]
        assert [sum(hand) for hand in hands] == [sum(hand) for hand in state.hands]
        assert list(map(sum, zip(*hands, strict=True))) == list(map(sum, zip(*state.hands, strict=True)))
        # Back to the deal: whatever anybody gave was there to give.
        for trade in reversed(state.trades):
            hands[trade.seat][trade.take] -= trade.count
            hands[trade.seat][trade.give] += 1
            assert hands[trade.seat][trade.give] > 0
            assert min(hands[trade.seat]) >= 0
        assert [sum(hand) for hand in hands] == [sum(hand) for hand in first]
    assert len(drawn) > 1


def test_a_stop_is_said_only_where_the_build_could_go_on():
    stops = 0
    for state, seat in some_states(dealt(5, 9), 9, 2):
        moves = think(state, seat, "medium")
        stops += moves[-1] == Stop()
        assert Stop() not in moves[:-1]
    assert stops
