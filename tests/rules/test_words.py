"""Every code that the rules can say has a sentence, and the sentences read well."""

import ast
import inspect
import random

import pytest
from django.utils import translation
from hypothesis import given, settings

from games import words
from games.rules import trans_america
from games.rules.chance import Chance
from games.rules.contract import Choices, IllegalMove, Saying
from games.rules.registry import GAMES
from games.rules.trans_america.board import BOARDS, board
from games.rules.trans_america.game import TransAmerica
from games.rules.trans_america.values import Lay, Move, Place, Stop
from games.words.catalogue import listed
from tests.rules.drawing import position
from tests.rules.playouts import play_out, tables

NAMES = ["Ann", "Bob", "Cem", "100 % Dora", "Eve", "%(name)s"]
KEY = "trans-america"
FEW = settings(max_examples=10, deadline=None)
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def codes_in_source(module: object) -> set[str]:
    """The codes of all sayings, events and refusals that a module's source makes."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Saying", "Event", "IllegalMove")
        ):
            # The first argument is a code, or a choice between codes.
            branches = [node.args[0]]
            if isinstance(node.args[0], ast.IfExp):
                branches = [node.args[0].body, node.args[0].orelse]
            assert all(isinstance(branch, ast.Constant) for branch in branches), ast.dump(node.args[0])
            found |= {branch.value for branch in branches}
    return found


def test_every_code_of_the_rules_has_a_sentence():
    codes = codes_in_source(inspect.getmodule(TransAmerica))
    assert len(codes) > 30
    assert codes <= set(words.CATALOGUES[KEY].sentences)


@EVERY_GAME
def test_the_game_and_its_options_have_words(game):
    assert words.title(game.key)
    for option in game.options:
        assert words.option_label(game.key, option.key)
        assert words.option_help(game.key, option.key).endswith(".")
        assert len({words.option_value(game.key, option.key, value) for value in option.values}) == len(option.values)


@FEW
@given(tables())
def test_all_that_happens_and_is_asked_can_be_said(table):
    game, names = table.game, NAMES[: table.seats]
    with translation.override("en"):
        for before, after, seat, move in play_out(table):
            told = [words.say(game.key, event, names) for event in game.events(before, after, seat, move)]
            assert all(told)
            asked = [game.choices(before, other).asked for other in range(table.seats)]
            assert all(words.say(game.key, saying, names).endswith(".") for saying in asked)
        for line in game.result(after).sheet:
            assert words.say(game.key, line.label, names)


@FEW
@given(tables(KEY))
def test_every_refusal_can_be_said(table):
    game, dice = table.game, random.Random(table.luck)
    map_ = board(str(table.options["board"]))
    with translation.override("en"):
        for before, _, seat, _ in play_out(table):
            if seat is None:
                continue
            line = dice.choice(map_.line_names)
            attempts: list[tuple[int, Move]] = [
                (seat, Lay(line, own=dice.random() < 0.5)),
                (seat, Lay(":".join(reversed(line.split(":"))))),
                (seat, Place(dice.choice(map_.junction_names))),
                (seat, Place("nowhere")),
                (dice.randrange(table.seats), Stop()),
            ]
            for other, move in attempts:
                try:
                    game.play(before, other, move)
                except IllegalMove as problem:
                    sentence = words.say(KEY, problem.saying, NAMES)
                else:
                    continue
                assert sentence.endswith(".")


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_and_junction_of_a_board_has_words(name):
    map_ = board(name)
    for line, cost in enumerate(map_.costs):
        assert words.say(KEY, Saying("line", {**map_.describe(line), "cost": cost}), NAMES)
    for junction in range(len(map_.junctions)):
        assert words.say(KEY, Saying("junction", map_.describe_junction(junction)), NAMES)


# How it reads

PLAINS = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0###+---1---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
"""


def turn_in_words(hands: dict[int, list[str]], *moves: Move, seat: int = 0) -> str:
    game = trans_america.game
    state = position("7-8", PLAINS, hands, mover=seat)
    events = []
    for move in moves:
        after = game.play(state, seat, move)
        events += game.events(state, after, seat, move)
        state = after
    return words.say_all(KEY, events, NAMES)


def test_a_turn_is_one_line_of_the_log():
    assert turn_in_words({}, Lay("8-8:8-9"), Lay("8-9:9-10")) == (
        "Ann laid Santa Fe to the east and the line from one step east of Santa Fe to the south-east"
    )
    assert turn_in_words({}, Lay("8-11:9-11"), Stop(), seat=1) == (
        "Bob laid Oklahoma City to the south-west; Bob stopped after one rail"
    )


def test_joined_cities_are_told_with_the_rail_that_joined_them():
    hand = ["Oklahoma City"]
    assert turn_in_words({0: hand}, Lay("8-10:8-11")) == "Ann laid Oklahoma City to the west; Ann's cities are joined"


def test_the_scoring_is_told_in_full():
    game = trans_america.game
    state = position("7-8", PLAINS, {0: ["Oklahoma City"], 1: ["Santa Fe"]}, mover=None, points=(1, 9))
    after = game.settle(state, Chance(b"words", 1))
    assert words.say_all(KEY, game.events(state, after, None, None), NAMES[:2]) == (
        "Round 1 is scored: Ann loses 1 point and Bob loses 2 points"
    )


def test_refusals_name_the_place():
    state = position("7-8", PLAINS)
    with pytest.raises(IllegalMove) as problem:
        trans_america.game.play(state, 0, Lay("8-9:8-10"))
    assert words.say(KEY, problem.value.saying, NAMES) == (
        "That line is already built: the line from one step east of Santa Fe to the east."
    )


def test_questions_say_how_many_points_there_are():
    asked = trans_america.game.choices(position("7-8", PLAINS), 0).asked
    assert words.say(KEY, asked, NAMES) == "Lay rails worth up to 2 points, from the lines that glow."
    waiting: Choices = trans_america.game.choices(position("7-8", PLAINS), 1)
    assert words.say(KEY, waiting.asked, NAMES) == "Ann is to move."


def test_several_are_listed_as_people_list_them():
    assert [listed(NAMES[:count]) for count in range(4)] == ["", "Ann", "Ann and Bob", "Ann, Bob and Cem"]


def test_points_below_nought_have_a_real_minus_sign():
    won = Saying("match-over", {"seats": [1], "points": -1})
    assert words.say(KEY, won, NAMES) == "Bob wins with −1 points"


def test_a_shared_win_is_told_of_all_who_share_it():
    shared = Saying("match-over", {"seats": [0, 2], "points": 4})
    assert words.say(KEY, shared, NAMES) == "Ann and Cem share the win with 4 points"
    joined = Saying("joined", {"seats": [0, 1]})
    assert words.say(KEY, joined, NAMES) == "Ann and Bob have all their cities joined"
