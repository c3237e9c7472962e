"""From the outbox to each person: once, only what is true, and only by the channels that they want."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import NoticePreferences, PushSubscription, Webhook
from accounts.notifications.preferences import choose_channel, next_time, wanted_channels
from games import delivery, play
from games.models import Delivery, Invitation, Match, Notice, Seat
from games.selectors import looking_key
from tests.mailbox import text_of
from tests.matches import laying_match, mover, new_match, play_out, take_some_turn
from tests.people import person
from tests.play.test_at_once import all_at_once

pytestmark = pytest.mark.django_db


def targets(user, kind="your-turn"):
    """Where deliveries of this person's notices of a kind go, sorted."""
    return sorted(Delivery.objects.filter(user=user, notice__kind=kind).values_list("target", flat=True))


def outcomes(user, target="mail"):
    rows = Delivery.objects.filter(user=user, target=target).order_by("pk")
    return list(rows.values_list("notice__kind", "outcome"))


@pytest.fixture
def match(alice, bob):
    """Alice and Bob play, and have been told all about it so far."""
    match = laying_match(alice, bob)
    Notice.objects.update(done=timezone.now())
    return match


def test_who_is_to_move_gets_a_mail(match):
    match = take_some_turn(match)
    delivery.route()
    assert targets(mover(match).user) == ["mail"]
    assert not Notice.objects.filter(done__isnull=True).exists()


def test_routing_twice_is_routing_once(match):
    match = take_some_turn(match)
    delivery.route()
    Notice.objects.update(done=None)
    delivery.route()
    assert targets(mover(match).user) == ["mail"]


def test_a_turn_that_was_taken_before_anybody_was_told_is_not_told(match):
    first = mover(match).user
    Notice.objects.filter(user=first).update(done=None)
    take_some_turn(match)
    delivery.route()
    assert targets(first) == []


def test_each_device_has_its_push_and_each_webhook_its_call_but_paused_ones(match):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    PushSubscription.objects.create(user=user, endpoint="https://push.example.org/1", p256dh="k", auth="a")
    called = Webhook.objects.create(user=user, url="https://example.org/1", secret="whsec_")
    Webhook.objects.create(user=user, url="https://example.org/2", secret="whsec_", paused=timezone.now())
    take_some_turn(match)
    delivery.route()
    assert targets(user) == ["mail", "push", f"webhook:{called.pk}"]


def test_chat_and_scored_rounds_come_without_a_mail_by_default(alice):
    assert wanted_channels(alice, "chat") == wanted_channels(alice, "round-scored") == ("push", "webhook")
    assert wanted_channels(alice, "your-turn") == ("mail", "push", "webhook")


def test_what_somebody_switched_off_does_not_come(match):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    choose_channel(user, "your-turn", "mail", wanted=False)
    take_some_turn(match)
    delivery.route()
    assert targets(user) == []


def test_a_guest_and_who_has_not_confirmed_an_address_get_no_mail(db):
    from django.contrib.auth import get_user_model

    assert "mail" not in wanted_channels(get_user_model().objects.create_guest(), "your-turn")
    assert "mail" not in wanted_channels(person("Nora"), "your-turn")


def test_nothing_comes_about_a_match_that_is_muted(match):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    play.mute(match.key, user, True)
    take_some_turn(match)
    delivery.route()
    assert targets(user) == []


def test_who_looks_at_the_match_gets_neither_mail_nor_push_but_their_program_is_called(match):
    user = match.seats.exclude(pk=mover(match).pk).get().user
    PushSubscription.objects.create(user=user, endpoint="https://push.example.org/1", p256dh="k", auth="a")
    called = Webhook.objects.create(user=user, url="https://example.org/1", secret="whsec_")
    cache.set(looking_key(user.pk, match.key), True, 40)
    take_some_turn(match)
    delivery.route()
    assert targets(user) == [f"webhook:{called.pk}"]


def run_out(match):
    """The person that the match waits for has let the time run out, and that is carried out."""
    seat = mover(match)
    Seat.objects.filter(pk=seat.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    assert play.time_out(match.key, seat.index, seat.decision) is not None
    return seat.user


@pytest.fixture
def ran_out(match):
    """Whose time has just run out in the match."""
    return run_out(match)


def test_who_looks_at_the_match_is_told_all_the_same_that_time_ran_out(match, ran_out):
    cache.set(looking_key(ran_out.pk, match.key), True, 40)
    delivery.route()
    assert targets(ran_out, "timed-out") == ["mail"]


def test_who_looks_at_the_match_is_told_all_the_same_that_the_seat_is_lost(match, ran_out):
    Notice.objects.filter(kind="timed-out").delete()
    take_some_turn(Match.objects.get(pk=match.pk))
    assert run_out(match) == ran_out
    assert match.seats.get(user=ran_out).resigned
    cache.set(looking_key(ran_out.pk, match.key), True, 40)
    delivery.route()
    assert targets(ran_out, "timed-out") == ["mail"]


def test_who_looks_at_the_match_needs_no_mail_that_it_has_started(alice, bob):
    match = new_match(alice, bob)
    cache.set(looking_key(alice.pk, match.key), True, 40)
    while delivery.route():
        pass
    assert targets(alice, "started") == []
    assert targets(bob, "started") == ["mail"]


def test_who_looks_at_the_match_is_told_all_the_same_that_it_is_over(alice, bob):
    match = play_out(new_match(alice, bob))
    cache.set(looking_key(alice.pk, match.key), True, 40)
    while delivery.route():
        pass
    assert targets(alice, "ended") == ["mail"]


def test_an_invitation_that_was_declined_is_not_told(alice, bob):
    match = play.create_match(alice, "trans-america", seats=2, access="invited", invited=[bob])
    play.decline_invitation(match.key, bob)
    delivery.route()
    assert targets(bob, "invited") == []


def test_an_invitation_is_told(alice, bob):
    play.create_match(alice, "trans-america", seats=2, access="invited", invited=[bob])
    assert Invitation.objects.count() == 1
    delivery.route()
    assert targets(bob, "invited") == ["mail"]


def test_the_end_is_told_to_everybody(alice, bob):
    play_out(new_match(alice, bob))
    while delivery.route():
        pass
    assert targets(alice, "ended") == targets(bob, "ended") == ["mail"]


# -- checked once more before it goes out ------------------------------------------------------------------------------


def test_a_mail_about_a_turn_that_was_taken_meanwhile_is_dropped(match, box, deliver):
    match = take_some_turn(match)
    user = mover(match).user
    delivery.route()
    take_some_turn(match)
    delivery.deliver("mail", until=lambda: False)
    assert outcomes(user) == [("your-turn", "dropped")]
    assert box.to(user.email) == []


def test_a_mail_that_is_not_wanted_any_more_is_dropped(match, box):
    match = take_some_turn(match)
    user = mover(match).user
    delivery.route()
    choose_channel(user, "your-turn", "mail", wanted=False)
    delivery.deliver("mail", until=lambda: False)
    assert outcomes(user) == [("your-turn", "dropped")]


def test_a_mail_that_was_put_off_is_dropped_when_its_person_looks_but_not_that_time_ran_out(match, ran_out, box):
    other = match.seats.exclude(user=ran_out).get().user
    delivery.route()
    for user in (ran_out, other):
        cache.set(looking_key(user.pk, match.key), True, 40)
    delivery.deliver("mail", until=lambda: False)
    assert outcomes(ran_out) == [("timed-out", "sent")]
    assert outcomes(other) == [("your-turn", "dropped")]
    assert [len(box.to(user.email)) for user in (ran_out, other)] == [1, 0]


def test_a_mail_about_a_match_that_was_muted_meanwhile_is_dropped(match, box):
    match = take_some_turn(match)
    user = mover(match).user
    delivery.route()
    play.mute(match.key, user, True)
    delivery.deliver("mail", until=lambda: False)
    assert outcomes(user) == [("your-turn", "dropped")]


# -- claims ------------------------------------------------------------------------------------------------------------


def test_what_is_claimed_is_claimed_by_nobody_else_until_the_lease_is_over(match, settings):
    take_some_turn(match)
    delivery.route()
    first = delivery.claim("mail")
    assert first is not None
    assert delivery.claim("mail") is None
    Delivery.objects.update(due=timezone.now() - timedelta(seconds=1))  # its worker was killed, and the lease is over
    again = delivery.claim("mail")
    assert [each.pk for each in again.deliveries] == [each.pk for each in first.deliveries]


@pytest.mark.django_db(transaction=True)
def test_many_workers_at_once_tell_each_person_once(box):
    people = [person(name, email=f"{name.lower()}@example.org") for name in ("Ann", "Ben", "Cem", "Dan")]
    for first, second in zip(people, [*people[1:], people[0]], strict=True):
        laying_match(first, second)
    Notice.objects.exclude(kind="started").update(done=timezone.now())  # two a person, in one mail each

    def work():
        while delivery.route():
            pass
        delivery.deliver("mail", until=lambda: False)

    all_at_once([work] * 8)
    work()  # what some had claimed while the others looked
    assert Notice.objects.filter(kind="started").count() == Delivery.objects.filter(outcome="sent").count() == 8
    told = [mail["To"] for mail in box.mails]
    keys = [text_of(mail).count("The match has started") for mail in box.mails]
    assert (set(told), sum(keys)) == ({user.email for user in people}, 8)
    assert len({mail["Message-ID"] for mail in box.mails}) == len(box.mails)


def test_what_comes_later_waits_for_what_is_to_be_tried_again_and_goes_out_with_it(match, alice, bob):
    match = take_some_turn(match)
    user = mover(match).user
    delivery.route()
    delivery.claim("mail")
    new_match(*([user, alice] if user == bob else [user, bob]))
    delivery.route()
    claimed = [one.user for one in iter(lambda: delivery.claim("mail"), None)]
    assert user not in claimed
    Delivery.objects.filter(done__isnull=True).update(due=timezone.now() - timedelta(seconds=1))
    again = {one.user: one.deliveries for one in iter(lambda: delivery.claim("mail"), None)}[user]
    assert [each.notice.kind for each in again][:2] == ["your-turn", "started"]


# -- when --------------------------------------------------------------------------------------------------------------


def at(text, zone=UTC):
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def preferring(user, zone="UTC", **fields):
    """The person with these preferences, read anew."""
    type(user).objects.filter(pk=user.pk).update(timezone=zone)
    NoticePreferences.objects.update_or_create(user=user, defaults=fields)
    return type(user).objects.get(pk=user.pk)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-06-01T21:59", "2026-06-01T21:59"),  # 23:59 in Berlin
        ("2026-06-01T22:30", "2026-06-02T05:00"),  # half past midnight
        ("2026-06-02T04:59", "2026-06-02T05:00"),
        ("2026-06-02T05:00", "2026-06-02T05:00"),
    ],
)
def test_quiet_hours_hold_mail_and_push_back_in_the_zone_of_the_person(alice, now, due):
    user = preferring(alice, "Europe/Berlin", quiet_from=0, quiet_to=7)
    assert next_time(user, "mail", at(now)) == next_time(user, "push", at(now)) == at(due)
    assert next_time(user, "webhook", at(now)) == at(now)


def test_quiet_hours_may_go_over_midnight(alice):
    user = preferring(alice, quiet_from=22, quiet_to=6)
    assert next_time(user, "push", at("2026-06-01T23:00")) == at("2026-06-02T06:00")
    assert next_time(user, "push", at("2026-06-02T03:00")) == at("2026-06-02T06:00")
    assert next_time(user, "push", at("2026-06-02T12:00")) == at("2026-06-02T12:00")


def test_quiet_hours_of_no_length_are_none(alice):
    user = preferring(alice, quiet_from=5, quiet_to=5)
    assert next_time(user, "push", at("2026-06-01T05:30")) == at("2026-06-01T05:30")


def test_quiet_hours_end_by_the_clock_in_a_night_that_is_an_hour_longer_or_shorter(alice):
    user = preferring(alice, "Europe/Berlin", quiet_from=22, quiet_to=7)
    assert next_time(user, "mail", at("2026-10-24T21:00")) == at("2026-10-25T06:00")  # summer time has ended
    assert next_time(user, "mail", at("2026-03-28T22:00")) == at("2026-03-29T05:00")  # it has begun


def test_an_hour_that_the_change_of_clocks_leaves_out_is_when_they_are_put_forward(alice):
    user = preferring(alice, "Europe/Berlin", quiet_from=22, quiet_to=2)
    assert next_time(user, "mail", at("2026-03-29T00:30")) == at("2026-03-29T01:00")


def test_the_daily_mail_comes_at_its_hour_in_the_zone_of_the_person(alice):
    user = preferring(alice, "America/New_York", mail_mode="daily", daily_hour=8)
    assert next_time(user, "mail", at("2026-06-01T11:59")) == at("2026-06-01T12:00")
    assert next_time(user, "mail", at("2026-06-01T12:00")) == at("2026-06-02T12:00")
    assert next_time(user, "mail", at("2026-12-01T12:30")) == at("2026-12-01T13:00")
    assert next_time(user, "push", at("2026-06-01T11:59")) == at("2026-06-01T11:59")


def test_one_mail_until_i_come_back(alice):
    mailed = timezone.now() - timedelta(hours=2)
    user = preferring(alice, mail_mode="until-back", last_mail=mailed)
    assert "mail" not in wanted_channels(user, "your-turn")
    user.last_seen = mailed - timedelta(hours=1)
    assert "mail" not in wanted_channels(user, "your-turn")
    user.last_seen = mailed + timedelta(minutes=5)
    assert "mail" in wanted_channels(user, "your-turn")


def test_opening_a_page_is_coming_back_and_what_a_page_fetches_is_not(client, alice):
    client.force_login(alice)
    client.get("/departures/count/", headers={"Sec-Fetch-Dest": "empty"})
    alice.refresh_from_db()
    assert alice.last_seen is None
    client.get("/departures/", headers={"Sec-Fetch-Dest": "document"})
    alice.refresh_from_db()
    assert timezone.now() - alice.last_seen < timedelta(seconds=20)


def test_nobody_is_told_of_a_turn_in_a_match_that_has_ended_meanwhile(match):
    notice = Notice.objects.filter(user=mover(match).user, kind="your-turn").latest("pk")
    assert delivery.still_true([notice]) == [notice]
    Match.objects.filter(pk=match.pk).update(status="cancelled")
    assert delivery.still_true([notice]) == []
