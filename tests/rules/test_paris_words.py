"""The words of Paris Connection: a sentence for every code, and sentences that read well."""

import inspect
import random

import pytest
from django.utils import translation

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, Saying, complete_options
from games.rules.paris_connection import game
from games.rules.paris_connection.game import ParisConnection
from games.rules.paris_connection.values import Build, Stop, Trade
from games.words.paris_connection import CATALOGUE
from tests.rules.test_paris_connection import STATIONS, after, position
from tests.rules.test_words import codes_in_source

LOCOMOTIVES = ("locomotive", "new-locomotive", "running-locomotive")
NAMES = ["Ann", "Bob", "100 % Cem"]


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def told(state, *moves) -> str:
    """The line of the log for a turn of Ann."""
    sayings = []
    for move in moves:
        after = game.play(state, 0, move)
        sayings += game.events(state, after, 0, move)
        state = after
    return CATALOGUE.say_all(sayings, NAMES)


def refused(state, *moves) -> str:
    *before, last = moves
    for move in before:
        state = game.play(state, 0, move)
    with pytest.raises(IllegalMove) as problem:
        game.play(state, 0, last)
    return CATALOGUE.say(problem.value.saying, NAMES)


def test_every_code_of_the_rules_has_a_sentence():
    codes = codes_in_source(inspect.getmodule(ParisConnection))
    assert len(codes) > 30
    assert codes <= set(CATALOGUE.sentences)


def test_all_that_happens_and_is_asked_in_a_match_can_be_said():
    state = game.start(3, complete_options(game, {}), Chance(bytes(32), 0))
    dice, number = random.Random(4), 0
    while game.result(state) is None:
        asked = [game.choices(state, seat).asked for seat in range(3)]
        assert all(CATALOGUE.say(saying, NAMES).endswith(".") for saying in asked)
        if state.mover is None:
            number += 1
            move, after = None, game.settle(state, Chance(bytes(32), number))
        else:
            move = dice.choice(game.choices(state, state.mover).moves)
            after = game.play(state, state.mover, move)
        assert all(CATALOGUE.say(event, NAMES) for event in game.events(state, after, state.mover, move))
        state = after
    assert all(CATALOGUE.say(line.label, NAMES) for line in game.result(state).sheet)


def test_a_build_is_one_line_with_its_gain():
    line = told(position(STATIONS), *(Build("red", hex_) for hex_ in ("I2", "H1")), Stop())
    assert line.startswith("Ann built red at ")
    assert line.count("Ann") == 1
    assert " and " in line.split(";")[0]


def test_a_trade_names_what_went_and_what_came():
    assert told(position(STATIONS), Trade("red", ("blue",))) == "Ann returned a red share and took a blue one"
    two = told(position(STATIONS), Trade("red", ("blue", "blue")))
    assert two == "Ann returned a red share and took two blue ones"


def test_refusals_name_the_companies_and_the_place():
    state = position(STATIONS)
    assert refused(state, Build("red", "N11")).startswith("That hex is not next to a locomotive of the red company: ")
    assert refused(state, Build("red", "J9999")) == "The board has no hex J9999."
    assert refused(state, Build("red", "I2"), Build("blue", "K2")).startswith("You are building red in this turn: blue")
    poor = position(STATIONS, hands=((0, 1, 0, 0, 0, 0),) * 3)
    assert refused(poor, Trade("red", ("blue",))) == "You hold no share of the red company."
    assert refused(state, Trade("red", ("blue", "black"))) == "Both shares that you take must be of one company."


def test_the_options_have_words():
    for option in game.options:
        assert str(CATALOGUE.options[option.key].help).endswith(".")
        assert len({CATALOGUE.option_value(option.key, value) for value in option.values}) == len(option.values)


def test_two_builds_of_different_companies_are_two_sentences():
    place = {"hex": "I2", "place": "Lyon", "direction": "north", "distance": 0, "value": 0}
    red, blue = (Saying("built", {"seat": 0, "company": company, **place}) for company in ("red", "blue"))
    assert CATALOGUE.say_all([red, blue], NAMES) == "Ann built red at Lyon; Ann built blue at Lyon"


def test_every_shape_that_has_a_title_can_be_said():
    start = position(STATIONS)
    built = after(start, Build("red", "I2"), Stop())
    running = after(built, Build("blue", "K2"))
    view, choices = game.view(start, 0), game.choices(start, 0)
    later = game.scene(game.view(running, 0)).shapes + game.scene(game.view(built, 0)).shapes
    titled = [Saying(*shape.title) for shape in (*game.scene(view, choices).shapes, *later) if shape.title]
    assert {saying.code for saying in titled} >= {"city", "last-city", "station", "value", "build-here", *LOCOMOTIVES}
    assert all(CATALOGUE.say(saying, NAMES) for saying in titled)
    assert CATALOGUE.say(Saying(*game.scene(view).title), NAMES).startswith("Board of France")
