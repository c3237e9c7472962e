"""The page of a match of Paris Connection as it is sent: what can be chosen beside the board, and the end."""

import json
import re
from collections import Counter

import msgspec
import pytest
from django.test import Client

from games import play, record
from games.models import Match
from games.rules.paris_connection import game
from games.rules.paris_connection.board import board
from games.rules.paris_connection.values import Stop
from tests.matches import mover, new_match, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob, charlie):
    return new_match(alice, bob, charlie, game=game.key)


def page(match, seat, moves=()):
    """The page as a seat sees it that has chosen these moves."""
    client = Client()
    client.force_login(seat.user)
    chosen = {"decision": seat.decision, "moves": json.dumps(moves)}
    return client.get(match.get_absolute_url(), chosen if moves else {}).content.decode()


def whole_build(match, company):
    """The moves of a turn that builds as many locomotives of a company as can be, cities first."""
    seat, state, moves = mover(match), record.load_state(match), []
    while seat.index in game.waiting_for(state):
        may = [move for move in game.choices(state, seat.index).moves if getattr(move, "company", None) == company]
        moves.append(max(may, key=lambda move: board().values[board().index[move.hex]]) if may else Stop())
        state = game.play(state, seat.index, moves[-1])
    return msgspec.to_builtins(moves)


def build_all(match, company):
    """The match after such a turn."""
    seat = mover(match)
    play.take_turn(match.key, seat.user, seat.decision, whole_build(match, company))
    return Match.objects.get(pk=match.pk)


def set_off(shown):
    """How many new locomotives of each company the board sets off, and the companies that are said to have gained."""
    new = Counter(re.findall(r"<title>(\w+) locomotive: [^<]*, new</title>", shown))
    rows = re.findall(
        r'<th scope="row"><span class="company">(?:(?!</tr>).)*?</svg>(\w+)</span>((?:(?!</tr>).)*)', shown, re.S
    )
    return new, {company for company, rest in rows if "gained" in rest}


def test_all_that_was_built_since_my_last_turn_is_set_off_and_once_i_have_chosen_my_own_build(match):
    match = build_all(build_all(match, "red"), "blue")
    seat = mover(match)
    assert set_off(page(match, seat)) == ({"Red": 5, "Blue": 5}, {"red", "blue"})
    assert set_off(page(match, seat, whole_build(match, "black"))) == ({"Black": 5}, {"black"})


def test_companies_without_a_hex_to_build_on_are_not_offered(match):
    def offered():
        return re.findall(r'type="radio" name="company" value="(\w+)"', page(match, mover(match)))

    assert offered() == ["red", "blue", "black", "brown", "yellow", "purple"]
    while record.load_state(match).supply[0]:
        match = build_all(match, "red")
    assert offered() == ["blue", "black", "brown", "yellow", "purple"]


def test_every_trade_can_be_chosen_in_the_table_and_no_other(match):
    seat = mover(match)
    shown = page(match, seat)
    links = re.findall(r'<a href="[^"]+" data-choose="([^"]+)" aria-label="([^"]+)"', shown)
    moves = [json.loads(move.replace("&quot;", '"')) for move, _words in links]
    state = record.load_state(match)
    legal = [msgspec.to_builtins(move) for move in game.choices(state, seat.index).moves]
    legal = [json.loads(json.dumps(move)) for move in legal if move["type"] == "trade"]
    assert sorted(moves, key=str) == sorted(legal, key=str)
    assert len({words for _move, words in links}) == len(links)


def test_the_end_shows_all_shares_and_the_sum_line_by_line(match):
    over = play_out(match)
    shown = page(over, over.seats.select_related("user").first())
    result = game.result(record.load_state(over))
    table = shown[shown.index('class="result') :]
    for seat in over.seats.all():
        row = re.search(rf"<tr[^>]*>(?:(?!</tr>).)*{seat.name}.*?</tr>", table, re.DOTALL)[0]
        figures = re.findall(r'<td class="figure[^"]*">\s*(?:<b>)?([−\d]+)', row)
        total, *amounts = (int(each.replace("−", "-")) for each in figures)
        assert total == result.points[seat.index] == sum(amounts)
        assert amounts == [line.amounts[seat.index] for line in result.sheet]
