"""The worked cases of Railroad Ink: what may be drawn and what boards are worth, line by line."""

import json
import re
from pathlib import Path

import pytest

from games.rules.contract import IllegalMove
from games.rules.railroad_ink.board import BLANK, HIGHWAY, RAILWAY, board
from games.rules.railroad_ink.longest import connections
from games.rules.railroad_ink.routes import finished_rounds
from games.rules.railroad_ink.score import score
from games.rules.railroad_ink.sheet import Sheet

CASES = [json.loads(line) for line in Path(__file__).parent.parent.joinpath("cases/railroad-ink.jsonl").open()]
NOTATION = re.compile(r"([A-Z]\d)([A-G]\d)(\d)")
"""Tile, cell, orientation: B0A53."""


def cases(kind):
    of_kind = [(place, case) for place, case in enumerate(CASES) if case["kind"] == kind]
    assert of_kind
    return pytest.mark.parametrize("case", [case for _, case in of_kind], ids=[str(place + 1) for place, _ in of_kind])


def placed(case):
    """(cell, tile, orientation) of each placement."""
    if "rounds" in case:
        found = [each for line in case["rounds"] for each in NOTATION.findall(line)]
    else:
        found = [(each["tile"], each["cell"], each["orientation"]) for each in case["placements"]]
    return [(board().index[cell], tile, int(orientation)) for tile, cell, orientation in found]


def sheet_of(placements):
    return Sheet.of({cell: (tile, orientation) for cell, tile, orientation in placements})


def readings(case):
    """Which readings of the longest line a case was worked out by: both where they agree."""
    return {"trail": (False,), "simple": (True,)}.get(case.get("path_mode"), (False, True))


@cases("score")
def test_boards_are_worth_what_was_worked_out(case):
    check_score(case)


@cases("full_game")
def test_whole_games_are_worth_what_was_worked_out_and_every_drawing_was_legal(case):
    check_score(case)
    sheet = Sheet()
    for line in case["rounds"]:
        sheet = sheet.with_all(drawings(placed({"rounds": [line]})))
    assert sheet.at == sheet_of(placed(case)).at


@cases("round")
def test_the_routes_of_a_round_lean_on_each_other_or_on_what_was_drawn(case):
    moves = [{"placements": case["move"]}, {"placements": case["move"][::-1]}]
    for move in moves:
        before = sheet_of(placed({"placements": case["before"]}))
        if case["expect"]["legal"]:
            before.with_all(drawings(placed(move)))
        else:
            with pytest.raises(IllegalMove):
                before.with_all(drawings(placed(move)))


def drawings(placements):
    return [(cell, board().drawings[tile][orientation]) for cell, tile, orientation in placements]


def check_score(case):
    for simple in readings(case):
        found = score(sheet_of(placed(case)), simple=simple)
        networks = sum(network.points for network in found.networks)
        parts = {
            "network_points": networks,
            "centre": found.centre,
            "errors": len(found.errors),
            "longest_highway": found.highway.length,
            "longest_railway": found.railway.length,
            "basic_score": networks + found.centre - len(found.errors),
            "advanced_score": found.total,
        }
        assert {key: parts[key] for key in case["expect"]} == case["expect"]


@cases("valid_sequence")
def test_drawings_one_after_another_are_legal_or_not(case):
    sheet = Sheet()
    try:
        for cell, tile, orientation in placed(case):
            drawing = board().drawings[tile][orientation]
            sheet.check(cell, drawing)
            sheet = sheet.with_drawing(cell, drawing)
    except IllegalMove:
        assert not case["expect"]["valid"]
    else:
        assert case["expect"]["valid"]


@cases("complete_moves")
def test_a_round_is_finished_in_all_ways_in_which_nothing_more_fits(case):
    expected = {
        frozenset((tile, board().index[cell], look(tile, int(orientation))) for tile, cell, orientation in ways)
        for ways in (NOTATION.findall("".join(move)) for move in case["expect"]["moves"])
    }
    assert finished_rounds(sheet_of(placed(case)), case["dice"]) == expected


def look(tile, orientation):
    """The least orientation that looks like this one."""
    return board().drawings[tile].index(board().drawings[tile][orientation])


@cases("neighbours")
def test_two_neighbours_are_joined_or_clash_or_only_touch(case):
    (one, *drawn_one), (other, *drawn_other) = placed(case)
    sheet = Sheet.of({one: tuple(drawn_one), other: tuple(drawn_other)})
    joined = any(other in connections(sheet, kind).get(one, ()) for kind in (HIGHWAY, RAILWAY))
    assert joined == case["expect"]["connected"]
    side = board().beside[one].index(other) if other in board().beside[one] else None
    mine = BLANK if side is None else sheet.at[one].sides[side]
    met = BLANK if side is None else sheet.met(one, side)
    relation = (
        "clash" if BLANK not in (mine, met) and mine != met else "connected" if joined else "touching_but_not_joined"
    )
    assert case["expect"].get("relation", relation) == relation
