"""The sweep of the clocks: it finds what is due, however late it comes, and twice at once it does no harm."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from queue import Empty
from threading import Barrier

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.utils import timezone

from config.celery import app
from games import play, record
from games.health import problems
from games.models import Delivery, Match, Notice, RatingChange, Seat, Turn
from games.selectors import looking_key
from games.tasks import clocks, ratings
from tests.matches import GAME, laying_match, mover, new_match, some_turn, take_some_turn
from tests.people import person
from tests.ratings.ended import ended_match

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


def sent_by(call):
    """The arguments of the tasks that a call sends to the queue of the time-outs."""
    with app.connection() as broker:
        queue = broker.SimpleQueue(app.amqp.queues["timeouts"])
        queue.clear()
        call()
        found = []
        with suppress(Empty):
            while True:
                message = queue.get_nowait()
                message.ack()
                found.append(message.payload[0])
        queue.close()
        return found


def reminders():
    return list(Notice.objects.filter(kind="reminder").values_list("user__username", "decision"))


def test_the_sweep_starts_a_task_for_each_turn_whose_time_is_over(now, match, alice, bob):
    other = laying_match(alice, bob)
    new_match(alice, bob, pace=14 * DAY)
    assert sent_by(clocks.sweep) == []
    now.shift(match.pace + 1)
    assert sent_by(clocks.sweep) == [], "what arrived in time has a moment to get through"
    now.shift(2)
    seats = [mover(each) for each in (match, other)]
    expected = [[each.key, seat.index, seat.decision] for each, seat in zip((match, other), seats, strict=True)]
    assert sorted(sent_by(clocks.sweep)) == sorted(expected)
    for arguments in expected:
        clocks.play_for(*arguments)
    assert sent_by(clocks.sweep) == []


def test_a_sweeper_that_was_dead_for_long_settles_everything(now, match):
    now.shift(match.pace + HOUR)
    for arguments in sent_by(clocks.sweep):
        clocks.play_for(*arguments)
    match = Match.objects.get(pk=match.pk)
    seat = mover(match)
    assert seat.deadline == timezone.now() + timedelta(seconds=match.pace), "the next player does not pay for it"
    assert record.faults(match) == []


def test_a_match_that_fails_is_left_alone_for_a_while_and_its_deadline_stays(now, match):
    Match.objects.filter(pk=match.pk).update(snapshot=b"broken")
    now.shift(match.pace + 60)
    (arguments,) = sent_by(clocks.sweep)
    with pytest.raises(Exception, match="malformed"):
        clocks.play_for(*arguments)
    assert sent_by(clocks.sweep) == []
    assert Seat.objects.get(match=match, waiting=True).deadline == NOON + timedelta(seconds=match.pace)
    cache.clear()
    assert sent_by(clocks.sweep) == [arguments]


def test_a_player_is_reminded_once_when_four_fifths_of_the_time_are_over(now, match):
    seat = mover(match)
    now.shift(0.8 * match.pace - 1)
    clocks.sweep()
    assert reminders() == []
    now.shift(1)
    clocks.sweep()
    clocks.sweep()
    assert reminders() == [(seat.user.username, seat.decision)]
    seat.refresh_from_db()
    assert seat.remind_at is None


def test_who_looks_at_the_match_is_reminded_when_they_look_away_without_a_turn(now, match, alice, bob):
    other = laying_match(alice, bob)
    now.shift(0.8 * match.pace)
    for each in (match, other):
        cache.set(looking_key(mover(each).user_id, each.key), True, 40)
    clocks.sweep()
    assert reminders() == []
    take_some_turn(other)
    cache.clear()
    clocks.sweep()
    seat = mover(match)
    assert reminders() == [(seat.user.username, seat.decision)]


def test_who_has_moved_is_not_reminded(now, match):
    take_some_turn(match)
    now.shift(0.8 * match.pace)
    Seat.objects.update(deadline=None, remind_at=None)
    clocks.sweep()
    assert reminders() == []


def test_matches_that_nobody_joined_are_closed(now, alice, bob):
    old = play.create_match(alice, GAME, seats=3)
    now.shift(HOUR)
    young = play.create_match(alice, GAME, seats=3)
    running = new_match(alice, bob)
    joined = play.create_match(alice, GAME, seats=3)
    Match.objects.filter(pk=joined.pk).update(created=old.created)
    play.join_match(joined.key, bob)
    now.shift(14 * DAY - HOUR)
    clocks.sweep()
    statuses = dict(Match.objects.values_list("pk", "status"))
    assert statuses == {old.pk: "cancelled", young.pk: "open", joined.pk: "open", running.pk: "running"}
    now.shift(HOUR)
    clocks.sweep()
    assert set(Match.objects.exclude(pk=running.pk).values_list("status", flat=True)) == {"cancelled"}


def test_the_sweep_asks_little_when_nothing_is_due(match, django_assert_num_queries):
    with django_assert_num_queries(5):
        clocks.sweep()


# -- two at once ------------------------------------------------------------------------------------------------------


def at_once(*calls):
    ready = Barrier(len(calls))

    def run(call):
        ready.wait()
        try:
            return call()
        except play.Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


@pytest.fixture
def late_match():
    """A match whose next turn should have been taken an hour ago, in real time: for tests with threads."""
    match = laying_match(person("Ann"), person("Ben"))
    hour_ago = timezone.now() - timedelta(hours=1)
    match.seats.filter(waiting=True).update(deadline=hour_ago, remind_at=hour_ago)
    return match


@pytest.mark.django_db(transaction=True)
def test_eight_time_outs_in_one_moment_take_one_turn(late_match):
    seat = mover(late_match)
    answers = at_once(*[lambda: play.time_out(late_match.key, seat.index, seat.decision)] * 8)
    assert sum(answer is not None for answer in answers) == 1
    match = Match.objects.get(pk=late_match.pk)
    assert match.version == late_match.version + 1
    assert match.seats.get(index=seat.index).timeouts == 1
    assert record.faults(match) == []


@pytest.mark.django_db(transaction=True)
def test_of_a_late_turn_and_its_time_out_in_one_moment_one_counts(late_match):
    seat = mover(late_match)
    moves = some_turn(late_match, seat)
    at_once(
        lambda: play.take_turn(late_match.key, seat.user, seat.decision, moves),
        lambda: play.time_out(late_match.key, seat.index, seat.decision),
    )
    match = Match.objects.get(pk=late_match.pk)
    turn = Turn.objects.get(match=match, seat=seat.index, decision=seat.decision)
    assert not turn.in_time
    taken_by_opponent = turn.events[0]["code"] == "timed-out"
    assert match.seats.get(index=seat.index).timeouts == int(taken_by_opponent)
    assert match.version == late_match.version + 1
    assert record.faults(match) == []


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_remind_once(late_match):
    at_once(*[clocks.sweep] * 4)
    assert Notice.objects.filter(kind="reminder").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_of_many_who_were_invited_takes_the_seat():
    ann, ben = person("Ann"), person("Ben")
    match = new_match(ann, ben)
    play.resign(match.key, ann)
    people = [person(f"P{number}") for number in range(8)]
    for each in people:
        play.invite_to_seat(match.key, ben, 0, each)
    answers = at_once(*[lambda each=each: play.take_over(match.key, each) for each in people])
    assert sum(isinstance(answer, Match) for answer in answers) == 1
    assert match.turns.filter(kind="take-over").count() == 1
    assert record.faults(Match.objects.get(pk=match.pk)) == []


# -- the canary -------------------------------------------------------------------------------------------------------


def test_all_is_well_when_nothing_is_overdue(match, client, capsys):
    assert problems() == []
    call_command("canary")
    assert capsys.readouterr().out == "All is well.\n"
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "problems": {}})


def test_what_waits_too_long_is_told(now, match, alice, bob, client, capsys):
    deal = play.create_match(alice, GAME, seats=2, opponents=["easy"])
    opponent = new_match(bob, opponents=["easy"])
    while not mover(opponent).level:
        opponent = take_some_turn(opponent)
    failing = play.create_match(alice, GAME, seats=2, opponents=["easy"])
    ended = ended_match(alice, bob)
    assert (deal.house_due, failing.house_due) == (NOON, NOON)
    now.shift(match.pace + 59)
    play.postpone(failing.key)
    notice = Notice.objects.create(user=alice, match=ended, kind="ended")
    Notice.objects.exclude(pk=notice.pk).update(done=timezone.now())
    Delivery.objects.create(notice=notice, user=alice, target="mail", due=timezone.now())
    Match.objects.filter(pk=ended.pk).update(rating_due=timezone.now(), ended=timezone.now())
    assert dict(problems()) == {"house-overdue": 2, "opponents-overdue": 1}, (
        "also those that are put off since they fail"
    )
    now.shift(601)
    found = {
        "deadlines-overdue": 1,
        "house-overdue": 2,
        "opponents-overdue": 1,
        "notices-overdue": 1,
        "deliveries-overdue": 1,
        "ratings-overdue": 1,
    }
    assert dict(problems()) == found
    with pytest.raises(SystemExit) as caught:
        call_command("canary")
    assert caught.value.code == 1
    assert "deadlines-overdue: 1\n" in capsys.readouterr().out
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert json.loads(answer.content) == {"ok": False, "problems": found}


def test_a_rating_that_fails_each_time_is_told_although_it_is_put_off(now, alice, bob):
    ended = ended_match(alice, bob)
    # Left over from nowhere, so that the one that is to be written cannot be.
    RatingChange.objects.create(match=ended, user=alice, game=GAME, before=0, after=0, matches=1, against=[])
    for _time in range(2):
        assert problems() == []
        with pytest.raises(IntegrityError):
            ratings.rate_match(ended.key)
        now.shift(play.POSTPONED_BY)
    assert problems() == [("ratings-overdue", 1)]


def test_a_paused_match_is_not_overdue(now, match, alice, bob):
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    Notice.objects.update(done=timezone.now())
    now.shift(30 * DAY)
    assert problems() == []
