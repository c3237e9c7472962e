"""Clocks, pauses, seats that are taken over and vacations over the API."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games import play
from games.models import Match, Seat
from tests.api.test_matches import API, client_of, problem
from tests.matches import GAME, laying_match, mover

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
def now():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def match(now, alice, bob):
    return laying_match(alice, bob)


def call(user, match, action, body=None, method="post"):
    return getattr(client_of(user), method)(f"{API}/matches/{match.key}/{action}/", body, format="json")


def new(user, **fields):
    return client_of(user).post(f"{API}/matches/", {"game": GAME, "seats": 2, **fields}, format="json")


def moment(text):
    return datetime.fromisoformat(text)


def test_a_match_with_a_bank_says_how_much_there_is(alice):
    match = new(alice, bank=5 * DAY, pace=0, min_reliability=90).json()
    assert (match["bank"], match["pace"], match["min_reliability"], match["paused"]) == (5 * DAY, 0, 90, None)


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"pace": 3599}, "bad-pace", "pace"),
        ({"bank": 60}, "bad-bank", "bank"),
        ({"bank": DAY, "pace": 4 * DAY}, "bad-increment", "pace"),
        ({"pace": -1}, "invalid", "pace"),
        ({"pace": 15 * DAY}, "invalid", "pace"),
        ({"bank": 31 * DAY}, "invalid", "bank"),
        ({"bank": "much"}, "invalid", "bank"),
        ({"min_reliability": 101}, "invalid", "min_reliability"),
        ({"min_reliability": "high"}, "invalid", "min_reliability"),
    ],
)
def test_a_clock_that_cannot_be_names_the_field(alice, fields, code, field):
    assert problem(new(alice, **fields), 400, code)["errors"][field]
    assert not Match.objects.exists()


def test_seats_tell_their_deadlines_and_what_is_left_when_they_stand(match, alice, bob):
    seat = mover(match)
    seen = client_of().get(f"{API}/matches/{match.key}/").json()["seats"][seat.index]
    assert moment(seen["deadline"]) == NOON + timedelta(seconds=match.pace)
    assert (seen["time_left"], seen["away_until"], seen["wants_pause"]) == (None, None, False)

    asked = call(alice, match, "pause").json()
    assert asked["paused"] is None
    assert [each["wants_pause"] for each in asked["seats"]] == [each["player"] == "Alice" for each in asked["seats"]]
    assert not any(each["wants_pause"] for each in call(alice, match, "pause", method="delete").json()["seats"])
    call(alice, match, "pause")
    paused = call(bob, match, "pause").json()
    assert moment(paused["paused"]) == NOON
    assert (paused["seats"][seat.index]["deadline"], paused["seats"][seat.index]["time_left"]) == (None, match.pace)
    assert call(alice, match, "resume").json()["paused"] is None


def test_strangers_do_not_touch_clocks(match, charlie):
    for action in ("pause", "resume", "mute"):
        problem(call(charlie, match, action), 403, "not-seated")
        problem(call(None, match, action), 401, "not-authenticated")
    problem(call(charlie, match, "pause", method="delete"), 403, "not-seated")


def test_a_match_is_muted_for_me_alone(match, alice, bob):
    assert call(alice, match, "mute").json()["you"]["muted"] is True
    assert client_of(bob).get(f"{API}/matches/{match.key}/").json()["you"]["muted"] is False
    assert call(alice, match, "mute", method="delete").json()["you"]["muted"] is False


def test_a_seat_is_given_to_somebody_else(match, alice, bob, charlie):
    play.resign(match.key, alice)
    index = match.seats.get(user=alice).index
    invite = f"seats/{index}/invite"
    assert problem(call(bob, match, invite, {"invited": "Zed"}), 400, "unknown-player")["errors"]["invited"]
    assert problem(call(bob, match, invite, {}), 400, "invalid")["errors"]["invited"]
    problem(call(bob, match, invite, {"invited": "Alice"}), 409, "gave-up")
    problem(call(bob, match, invite, {"invited": "Bob"}), 409, "already-seated")
    problem(call(bob, match, f"seats/{1 - index}/invite", {"invited": "Charlie"}), 409, "no-seat-to-take")
    problem(call(charlie, match, "take-over"), 403, "not-invited")
    assert call(bob, match, invite, {"invited": "charlie"}).status_code == 200
    taken = call(charlie, match, "take-over").json()
    assert taken["you"]["seat"] == index
    assert (taken["seats"][index]["player"], taken["seats"][index]["opponent"]) == ("Charlie", None)
    log = client_of().get(f"{API}/matches/{match.key}/log/").json()["results"]
    assert log[0]["kind"] == "take-over"
    assert log[0]["events"][0]["text"] == "Charlie takes the seat over from the computer"
    assert log[1]["events"][0]["text"] == "Alice resigns, and a computer plays on"


def test_who_is_not_reliable_enough_is_told_so(alice, bob):
    other = play.create_match(bob, GAME, seats=2)
    Seat.objects.filter(match=other).update(own_turns=20, late_turns=10)
    key = new(alice, min_reliability=90).json()["key"]
    problem(client_of(bob).post(f"{API}/matches/{key}/join/"), 403, "not-reliable")


def test_the_log_tells_which_turns_were_not_in_time(now, match):
    seat = mover(match)
    now.shift(match.pace + 1)
    play.time_out(match.key, seat.index, seat.decision)
    log = client_of().get(f"{API}/matches/{match.key}/log/").json()["results"]
    assert [each["in_time"] for each in log][:2] == [False, True]
    assert log[0]["events"][0]["code"] == "timed-out"


def test_a_vacation_is_begun_and_ended(match, alice):
    client = client_of(alice)
    assert client.get(f"{API}/vacation/").json() == {"until": None, "days_left": 30}
    begun = client.post(f"{API}/vacation/", {"days": 10}, format="json").json()
    assert (moment(begun["until"]), begun["days_left"]) == (NOON + timedelta(days=10), 20)
    seats = client.get(f"{API}/matches/{match.key}/").json()["seats"]
    assert [moment(each["away_until"]) for each in seats if each["player"] == "Alice"] == [NOON + timedelta(days=10)]
    problem(client.post(f"{API}/vacation/", {"days": 1}, format="json"), 409, "on-vacation")
    assert client.delete(f"{API}/vacation/").json() == {"until": None, "days_left": 30}
    assert client.delete(f"{API}/vacation/").status_code == 200


def test_a_vacation_that_cannot_be_is_refused(now, alice):
    client = client_of(alice)
    for days in (0, 31, "many", None):
        assert problem(client.post(f"{API}/vacation/", {"days": days}, format="json"), 400, "invalid")["errors"]["days"]
    client.post(f"{API}/vacation/", {"days": 30}, format="json")
    now.shift(30 * DAY)
    refusal = problem(client.post(f"{API}/vacation/", {"days": 1}, format="json"), 409, "too-many-days")
    assert refusal["errors"]["days"]
    problem(client_of().get(f"{API}/vacation/"), 401, "not-authenticated")
