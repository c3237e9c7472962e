"""Chat and notes of a match, as a stranger's client uses them."""

import json

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from games import chat
from games.models import ChatMessage, Note
from tests.matches import new_match

pytestmark = pytest.mark.django_db


def client_of(user=None):
    client = APIClient()
    if user is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.get_or_create(user=user)[0].key}")
    return client


@pytest.fixture
def match(alice, bob):
    return new_match(alice, bob)


@pytest.fixture
def api(match):
    return f"/api/v1/matches/{match.key}"


def problem(answer, status, code):
    assert answer.status_code == status, answer.content
    body = json.loads(answer.content)
    assert body["code"] == code
    return body


def test_people_at_the_table_talk_and_tell_how_far_they_have_read(api, alice, bob):
    said = client_of(alice).post(f"{api}/chat/", {"text": "Good luck"}, format="json")
    assert said.status_code == 201
    assert (said.json()["name"], said.json()["text"]) == ("Alice", "Good luck")
    heard = client_of(bob).get(f"{api}/chat/").json()
    assert [message["text"] for message in heard["messages"]] == ["Good luck"]
    assert (heard["unread"], heard["more"], heard["closed"]) == (1, False, False)
    assert heard["seen"] == [{"name": "Alice", "message": said.json()["id"]}]
    assert client_of(bob).post(f"{api}/chat/seen/", {"message": said.json()["id"]}, format="json").status_code == 204
    assert client_of(bob).get(f"{api}/chat/").json()["unread"] == 0
    assert client_of(alice).get(f"{api}/chat/").json()["seen"] == [{"name": "Bob", "message": said.json()["id"]}]


def test_the_latest_messages_come_unless_all_are_asked_for(api, match, alice, bob):
    ChatMessage.objects.bulk_create(ChatMessage(match=match, user=bob, name="Bob", text=str(n)) for n in range(52))
    latest = client_of(alice).get(f"{api}/chat/").json()
    assert (len(latest["messages"]), latest["more"]) == (50, True)
    assert len(client_of(alice).get(f"{api}/chat/?all=true").json()["messages"]) == 52


def test_what_cannot_be_said_is_refused_with_a_code(api, match, alice, bob):
    client = client_of(alice)
    assert problem(client.post(f"{api}/chat/", {"text": " "}, format="json"), 400, "chat-empty")["errors"]["text"]
    assert problem(client.post(f"{api}/chat/", {"text": "x" * 501}, format="json"), 400, "chat-too-long")["errors"]
    for body in (
        {},
        {"text": None},
        {"text": ["a"]},
        {"text": "a\0b"},
        {"text": "a", "to": "Bob"},
        {"text": "x" * 9999},
    ):
        assert "errors" in problem(client.post(f"{api}/chat/", body, format="json"), 400, "invalid")
    assert not ChatMessage.objects.exists()
    for number in range(5):
        assert client.post(f"{api}/chat/", {"text": f"{number}"}, format="json").status_code == 201
    answer = client.post(f"{api}/chat/", {"text": "more"}, format="json")
    problem(answer, 429, "chat-too-fast")
    assert 0 < int(answer["Retry-After"]) <= 31
    for body in ({}, {"message": -1}, {"message": 2**63}, {"message": "x"}):
        problem(client.post(f"{api}/chat/seen/", body, format="json"), 400, "invalid")


def test_nobody_else_reads_or_writes(api, alice, charlie):
    client_of(alice).post(f"{api}/chat/", {"text": "Between us"}, format="json")
    chat_address, seen, note = f"{api}/chat/", f"{api}/chat/seen/", f"{api}/note/"
    other = client_of(charlie)
    problem(other.get(chat_address), 403, "not-seated")
    problem(other.post(chat_address, {"text": "Hello"}, format="json"), 403, "not-seated")
    problem(other.post(seen, {"message": 1}, format="json"), 403, "not-seated")
    problem(other.get(note), 403, "not-seated")
    problem(other.put(note, {"text": "x"}, format="json"), 403, "not-seated")
    problem(client_of().get(chat_address), 401, "not-authenticated")
    problem(client_of().get(note), 401, "not-authenticated")
    problem(other.get("/api/v1/matches/zzzzzzzzzz/chat/"), 404, "no-such-match")


def test_a_note_is_its_writers_alone(api, match, alice, bob):
    assert client_of(alice).get(f"{api}/note/").json() == {"text": ""}
    written = client_of(alice).put(f"{api}/note/", {"text": "Bob goes north"}, format="json")
    assert written.json() == {"text": "Bob goes north"}
    assert client_of(alice).get(f"{api}/note/").json() == {"text": "Bob goes north"}
    assert client_of(bob).get(f"{api}/note/").json() == {"text": ""}
    too_long = client_of(alice).put(f"{api}/note/", {"text": "x" * 5001}, format="json")
    assert problem(too_long, 400, "note-too-long")["errors"]["text"]
    assert Note.objects.get().text == "Bob goes north"
    for address in ("", "log/", "chat/"):
        assert b"goes north" not in client_of(alice).get(f"{api}/{address}").content
    assert chat.note_of(match, bob) == ""
