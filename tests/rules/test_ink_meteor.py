"""Railroad Ink with meteors: where they hit, what a crater changes, and what it is worth."""

import msgspec
import pytest

from games.rules.railroad_ink.board import board
from games.rules.railroad_ink.routes import finished_rounds
from games.rules.railroad_ink.values import Crater, Done, Draw, Ignore
from tests.rules.ink import (
    after,
    choices,
    draws,
    errors,
    game,
    on_board,
    play_out,
    points,
    refusal,
    rolled,
    scored,
    sheet,
)

BEFORE_ALL = Crater("D4")
"""The meteor of a roll right 1 in the first round, where a test is not about it."""


def landed(*routes, on_board="", **more):
    """A match in which the meteor has come down on D4, with these routes left."""
    return after(rolled("meteor", routes, ["right", "1"], on_board=on_board, **more), BEFORE_ALL)


def hits(direction, distance, **more):
    """The cells that may be hit."""
    state = rolled("meteor", ["A4"], [direction, distance], **more)
    return [move.cell for move in choices(state, Crater)]


def test_a_match_has_six_rounds_and_a_die_each_for_direction_and_distance():
    view = game.view(rolled("meteor", ["A4"], ["any", "2"]), 0)
    assert (view.rounds, view.expansion, view.expansion_dice) == (6, "meteor", ("any", "2"))
    assert view.boards[0].hit == "D3"


@pytest.mark.parametrize(
    ("direction", "distance", "cell"),
    [("up", "1", "C3"), ("down", "2", "F3"), ("left", "3", "D0"), ("right", "3", "D6"), ("right", "1", "D4")],
)
def test_the_first_meteor_flies_from_the_middle(direction, distance, cell):
    assert hits(direction, distance) == [cell]


def test_a_later_meteor_flies_from_where_the_last_one_hit():
    state = after(rolled("meteor", [], ["down", "2"]), Crater("F3"), Done())
    assert game.view(state, 0).boards[0].hit == "F3"
    assert hits("left", "2", on_board="XF3", hit="F3") == ["F1"]


@pytest.mark.parametrize(
    ("start", "direction", "distance", "cell"),
    [
        ("A3", "up", "1", "B3"),
        ("A3", "up", "3", "D3"),
        ("B3", "up", "3", "C3"),
        ("D6", "right", "2", "D4"),
        ("F0", "down", "3", "E0"),
        ("D1", "left", "3", "D2"),
    ],
)
def test_at_the_edge_a_meteor_bounces_back_and_finishes_its_count(start, direction, distance, cell):
    assert hits(direction, distance, hit=start, on_board=f"X{start}") == [cell]


@pytest.mark.parametrize(
    ("start", "craters", "roll", "cell"),
    [
        ("D3", "XD3 XC3", ("up", "1"), "B3"),
        ("D3", "XD3 XC3 XB3", ("up", "1"), "A3"),
        ("D3", "XD3 XC3", ("up", "2"), "B3"),  # it counts cells with a crater too
        ("B3", "XB3 XA3", ("up", "1"), "C3"),  # on to the edge and back over where it came from
        ("B3", "XB3", ("up", "2"), "C3"),  # back to where it came from, and on
    ],
)
def test_where_a_crater_already_is_a_meteor_flies_on_to_the_next_cell_without(start, craters, roll, cell):
    assert hits(*roll, hit=start, on_board=craters) == [cell]


def test_routes_do_not_stop_a_meteor():
    assert hits("up", "2", on_board="A4C31 A4B31") == ["B3"]


def test_with_any_each_player_chooses_the_direction_and_so_has_an_own_way():
    assert hits("any", "2") == ["B3", "D5", "F3", "D1"]
    state = rolled("meteor", [], ["any", "2"], seats=2)
    state = after(after(state, Crater("B3")), Crater("D5"), seat=1)
    state = after(after(state, Done()), Done(), seat=1)
    assert [own.hit for own in state.boards] == [board().index["B3"], board().index["D5"]]
    assert [each.hit for each in game.view(state, None).boards] == ["B3", "D5"]


def test_directions_that_end_in_one_cell_are_one_choice():
    assert hits("any", "1", hit="A3") == ["B3", "A4", "A2"]


def test_the_crater_comes_before_everything_else():
    state = rolled("meteor", ["A4"], ["right", "1"])
    assert {type(move) for move in game.choices(state, 0).moves} == {Crater, Ignore}
    assert refusal(state, *draws("A4A10")).code == "meteor-first"
    assert refusal(state, *draws("S2A10")).code == "meteor-first"
    assert refusal(state, Done()).code == "meteor-first"
    asked = game.choices(state, 0).asked
    assert (asked.code, asked.params) == ("draw-crater", {"direction": "right", "distance": 1})


def test_a_crater_is_drawn_only_where_the_meteor_hits_and_once():
    state = rolled("meteor", ["A4"], ["right", "1"])
    said = refusal(state, Crater("D5"))
    assert (said.code, said.params) == ("meteor-misses", {"cell": "D5", "cells": ["D4"]})
    assert refusal(state, Crater("D7")).code == "no-such-cell"
    assert refusal(landed("A4"), Crater("D4")).code == "meteor-is-over"
    assert refusal(landed("A4"), Ignore("S0")).code == "meteor-is-over"


def test_a_crater_erases_the_route_and_an_erased_special_stays_used():
    state = rolled("meteor", ["A4"], ["right", "1"], on_board="A4D41 A4D51")
    assert on_board(after(state, BEFORE_ALL)) == "A4D51 XD4"
    own = msgspec.structs.replace(
        rolled("meteor", ["A4"], ["right", "1"], on_board="S2D40").boards[0], specials=("S2",)
    )
    state = after(msgspec.structs.replace(state, boards=(own,)), BEFORE_ALL)
    assert on_board(state) == "XD4"
    assert refusal(state, *draws("S2A10")).code == "special-is-used"
    assert game.view(state, 0).boards[0].specials == ("S2",)


def test_a_special_crossed_off_keeps_the_meteor_away():
    state = after(rolled("meteor", ["A4"], ["right", "1"], on_board="A4D41"), Ignore("S2"))
    assert on_board(state) == "A4D41"
    # It is this round's special and one of three, and the next meteor starts from the last cell really hit.
    assert refusal(state, *draws("S3A10")).code == "special-this-round"
    assert state.boards[0].specials == ("S2",)
    assert game.view(state, 0).special is False
    assert game.view(state, 0).boards[0].hit == "D3"
    assert on_board(after(state, *draws("A4A10"))) == "A4A10 A4D41"


def test_only_an_unused_special_of_at_most_three_can_be_crossed_off():
    state = rolled("meteor", ["A4"], ["right", "1"])
    assert choices(state, Ignore) == [Ignore(f"S{number}") for number in range(6)]
    assert refusal(state, Ignore("A4")).code == "no-such-special"
    used = msgspec.structs.replace(state.boards[0], specials=("S0", "S1"))
    state = msgspec.structs.replace(state, boards=(used,))
    assert choices(state, Ignore) == [Ignore(f"S{number}") for number in range(2, 6)]
    assert refusal(state, Ignore("S1")).code == "special-is-used"
    all_used = msgspec.structs.replace(used, specials=("S0", "S1", "S2"))
    state = msgspec.structs.replace(state, boards=(all_used,))
    assert choices(state, Ignore) == []
    assert refusal(state, Ignore("S3")).code == "specials-used-up"


def test_a_route_may_be_drawn_in_a_crater_and_erases_it():
    state = landed("A4", "A4", on_board="A4D61 A4D51")
    done = after(state, *draws("A4D41"))
    assert on_board(done) == "A4D41 A4D51 A4D61"
    assert done.boards[0].hit == board().index["D4"]
    special = after(state, *draws("S2D40"))
    assert on_board(special) == "A4D51 A4D61 S2D40"
    assert refusal(done, *draws("A4D41")).code == "cell-is-drawn"


def test_nobody_has_to_erase_a_crater():
    # Highways that all lead into craters: the last curve fits nothing else.
    full = " ".join(f"A4{cell}0" for cell in board().names if cell[1] in "15")
    state = rolled("meteor", ["A0"], ["right", "1"], on_board=full + " XA3 XB0 XB6 XF0 XF6 XG3")
    state = after(state, BEFORE_ALL)
    in_craters = {move.cell for move in choices(state, Draw) if move.tile == "A0"}
    assert in_craters == {"A3", "B0", "B6", "F0", "F6", "G3"}
    assert after(state, Done()).running[0].done
    # With one of those cells empty it must be drawn, there or in a crater.
    open_ = after(rolled("meteor", ["A0"], ["right", "1"], on_board=full + " XA3 XB0 XB6 XF0 XF6"), BEFORE_ALL)
    said = refusal(open_, Done())
    assert (said.code, said.params["cell"]) == ("must-draw", "G3")
    assert after(open_, *draws("A0A30"), Done()).running[0].done


def test_a_round_may_be_finished_before_and_after_craters_are_drawn_over():
    full = " ".join(f"A4{cell}0" for cell in board().names if cell[1] in "15")
    craters = sheet(full + " XA3 XB0 XB6 XF0 XF6 XG3")
    finished = finished_rounds(craters, ["A0"])
    assert frozenset() in finished
    assert {len(drawn) for drawn in finished} == {0, 1}
    assert {craters.is_crater(cell) for drawn in finished for _, cell, _ in drawn} == {True}


def test_each_open_end_that_leads_into_a_crater_counts_two_and_is_no_error():
    assert points("meteor", "A4C30") == {"craters": 0}
    assert errors("meteor", "A4C30") == {"C3N", "C3S"}
    assert (points("meteor", "A4C30 XB3"), errors("meteor", "A4C30 XB3")) == ({"craters": 2}, {"C3S"})
    assert points("meteor", "A4C30 XB3 XD3") == {"craters": 4}
    assert points("meteor", "XD3 A4C30 A1E30 A4D21") == {"craters": 6}
    # A blank side beside a crater is no end, and a crater alone is worth nothing.
    assert points("meteor", "A4C30 XC4") == {"craters": 0}
    found = scored("meteor", "XD3 A4C30 A1E30")
    assert found.bonuses[0].cells == (board().index["C3"], board().index["E3"])


def test_craters_do_not_count_for_the_centre():
    assert scored("meteor", "XD3").centre == 0
    found = scored("meteor", "XD3 A4C30")
    assert (found.centre, found.total) == (1, 1 + 1 - 1 + 2)


def test_others_see_neither_the_crater_nor_what_it_erased_before_the_round_is_over():
    state = after(rolled("meteor", ["A4"], ["any", "1"], on_board="A4D41", seats=2), Crater("D4"))
    seen = game.view(state, 1).boards[0]
    assert ([each.cell for each in seen.drawn], seen.hit, seen.drawn[0].tile) == (["D4"], "D3", "A4")
    crossed = after(rolled("meteor", ["A4"], ["any", "1"], seats=2), Ignore("S2"))
    assert game.view(crossed, 1).boards[0].specials == ()
    assert game.view(crossed, 0).boards[0].specials == ("S2",)


@pytest.mark.parametrize("luck", range(4))
def test_every_round_hits_every_board_once_or_costs_a_special(luck):
    answers = {}
    for before, after_, seat, move in play_out("meteor", 3, luck):
        if isinstance(move, Crater | Ignore):
            answers.setdefault((before.round, seat), []).append(move)
        if isinstance(move, Crater):
            cell = board().index[move.cell]
            assert "X" in {each.tile for each in after_.boards[seat].drawn if each.cell == cell}
            assert "X" not in {each.tile for each in before.boards[seat].drawn if each.cell == cell}
    assert set(answers) == {(round_, seat) for round_ in range(1, 7) for seat in range(3)}
    assert all(len(moves) == 1 for moves in answers.values())


def test_other_matches_have_no_meteors():
    for expansion in ("none", "river", "lake"):
        assert refusal(rolled(expansion, ["A4"]), Crater("C3")).code == "other-expansion"
        assert refusal(rolled(expansion, ["A4"]), Ignore("S0")).code == "other-expansion"
