"""Clocks, pauses, vacations and free seats as people see them, and what they do about them; and how one leaves."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import vacations
from accounts.models import Vacation
from games import play
from games.models import ChatMessage, Invitation, Match, Note, Seat
from games.templatetags.branchline import clock, pace_in_words, short_clock
from tests.matches import GAME, mover, new_match, play_out, settled, take_some_turn
from tests.people import PASSWORD, person

pytestmark = pytest.mark.django_db

HOUR, DAY = 60 * 60, 24 * 60 * 60
NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


# -- helpers ----------------------------------------------------------------------------------------------------------


def logged_in(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def seen_by(user, address="departures", *args, **query):
    """The words and the source of a page as a person sees it; None is somebody who is not logged in."""
    response = logged_in(user).get(reverse(address, args=args), query)
    page = response.content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split()), page


def table_of(match, user):
    """What the page of a match says to a person."""
    return seen_by(user, "match", match.key)[0]


def done_by(user, address, *args, **fields):
    return logged_in(user).post(reverse(address, args=args), fields)


def said(response):
    return [str(message) for message in get_messages(response.wsgi_request)]


def to_move(match, user):
    """The match, played on until this person is waited for."""
    while mover(match).user != user:
        match = take_some_turn(match)
    return match


def clock_of(match, user, **left):
    """Leaves a person's clock so much time."""
    Seat.objects.filter(match=match, user=user).update(deadline=timezone.now() + timedelta(**left))


def run_out(match, user):
    """The match after a person's time has run out."""
    match = to_move(match, user)
    clock_of(match, user, seconds=-1)
    seat = mover(match)
    play.time_out(match.key, seat.index, seat.decision)
    return settled(match)


def replaced(match, user):
    """The match after a computer has taken a person's seat."""
    return run_out(run_out(match, user), user)


# -- a clock in words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "words", "short"),
    [
        (14 * DAY, "14 days", "14d"),
        (3 * DAY - 0.2, "3 days", "3d"),
        (2 * DAY + 3 * HOUR, "2 days 3 hours", "2d 3h"),
        (DAY + HOUR, "1 day 1 hour", "1d 1h"),
        (8 * HOUR - 0.2, "8 hours", "8h"),
        (5 * HOUR + 12 * 60, "5 hours 12 minutes", "5h 12m"),
        (HOUR - 0.2, "1 hour", "1h"),
        (12 * 60 + 5, "12 minutes 05 seconds", "12m 05s"),
        (59, "59 seconds", "59s"),
        (0, "time is up", "time is up"),
        (-5, "time is up", "time is up"),
    ],
)
def test_a_clock_is_coarse_until_its_last_hour(seconds, words, short):
    assert (clock(seconds), short_clock(seconds)) == (words, short)


@pytest.mark.parametrize(
    ("pace", "bank", "words"),
    [
        (3 * DAY, 0, "3 days a turn"),
        (HOUR, 0, "1 hour a turn"),
        (8 * HOUR, 7 * DAY, "bank of 7 days, 8 hours more each turn"),
        (0, 30 * DAY, "bank of 30 days"),
    ],
)
def test_a_pace_is_said_in_words(pace, bank, words):
    assert pace_in_words(Match(pace=pace, bank=bank)) == words


# -- a new match ------------------------------------------------------------------------------------------------------

DEFAULTS = {"seat-2": "person", "seat-3": "person", "clock": "turn", "access": "open", "option-board": "america"}


def created_by(user, **fields):
    return done_by(user, "new-match", **{**DEFAULTS, **fields})


def test_a_match_may_have_a_time_for_each_turn(alice):
    assert created_by(alice, pace=8 * HOUR, bank=7 * DAY, increment=HOUR).status_code == 302
    match = Match.objects.get()
    assert (match.pace, match.bank, match.min_reliability) == (8 * HOUR, 0, None)


def test_a_match_may_have_a_bank_that_each_turn_adds_to(alice):
    assert created_by(alice, clock="bank", pace=3 * DAY, bank=14 * DAY, increment=0, min_reliability=90).url
    match = Match.objects.get()
    assert (match.bank, match.pace, match.min_reliability) == (14 * DAY, 0, 90)
    assert "bank of 14 days" in table_of(match, alice)


def test_the_form_begins_with_three_days_a_turn_and_anybody(alice):
    page = seen_by(alice, "new-match")[1]
    assert '<option value="259200" selected>3 days</option>' in page
    assert '<option value="604800" selected>7 days</option>' in page
    assert '<option value="" selected>anybody</option>' in page
    assert re.search(r'name="clock" value="turn"[^>]* checked', page)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"pace": 5}, "pace"),
        ({"pace": "soon"}, "pace"),
        ({"clock": "bank", "bank": 31 * DAY}, "bank"),
        ({"clock": "bank", "bank": 7 * DAY, "increment": -1}, "increment"),
        ({"clock": "sand"}, "clock"),
        ({"min_reliability": 101}, "min_reliability"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_at_its_field(alice, fields, field):
    response = created_by(alice, **fields)
    form = response.context["form"]
    assert list(form.errors) == [field]
    assert str(form.errors[field][0]) in response.content.decode()
    assert not Match.objects.exists()


# -- the lobby --------------------------------------------------------------------------------------------------------


def test_the_lobby_shows_pace_and_asked_reliability_and_filters_by_pace_in_the_address(alice):
    slow = play.create_match(alice, GAME, seats=3, pace=8 * HOUR, bank=7 * DAY, min_reliability=90)
    fast = play.create_match(alice, GAME, seats=3, pace=8 * HOUR)
    words = seen_by(None, "lobby")[0]
    assert "bank of 7 days, 8 hours more each turn at least 90 % of turns in time" in words
    assert "8 hours a turn" in words
    assert listed_in(seen_by(None, "lobby", pace="bank")) == [slow.key]
    assert listed_in(seen_by(None, "lobby", pace=8 * HOUR)) == [fast.key]
    assert '<option value="bank" selected>' in seen_by(None, "lobby", pace="bank")[1]


def listed_in(seen):
    return re.findall(r'<th scope="row"><a href="/m/(\w+)/"', seen[1])


def test_who_is_not_reliable_enough_is_told_so_and_gets_no_seat(alice, bob):
    done = new_match(alice, bob)
    Seat.objects.filter(match=done, user=bob).update(own_turns=20, late_turns=10)
    match = play.create_match(alice, GAME, seats=3, min_reliability=90)
    response = done_by(bob, "join-match", match.key)
    assert len(said(response)) == 1
    assert "90" in said(response)[0]
    assert match.seats.count() == 1


# -- deadlines --------------------------------------------------------------------------------------------------------


def test_a_deadline_is_shown_in_the_zone_of_who_looks(bob):
    alice = person("Alice", timezone="Asia/Tokyo")
    with time_machine.travel(NOON, tick=False):
        match = to_move(new_match(alice, bob, pace=8 * HOUR), alice)
        assert "8 hours left, until Wed 2 Dec, 05:00" in table_of(match, alice)
        assert "8 hours left, until Tue 1 Dec, 20:00" in table_of(match, bob)
        assert "8 hours left, until Tue 1 Dec, 20:00 UTC" in table_of(match, None)
        words, page = seen_by(alice)
        assert "8 hours until Wed 2 Dec, 05:00" in words
        assert 'datetime="2026-12-02T05:00:00+09:00"' in page


def test_a_clock_is_urgent_only_for_whose_turn_it_is_and_when_little_is_left(alice, bob):
    match = to_move(new_match(alice, bob, pace=HOUR), alice)
    assert "clock-time little" not in seen_by(alice, "match", match.key)[1]
    clock_of(match, alice, minutes=9)
    assert "clock-time little" in seen_by(alice, "match", match.key)[1]
    assert "clock-time little" in seen_by(alice)[1]
    assert "little" not in seen_by(bob, "match", match.key)[1]
    assert "little" not in seen_by(bob)[1]


def test_each_seat_shows_what_is_left_in_its_bank(alice, bob):
    match = to_move(new_match(alice, bob, pace=8 * HOUR, bank=7 * DAY), alice)
    Seat.objects.filter(match=match, user=bob).update(time_left=2 * DAY + 3 * HOUR)
    words = table_of(match, bob)
    assert "bank of 7 days, 8 hours more each turn" in words
    assert re.search(r"Alice .* to move · 7d", words)
    assert "bank 2d 3h" in words


# -- pauses -----------------------------------------------------------------------------------------------------------


def test_a_pause_begins_when_all_agree_and_ends_when_one_goes_on(alice, bob):
    match = to_move(new_match(alice, bob, pace=DAY), alice)
    assert "Ask for a pause" in table_of(match, alice)
    done_by(bob, "pause-match", match.key)
    words = table_of(match, alice)
    assert "Bob asks for a pause. 1 of 2 agree." in words
    assert "Pause: 1 of 2 agree" in words
    assert "Bob agrees." in words
    assert "wants a pause" in words
    assert "Withdraw" in table_of(match, bob)
    done_by(alice, "pause-match", match.key)
    for user in (alice, bob, None):
        words = table_of(match, user)
        assert "The match is paused: all clocks stand." in words
        assert "The match is paused. 1 day left." in words
    assert "1 day paused" in seen_by(alice)[0]
    assert "Alice paused" in seen_by(bob)[0]
    done_by(bob, "resume-match", match.key)
    assert "paused" not in table_of(match, alice)
    assert mover(match).deadline is not None


def test_who_asked_for_a_pause_is_answered_above_the_board(alice, bob):
    match = new_match(alice, bob)
    done_by(bob, "pause-match", match.key)
    news = seen_by(bob, "match", match.key)[1].partition('data-part="news"')[2].partition('data-part="since"')[0]
    assert "You ask for a pause: 1 of 2 agree. Until everybody does, the clocks run on." in news
    assert reverse("withdraw-pause", args=[match.key]) in news


def test_who_asked_for_a_pause_may_withdraw(alice, bob):
    match = new_match(alice, bob)
    done_by(bob, "pause-match", match.key)
    done_by(bob, "withdraw-pause", match.key)
    assert "pause." not in table_of(match, alice)
    assert "Ask for a pause" in table_of(match, bob)


@pytest.mark.parametrize("address", ["pause-match", "withdraw-pause", "resume-match", "mute-match", "take-over"])
def test_who_does_not_sit_there_changes_nothing(alice, bob, charlie, address):
    match = new_match(alice, bob)
    before = list(Seat.objects.filter(match=match).values())
    assert len(said(done_by(charlie, address, match.key, muted="yes"))) == 1
    assert done_by(None, address, match.key).url.startswith(reverse("account_login"))
    assert done_by(charlie, address, "nosuchkey").status_code in (302, 404)
    assert list(Seat.objects.filter(match=match).values()) == before
    assert "Ask for a pause" not in table_of(match, charlie)


def test_a_match_can_be_muted_and_heard_again(alice, bob):
    match = new_match(alice, bob)
    assert "No notices about this match" in table_of(match, alice)
    done_by(alice, "mute-match", match.key, muted="yes")
    assert Seat.objects.get(match=match, user=alice).muted
    assert "You get no notices about this match. Tell me again" in table_of(match, alice)
    done_by(alice, "mute-match", match.key, muted="")
    assert not Seat.objects.filter(muted=True).exists()


# -- vacations --------------------------------------------------------------------------------------------------------


def test_a_vacation_is_started_by_one_press_and_others_see_until_when(alice, bob):
    with time_machine.travel(NOON, tick=False):
        match = to_move(new_match(alice, bob, pace=DAY), alice)
        assert "30 days are left this year." in seen_by(alice, "settings")[0]
        response = done_by(alice, "settings", part="vacation", days=11)
        assert said(response) == ["You are on vacation until 12 December. Your clocks stand."]
        assert (
            "You are on vacation until Saturday 12 December, 12:00 . All your clocks" in seen_by(alice, "settings")[0]
        )
        words = table_of(match, bob)
        assert "Alice is on vacation until 12 December. 1 day left." in words
        assert "on vacation until 12 December" in seen_by(bob)[0]
        assert "On vacation until 12 December: all clocks of theirs stand." in seen_by(bob, "player", "Alice")[0]
        for mine in (table_of(match, alice), seen_by(alice, "player", "Alice")[0]):
            assert "You are on vacation until 12 December." in mine
            assert "Alice is on vacation" not in mine
        assert "You are on vacation until Saturday 12 December, 12:00: your clocks stand." in seen_by(alice)[0]


def test_a_vacation_is_ended_where_one_stands(alice, bob):
    match = to_move(new_match(alice, bob, pace=DAY), alice)
    vacations.start_vacation(alice, 7)
    response = done_by(alice, "settings", part="vacation-end", next=reverse("departures"))
    assert response.url == reverse("departures")
    assert vacations.current_vacation(alice) is None
    assert mover(match).deadline is not None
    assert done_by(alice, "settings", part="vacation-end", next="https://example.org/").url == reverse("settings")


@pytest.mark.parametrize("days", ["", "0", "31", "-3", "many", "1.5"])
def test_a_vacation_that_cannot_be_is_refused_at_its_field(alice, days):
    response = done_by(alice, "settings", part="vacation", days=days)
    assert "A vacation lasts between one and 30 days." in response.content.decode()
    assert not Vacation.objects.exists()


def test_more_days_than_are_left_are_refused_at_the_field(alice):
    with time_machine.travel(datetime(2026, 6, 1, 12, tzinfo=UTC)) as clocks:
        vacations.start_vacation(alice, 25)
        clocks.shift(timedelta(days=26))
        vacations.finish_vacations()
        assert "5 days are left this year." in seen_by(alice, "settings")[0]
        page = done_by(alice, "settings", part="vacation", days=6).content.decode()
        assert "You have 5 days of vacation left in the year it would be in." in page
        assert vacations.current_vacation(alice) is None


def test_departures_offer_a_vacation_when_time_runs_short(alice, bob):
    match = to_move(new_match(alice, bob, pace=DAY), alice)
    assert "Go on vacation" not in seen_by(alice)[0]
    clock_of(match, alice, hours=4)
    words, page = seen_by(alice)
    assert "No time to play? Go on vacation for 7 days Your clocks stand meanwhile." in words
    assert '<input type="hidden" name="days" value="7">' in page
    response = done_by(alice, "settings", part="vacation", days=7, next=reverse("departures"))
    assert response.url == reverse("departures")
    assert "Go on vacation" not in seen_by(alice)[0]


# -- when time has run out --------------------------------------------------------------------------------------------


def test_whose_turn_was_played_for_them_is_warned_until_they_play(alice, bob):
    match = run_out(new_match(alice, bob), alice)
    warning = "Your time ran out, and the computer played this turn for you. If it happens again, it takes your seat."
    assert warning in table_of(match, alice)
    assert warning not in table_of(match, bob)
    match = take_some_turn(to_move(match, alice))
    assert warning not in table_of(match, alice)


def test_anybody_at_the_table_invites_somebody_who_takes_the_seat_over(alice, bob, charlie):
    dora = person("Dora")
    match = replaced(new_match(alice, bob, charlie), alice)
    seat = Seat.objects.get(match=match, user=alice)
    assert "Your time ran out twice in a row: a computer plays your seat from now on." in table_of(match, alice)
    assert "ran out of time, medium computer plays on" in table_of(match, None)
    assert "Invite somebody to take this seat" in table_of(match, bob)
    assert "Invite somebody" not in table_of(match, dora)
    assert said(done_by(bob, "invite-to-seat", match.key, seat.index, name="dora")) == ["Dora has been invited."]
    assert "Invited to take this seat: Dora" in table_of(match, charlie)
    assert "You are invited to take over the seat of Alice" in seen_by(dora)[0]
    assert "You are invited to take over the seat of Alice." in table_of(match, dora)
    assert "You are invited" not in table_of(match, charlie)
    response = done_by(dora, "take-over", match.key)
    assert response.url == match.get_absolute_url()
    seat.refresh_from_db()
    assert (seat.user, seat.level, seat.resigned) == (dora, "", False)
    words = table_of(match, bob)
    assert "in place of Alice" in words
    assert "Dora" in words
    assert "You are invited" not in seen_by(dora)[0]


def test_an_invitation_to_a_seat_can_be_declined(alice, bob, charlie):
    match = replaced(new_match(alice, bob), alice)
    play.invite_to_seat(match.key, bob, Seat.objects.get(match=match, user=alice).index, charlie)
    assert done_by(charlie, "decline-invitation", match.key).url == reverse("departures")
    assert not Invitation.objects.exists()
    assert "You are invited" not in table_of(match, charlie)


@pytest.mark.parametrize("name", ["", "Nobody", "Bob", "Alice"])
def test_a_seat_is_offered_to_real_people_without_one(alice, bob, name):
    match = replaced(new_match(alice, bob), alice)
    index = Seat.objects.get(match=match, user=alice).index
    assert len(said(done_by(bob, "invite-to-seat", match.key, index, name=name))) == 1
    assert not Invitation.objects.exists()


# -- my data ----------------------------------------------------------------------------------------------------------


def test_a_person_takes_all_data_along_and_nobody_elses(alice, bob, client):
    match = play_out(new_match(alice, bob, rated=True))
    Note.objects.create(match=match, user=alice, text="Bob goes west")
    Note.objects.create(match=match, user=bob, text="Alice goes east")
    ChatMessage.objects.create(match=match, user=alice, name="Alice", text="Good luck!")
    ChatMessage.objects.create(match=match, user=bob, name="Bob", text="The same to you")
    client.force_login(alice)
    response = client.get(reverse("export-account"))
    assert response["Content-Disposition"] == 'attachment; filename="branchline-Alice.json"'
    data = json.loads(response.content)
    assert data["account"]["name"] == "Alice"
    assert data["account"]["email_addresses"] == [{"email": "alice@example.org", "verified": True, "primary": True}]
    assert data["preferences"]["timezone"] == "UTC"
    assert [each["text"] for each in data["messages"]] == ["Good luck!"]
    assert [each["text"] for each in data["notes"]] == ["Bob goes west"]
    (mine,) = data["matches"]
    own = match.turns.filter(kind="turn", seat=mine["seat"] - 1)
    assert (mine["key"], mine["rank"]) == (match.key, Seat.objects.get(match=match, user=alice).rank)
    assert [turn["number"] for turn in mine["turns"]] == list(own.values_list("number", flat=True))
    assert "Bob" not in json.dumps({key: data[key] for key in data if key != "notes"})
    assert PASSWORD not in response.content.decode()
    assert "pbkdf2" not in response.content.decode()


def test_who_takes_a_seat_over_takes_only_the_own_turns_along(alice, bob, charlie, client):
    match = replaced(new_match(alice, bob), alice)
    play.invite_to_seat(match.key, bob, Seat.objects.get(match=match, user=alice).index, charlie)
    play.take_over(match.key, charlie)
    match = take_some_turn(to_move(settled(match), charlie))
    client.force_login(charlie)
    (mine,) = json.loads(client.get(reverse("export-account")).content)["matches"]
    assert len(mine["turns"]) == 1


def test_an_account_is_deleted_after_the_password_and_others_keep_their_matches(alice, bob, client):
    over, running = play_out(new_match(alice, bob)), to_move(new_match(alice, bob), alice)
    gathering = play.create_match(alice, GAME, seats=3)
    play.join_match(gathering.key, bob)
    alone = play.create_match(alice, GAME, seats=3)
    other_device = logged_in(alice)
    client.post(reverse("account_login"), {"login": "Alice", "password": PASSWORD})
    session = client.session
    for method in session["account_authentication_methods"]:
        method["at"] -= HOUR
    session.save()
    page = client.get(reverse("delete-account"))
    assert page.url.startswith(reverse("account_reauthenticate"))
    assert client.post(page.url, {"password": "wrong"}).status_code == 200
    assert client.post(page.url, {"password": PASSWORD}).url == reverse("delete-account")
    assert "You give up 1 running match" in client.get(reverse("delete-account")).content.decode()
    assert get_user_model().objects.filter(pk=alice.pk).exists()

    response = client.post(reverse("delete-account"), {"sure": "yes"})
    assert response.url == reverse("front")
    assert not get_user_model().objects.filter(pk=alice.pk).exists()
    assert not EmailAddress.objects.filter(email="alice@example.org").exists()
    for each in (client, other_device):
        assert each.get(reverse("departures")).url.startswith(reverse("account_login"))
    running.refresh_from_db()
    assert running.status == Match.Status.RUNNING
    seat = running.seats.get(user=None)
    assert (seat.resigned, seat.level, seat.name) == (True, "medium", f"Gone-{alice.pk}")
    for match in (over, running):
        assert "Alice" not in table_of(match, bob)
        assert "Bob" in table_of(match, bob)
    assert Match.objects.get(pk=gathering.pk).creator == bob
    assert Match.objects.get(pk=alone.pk).status == Match.Status.CANCELLED
    assert play_out(settled(running)).status == Match.Status.OVER


def test_a_guest_who_has_no_password_deletes_the_account_by_saying_so(client):
    client.post(reverse("guest"))
    guest = get_user_model().objects.get()
    assert "There is no way back." in client.get(reverse("delete-account")).content.decode()
    client.post(reverse("delete-account"))
    assert get_user_model().objects.filter(pk=guest.pk).exists()
    client.post(reverse("delete-account"), {"sure": "yes"})
    assert not get_user_model().objects.exists()
