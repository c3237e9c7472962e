"""Mails about notices, as a real mail server gets them: what they say, what they show, and who may stop them."""

import io
import smtplib
import socket
import time
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import get_connection
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts.models import NoticePreferences
from accounts.notifications import SendError, mail
from accounts.notifications.preferences import chosen_channels
from games import chat, delivery, play
from games.health import problems
from games.models import Delivery, Notice, Seat
from games.notices import compose
from tests.mailbox import html_of, link_in, text_of
from tests.matches import laying_match, mover, new_match, play_out, take_some_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    """Alice and Bob play, and have been told all about it so far."""
    match = laying_match(alice, bob)
    Notice.objects.update(done=timezone.now())
    return match


@pytest.fixture
def mailed(match, box, deliver):
    """The mail that tells somebody that it is their turn; `seat` is theirs."""
    match = take_some_turn(match)
    deliver("mail")
    (only,) = box.mails
    only.seat = mover(match)
    return only


def other_name(seat):
    return seat.match.seats.exclude(pk=seat.pk).get().name


# -- what it says ------------------------------------------------------------------------------------------------------


def test_it_says_whose_turn_it_is_what_happened_and_until_when(mailed):
    seat, text = mailed.seat, text_of(mailed)
    assert mailed["Subject"] == f"It is your turn in Trans America with {other_name(seat)}"
    assert mailed["To"] == seat.user.email
    assert f"{other_name(seat)} laid" in text
    assert f"You have until {seat.deadline:%A} {seat.deadline.day} {seat.deadline:%B %Y, %H:%M} (UTC)." in text
    assert f"Take your turn:\nhttp://127.0.0.1:8000{seat.match.get_absolute_url()}" in text


def test_the_deadline_is_in_the_zone_of_the_person(match, box, deliver, alice, bob):
    type(alice).objects.update(timezone="Asia/Tokyo")
    match = take_some_turn(match)
    deliver("mail")
    deadline = mover(match).deadline + timedelta(hours=9)
    assert f"{deadline:%H:%M} (Asia/Tokyo)" in text_of(box.mails[0])


def test_the_html_says_the_same_with_one_button_in_signal_red_and_styles_in_place(mailed):
    html = html_of(mailed)
    assert f"{other_name(mailed.seat)} laid" in html
    assert html.count(">Take your turn<") == 1
    assert "background: #b3201d" in html.split("<body", 1)[1]
    assert "prefers-color-scheme: dark" in html
    assert "<script" not in html
    assert "http" not in html.split("<body", 1)[0]  # nothing is loaded from anywhere


def test_the_board_is_in_the_mail_and_has_words(mailed):
    (picture,) = [part for part in mailed.walk() if part.get_content_type() == "image/png"]
    image = Image.open(io.BytesIO(picture.get_content()))
    assert image.width == 640
    assert len(picture.get_content()) < 120_000
    assert picture.get_content_disposition() == "inline"
    cid = picture["Content-ID"].strip("<>")
    assert f'src="cid:{cid}" alt="Board of America, round 1"' in html_of(mailed)
    assert mailed.get_content_type() == "multipart/related"


def test_the_picture_is_what_this_very_seat_sees(match):
    pictures = []
    for seat in match.seats.all():
        notice = Notice.objects.create(user=seat.user, match=match, kind="reminder", decision=99)
        pictures.append(compose(notice, picture=True).picture)
    assert pictures[0] != pictures[1]


def test_a_match_before_its_start_has_no_picture(alice, bob, box, deliver):
    play.create_match(alice, "trans-america", seats=3, access="invited", invited=[bob])
    deliver("mail")
    (invitation,) = box.mails
    assert invitation["Subject"] == "Alice invites you to play Trans America"
    for line in ("Pace: 3 days a turn.", "Board: America.", "The match is not rated."):
        assert f"- {line}\n" in text_of(invitation)
    assert not [part for part in invitation.walk() if part.get_content_type() == "image/png"]


def test_the_end_tells_the_places(alice, bob, box, deliver):
    match = play_out(new_match(alice, bob))
    deliver("mail")
    (mine,) = box.to(alice.email)
    assert mine["Subject"] == "The match is over: Trans America with Bob"
    winner = match.seats.filter(rank=1).first()
    assert f"1. {winner.name}, {winner.points} point" in text_of(mine)


def test_what_a_name_or_a_message_holds_is_text_in_html(match, box, deliver, alice, bob):
    NoticePreferences.objects.create(user=bob, wanted={"chat": ["mail"]})
    chat.say(match.key, alice, "<b>5 & 6</b>")
    deliver("mail")
    (mine,) = box.to(bob.email)
    assert "&lt;b&gt;5 &amp; 6&lt;/b&gt;" in html_of(mine)
    assert "Alice: <b>5 & 6</b>" in text_of(mine)


def test_what_people_write_passes_for_no_line_of_the_house(match, box, deliver, alice, bob):
    NoticePreferences.objects.create(user=bob, wanted={"chat": ["mail"]})
    chat.say(match.key, alice, "Hello\n\nAnswer:\nhttps://elsewhere.example/\n-- ")
    deliver("mail")
    (mine,) = box.to(bob.email)
    lines = text_of(mine).splitlines()
    assert lines.count("Answer:") == 1
    assert "  https://elsewhere.example/" in lines
    assert next(line for line in lines if line.startswith("http")).endswith(match.get_absolute_url())


def test_chat_that_was_read_is_not_mailed(match, box, deliver, alice, bob):
    NoticePreferences.objects.create(user=bob, wanted={"chat": ["mail"]})
    message = chat.say(match.key, alice, "Good luck")
    delivery.route()
    chat.mark_seen(match.key, bob, message.pk)
    deliver("mail")
    assert box.to(bob.email) == []


def test_a_turn_that_a_computer_took_is_told_with_what_follows(match, box, deliver):
    seat = mover(match)
    Seat.objects.filter(pk=seat.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    play.time_out(match.key, seat.index, seat.decision)
    deliver("mail")
    (mine,) = box.to(seat.user.email)
    assert mine["Subject"] == f"Your time ran out in Trans America with {other_name(seat)}"
    assert "When it happens twice in a row, it keeps your seat." in text_of(mine)
    assert f"{seat.name} laid" in text_of(mine)


# -- headers -----------------------------------------------------------------------------------------------------------


def test_its_headers_name_it_its_match_and_how_to_stop_it(mailed):
    notice = Notice.objects.get(deliveries__outcome="sent")
    assert mailed["Message-ID"] == f"<notice-{notice.pk}@127.0.0.1>"
    assert mailed["In-Reply-To"] == mailed["References"] == f"<{notice.match.key}@127.0.0.1>"
    assert mailed["Auto-Submitted"] == "auto-generated"
    assert mailed["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mailed["List-Unsubscribe"].strip() == f"<{link_in(mailed, '/unsubscribe/')}>"


def test_an_address_to_write_to_is_named_where_there_is_one(match, box, deliver, settings):
    settings.UNSUBSCRIBE_ADDRESS = "stop@example.org"
    take_some_turn(match)
    deliver("mail")
    assert box.mails[0]["List-Unsubscribe"].endswith("/>, <mailto:stop@example.org?subject=unsubscribe>")


# -- stopping them, without logging in ---------------------------------------------------------------------------------


def path_of(link):
    return link.removeprefix("http://127.0.0.1:8000")


def test_a_mail_program_stops_mails_of_that_kind_with_one_click(mailed):
    user = mailed.seat.user
    path = path_of(mailed["List-Unsubscribe"].strip("<> "))
    answer = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    user.refresh_from_db()
    assert chosen_channels(user, "your-turn") == ("push", "webhook")
    assert "mail" in chosen_channels(user, "reminder")


def test_following_the_link_asks_first_and_changes_nothing(mailed):
    page = Client().get(path_of(link_in(mailed, "/unsubscribe/")))
    assert page.status_code == 200
    assert "No more mails of the kind “Your turn”" in page.content.decode()
    assert not NoticePreferences.objects.filter(user=mailed.seat.user).exclude(wanted={}).exists()


def test_a_link_that_was_used_says_that_it_is_off_already_and_what_else_there_is(mailed):
    path = path_of(link_in(mailed, "/unsubscribe/"))
    assert "the second time in a row it keeps your seat" in Client().get(path).content.decode()
    Client().post(path)
    page = Client().get(path).content.decode()
    assert "That is off already" in page
    assert "No more mails of the kind" not in page
    assert "No more mails about matches at all" in page
    Client().post(path, {"all": "yes"})
    page = Client().get(path).content.decode()
    assert "That is off already" in page
    assert "<button" not in page.partition("<main")[2].partition("</main>")[0]


def test_the_page_stops_all_mails_as_well(mailed):
    Client(enforce_csrf_checks=True).post(path_of(link_in(mailed, "/unsubscribe/")), {"all": "yes"})
    user = type(mailed.seat.user).objects.get(pk=mailed.seat.user.pk)
    assert "mail" not in {
        channel for kind in ("your-turn", "ended", "invited") for channel in chosen_channels(user, kind)
    }


def test_another_link_mutes_the_match(mailed):
    path = path_of(link_in(mailed, "/mute/"))
    client = Client()
    assert client.get(path).status_code == 200
    assert not Seat.objects.get(pk=mailed.seat.pk).muted
    assert client.post(path).status_code == 200
    assert Seat.objects.get(pk=mailed.seat.pk).muted
    assert "This match is muted" in client.get(path).content.decode()


@pytest.mark.parametrize("part", ["/unsubscribe/", "/mute/"])
def test_a_link_that_somebody_changed_is_none(mailed, part):
    path = path_of(link_in(mailed, part))
    token = path.rstrip("/").rpartition("/")[2]
    worse = path.replace(token, token[:-1] + ("a" if token[-1] != "a" else "b"))
    assert Client().post(worse).status_code == 404


# -- what came of it ---------------------------------------------------------------------------------------------------


def test_what_came_of_the_last_mail_is_kept(mailed):
    kept = mailed.seat.user.notice_preferences
    assert kept.mail_result == f"Sent to {mailed.seat.user.email}."
    assert kept.last_mail is not None


def test_a_test_mail_goes_out_and_counts_for_no_notice(alice, box):
    mail.send_test_mail(alice)
    assert "notices reach you here" in text_of(box.mails[0])
    assert alice.notice_preferences.mail_result == "Sent to alice@example.org."
    assert alice.notice_preferences.last_mail is None


def test_a_test_mail_without_an_address_says_so(charlie, box):
    with pytest.raises(SendError, match="no confirmed e-mail address"):
        mail.send_test_mail(charlie)
    assert charlie.notice_preferences.mail_result == "You have no confirmed e-mail address."


def test_an_address_that_is_refused_for_good_is_tried_once(match, box, deliver):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    box.refused[user.email] = "550 No such user here"
    take_some_turn(match)
    deliver("mail")
    row = Delivery.objects.get(user=user)
    assert (row.outcome, row.attempts) == ("failed", 1)
    assert user.notice_preferences.mail_result == f"The mail to {user.email} was refused: 550 No such user here"


def test_an_address_that_is_put_off_is_tried_later_and_later_until_it_is_given_up(match, box, deliver):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    box.refused[user.email] = "450 Greylisted"
    take_some_turn(match)
    pauses = []
    deliver("mail")
    while not (row := Delivery.objects.get(user=user)).done:
        pauses.append(round((row.due - timezone.now()).total_seconds() / 60))
        Delivery.objects.update(due=timezone.now())
        deliver("mail")
    assert pauses == [1, 5, 15, 60, 180, 360, 720]
    assert (row.outcome, row.attempts) == ("failed", 8)


def test_one_person_whose_mail_is_refused_keeps_it_from_nobody_else(alice, bob, box, deliver):
    box.refused[alice.email] = "550 No"
    new_match(alice, bob)
    deliver("mail")
    assert len(box.to(bob.email)) == 1


# -- the server --------------------------------------------------------------------------------------------------------


def test_all_mails_of_a_run_go_over_one_connection(alice, bob, box, deliver):
    new_match(alice, bob)
    deliver("mail")
    assert len(box.mails) == 2
    assert box.connections == 1


def test_a_server_that_refuses_everybody_is_asked_once_a_run_and_all_arrives_afterwards(alice, bob, box, deliver):
    box.refusal = "451 The disk is full"
    new_match(alice, bob)
    for _minute in range(10):
        deliver("mail")
        Delivery.objects.filter(done__isnull=True).update(due=timezone.now())
    assert box.attempts == 10
    assert not Delivery.objects.filter(done__isnull=False).exclude(outcome="dropped").exists()
    box.refusal = None
    deliver("mail")
    assert sorted(mail["To"] for mail in box.mails) == ["alice@example.org", "bob@example.org"]
    assert not Delivery.objects.filter(done__isnull=True).exists()


def test_a_server_that_is_away_or_does_not_answer_is_nobodys_fault(match, box, deliver, settings):
    match = take_some_turn(match)
    box.on_data = lambda mail: time.sleep(2.5)
    deliver("mail")
    settings.EMAIL_PORT = 9  # nobody listens there
    Delivery.objects.update(due=timezone.now())
    deliver("mail")
    row = Delivery.objects.get()
    assert (row.done, row.attempts) == (None, 1)
    assert mover(match).user.notice_preferences.mail_result.startswith("The mail server does not take mails just now")


def test_a_server_that_refuses_for_long_is_told_by_the_canary_although_no_mail_is_ever_overdue(match, box, deliver):
    take_some_turn(match)
    box.refusal = "451 The disk is full"
    with time_machine.travel(timezone.now()) as clock:
        for _minute in range(10):
            deliver("mail")
            assert problems() == []
            clock.shift(61)
        deliver("mail")
        assert Delivery.objects.get().due > timezone.now()
        assert problems() == [("mails-refused", 1)]
        box.refusal = None
        clock.shift(61)
        deliver("mail")
    assert problems() == []


def test_a_mail_that_waited_for_its_hour_is_not_refused_while_it_is_sent_nor_in_the_next_night(match, box):
    match = take_some_turn(match)
    delivery.route()
    with time_machine.travel(timezone.now()) as clock:
        clock.shift(3600)
        assert delivery.claim("mail") is not None
        assert problems() == []
        clock.shift(3600)  # whoever claimed it died, and was the first of many
        assert delivery.claim("mail") is not None
        assert ("mails-refused", 1) in problems()
        clock.shift(3600)
        hour = timezone.now().hour  # the zone of the person is UTC
        NoticePreferences.objects.update_or_create(
            user=mover(match).user, defaults={"quiet_from": hour, "quiet_to": (hour + 8) % 24}
        )
        assert delivery.claim("mail") is None
        clock.shift(3600)
        assert problems() == []


def test_a_mail_that_is_sent_again_has_the_same_message_id(match, box, deliver):
    take_some_turn(match)
    deliver("mail")
    Delivery.objects.update(done=None, due=timezone.now())  # as if the worker had died before it wrote it down
    deliver("mail")
    first, second = box.mails
    assert first["Message-ID"] == second["Message-ID"]


def test_a_connection_that_the_server_has_ended_does_not_lose_a_mail(alice, box, match, deliver):
    line = get_connection()
    line.open()
    line.connection.sock.shutdown(socket.SHUT_RDWR)
    with pytest.raises(mail.ServerUnreachable):
        mail.send(alice, [compose(Notice.objects.filter(user=alice).latest("pk"))], line)
    mail.send(alice, [compose(Notice.objects.filter(user=alice).latest("pk"))], line)
    line.close()
    assert len(box.mails) == 1


def test_a_fault_of_ours_in_one_mail_is_tried_later(match, box, deliver, settings):
    take_some_turn(match)
    settings.EMAIL_BACKEND = "no.such.Backend"
    delivery.route()
    with pytest.raises(ImportError):
        delivery.deliver("mail", until=lambda: False)
    assert Delivery.objects.get().done is None
    assert issubclass(smtplib.SMTPException, OSError)  # what accounts/notifications/mail.py takes for granted
