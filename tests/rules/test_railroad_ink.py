"""The rules of Railroad Ink, by small positions and by what holds in every match."""

import random

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, complete_options, encode
from games.rules.railroad_ink.board import board
from games.rules.railroad_ink.game import RailroadInk
from games.rules.railroad_ink.values import Done, Draw

game = RailroadInk()
LONGEST = 2000


def rolled(*dice, seats=2, luck=0, **options):
    """A match in its first round, with this roll."""
    start = game.start(seats, complete_options(game, options), Chance(luck.to_bytes(32, "big"), 0))
    state = game.settle(start, Chance(luck.to_bytes(32, "big"), 1))
    if not dice:
        return state
    running = tuple(msgspec.structs.replace(each, left=dice) for each in state.running)
    return msgspec.structs.replace(state, dice=dice, running=running)


def after(state, seat, *moves):
    for move in moves:
        state = game.play(state, seat, move)
    return state


def refusal(state, seat, *moves):
    with pytest.raises(IllegalMove) as problem:
        after(state, seat, *moves)
    return problem.value.saying


def play_out(seats, luck, **options):
    """Every state of a match in which everybody draws at random, in any order."""
    dice, state, number = random.Random(luck), rolled(seats=seats, luck=luck, **options), 1
    states = [state]
    for _step in range(LONGEST):
        if game.result(state) is not None:
            return states
        if waiting := sorted(game.waiting_for(state)):
            seat = dice.choice(waiting)
            state = game.play(state, seat, dice.choice(game.choices(state, seat).moves))
        else:
            number += 1
            state = game.settle(state, Chance(luck.to_bytes(32, "big"), number))
        states.append(state)
    raise AssertionError("the match does not end")


REFUSALS = {
    "no-such-tile": Draw("Z9", "A1", 0),
    "no-such-orientation": Draw("A4", "A1", 8),
    "no-such-cell": Draw("A4", "H1", 0),
    "not-rolled": Draw("A2", "A3", 0),
    "not-joined": Draw("A4", "C3", 0),
    "meets-another-kind": Draw("A4", "A3", 0),
    "must-draw": Done(),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_what_is_against_the_rules_says_why(code):
    assert refusal(rolled("A4", "A4", "A1", "B0"), 0, REFUSALS[code]).code == code


def test_a_clash_names_the_cell_and_the_side():
    state = rolled("A4", "A1", "A1", "B2")
    assert refusal(state, 0, Draw("A4", "A3", 0)).params == {"cell": "A3", "side": "N", "kind": "H", "met": "R"}


def test_each_die_is_drawn_once():
    state = after(rolled("A4", "A1", "A1", "B2"), 0, Draw("A4", "A1", 0))
    assert refusal(state, 0, Draw("A4", "A5", 0)).code == "die-is-used"
    assert refusal(state, 0, Draw("A1", "A1", 0)).code == "cell-is-drawn"
    twice = after(state, 0, Draw("A1", "A3", 0), Draw("A1", "B3", 0))
    assert twice.running[0].left == ("B2",)


def test_one_special_a_round_three_a_match_and_each_once():
    state = after(rolled("A4", "A1", "A1", "B2"), 0, Draw("S2", "A1", 0))
    assert refusal(state, 0, Draw("S3", "A3", 0)).code == "special-this-round"
    fresh = msgspec.structs.replace(state.running[0], special=False)
    again = msgspec.structs.replace(state, running=(fresh, state.running[1]))
    assert refusal(again, 0, Draw("S2", "A5", 0)).code == "special-is-used"
    drawn = [Draw("S3", "A3", 0), Draw("S5", "A5", 0)]
    for move in drawn:
        again = after(msgspec.structs.replace(again, running=(fresh, state.running[1])), 0, move)
    again = msgspec.structs.replace(again, running=(fresh, state.running[1]))
    assert refusal(again, 0, Draw("S0", "D6", 0)).code == "specials-used-up"
    assert all(move.tile not in board().specials for move in game.choices(again, 0).moves if isinstance(move, Draw))


def test_whoever_has_finished_draws_no_more_and_others_draw_on_in_any_order():
    state = rolled("A4", "A4", "A4", "A4", seats=3)
    for cell in ("A1", "A5", "G1", "G5"):
        state = after(state, 1, Draw("A4", cell, 0))
    state = after(state, 1, Done())
    assert game.waiting_for(state) == {0, 2}
    assert refusal(state, 1, Done()).code == "round-is-finished"
    assert game.choices(state, 1).moves == ()
    assert after(after(state, 0, Draw("A4", "A1", 0)), 2, Draw("A4", "A5", 0)).boards[1] == state.boards[1]


@pytest.mark.parametrize("luck", range(6))
def test_random_matches_end_after_seven_rounds_and_keep_the_rules(luck):
    states = play_out(1 + luck % 4, luck)
    over = states[-1]
    assert (over.phase, over.round) == ("over", 7)
    for drawn in (own.drawn for own in over.boards):
        assert len({each.cell for each in drawn}) == len(drawn)
        specials = [each for each in drawn if each.tile in board().specials]
        assert len(specials) == len({each.tile for each in specials}) == len({each.round for each in specials}) <= 3
    result = game.result(over)
    for seat in range(len(over.boards)):
        assert result.points[seat] == sum(line.amounts[seat] for line in result.sheet)


def test_what_others_draw_in_the_running_round_is_seen_by_nobody_else():
    for state in play_out(3, 11):
        for seat in (0, None):
            hidden = [owner for owner in range(3) if owner != seat and game.waiting_for(state)]
            other = msgspec.structs.replace(
                state,
                boards=tuple(
                    state.before[owner] if owner in hidden else board_ for owner, board_ in enumerate(state.boards)
                ),
                running=tuple(
                    each if owner == seat else msgspec.structs.replace(each, left=(), special=False)
                    for owner, each in enumerate(state.running)
                ),
            )
            assert encode(game.view(state, seat)) == encode(game.view(other, seat))
            assert encode(game.blind(state, seat)) == encode(game.blind(other, seat))
