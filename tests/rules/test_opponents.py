"""The computer opponents of Trans America: their turns are legal and whole, and made from their own view alone.

How strong and how fast they are is measured by benchmarks/opponents.py.
"""

import random
from itertools import product

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.contract import LEVELS, Seat
from games.rules.trans_america import game
from games.rules.trans_america.board import BOARDS, COLOURS, board
from games.rules.trans_america.values import Lay, Move, Place, State, Stop
from tests.rules.drawing import position
from tests.rules.playouts import LONGEST, Table, begin, play_out

SEED = b"opponents in tests"


def think(state: State, seat: Seat, level: str, number: int = 0) -> list[Move]:
    """A turn, after it has been seen to be whole: it ends where, for all that its seat knows, the seat's turn ends."""
    moves = list(game.think(game.view(state, seat), level, Chance(SEED, number, "opponent")))
    known = game.blind(state, seat)
    for move in moves:
        assert seat in game.waiting_for(known), f"{move} comes after the end of the turn"
        known = game.play(known, seat, move)
    assert known.mover != seat or known.turn == () != moves, "the turn does not end"
    return moves


def finish(table: Table, levels: tuple[str, ...], rounds: int = LONGEST) -> State:
    """The end of a match of computer opponents, one level a seat; or the state after so many rounds."""
    state, number = begin(table), 0
    while game.result(state) is None and len(state.rounds) < rounds:
        number += 1
        if waiting := game.waiting_for(state):
            (seat,) = waiting
            for move in think(state, seat, levels[seat], number):
                # What a rail joins for others may end the round in the middle of a turn.
                if seat in game.waiting_for(state):
                    state = game.play(state, seat, move)
        else:
            state = game.settle(state, Chance(table.seed, number))
    return state


def redealt(state: State, seat: Seat, number: int) -> State:
    """The same state for this seat, with other cities in all other hands."""
    map_, seats = board(state.board), len(state.points)
    chance = Chance(SEED, number)
    decks = [
        [city for city in chance.shuffled(map_.cities_of(colour, seats)) if city not in state.hands[seat]]
        for colour in COLOURS
    ]
    hands = tuple(
        state.hands[seat] if other == seat else tuple(deck[other] for deck in decks) for other in range(seats)
    )
    return msgspec.structs.replace(state, hands=hands)


def table(seats: int, luck: int, level: str | None = None, **options: str | bool) -> Table:
    return Table(game.key, seats, {"board": "america", "barrier": False, "vexation": False, **options}, luck, level)


def some_states(of: Table, every: int) -> list[tuple[State, Seat]]:
    """Every so many states of a play-out in which a seat is waited for, in the middle of turns too."""
    states = [(step.before, step.seat) for step in play_out(of) if step.seat is not None]
    return states[::every]


@pytest.mark.parametrize(("name", "vexation"), [("america", False), ("europa", True)])
def test_matches_of_all_levels_end_by_whole_legal_turns(name, vexation):
    state = finish(table(4, 5, board=name, vexation=vexation, barrier=True), ("hard", "easy", "easy", "medium"))
    assert min(state.points) <= state.threshold


@pytest.mark.parametrize(("seats", "name"), list(product(game.seats, BOARDS)))
def test_easy_and_medium_fill_tables_of_any_size(seats, name):
    levels = tuple(("easy", "medium")[seat % 2] for seat in range(seats))
    assert game.result(finish(table(seats, seats, board=name, vexation=seats % 2 == 0), levels)) is not None


@pytest.mark.parametrize("seats", [2, 6])
def test_hard_sits_at_the_smallest_and_at_the_largest_table(seats):
    state = finish(table(seats, 3, vexation=seats == 6), ("hard", *("medium",) * (seats - 1)), rounds=1)
    assert state.rounds


@pytest.mark.parametrize(("level", "every"), [("easy", 5), ("medium", 5), ("hard", 61)])
@pytest.mark.parametrize("name", BOARDS)
def test_no_position_is_too_odd_for_a_turn(name, level, every):
    # Random matches leave single points, markers far from all cities, and rails that shut others in.
    for luck, seats in ((1, 2), (2, 4), (3, 6)):
        for state, seat in some_states(table(seats, luck, board=name, vexation=True), every):
            assert think(state, seat, level)


@pytest.mark.parametrize(("level", "every"), [("easy", 3), ("medium", 3), ("hard", 41)])
def test_the_same_view_and_chance_give_the_same_turn_whatever_the_others_hold(level, every):
    compared = 0
    for number, (state, seat) in enumerate(some_states(table(4, 8, "medium", vexation=True), every)):
        other = redealt(state, seat, number)
        assert other.hands != state.hands
        assert think(state, seat, level, number) == think(other, seat, level, number)
        compared += 1
    assert compared > 2


def test_another_chance_may_give_easy_another_turn():
    (state, seat), *_ = some_states(table(4, 8, "medium"), 1)
    assert len({tuple(think(state, seat, "easy", number)) for number in range(20)}) > 1


# The country round Santa Fe [8,8] and Oklahoma City [8,11], whose cities are two lines from the start marker.
PLAINS = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0###+---Y---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
"""


@pytest.mark.parametrize("level", LEVELS)
def test_a_hand_that_one_turn_can_join_is_joined(level):
    state = position("7-8", PLAINS, {0: ["Santa Fe", "Oklahoma City"]})
    laid = {move.line for move in think(state, 0, level) if isinstance(move, Lay)}
    assert laid == {"8-8:8-9", "8-10:8-11"}


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_laid_once_the_own_cities_are_joined(level):
    joined = PLAINS.replace("Y---0", "Y###0")
    state = position("7-8", joined, {0: ["Santa Fe", "Oklahoma City"]})
    assert think(state, 0, level) == [Lay("8-10:8-11")]


@pytest.mark.parametrize("level", LEVELS)
def test_the_rest_of_a_turn_is_thought_of_from_its_middle(level):
    state = position("7-8", PLAINS, {0: ["Santa Fe", "Oklahoma City"]})
    begun = game.play(state, 0, Lay("8-8:8-9"))
    assert think(begun, 0, level) == [Lay("8-10:8-11")]


@pytest.mark.parametrize("level", LEVELS)
def test_everybody_starts_on_a_free_junction_though_all_own_cities_are_taken(level):
    state = game.settle(begin(table(6, 4)), Chance(SEED, 1))
    assert state.mover is not None
    own = [board(state.board).cities[city].junction for city in state.hands[state.mover]]
    markers = iter(own)
    taken = tuple(None if seat == state.mover else next(markers) for seat in range(6))
    (move,) = think(msgspec.structs.replace(state, markers=taken), state.mover, level)
    assert isinstance(move, Place)


def test_medium_starts_in_one_of_its_cities():
    state = game.settle(begin(table(4, 4)), Chance(SEED, 1))
    seat = state.mover
    assert seat is not None
    map_ = board(state.board)
    own = {map_.cities[city].junction for city in state.hands[seat]}
    (move,) = think(state, seat, "medium")
    assert isinstance(move, Place)
    assert map_.junction_index[move.junction] in own


def test_hard_lays_coloured_rails_where_they_are_played_with():
    state = finish(table(4, 6, vexation=True), ("hard", "medium", "easy", "medium"), rounds=1)
    assert {owner for _, owner in state.coloured} == {0}


def test_a_stop_is_said_only_where_a_point_is_left_that_could_be_used():
    dice = random.Random(2)
    stops = 0
    for state, seat in some_states(table(5, 9, "easy"), 1):
        moves = think(state, seat, dice.choice(("easy", "medium")))
        stops += moves[-1] == Stop()
        assert Stop() not in moves[:-1]
    assert stops
