"""Beside the board: what happened since one's last turn, what people say, what one notes, which turn comes next."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import chat, play
from games.models import ChatMessage, Match, Note, Seat, Turn
from tests.matches import mover, new_match, play_out, settled, some_turn, take_some_turn
from tests.people import person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(alice, bob):
    return new_match(alice, bob)


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(match, user=None):
    return browser(user).get(match.get_absolute_url()).content.decode()


def strip(match, user=None):
    """The turns of "since your last turn", by their numbers."""
    return [int(number) for number in re.findall(r'data-since-turn="(\d+)"', page(match, user))]


# -- since your last turn ---------------------------------------------------------------------------------------------


def test_who_comes_back_sees_the_turns_since_their_own(alice, bob):
    match = new_match(alice, bob, person("Dora"))
    first = mover(match).user
    match = take_some_turn(match)
    own = match.version
    assert strip(match, first) == []
    match = take_some_turn(take_some_turn(match))
    assert mover(match).user == first
    assert strip(match, first) == [own + 1, own + 2]
    shown = page(match, first)
    assert "Since your last turn" in shown
    assert f'href="{reverse("match-moment", args=[match.key, own + 1])}"' in shown
    match = take_some_turn(match)
    assert strip(match, first) == []


def test_before_the_first_turn_it_says_what_the_others_have_done(match, alice, bob):
    later = next(seat.user for seat in match.seats.all() if not seat.waiting)
    assert strip(match, later) == []
    match = take_some_turn(match)
    assert strip(match, later) == [1, 2]
    assert "Before your first turn" in page(match, later)


def test_nobody_but_the_people_at_the_table_has_a_last_turn(match, charlie):
    match = take_some_turn(take_some_turn(match))
    assert strip(match, charlie) == strip(match) == []


def test_who_has_resigned_comes_back_to_no_turn(match, alice, bob):
    match = take_some_turn(match)
    later = mover(match).user
    play.resign(match.key, later)
    assert strip(settled(match), later) == []


def test_a_turn_that_an_opponent_took_in_my_place_is_none_of_my_own(match):
    mine = mover(match)
    match = take_some_turn(take_some_turn(match))
    Turn.objects.filter(match=match, seat=mine.index).update(
        events=[{"code": "timed-out", "params": {"seat": mine.index}}]
    )
    shown = browser(mine.user).get(match.get_absolute_url()).context["t"]
    assert [each.turn.number for each in shown.since] == [1, 2, 3]


def test_the_end_that_came_meanwhile_is_told_too(match, alice, bob):
    match = play_out(match)
    last = match.turns.filter(kind=Turn.Kind.TURN).order_by("-number").first()
    waits = match.seats.exclude(index=last.seat).get().user
    assert match.version in strip(match, waits)


# -- next turn --------------------------------------------------------------------------------------------------------


def test_after_a_turn_the_page_offers_the_next_one(alice, bob):
    matches = [new_match(alice, bob) for _ in range(6)]
    mine = [match for match in matches if mover(match).user == alice]
    while len(mine) < 3:
        mine = [*mine, *(match for match in [new_match(alice, bob)] if mover(match).user == alice)]
    client, done = browser(alice), set()
    address = reverse("next-turn")
    for left in range(len(mine) - 1, 0, -1):
        shown = client.get(address, follow=True)
        match = Match.objects.get(key=shown.context["match"].key)
        assert match.key not in done
        done.add(match.key)
        seat = match.seats.get(user=alice)
        sent = {"decision": seat.decision, "moves": shown.context["t"].moves_json}
        sent["moves"] = str(some_turn(match, seat)).replace("'", '"').replace("False", "false")
        answer = client.post(reverse("match-turn", args=[match.key]), sent, headers=HTMX)
        assert answer.status_code == 200
        (address,) = re.findall(r'href="([^"]+)" data-next-turn(?! hidden)', answer.content.decode())
        assert f"<span data-waiting-count>{left}</span>" in answer.content.decode()
    assert client.get(address, follow=True).context["match"].key not in done


# -- chat -------------------------------------------------------------------------------------------------------------


def test_what_is_said_stands_beside_the_board_as_plain_text(match, alice, bob):
    chat.say(match.key, alice, '<b>Hi</b> & see https://example.org "now"\nsecond line')
    shown = page(match, bob)
    assert "&lt;b&gt;Hi&lt;/b&gt; &amp; see https://example.org &quot;now&quot;<br>second line" in shown
    assert 'href="https://example.org' not in shown
    assert "1 new" in shown
    assert "data-chat-unread hidden" in page(match, alice)


def test_the_form_says_something_and_leads_back_to_the_table(match, alice, bob):
    answer = browser(alice).post(reverse("match-chat", args=[match.key]), {"text": "Hello"})
    assert answer.status_code == 302
    assert answer.url == f"{match.get_absolute_url()}#chat"
    assert "Hello" in page(match, bob)


def test_a_script_gets_the_chat_alone(match, alice, bob):
    address = reverse("match-chat", args=[match.key])
    answer = browser(alice).post(address, {"text": "Hello"}, headers=HTMX)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    chat.say(match.key, bob, "Hello Alice")
    shown = browser(alice).get(address, headers=HTMX).content.decode()
    assert shown.index("Hello</bdi>") < shown.index("Hello Alice")
    assert "seen by Bob" not in shown.split("Hello Alice")[1]


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["script", "form"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" ", "Write something first."),
        ("x" * 501, "A message has at most 500 characters; yours has 501."),
    ],
)
def test_what_cannot_be_said_is_explained_and_kept(match, alice, headers, text, sentence):
    answer = browser(alice).post(reverse("match-chat", args=[match.key]), {"text": text}, headers=headers)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert f"{text}</textarea>" in answer.content.decode()
    assert not ChatMessage.objects.exists()


def test_who_writes_too_fast_is_asked_to_wait(match, alice):
    for number in range(5):
        chat.say(match.key, alice, str(number))
    answer = browser(alice).post(reverse("match-chat", args=[match.key]), {"text": "Wait"}, headers=HTMX)
    assert "You are writing very fast. Wait a little, then send it again." in answer.content.decode()


def test_the_page_tells_what_has_been_seen(match, alice, bob):
    message = chat.say(match.key, alice, "Hello")
    assert "seen by" not in page(match, alice)
    address = reverse("match-chat-seen", args=[match.key])
    assert browser(bob).post(address, {"message": message.pk}).status_code == 204
    assert "seen by Bob" in page(match, alice)
    for nonsense in ("", "x", "-1", "9" * 40, "²"):
        assert browser(bob).post(address, {"message": nonsense}).status_code == 400


def test_a_page_of_its_own_shows_all_and_counts_as_seen(match, alice, bob):
    ChatMessage.objects.bulk_create(
        ChatMessage(match=match, user=bob, name="Bob", text=f"message {number}!") for number in range(60)
    )
    shown = page(match, alice)
    assert "message 0!" not in shown
    address = reverse("match-chat", args=[match.key])
    assert address in shown
    whole = browser(alice).get(address).content.decode()
    assert "message 0!" in whole
    assert "message 59!" in whole
    assert Seat.objects.get(match=match, user=alice).chat_seen == ChatMessage.objects.latest("pk").pk


def test_nobody_else_hears_a_word(match, alice, charlie):
    chat.say(match.key, alice, "Between us")
    assert "Between us" not in page(match, charlie)
    assert "Between us" not in page(match)
    address = reverse("match-chat", args=[match.key])
    assert browser(charlie).get(address).status_code == 404
    assert browser(charlie).post(address, {"text": "Hello"}).status_code == 404
    assert browser(charlie).post(reverse("match-chat-seen", args=[match.key]), {"message": 1}).status_code == 404
    assert browser().get(address).status_code == 302
    assert ChatMessage.objects.count() == 1


def test_people_talk_before_the_start_as_well(alice, bob):
    match = play.create_match(alice, "trans-america", seats=3)
    assert "data-chat-form" not in page(match, alice)
    play.join_match(match.key, bob)
    chat.say(match.key, bob, "Shall we start?")
    assert "Shall we start?" in page(match, alice)


def test_against_computers_there_is_nobody_to_talk_to(alice):
    match = new_match(alice, opponents=["easy"])
    shown = page(match, alice)
    assert "data-chat-form" not in shown
    assert "My notes" in shown


# -- notes ------------------------------------------------------------------------------------------------------------


def test_a_note_is_saved_and_shown_to_its_writer_alone(match, alice, bob, charlie):
    address = reverse("match-note", args=[match.key])
    assert browser(alice).post(address, {"text": "\n<i>Bob</i> goes north"}, headers=HTMX).content == b"Saved."
    assert "&lt;i&gt;Bob&lt;/i&gt; goes north" in page(match, alice)
    for other in (bob, charlie, None):
        assert "goes north" not in page(match, other)
    assert browser(charlie).post(address, {"text": "x"}).status_code == 404
    match = play_out(match)
    assert "goes north" in page(match, alice)
    answer = browser(alice).post(address, {"text": "He did"})
    assert answer.url == f"{match.get_absolute_url()}#note"
    assert Note.objects.get().text == "He did"


def test_a_note_that_is_too_long_is_refused_with_a_sentence(match, alice):
    address = reverse("match-note", args=[match.key])
    told = "A note has at most 5000 characters; yours has 5001."
    assert browser(alice).post(address, {"text": "x" * 5001}, headers=HTMX).content.decode() == told
    assert told in browser(alice).post(address, {"text": "x" * 5001}, follow=True).content.decode()
    assert not Note.objects.exists()


# -- what it costs ----------------------------------------------------------------------------------------------------


def test_talk_costs_the_page_of_a_match_two_queries_however_much_is_said(
    match, alice, bob, django_assert_max_num_queries
):
    ChatMessage.objects.bulk_create(
        ChatMessage(match=match, user=(alice, bob)[number % 2], name="x", text="y") for number in range(60)
    )
    chat.write_note(match.key, alice, "z")
    client = browser(alice)
    with django_assert_max_num_queries(12):
        client.get(match.get_absolute_url())
    with django_assert_max_num_queries(5):
        client.get(reverse("match-chat", args=[match.key]), headers=HTMX)
