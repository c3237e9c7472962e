"""Paris Connection by the API: every refusal has its own code and sentence, and nobody reads another's shares."""

import json
import re

import msgspec
import pytest
from django.core.cache import cache
from django.test import Client

from games import record
from games.models import Match
from games.rules.contract import encode
from games.rules.paris_connection import game
from tests.api.test_matches import API, client_of, problem
from tests.matches import mover, new_match, take_some_turn
from tests.rules.test_paris_connection import STATIONS, at, nothing_free_but, position

pytestmark = pytest.mark.django_db

ADDRESSES = ("", "log/", "picture.svg", "picture.png")
PAGES = ("", "table/", "log/")
ONCE = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')
"""What differs between two answers of the same page."""


@pytest.fixture
def match(alice, bob, charlie):
    return new_match(alice, bob, charlie, game=game.key)


def brought_to(match, state):
    """The match in a position, with the seat to move that is waited for."""
    state = msgspec.structs.replace(state, mover=mover(match).index)
    Match.objects.filter(pk=match.pk).update(snapshot=encode(state))
    return Match.objects.get(pk=match.pk)


def build(company, hex_):
    return {"type": "build", "company": company, "hex": hex_}


def trade(give, *take):
    return {"type": "trade", "give": give, "take": list(take)}


STOP = {"type": "stop"}
CROWDED = position(
    STATIONS | at("yellow I4 H3 E2", "purple I3 H3", "blue K3 K2 J2"),
    hands=((0, 2, 2, 2, 2, 2),) * 3,
    supply=(7, 7, 1, 0, 7, 7),
)
"""Nobody holds red, black has one left and brown nothing."""
ALONE = nothing_free_but("J2")
"""One city is free, and five companies have reached none."""


@pytest.mark.parametrize(
    ("state", "moves", "code", "says"),
    [
        (CROWDED, [build("red", "Z9")], "unknown-hex", "no hex Z9"),
        (CROWDED, [build("red", "")], "unknown-hex", "no hex"),
        (CROWDED, [build("red", "j2")], "unknown-hex", "no hex j2"),
        (CROWDED, [build("red", "Ｊ2\u202e\0 %(hex)s <b>")], "unknown-hex", "%(hex)s <b>"),
        (CROWDED, [build("red", "N11")], "not-adjacent", "not next to a locomotive of the red company"),
        (CROWDED, [build("yellow", "E3")], "ribbon", "ribbon bars the way of the yellow company"),
        (CROWDED, [build("blue", "H3")], "hex-full", "no room"),
        (CROWDED, [build("red", "J2")], "hex-full", "no room"),
        (CROWDED, [build("blue", "K2")], "already-there", "The blue company has a locomotive in that hex already"),
        (CROWDED, [build("red", "K3")], "start-hex", "station of Paris"),
        (CROWDED, [build("red", "J4")], "paris", "middle of Paris"),
        (CROWDED, [build("brown", "J6")], "supply-empty", "The brown company has nothing left"),
        (CROWDED, [build("red", "K2"), build("blue", "L2")], "one-company-a-build", "You are building red"),
        (CROWDED, [build("red", "K2"), trade("blue", "red")], "trade-while-building", "You are building red"),
        (CROWDED, [STOP], "must-act-first", "at least one locomotive"),
        (CROWDED, [trade("red", "blue")], "share-not-held", "You hold no share of the red company"),
        (CROWDED, [trade("blue", "blue")], "same-company", "You return a blue share"),
        (CROWDED, [trade("blue", "red", "black")], "mixed-companies", "must be of one company"),
        (CROWDED, [trade("blue")], "take-one-or-two", "one share or two"),
        (CROWDED, [trade("blue", "red", "red", "red")], "take-one-or-two", "one share or two"),
        (CROWDED, [trade("blue", "brown")], "supply-empty", "The brown company has nothing left"),
        (CROWDED, [trade("blue", "black", "black")], "supply-too-small", "The black company has only one left"),
        (ALONE, [build("red", "J2")], "cut-off", "cut the blue company off"),
    ],
)
def test_every_refusal_has_a_code_and_a_sentence_and_stores_nothing(match, state, moves, code, says):
    match = brought_to(match, state)
    seat = mover(match)
    for dry_run in (True, False):
        body = {"decision": seat.decision, "moves": moves, "dry_run": dry_run}
        answer = client_of(seat.user).post(f"{API}/matches/{match.key}/turns/", body, format="json")
        told = problem(answer, 422, code)
        assert says in told["detail"]
        assert told["move"] == len(moves) - 1
    unchanged(match)


def unchanged(match):
    found = Match.objects.get(pk=match.pk)
    assert (found.version, bytes(found.snapshot)) == (match.version, bytes(match.snapshot))
    assert found.turns.count() == match.turns.count() == match.version


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"type": "fly"},
        {"type": 7},
        {"type": "build", "company": "red"},
        build("green", "J2"),
        build("Red", "J2"),
        build(None, "J2"),
        build("red", 7),
        build("red", 10**300),
        build("red", ["J2"]),
        build("red", "J2") | {"free": True},
        trade("red", "green"),
        trade("red", 1),
        trade(10**400, "blue"),
        {"type": "trade", "give": "red", "take": "blue"},
        {"type": "trade", "give": "red", "take": {"blue": 2}},
        {"type": "trade", "give": ["red"], "take": ["blue"]},
        STOP | {"company": "red"},
    ],
)
def test_what_is_no_move_of_the_game_is_refused_and_stores_nothing(match, move):
    seat = mover(match)
    body = json.dumps({"decision": seat.decision, "moves": [move]})
    answer = client_of(seat.user).post(f"{API}/matches/{match.key}/turns/", body, content_type="application/json")
    told = problem(answer, 400, "bad-moves")
    assert told["errors"] == {"moves": [told["detail"]]}
    unchanged(match)


def test_what_follows_the_end_of_a_turn_is_refused(match):
    match = brought_to(match, position(STATIONS | at("red J3 N10")))
    seat = mover(match)
    url = f"{API}/matches/{match.key}/turns/"
    moves = [build("red", "N11"), STOP]
    answer = client_of(seat.user).post(url, {"decision": seat.decision, "moves": moves}, format="json")
    problem(answer, 409, "turn-too-long")
    unfinished = {"decision": seat.decision, "moves": [build("red", "J2")]}
    problem(client_of(seat.user).post(url, unfinished, format="json"), 409, "turn-unfinished")
    unchanged(match)


def shown_to(match, user, hands):
    """All that a reader gets about the match if these were the shares: answers, pictures and the page."""
    state = msgspec.structs.replace(record.load_state(match), hands=hands)
    Match.objects.filter(pk=match.pk).update(snapshot=encode(state))
    cache.clear()  # pictures are kept there
    page = Client()
    if user is not None:
        page.force_login(user)
    answers = [client_of(user).get(f"{API}/matches/{match.key}/{address}") for address in ADDRESSES]
    assert {answer.status_code for answer in answers} == {200}
    pages = [page.get(f"{match.get_absolute_url()}{address}") for address in (*PAGES, f"{match.version}/")]
    assert {answer.status_code for answer in pages} == {200}
    return [ONCE.sub(b"", answer.content) for answer in answers + pages]


def test_nothing_that_leaves_differs_by_what_others_hold(match):
    match = take_some_turn(match)
    readers = [(seat.index, seat.user) for seat in match.seats.select_related("user")]
    hands = record.load_state(match).hands
    for reader, user in [*readers, (None, None)]:
        one, other = [seat for seat in range(3) if seat != reader][:2]
        swapped = list(hands)
        swapped[one], swapped[other] = hands[other], hands[one]
        assert shown_to(match, user, tuple(swapped)) == shown_to(match, user, hands)
        if reader is not None:  # or else nothing would be shown at all
            swapped[reader], swapped[one] = swapped[one], swapped[reader]
            assert shown_to(match, user, tuple(swapped)) != shown_to(match, user, hands)


def test_open_holdings_are_open_to_everybody(alice, bob, charlie):
    match = new_match(alice, bob, charlie, game=game.key, options={"show_holdings": True})
    hands = [list(hand) for hand in record.load_state(match).hands]
    for reader in (None, alice, bob):
        assert client_of(reader).get(f"{API}/matches/{match.key}/").json()["view"]["holdings"] == hands
