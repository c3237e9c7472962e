"""A whole match of every game by the API alone, from `choices` to the result, as a client plays that knows no rules."""

import random

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from games.models import Match
from games.rules.registry import GAMES
from tests.matches import settled
from tests.people import person

pytestmark = pytest.mark.django_db
MATCHES = "/api/v1/matches/"
MOST_TURNS = 400


def client_of(user):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.create(user=user).key}")
    return client


def chosen(moves, luck):
    """Any of the moves; while something can be put on the board, that, so that matches come to an end."""
    kinds = [move["type"] for move in moves]
    first = kinds.count(kinds[0])
    return luck.choice(moves[:first])


def whole_turn(client, key, decision, luck):
    """The moves of a turn: after each one the house is asked what may follow."""
    moves, more = [], client.get(f"{MATCHES}{key}/choices/").json()
    while more and more["moves"]:
        moves.append(chosen(more["moves"], luck))
        body = {"decision": decision, "moves": moves, "dry_run": True}
        tried = client.post(f"{MATCHES}{key}/turns/", body, format="json")
        assert tried.status_code == 200, tried.content
        more = tried.json()["choices"]
    return moves


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_match_is_played_from_choices_alone(key):
    luck = random.Random(key)
    seats = max(2, GAMES[key].seats.start)
    clients = [client_of(person(f"Player{number}")) for number in range(seats)]
    match = clients[0].post(MATCHES, {"game": key, "seats": seats}, format="json").json()
    for client in clients[1:]:
        match = client.post(f"{MATCHES}{match['key']}/join/", {}, format="json").json()
    address = f"{MATCHES}{match['key']}/"
    for _turn in range(MOST_TURNS):
        shown = clients[0].get(address).json()
        if shown["status"] == "over":
            break
        if not any(seat["waiting"] for seat in shown["seats"]):
            settled(Match.objects.get(key=match["key"]))  # what a worker does
            continue
        client = next(client for client, seat in zip(clients, shown["seats"], strict=True) if seat["waiting"])
        decision = client.get(f"{address}choices/").json()["decision"]
        body = {"decision": decision, "moves": whole_turn(client, match["key"], decision, luck)}
        assert client.post(f"{address}turns/", body, format="json").status_code == 201
    assert min(seat["rank"] for seat in shown["seats"]) == 1
    assert all(line["label"]["text"] and len(line["amounts"]) == seats for line in shown["result"]["sheet"])
    assert len(clients[0].get(f"{address}record/").json()["turns"]) == shown["version"]
