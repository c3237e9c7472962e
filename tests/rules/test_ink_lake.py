"""Railroad Ink with lakes: what may be drawn, where water fills, and what lakes are worth."""

import pytest

from games.rules.railroad_ink.values import Done, Draw
from tests.rules.ink import after, choices, draws, errors, game, on_board, points, refusal, rolled, scored


def networks(text):
    return sorted((each.exits, each.points) for each in scored("lake", text).networks)


def test_a_match_has_six_rounds_and_two_dice_more():
    view = game.view(rolled("lake", ["A4"], ["W0", "W1"]), 0)
    assert (view.rounds, view.expansion, view.expansion_dice) == (6, "lake", ("W0", "W1"))


@pytest.mark.parametrize("tile", ["W0", "W1", "W2", "W3", "W4", "W5"])
def test_lakes_and_piers_may_stand_alone(tile):
    state = rolled("lake", ["A4"], [tile, "W1"])
    assert on_board(after(state, Draw(tile, "C3", 0))) == f"{tile}C30"


def test_none_one_or_both_of_the_lake_dice_are_drawn():
    state = after(rolled("lake", ["A4"], ["W0", "W0"]), *draws("A4A10"))
    assert after(state, Done()).running[0].done
    one = after(state, *draws("W0C30"))
    assert after(one, Done()).running[0].done
    both = after(one, *draws("W0E50"))
    assert refusal(both, *draws("W0E30")).code == "die-is-used"
    assert refusal(rolled("lake", ["A4"], ["W0", "W0"]), Done()).code == "must-draw"


@pytest.mark.parametrize(
    ("before", "move", "clash"),
    [
        ("A4B10", "W2C10", {"cell": "C1", "side": "N", "kind": "W", "met": "H"}),
        ("A1B30", "W0C30", {"cell": "C3", "side": "N", "kind": "W", "met": "R"}),
        ("", "W2A10", {"cell": "A1", "side": "N", "kind": "W", "met": "H"}),
        ("W2B10", "A4A10", {"cell": "A1", "side": "S", "kind": "H", "met": "W"}),
    ],
)
def test_a_water_side_meets_no_route_and_no_exit(before, move, clash):
    state = rolled("lake", ["A4"], ["W0", "W2"], on_board=before)
    said = refusal(state, *draws(move))
    assert (said.code, said.params) == ("meets-another-kind", clash)


def test_the_filled_cell_is_not_drawn_by_hand():
    assert refusal(rolled("lake", ["A4"], ["W0", "W2"]), *draws("WFC30")).code == "not-rolled"
    assert "WF" not in {move.tile for move in choices(rolled("lake", ["A4"], ["W0", "W2"]), Draw)}


def test_routes_go_on_from_a_pier():
    state = rolled("lake", ["A4", "A1"], ["W4", "W0"], on_board="W4C30")
    assert on_board(after(state, *draws("A4B30"))) == "A4B30 W4C30"
    assert refusal(state, *draws("A1B30")).code == "meets-another-kind"
    assert refusal(state, *draws("A4D30")).code == "meets-another-kind"


def test_open_lake_sides_are_no_errors_but_open_piers_are():
    assert errors("lake", "W0C30 W1E50") == set()
    assert errors("lake", "W4C30") == {"C3N"}
    assert errors("lake", "W3C30") == {"C3N", "C3W"}


def test_an_empty_cell_with_three_lake_sides_around_it_fills_at_once():
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2D21 W2C32")
    assert on_board(after(state, *draws("W2D43"))) == "W2C32 W2D21 W2D43 WFD30"
    # Two sides are not enough, nor is a neighbour whose water looks elsewhere.
    assert "WF" not in on_board(after(state, *draws("W2D40")))


def test_a_filled_cell_says_the_round_in_which_it_filled():
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2D21 W2C32")
    (filled,) = (each for each in game.view(after(state, *draws("W2D43")), 0).boards[0].drawn if each.tile == "WF")
    assert (filled.cell, filled.round) == ("D3", 1)


def test_four_lake_sides_fill_a_cell_too():
    # However it came to have them.
    state = rolled("lake", ["A4"], ["W0", "W2"], on_board="W2D21 W2C32 W2D43")
    assert "WFD30" in on_board(after(state, *draws("W2E30")))


def test_water_that_fills_a_cell_may_fill_the_next_one():
    # D4 has water to its north and east; with D3 filled it has it on three sides.
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2D21 W2C32 W2C42 W2D53")
    done = on_board(after(state, *draws("W2E30")))
    assert "WFD30" in done
    assert "WFD40" in done


def test_a_cell_at_the_edge_fills_from_its_three_neighbours():
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2A11 W2B20")
    assert "WFA20" in on_board(after(state, *draws("W2A33")))


def test_no_water_fills_a_cell_that_a_route_or_an_exit_leads_into():
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2D21 W2C32 A4E30")
    assert "WF" not in on_board(after(state, *draws("W2D43")))
    at_exit = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2A01 W2B10")
    assert "WF" not in on_board(after(at_exit, *draws("W2A23")))


def test_a_route_that_only_passes_does_not_keep_a_cell_dry():
    state = rolled("lake", ["A4"], ["W2", "W2"], on_board="W2D21 W2C32 A4E31")
    assert "WFD30" in on_board(after(state, *draws("W2D43")))


def test_piers_on_one_lake_join_their_networks():
    one, other = "W4A10", "W4G12"
    assert networks(f"{one} {other}") == [(1, 0), (1, 0)]
    lake = f"{one} W1B10 W1C10 W1D10 W1E10 W1F10 {other}"
    assert networks(lake) == [(2, 4)]
    # A gap in the water parts them again.
    assert networks(f"{one} W1B10 W1C10 W1E10 W1F10 {other}") == [(1, 0), (1, 0)]
    # Only piers join: a route along the shore does not.
    assert networks(f"{lake} A4A50") == [(1, 0), (2, 4)]


def test_a_pier_with_a_highway_and_a_railway_joins_both_and_the_lake():
    # W3: a railway to the north, a highway to the west, water to the east and south.
    assert networks("A1A30 W3B30 A4B21 W4B41 A4B51") == [(1, 0)]
    assert networks("A1A30 W3B30 W4C32 A4D30 A4E30 A4F30 A5G31") == [(1, 0)]
    assert networks("W3A30") == [(1, 0)]
    assert networks("W3A30 W1B30 W1C30 W1D30 W1E30 W1F30 W5G32") == [(2, 4)]


def test_water_makes_no_line_longer():
    found = scored("lake", "W4A10 W1B10 W4C12")
    assert found.highway.length == 1


def test_the_smallest_lake_counts_a_point_a_cell():
    assert points("lake", "") == {"lake": 0}
    assert points("lake", "W2C32") == {"lake": 1}
    assert points("lake", "W2C32 W2D30") == {"lake": 2}
    assert points("lake", "W2C32 W2D30 W0F50") == {"lake": 1}
    # Side by side without open sides to each other they are two lakes.
    assert points("lake", "W2C30 W2D30") == {"lake": 1}
    assert points("lake", "W4C30 W1D30 WFE30") == {"lake": 3}


def test_filled_cells_and_lakes_count_in_the_centre():
    assert scored("lake", "W2D21 W2C32 W2D43 WFD30").centre == 4
    assert scored("lake", "W2D21").total == 1 + 1


def test_no_opening_for_the_lake_in_other_matches():
    assert refusal(rolled("river", ["A4"], ["V0", "V0"]), *draws("W0C30")).code == "not-rolled"
