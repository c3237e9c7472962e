"""Railroad Ink with rivers: what may be drawn, and what rivers are worth."""

import pytest

from games.rules.railroad_ink.values import Done, Draw
from tests.rules.ink import after, choices, draws, errors, game, on_board, points, refusal, rolled, scored


def test_a_match_has_six_rounds_and_two_dice_more():
    state = rolled("river", ["A4"], ["V0", "V1"])
    view = game.view(state, 0)
    assert (view.rounds, view.expansion, view.expansion_dice) == (6, "river", ("V0", "V1"))
    assert view.expansion_left == ("V0", "V1")
    assert game.view(after(state, *draws("V1C30")), 0).expansion_left == ("V0",)


@pytest.mark.parametrize("tile", ["V0", "V1", "V2", "V3"])
def test_rivers_and_bridges_may_stand_alone(tile):
    state = rolled("river", ["A4"], [tile, "V1"])
    assert on_board(after(state, Draw(tile, "C3", 0))) == f"{tile}C30"


def test_none_one_or_both_of_the_river_dice_are_drawn():
    state = rolled("river", ["A4"], ["V0", "V0"])
    state = after(state, *draws("A4A10"))
    assert after(state, Done()).running[0].done
    one = after(state, *draws("V0C30"))
    assert after(one, Done()).running[0].done
    both = after(one, *draws("V0D30"))
    assert both.running[0].expansion_left == ()
    assert refusal(both, *draws("V0E30")).code == "die-is-used"
    assert refusal(both, *draws("V1E30")).code == "not-rolled"


def test_routes_must_still_be_drawn():
    assert refusal(rolled("river", ["A4"], ["V0", "V0"]), Done()).code == "must-draw"


@pytest.mark.parametrize(
    ("before", "move", "clash"),
    [
        ("A4B10", "V0C10", {"cell": "C1", "side": "N", "kind": "V", "met": "H"}),
        ("A1B30", "V0C30", {"cell": "C3", "side": "N", "kind": "V", "met": "R"}),
        ("", "V0A10", {"cell": "A1", "side": "N", "kind": "V", "met": "H"}),
        ("", "V0B01", {"cell": "B0", "side": "W", "kind": "V", "met": "R"}),
        ("V0B10", "A4A10", {"cell": "A1", "side": "S", "kind": "H", "met": "V"}),
    ],
)
def test_a_river_meets_no_route_and_no_exit(before, move, clash):
    state = rolled("river", ["A4"], ["V0", "V0"], on_board=before)
    said = refusal(state, *draws(move))
    assert (said.code, said.params) == ("meets-another-kind", clash)


def test_a_river_may_run_along_a_route_and_out_of_the_board():
    state = rolled("river", ["A4"], ["V0", "V1"], on_board="A4B10")
    assert "V0A00" in on_board(after(state, *draws("V0A00")))
    assert "V0C11" in on_board(after(state, *draws("V0C11")))  # the highway's end meets its blank side


def test_routes_go_on_from_a_bridge():
    state = rolled("river", ["A4", "A1"], ["V2", "V3"], on_board="V2C30")
    assert on_board(after(state, *draws("A4C21"))) == "A4C21 V2C30"
    assert refusal(state, *draws("A1C21")).code == "meets-another-kind"
    assert refusal(state, *draws("A4B30")).code == "meets-another-kind"


def test_a_bridge_does_not_join_its_route_to_its_river():
    highway = "A4D01 V2D10 A4D21 A4D31 A4D41 A4D51 A4D61"
    found = scored("river", highway)
    assert [(each.exits, each.points) for each in found.networks] == [(2, 4)]
    assert found.highway.length == 7
    assert errors("river", highway) == {"D1N", "D1S"}


def test_each_river_end_that_meets_neither_a_river_nor_the_outer_edge_is_an_error():
    assert errors("river", "V0C30") == {"C3N", "C3S"}
    assert errors("river", "V0B30 V0C30") == {"B3N", "C3S"}
    assert errors("river", "V0A00 V0B00") == {"B0S"}
    assert errors("river", "V0C30 A4B31") == {"C3N", "C3S", "B3E", "B3W"}
    assert errors("river", "V2C30") == {"C3N", "C3E", "C3S", "C3W"}


def test_the_best_river_counts_a_point_a_cell_and_three_for_both_ends_on_the_edge():
    assert points("river", "") == {"river": 0}
    assert points("river", "V0C30 V0D30") == {"river": 2}
    assert points("river", "V0A00 V0B00") == {"river": 2}
    assert points("river", "V1A00") == {"river": 1 + 0}
    assert points("river", "V1A03") == {"river": 1 + 3}
    # The shorter one from edge to edge is worth more than the longer one.
    found = scored("river", "V1A03 V0C30 V0D30 V0E30")
    assert (found.bonuses[0].points, found.bonuses[0].cells) == (4, (0,))
    assert points("river", "V1A03 V0C30 V0D30 V0E30 V0F30 V0B30") == {"river": 5}


def test_a_river_through_bridges_is_one_river():
    assert points("river", "V0A20 V2B20 V3C20 V0D20 V0E20 V0F20 V0G20") == {"river": 7 + 3}


def test_a_ring_has_no_ends():
    ring = "V1C31 V1C42 V1D43 V1D30"
    assert errors("river", "V1C31 V1C42 V1D43 V1D30") == set()
    assert points("river", ring) == {"river": 4}


def test_rivers_count_in_the_centre_and_in_the_total():
    found = scored("river", "V0C30 V0D30")
    assert (found.centre, found.total) == (2, 2 + 2 - 2)


def test_base_matches_know_no_rivers():
    state = rolled("none", ["A4"])
    assert refusal(state, *draws("V0C30")).code == "not-rolled"
    assert {move.tile for move in choices(state, Draw)} <= {"A4", "S0", "S1", "S2", "S3", "S4", "S5"}
