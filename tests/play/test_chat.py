"""What people at a table say to each other and note for themselves."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from accounts.models import PushSubscription
from games import chat, delivery, play
from games.models import ChatMessage, Delivery, Match, Note, Notice, Seat
from games.refusals import Refusal, sentence
from games.selectors import looking_key
from tests.matches import new_match, play_out, take_some_turn
from tests.people import person
from tests.play.test_at_once import all_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    return new_match(alice, bob)


def refused(code, action, *args):
    with pytest.raises(Refusal) as caught:
        action(*args)
    assert caught.value.code == code
    return sentence(caught.value)


def said(match, user):
    mine = match.seats.get(user=user)
    return chat.conversation(match, mine)


def notices(user):
    return Notice.objects.filter(user=user, kind=Notice.Kind.CHAT)


# -- saying -----------------------------------------------------------------------------------------------------------


def test_what_one_says_all_at_the_table_read(match, alice, bob):
    chat.say(match.key, alice, "  Good   luck!\r\n\r\n\r\nAnd mind the mountains. ")
    (line,) = said(match, bob).lines
    assert line.message.name == "Alice"
    assert line.message.text == "Good luck!\n\nAnd mind the mountains."
    assert (line.mine, line.new) == (False, True)
    (line,) = said(match, alice).lines
    assert (line.mine, line.new) == (True, False)


def test_who_does_not_sit_there_neither_writes_nor_reads(match, alice, charlie):
    refused("not-seated", chat.say, match.key, charlie, "Hello")
    refused("not-seated", chat.mark_seen, match.key, charlie, 1)
    refused("not-seated", chat.write_note, match.key, charlie, "x")
    refused("not-seated", chat.seat_of, match.key, charlie)
    refused("no-such-match", chat.say, "2222222222", alice, "Hello")
    refused("no-such-match", chat.seat_of, "2222222222", alice)
    assert not ChatMessage.objects.exists()
    assert not Note.objects.exists()


def test_who_has_left_the_table_before_the_start_reads_no_more(alice, bob, charlie):
    match = play.create_match(alice, "trans-america", seats=3)
    play.join_match(match.key, bob)
    chat.say(match.key, bob, "I must go")
    play.leave_match(match.key, bob)
    refused("not-seated", chat.say, match.key, bob, "Hello?")
    play.join_match(match.key, charlie)
    assert [line.message.text for line in said(match, charlie).lines] == ["I must go"]


def test_who_has_resigned_still_sits_there_and_talks(match, alice, bob):
    play.resign(match.key, alice)
    chat.say(match.key, alice, "Well played")
    assert said(match, bob).unread == 1


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\u200b\u200d", "\u202e", "\x00\x07", "\ud800"])
def test_nothing_that_can_be_read_is_no_message(match, alice, text):
    assert refused("chat-empty", chat.say, match.key, alice, text) == "Write something first."
    assert not ChatMessage.objects.exists()


def test_a_message_has_at_most_five_hundred_characters(match, alice):
    chat.say(match.key, alice, "ü" * 500 + "   ")
    told = refused("chat-too-long", chat.say, match.key, alice, "x" * 501)
    assert told == "A message has at most 500 characters; yours has 501."
    assert ChatMessage.objects.count() == 1


def test_what_no_database_takes_is_left_out(match, alice):
    message = chat.say(match.key, alice, "a\x00b\ud800c\x1bd")
    message.refresh_from_db()
    assert message.text == "abcd"


def test_five_messages_in_half_a_minute_are_enough_over_all_matches(match, alice, bob):
    other = new_match(alice, bob)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(5):
            chat.say((match, other)[number % 2].key, alice, f"message {number}")
            clock.shift(2)
        with pytest.raises(Refusal) as caught:
            chat.say(other.key, alice, "one more")
        assert caught.value.code == "chat-too-fast"
        assert caught.value.params["wait"] == 21
        chat.say(other.key, bob, "I may")
        clock.shift(21)
        chat.say(other.key, alice, "one more")
    assert ChatMessage.objects.filter(user=alice).count() == 6


def test_sixty_messages_an_hour_are_enough(match, alice):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(60):
            chat.say(match.key, alice, f"message {number}")
            clock.shift(10)
        refused("chat-too-fast", chat.say, match.key, alice, "one more")
        clock.shift(3600 - 600 + 1)
        chat.say(match.key, alice, "one more")


def test_after_the_end_the_talk_goes_on_for_thirty_days_and_can_be_read_for_ever(match, alice, bob):
    match = play_out(match)
    chat.say(match.key, bob, "Thank you")
    Match.objects.filter(pk=match.pk).update(ended=timezone.now() - timedelta(days=30, minutes=1))
    match.refresh_from_db()
    refused("chat-closed", chat.say, match.key, alice, "Thanks")
    shown = said(match, alice)
    assert shown.closed
    assert [line.message.text for line in shown.lines] == ["Thank you"]


def test_a_new_name_is_put_to_what_was_said(match, alice, bob):
    chat.say(match.key, alice, "Hello")
    alice.username = "Alicia"
    alice.save()
    chat.rename_writer(alice)
    assert said(match, bob).lines[0].message.name == "Alicia"


def test_the_latest_messages_are_shown_and_that_there_are_earlier_ones(match, alice, bob):
    now = timezone.now()
    ChatMessage.objects.bulk_create(
        ChatMessage(match=match, user=bob, name="Bob", text=f"message {number}", created=now) for number in range(53)
    )
    shown = said(match, alice)
    assert shown.more
    assert shown.unread == chat.LATEST
    assert shown.lines[0].message.text == "message 3"
    everything = chat.conversation(match, match.seats.get(user=alice), latest=None)
    assert (len(everything.lines), everything.more) == (53, False)


# -- seen -------------------------------------------------------------------------------------------------------------


def seen_markers(match, user):
    return [(line.message.text, line.seen_by) for line in said(match, user).lines]


def test_under_the_last_message_that_somebody_has_seen_stands_who(alice, bob):
    dora = person("Dora")
    match = new_match(alice, bob, dora)
    one, two = chat.say(match.key, alice, "one"), chat.say(match.key, alice, "two")
    assert seen_markers(match, alice) == [("one", []), ("two", [])]
    chat.mark_seen(match.key, bob, one.pk)
    chat.mark_seen(match.key, dora, two.pk)
    assert seen_markers(match, alice) == [("one", ["Bob"]), ("two", ["Dora"])]
    assert seen_markers(match, bob) == [("one", []), ("two", ["Dora"])]
    chat.mark_seen(match.key, bob, two.pk)
    assert seen_markers(match, alice) == [("one", []), ("two", ["Bob", "Dora"])]


def test_who_writes_has_seen_what_was_said_before(match, alice, bob):
    chat.say(match.key, alice, "one")
    chat.say(match.key, bob, "two")
    assert said(match, bob).unread == 0
    assert seen_markers(match, alice) == [("one", []), ("two", [])]


def test_seen_never_goes_back_and_never_ahead_of_what_was_said(match, alice, bob):
    one, two = chat.say(match.key, alice, "one"), chat.say(match.key, alice, "two")
    seat = Seat.objects.get(match=match, user=bob)
    chat.mark_seen(match.key, bob, two.pk)
    chat.mark_seen(match.key, bob, one.pk)
    seat.refresh_from_db()
    assert seat.chat_seen == two.pk
    chat.mark_seen(match.key, bob, 2**63 - 1)
    seat.refresh_from_db()
    assert seat.chat_seen == two.pk


# -- notices ----------------------------------------------------------------------------------------------------------


def test_the_others_get_one_notice_until_they_have_seen_it(match, alice, bob):
    one = chat.say(match.key, alice, "one")
    two = chat.say(match.key, alice, "two")
    assert [notice.decision for notice in notices(bob)] == [one.pk]
    assert not notices(alice).exists()
    chat.mark_seen(match.key, bob, two.pk)
    three = chat.say(match.key, alice, "three")
    assert sorted(notice.decision for notice in notices(bob)) == [one.pk, three.pk]


def test_who_looks_at_the_match_gets_no_notice(match, alice, bob):
    cache.set(looking_key(bob.pk, match.key), True, 40)
    chat.say(match.key, alice, "one")
    assert not notices(bob).exists()
    cache.delete(looking_key(bob.pk, match.key))
    chat.say(match.key, alice, "two")
    assert notices(bob).count() == 1


@pytest.fixture
def device(bob):
    """Bob would get pushes, if anything were at that address."""
    return PushSubscription.objects.create(user=bob, endpoint="https://push.example.org/1", p256dh="k", auth="a")


def pushes(user):
    """What became of the pushes about the chat, in order."""
    mine = Delivery.objects.filter(user=user, target="push", notice__kind=Notice.Kind.CHAT)
    return list(mine.order_by("pk").values_list("outcome", flat=True))


def test_a_notice_that_was_dropped_does_not_stand_in_for_the_next_one(match, alice, bob, device):
    chat.say(match.key, alice, "one")
    delivery.route()
    cache.set(looking_key(bob.pk, match.key), True, 40)
    delivery.deliver("push", until=lambda: False)
    cache.delete(looking_key(bob.pk, match.key))
    assert pushes(bob) == ["dropped"]
    chat.say(match.key, alice, "two")
    chat.say(match.key, alice, "three")
    delivery.route()
    assert pushes(bob) == ["dropped", ""], "one that is on its way says all"


@pytest.mark.parametrize(("outcome", "told_again"), [("sent", False), ("dropped", True), ("failed", True)])
def test_only_what_reached_somebody_stands_in_for_what_comes_later(match, alice, bob, device, outcome, told_again):
    chat.say(match.key, alice, "one")
    delivery.route()
    Delivery.objects.filter(user=bob, target="push").update(done=timezone.now(), outcome=outcome)
    chat.say(match.key, alice, "two")
    assert (notices(bob).count() == 2) is told_again


def test_what_was_said_while_the_match_was_muted_does_not_stand_in_for_what_comes_later(match, alice, bob):
    play.mute(match.key, bob, True)
    chat.say(match.key, alice, "one")
    assert not notices(bob).exists()
    play.mute(match.key, bob, False)
    chat.say(match.key, alice, "two")
    assert notices(bob).count() == 1


def test_computer_opponents_get_no_notice(alice, bob):
    match = new_match(alice, bob, opponents=["easy"])
    chat.say(match.key, alice, "one")
    assert Notice.objects.filter(kind=Notice.Kind.CHAT).count() == 1


def test_a_refused_message_leaves_nothing_behind(match, alice, bob):
    refused("chat-empty", chat.say, match.key, alice, " ")
    assert not notices(bob).exists()
    assert Seat.objects.get(match=match, user=alice).chat_seen == 0


# -- notes ------------------------------------------------------------------------------------------------------------


def test_a_note_is_kept_for_its_writer_alone_also_after_the_end(match, alice, bob):
    chat.write_note(match.key, alice, "Bob goes north\n\tI think")
    match = play_out(match)
    assert chat.note_of(match, alice) == "Bob goes north\n\tI think"
    assert chat.note_of(match, bob) == ""
    chat.write_note(match.key, alice, "He did")
    assert chat.note_of(match, alice) == "He did"
    assert Note.objects.count() == 1
    chat.write_note(match.key, alice, "")
    assert chat.note_of(match, alice) == ""


def test_a_note_has_at_most_five_thousand_characters(match, alice):
    chat.write_note(match.key, alice, "x" * 5000)
    told = refused("note-too-long", chat.write_note, match.key, alice, "y" * 5001)
    assert told == "A note has at most 5000 characters; yours has 5001."
    assert chat.note_of(match, alice) == "x" * 5000


@pytest.mark.parametrize(
    ("write", "code"), [(chat.say, "chat-too-long"), (chat.write_note, "note-too-long")], ids=["chat", "note"]
)
@pytest.mark.parametrize("letter", ["x", " "], ids=["letters", "spaces"])
def test_megabytes_of_text_are_refused_before_the_database_is_asked_anything(
    match, alice, django_assert_num_queries, write, code, letter
):
    with django_assert_num_queries(0):
        told = refused(code, write, match.key, alice, letter * 3_500_000)
    assert "3500000" in told


# -- at once ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_messages_in_the_same_moment_as_many_are_taken_as_may_be_and_one_notice_is_written():
    alice, bob = person("Alice"), person("Bob")
    matches = [new_match(alice, bob), new_match(alice, bob)]
    answers = all_at_once(
        [lambda at=at: chat.say(matches[at % 2].key, alice, f"message {at}") for at in range(12)]
        + [lambda: take_some_turn(matches[0])]
    )
    assert answers.count("chat-too-fast") == 12 - 5
    assert ChatMessage.objects.count() == 5
    told = [notice.match_id for notice in notices(bob)]
    assert len(told) == len(set(told))
    assert set(told) == set(ChatMessage.objects.values_list("match", flat=True))
