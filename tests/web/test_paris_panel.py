"""What stands beside the board of Paris Connection: from a view alone."""

import msgspec
import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games.rules.paris_connection import game
from games.rules.paris_connection.values import Build, Stop, Trade
from games.web.panels.base import Option
from games.web.panels.paris_connection import panel, since
from tests.rules.test_paris_connection import STATIONS, after, position

HANDS = ((1, 2, 3, 4, 5, 6), (3, 3, 3, 3, 3, 3), (2, 2, 2, 2, 2, 2))
VALUES = (9, 8, 7, 6, 5, 4)


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


@pytest.fixture
def state():
    return position(STATIONS, hands=HANDS, values=VALUES)


def beside(state, seat):
    return panel(game.view(state, seat), seat)


def page(state, seat):
    """The words of own.html, in one line."""
    template, facts = beside(state, seat).own
    html = render_to_string(template, {"o": facts, "t": {"names": ["Ann", "Bob", "Cem"]}})
    return " ".join(html.split())


def test_a_holding_is_worth_its_shares_times_the_values_and_others_stay_hidden(state):
    worth = 9 + 16 + 21 + 24 + 25 + 24
    assert beside(state, 0).points == [worth, None, None]
    assert beside(state, None).points == [None, None, None]
    assert f"You hold 21 shares, worth {worth} now." in page(state, 0)


def test_what_too_many_shares_cost_is_told_as_it_was_chosen_and_no_more_when_it_has_been_counted(state):
    assert "At the end each share above 20 costs 20 points." in page(state, 0)
    once = msgspec.structs.replace(state, penalty="once")
    assert "At the end more than 20 cost 20 points in all." in page(once, 0)
    assert "each share above" not in page(once, 0)
    over = msgspec.structs.replace(state, phase="over", mover=None, ending="supply")
    assert "At the end" not in page(over, 0)
    assert "You hold" not in page(over, 0)


def test_two_states_that_differ_in_hidden_shares_look_alike(state):
    other = msgspec.structs.replace(state, hands=(HANDS[0], (6, 0, 6, 0, 6, 0), HANDS[2]))
    assert page(state, 0) == page(other, 0)
    assert beside(state, 0).notes == beside(other, 0).notes


def test_how_many_shares_somebody_holds_follows_from_the_trades():
    state = after(position(STATIONS), Trade("red", ("blue", "blue")), Trade("black", ("brown",)))
    notes = beside(state, 2).notes
    assert [notes[seat][0] for seat in range(3)] == ["11 shares", "10 shares", "10 shares"]


def test_the_running_build_tells_what_the_company_gains(state):
    running = after(state, Build("red", "I2"))
    assert beside(running, 0).spent == "1 of 5 built, red gains 0"
    assert beside(running, 0).switch == ("company", [])
    offered = [value for value, _words in beside(state, 0).switch[1]]
    assert offered == ["red", "blue", "black", "brown", "yellow", "purple"]


def test_a_turn_that_ends_the_match_is_announced():
    last = position(STATIONS, supply=(1, 1, 0, 0, 0, 0))
    built = [Build(move.company, move.hex) for move in game.choices(last, 0).moves if isinstance(move, Build)]
    ended = after(last, next(move for move in built if move.company == "red"))
    assert "ends the match" in beside(ended, 0).warning
    assert not beside(last, 0).warning


def test_trades_are_offered_by_what_is_returned(state):
    moves = ({"type": "trade", "give": "red", "take": take} for take in (["blue"], ["blue", "blue"], ["black"]))
    options = [Option("words", move, "move", "moves") for move in moves]
    _template, facts = beside(state, 0).menus["trade"](options)
    assert [(row["give"], row["cells"]) for row in facts["rows"]] == [
        ("red", [("blue", [(1, options[0]), (2, options[1])]), ("black", [(1, options[2])])])
    ]


def test_every_trade_is_listed(state):
    text = page(after(state, Trade("red", ("blue", "blue")), Trade("black", ("brown",))), 2)
    assert "Ann: 1 red for 2 blue" in text
    assert "Bob: 1 black for 1 brown" in text


def test_all_shares_are_shown_once_they_are_counted(state):
    over = msgspec.structs.replace(state, phase="over", mover=None, ending="supply")
    facts = beside(over, 1).own[1]
    assert facts["shown"]
    assert [row["hands"] for row in facts["companies"]] == [list(hand) for hand in zip(*HANDS, strict=True)]
    assert not beside(state, 1).own[1]["shown"]


def test_what_was_built_in_several_turns_is_marked_together(state):
    turns = [[Build("red", "I2"), Stop()], [Build("blue", "K2"), Stop()]]
    view = game.view(after(state, *turns[0], *turns[1]), 2)
    marked = since(view, [msgspec.to_builtins(turn) for turn in turns]).last.built
    assert [(each.company, each.hex) for each in marked] == [("red", "I2"), ("blue", "K2")]
    assert since(game.view(state, 2), []) == game.view(state, 2)
