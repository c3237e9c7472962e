"""Railroad Ink with lava: what must be drawn, how room is made for it, and what it is worth."""

import pytest

from games.rules.railroad_ink.board import board
from games.rules.railroad_ink.values import Done, Draw, Erase
from tests.rules.ink import after, choices, draws, errors, game, on_board, play_out, points, refusal, rolled, scored

VOLCANO = "LVD30"
WALLED = f"{VOLCANO} A4C31 A4E31 A4D20 A4D40"
"""Highways pass the volcano on all four sides."""


def full(**other):
    """A board without an empty cell: highways from west to east around the volcano, other tiles in some cells."""
    tiles = {cell: f"A4{cell}1" for cell in board().names}
    tiles |= {"D3": VOLCANO, "D2": "A4D20", "D4": "A4D40"}
    return " ".join((tiles | {cell: f"{tile[:2]}{cell}{tile[2]}" for cell, tile in other.items()}).values())


def test_a_match_has_six_rounds_two_dice_more_and_a_volcano_at_the_start():
    view = game.view(rolled("lava", ["A4"], ["L0", "L1"], seats=3), 0)
    assert (view.rounds, view.expansion, view.expansion_dice) == (6, "lava", ("L0", "L1"))
    assert [[(each.tile, each.cell, each.round) for each in own.drawn] for own in view.boards] == [
        [("LV", "D3", 0)]
    ] * 3


def test_at_least_one_of_the_lava_dice_is_drawn_and_both_may_be():
    state = after(rolled("lava", ["A4"], ["L0", "L1"]), *draws("A4A10"))
    said = refusal(state, Done())
    assert said.code == "must-draw-lava"
    assert Draw(**said.params) in game.choices(state, 0).moves
    assert game.choices(state, 0).asked.code == "draw-lava"
    assert choices(state, Done) == []
    one = after(state, *draws("L1C30"))
    assert choices(one, Done) == [Done()]
    assert after(one, Done()).running[0].done
    both = after(one, *draws("L0B31"))
    assert both.running[0].expansion_left == ()
    assert refusal(both, *draws("L0D41")).code == "die-is-used"


def test_routes_must_be_drawn_before_anything_is_said_of_lava():
    assert refusal(rolled("lava", ["A4"], ["L0", "L1"]), Done()).code == "must-draw"


def test_lava_joins_lava():
    state = rolled("lava", ["A4"], ["L0", "L3"])
    assert refusal(state, *draws("L0A00")).params == {"cell": "A0"}
    assert refusal(state, *draws("L0A00")).code == "lava-not-joined"
    assert refusal(state, *draws("L0C30")).code == "lava-not-joined"  # its sides look away from the volcano
    assert on_board(after(state, *draws("L0C31"))) == "L0C31 LVD30"
    # The route alongside joins nothing for the lava.
    at_exit = rolled("lava", ["A4"], ["L0", "L3"], on_board=f"{VOLCANO} A4A10")
    assert refusal(at_exit, *draws("L3B10")).code == "lava-not-joined"
    assert "L3D40" in on_board(after(at_exit, *draws("L3D40")))


def test_routes_go_on_from_a_route_alongside_lava_but_not_from_lava():
    state = rolled("lava", ["A4", "A1"], ["L0", "L1"], on_board=f"{VOLCANO} L3D40")
    assert "A4C40" in on_board(after(state, *draws("A4C40")))
    assert refusal(state, *draws("A1C40")).code == "meets-another-kind"
    assert refusal(state, *draws("A4C31")).code == "not-joined"


@pytest.mark.parametrize(
    ("before", "move", "clash"),
    [
        (f"{VOLCANO} A4B30", "L1C30", {"cell": "C3", "side": "N", "kind": "L", "met": "H"}),
        (f"{VOLCANO} L1C30 L1B30", "L1A30", {"cell": "A3", "side": "N", "kind": "L", "met": "R"}),
        (VOLCANO, "A4C30", {"cell": "C3", "side": "S", "kind": "H", "met": "L"}),
        (VOLCANO, "LVA10", {"cell": "A1", "side": "N", "kind": "L", "met": "H"}),
    ],
)
def test_a_lava_side_meets_no_route_and_no_exit(before, move, clash):
    state = rolled("lava", ["A4"], ["L1", "L1"], on_board=before)
    said = refusal(state, *draws(move))
    assert (said.code, said.params) == ("meets-another-kind", clash)


def test_a_volcano_may_be_opened_at_any_moment_away_from_lava_and_as_often_as_one_likes():
    state = rolled("lava", ["A4"], ["L0", "L1"])
    state = after(state, *draws("LVB50 A4A10 LVF50"))
    assert on_board(state) == "A4A10 LVB50 LVD30 LVF50"
    assert state.running[0].expansion_left == ("L0", "L1")
    assert refusal(state, Done()).code == "must-draw-lava"


def test_no_volcano_beside_lava():
    state = rolled("lava", ["A4"], ["L0", "L1"], on_board=f"{VOLCANO} L0C31")
    for cell, side in (("E3", "N"), ("B3", "S"), ("C2", "E")):  # B3 and C2 lie at blank sides of the lava
        said = refusal(state, Draw("LV", cell, 0))
        assert (said.code, said.params) == ("volcano-beside-lava", {"cell": cell, "side": side})
    assert "LVB20" in on_board(after(state, *draws("LVB20")))  # corner to corner is not beside
    assert refusal(state, Draw("LV", "D3", 0)).code == "cell-is-drawn"


def test_where_lava_has_no_room_a_volcano_is_opened_or_a_route_erased():
    state = rolled("lava", [], ["L0", "L0"], on_board=WALLED)
    assert refusal(state, Done()).code == "must-open-volcano"
    assert game.choices(state, 0).asked.code == "make-room"
    assert choices(state, Erase) == [Erase("C3"), Erase("D2"), Erase("D4"), Erase("E3")]
    opened = after(state, *draws("LVF50"))
    assert refusal(opened, Done()).code == "must-draw-lava"
    assert after(opened, *draws("L0F41"), Done()).running[0].done
    erased = after(state, Erase("C3"))
    assert on_board(erased) == "A4D20 A4D40 A4E31 LVD30"
    assert refusal(erased, Done()).code == "must-draw-lava"
    assert after(erased, *draws("L0C31"), Done()).running[0].done


@pytest.mark.parametrize(
    ("cell", "code"),
    [("H9", "no-such-cell"), ("B1", "nothing-to-erase"), ("D3", "lava-stays"), ("A1", "makes-no-room")],
)
def test_routes_are_erased_only_to_make_room(cell, code):
    said = refusal(rolled("lava", ["A4"], ["L0", "L0"], on_board=f"{WALLED} A4A10"), Erase(cell))
    assert (said.code, said.params) == (code, {"cell": cell})


def test_nothing_is_erased_while_lava_fits_or_once_it_is_drawn():
    said = refusal(rolled("lava", ["A4"], ["L0", "L0"], on_board=f"{VOLCANO} A4C31"), Erase("C3"))
    assert said.code == "lava-fits"
    assert Draw(**said.params) in game.choices(rolled("lava", [], ["L0", "L0"], on_board=f"{VOLCANO} A4C31"), 0).moves
    once = after(rolled("lava", ["A4"], ["L0", "L0"], on_board=WALLED), Erase("C3"), *draws("L0C31"))
    assert refusal(once, Erase("D2")).code == "lava-is-drawn"
    assert choices(once, Erase) == []


def test_a_route_that_takes_the_room_again_leaves_the_duty():
    state = rolled("lava", ["A4"], ["L0", "L0"], on_board=WALLED + " A4C21")
    state = after(state, Erase("C3"), *draws("A4C31"))
    assert on_board(state) == "A4C21 A4C31 A4D20 A4D40 A4E31 LVD30"
    assert refusal(state, Done()).code == "must-open-volcano"


def test_a_free_cell_that_neither_die_fits_is_no_room():
    # C3 touches the volcano, but highways lead into it from all other sides.
    state = rolled("lava", [], ["L0", "L0"], on_board=f"{VOLCANO} A4C21 A4C41 A4B30 A4E31 A4D20 A4D40")
    assert refusal(state, Done()).code == "must-open-volcano"
    assert Erase("C2") in choices(state, Erase)


def test_on_a_full_board_a_route_is_erased():
    state = rolled("lava", [], ["L0", "L0"], on_board=full())
    # In D2 and D4 a die would fit; in C3 highways lead in from both sides.
    assert game.choices(state, 0).moves == (Erase("D2"), Erase("D4"))
    assert refusal(state, Done()).code == "must-erase"
    assert refusal(state, Done()).params == {"cell": "D2"}
    assert refusal(state, Erase("C3")).code == "makes-no-room"
    assert after(state, Erase("D4"), *draws("L0D42"), Done()).running[0].done


def test_a_route_may_be_erased_for_a_volcano_where_none_fits():
    state = rolled("lava", [], ["L0", "L0"], on_board=full(A1="A40"))
    assert game.choices(state, 0).moves == (Erase("A0"), Erase("D2"), Erase("D4"))
    assert "LVA00" in on_board(after(state, Erase("A0"), *draws("LVA00")))


def test_where_no_room_can_be_made_the_round_ends_without_lava():
    state = rolled("lava", [], ["L0", "L0"], on_board=full(C2="S20", C4="S20", E2="S20", E4="S20"))
    assert game.choices(state, 0).moves == (Done(),)
    assert after(state, Done()).running[0].done


def test_each_open_lava_side_is_an_error_and_the_outer_edge_closes_one():
    assert errors("lava", VOLCANO) == {"D3N", "D3E", "D3S", "D3W"}
    assert errors("lava", f"{VOLCANO} L1C30") == {"D3E", "D3S", "D3W", "C3N"}
    assert errors("lava", "L0A00") == {"A0E"}
    # A blank side closes nothing.
    assert "D3N" in errors("lava", WALLED)
    assert errors("lava", "L3D00") == {"D0N", "D0S"}


def test_a_lake_without_open_sides_counts_five_and_the_largest_a_point_a_cell():
    assert points("lava", VOLCANO) == {"closed-lava": 0, "largest-lava": 1}
    assert points("lava", "L0A03") == {"closed-lava": 5, "largest-lava": 1}
    assert points("lava", "L0A03 L0G02") == {"closed-lava": 10, "largest-lava": 1}
    assert points("lava", f"L0A03 {VOLCANO} L1C30") == {"closed-lava": 5, "largest-lava": 2}
    ring = "L0C31 L0C42 L0D43 L0D30"
    assert (points("lava", ring), errors("lava", ring)) == ({"closed-lava": 5, "largest-lava": 4}, set())
    # Routes alongside belong to the lake.
    assert points("lava", "L3D40 L3D34") == {"closed-lava": 5, "largest-lava": 2}


def test_a_route_alongside_is_a_route_and_not_joined_to_the_lava():
    found = scored("lava", "A4A10 L3B10 A4C10")
    assert [(each.exits, each.points) for each in found.networks] == [(1, 0)]
    assert found.highway.length == 3
    assert scored("lava", f"{VOLCANO} L3D40 L3D24").networks[0].exits == 0
    assert len(scored("lava", f"{VOLCANO} L3D40 L3D24").networks) == 2


def test_lava_counts_in_the_centre_and_in_the_total():
    found = scored("lava", VOLCANO)
    assert (found.centre, found.total) == (1, 1 + 1 - 4)


@pytest.mark.parametrize("luck", range(4))
def test_every_round_has_lava_unless_no_room_could_be_made(luck):
    for before, _, seat, move in play_out("lava", 2, luck):
        if isinstance(move, Done) and len(before.running[seat].expansion_left) == 2:
            assert not [each for each in game.choices(before, seat).moves if getattr(each, "tile", "")[:1] == "L"]
            assert choices(before, Erase, seat) == []


def test_other_matches_have_no_lava():
    for expansion in ("none", "river", "lake"):
        assert refusal(rolled(expansion, ["A4"]), Erase("C3")).code == "other-expansion"
        assert refusal(rolled(expansion, ["A4"]), *draws("LVC30")).code == "not-rolled"
    assert refusal(rolled("meteor", ["A4"], ["up", "1"]), Erase("C3")).code == "other-expansion"
