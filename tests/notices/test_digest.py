"""Several notices that are due together are one mail; and the modes in which mails wait for each other."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import NoticePreferences
from games import delivery
from games.models import Delivery, Notice
from tests.mailbox import html_of, text_of
from tests.matches import mover, new_match, take_some_turn

pytestmark = pytest.mark.django_db


def match_that_waits_for(user, other):
    match = new_match(other, user)
    while mover(match).user != user:
        match = take_some_turn(match)
    return match


@pytest.fixture
def quiet(alice):
    """Only Alice is told, and of her turns alone."""

    def forget():
        Notice.objects.exclude(user=alice, kind="your-turn").update(done=timezone.now())

    return forget


def prefers(user, **fields):
    NoticePreferences.objects.update_or_create(user=user, defaults=fields)


def test_several_matches_that_wait_are_one_mail(alice, bob, charlie, box, deliver, quiet):
    keys = [match_that_waits_for(alice, other).key for other in (bob, charlie)]
    quiet()
    deliver("mail")
    (only,) = box.mails
    assert only["Subject"] == "2 matches wait for you"
    for key, name in zip(keys, ("Bob", "Charlie"), strict=True):
        assert f"It is your turn in Trans America with {name}" in text_of(only)
        assert f"http://127.0.0.1:8000/m/{key}/" in text_of(only)
        assert f"http://127.0.0.1:8000/m/{key}/" in html_of(only)
    assert html_of(only).count(">See all your matches<") == 1
    assert only["References"] is None
    assert set(Delivery.objects.values_list("outcome", flat=True)) == {"sent"}


def test_several_notices_of_one_match_are_one_mail_about_the_most_pressing(alice, bob, box, deliver):
    match_that_waits_for(alice, bob)
    deliver("mail")
    (only,) = box.to(alice.email)
    assert only["Subject"] == "It is your turn in Trans America with Bob"
    assert "The match has started: Trans America with Bob" in text_of(only)
    assert [part.get_content_type() for part in only.walk()].count("image/png") == 1


def test_a_mail_sent_again_with_the_same_notices_has_the_same_message_id_and_another_one_with_more(
    alice, bob, charlie, box, deliver, quiet
):
    for other in (bob, charlie):
        match_that_waits_for(alice, other)
    quiet()
    deliver("mail")
    Delivery.objects.update(done=None, due=timezone.now())
    deliver("mail")
    match_that_waits_for(alice, bob)
    quiet()
    Delivery.objects.update(done=None, due=timezone.now())
    deliver("mail")
    first, second, third = (mail["Message-ID"] for mail in box.mails)
    assert first == second != third


def test_what_comes_while_the_server_refuses_arrives_after_it_in_the_order_of_the_notices(
    alice, bob, charlie, box, deliver, quiet
):
    start = timezone.now()
    with time_machine.travel(start, tick=True) as clock:
        box.refusal = "451 later"
        match_that_waits_for(alice, bob)
        quiet()
        deliver("mail")
        clock.move_to(start + timedelta(minutes=5))
        match_that_waits_for(alice, charlie)
        quiet()
        deliver("mail")
        clock.move_to(start + timedelta(minutes=10))
        box.refusal = None
        deliver("mail")
    (only,) = box.mails
    assert text_of(only).index("with Bob") < text_of(only).index("with Charlie")


def test_after_a_failure_all_that_gathered_goes_out_together(alice, bob, charlie, box, deliver, quiet):
    box.refused[alice.email] = "450 later"
    match_that_waits_for(alice, bob)
    quiet()
    deliver("mail")
    match_that_waits_for(alice, charlie)
    quiet()
    box.refused.clear()
    deliver("mail")
    assert box.mails == []  # the first is to be tried in a minute, and the second waits for it
    Delivery.objects.update(due=timezone.now())
    deliver("mail")
    assert [mail["Subject"] for mail in box.mails] == ["2 matches wait for you"]


def test_a_mail_that_is_tried_again_waits_for_the_end_of_quiet_hours(alice, bob, box, deliver, quiet):
    prefers(alice, quiet_from=22, quiet_to=7)
    box.refused[alice.email] = "450 later"
    with time_machine.travel("2026-06-01T21:59:40Z", tick=True) as clock:
        match_that_waits_for(alice, bob)
        quiet()
        deliver("mail")
        box.refused.clear()
        clock.move_to("2026-06-01T22:05:00Z")
        deliver("mail")
        assert box.mails == []
        clock.move_to("2026-06-02T07:00:01Z")
        deliver("mail")
    assert [mail["Subject"] for mail in box.mails] == ["It is your turn in Trans America with Bob"]


def test_the_daily_mail_has_all_of_the_day(alice, bob, charlie, box, deliver, quiet):
    prefers(alice, mail_mode="daily", daily_hour=8)
    with time_machine.travel("2026-06-01T09:00:00Z", tick=True) as clock:
        for other in (bob, charlie):
            match_that_waits_for(alice, other)
            quiet()
            deliver("mail")
            clock.shift(3600)
        assert box.mails == []
        clock.move_to("2026-06-02T07:59:00Z")
        deliver("mail")
        assert box.mails == []
        clock.move_to("2026-06-02T08:00:01Z")
        deliver("mail")
    assert [mail["Subject"] for mail in box.mails] == ["2 matches wait for you"]


def test_quiet_hours_hold_a_mail_back_until_they_are_over(alice, bob, box, deliver, quiet):
    prefers(alice, quiet_from=22, quiet_to=7)
    with time_machine.travel("2026-06-01T23:00:00Z", tick=True) as clock:
        match_that_waits_for(alice, bob)
        quiet()
        deliver("mail")
        assert box.mails == []
        clock.move_to("2026-06-02T07:00:01Z")
        deliver("mail")
    assert len(box.mails) == 1


def test_until_i_come_back_there_is_one_mail(alice, bob, charlie, box, deliver, quiet):
    prefers(alice, mail_mode="until-back")
    with time_machine.travel("2026-06-01T12:00:00Z", tick=True) as clock:
        for other in (bob, charlie):
            match_that_waits_for(alice, other)
            quiet()
            deliver("mail")
            clock.shift(3600)
        assert len(box.mails) == 1
        type(alice).objects.filter(pk=alice.pk).update(last_seen=timezone.now())
        clock.shift(3600)
        match_that_waits_for(alice, bob)
        quiet()
        deliver("mail")
    assert len(box.mails) == 2


def test_two_that_were_routed_before_the_first_mail_went_out_are_one_mail_as_well(alice, bob, charlie, box, quiet):
    prefers(alice, mail_mode="until-back")
    for other in (bob, charlie):
        match_that_waits_for(alice, other)
        quiet()
        delivery.route()
    delivery.deliver("mail", until=lambda: False)
    assert len(box.mails) == 1
