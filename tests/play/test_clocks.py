"""Clocks: what a turn is given, what a bank keeps, when to remind, and when all of them stand."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games import clock, play, selectors
from games.models import Match, Replaced, Seat
from games.refusals import Refusal, sentence
from tests.matches import GAME, laying_match, mover, new_match, some_turn, take_some_turn

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
def now():
    """It is noon until a test shifts the time: `now.shift(seconds)`."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def refused(code, call, *args, **kwargs):
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    assert caught.value.code == code
    assert sentence(caught.value)


def seconds(moment):
    """A moment as seconds after noon."""
    return (moment - NOON).total_seconds()


# -- the rules of clocks, on objects ----------------------------------------------------------------------------------


def at_clock(match, **fields):
    seat = Seat(waiting=True, **fields)
    clock.begin_turn(match, seat, NOON)
    return seat


def later(**fields):
    return NOON + timedelta(**fields)


def test_a_turn_has_the_pace_of_the_match_and_a_reminder_when_four_fifths_of_it_are_over():
    seat = at_clock(Match(pace=10 * HOUR))
    assert (seconds(seat.deadline), seconds(seat.remind_at), seat.time_left) == (10 * HOUR, 8 * HOUR, None)


def test_no_clock_runs_for_an_opponent():
    seat = at_clock(Match(pace=10 * HOUR), level="medium")
    assert (seat.deadline, seat.remind_at, seat.time_left) == (None, None, None)


def test_without_a_bank_nothing_is_kept_from_turn_to_turn():
    match = Match(pace=10 * HOUR)
    seat = at_clock(match)
    clock.end_turn(match, seat, later(hours=1))
    assert (seat.deadline, seat.time_left) == (None, None)
    clock.begin_turn(match, seat, later(hours=2))
    assert seconds(seat.deadline) == 12 * HOUR


def test_a_bank_pays_for_each_turn_and_each_turn_puts_something_back():
    match = Match(bank=5 * DAY, pace=8 * HOUR)
    seat = at_clock(match)
    assert seconds(seat.deadline) == 5 * DAY
    clock.end_turn(match, seat, later(days=2))
    assert seat.time_left == 3 * DAY + 8 * HOUR
    clock.begin_turn(match, seat, later(days=4))
    assert seconds(seat.deadline) == 7 * DAY + 8 * HOUR


def test_a_bank_never_holds_more_than_at_the_start():
    match = Match(bank=5 * DAY, pace=8 * HOUR)
    seat = at_clock(match)
    clock.end_turn(match, seat, later(hours=1))
    assert seat.time_left == 5 * DAY


def test_whoever_is_short_of_bank_is_reminded_when_four_fifths_of_what_is_left_are_over():
    seat = at_clock(Match(bank=5 * DAY, pace=0), time_left=10 * HOUR)
    assert (seconds(seat.deadline), seconds(seat.remind_at)) == (10 * HOUR, 8 * HOUR)


@pytest.mark.parametrize(("bank", "pace", "held"), [(5 * DAY, 0, DAY), (HOUR, 0, HOUR), (5 * DAY, 2 * DAY, 2 * DAY)])
def test_a_bank_that_ran_out_holds_enough_for_a_second_chance(bank, pace, held):
    match = Match(bank=bank, pace=pace)
    seat = at_clock(match)
    clock.end_turn(match, seat, later(days=6))
    assert seat.time_left == held


def test_a_clock_that_stands_keeps_what_it_showed_and_goes_on_with_it():
    match = Match(pace=10 * HOUR)
    seat = at_clock(match)
    clock.stop(seat, later(hours=4))
    assert (seat.deadline, seat.remind_at, seat.time_left) == (None, None, 6 * HOUR)
    clock.go_on(match, seat, later(days=3))
    assert seat.deadline == later(days=3, hours=6)
    assert seat.remind_at == later(days=3, hours=4)


def test_whoever_comes_back_with_little_time_is_reminded_at_once():
    match = Match(pace=10 * HOUR)
    seat = at_clock(match)
    clock.stop(seat, later(hours=9))
    clock.go_on(match, seat, later(days=3))
    assert seat.remind_at == later(days=3)


@pytest.mark.parametrize("why", [{"match": {"paused": NOON}}, {"seat": {"away_until": NOON + timedelta(days=9)}}])
def test_a_turn_that_begins_while_clocks_stand_has_its_whole_time_afterwards(why):
    match = Match(pace=10 * HOUR, **why.get("match", {}))
    seat = at_clock(match, **why.get("seat", {}))
    assert (seat.deadline, seat.remind_at, seat.time_left) == (None, None, 10 * HOUR)
    match.paused = seat.away_until = None
    clock.go_on(match, seat, later(days=9))
    assert seat.deadline == later(days=9, hours=10)


def test_the_end_of_a_pause_does_not_start_the_clock_of_somebody_on_vacation():
    match = Match(pace=10 * HOUR, paused=NOON)
    seat = at_clock(match, away_until=later(days=9))
    match.paused = None
    clock.go_on(match, seat, later(hours=1))
    assert (seat.deadline, seat.time_left) == (None, 10 * HOUR)


def test_a_bank_that_stands_pays_nothing():
    match = Match(bank=5 * DAY, pace=0)
    seat = at_clock(match)
    clock.stop(seat, later(days=1))
    clock.end_turn(match, seat, later(days=20))
    assert seat.time_left == 4 * DAY


def test_a_turn_is_late_from_the_moment_after_its_deadline():
    seat = at_clock(Match(pace=HOUR))
    assert not clock.is_late(seat, later(hours=1))
    assert clock.is_late(seat, later(hours=1, microseconds=1))


def test_a_clock_that_stood_only_after_its_deadline_does_not_make_the_turn_one_in_time():
    match = Match(pace=HOUR)
    seat = at_clock(match)
    clock.stop(seat, later(hours=2))
    assert clock.is_late(seat, later(hours=3))


# -- at the table -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"pace": HOUR - 1}, "bad-pace"),
        ({"pace": 14 * DAY + 1}, "bad-pace"),
        ({"pace": 0}, "bad-pace"),
        ({"bank": HOUR - 1}, "bad-bank"),
        ({"bank": 30 * DAY + 1}, "bad-bank"),
        ({"bank": -1}, "bad-bank"),
        ({"bank": DAY, "pace": -1}, "bad-increment"),
        ({"bank": DAY, "pace": 3 * DAY + 1}, "bad-increment"),
        ({"min_reliability": 0}, "bad-reliability"),
        ({"min_reliability": 101}, "bad-reliability"),
    ],
)
def test_what_the_clock_of_a_match_cannot_be(alice, fields, code):
    refused(code, play.create_match, alice, GAME, seats=2, **fields)
    assert not Match.objects.exists()


def test_the_clock_of_the_next_player_starts_when_the_turn_is_taken(alice, bob, now):
    match = laying_match(alice, bob)
    first = mover(match)
    now.shift(HOUR)
    match = take_some_turn(match)
    second = mover(match)
    assert second.deadline == NOON + timedelta(hours=1, seconds=match.pace)
    assert second.remind_at == NOON + timedelta(hours=1, seconds=0.8 * match.pace)
    first.refresh_from_db()
    assert (first.deadline, first.remind_at, first.time_left) == (None, None, None)


def test_a_bank_is_kept_from_turn_to_turn(alice, bob, now):
    match = new_match(alice, bob, bank=7 * DAY, pace=HOUR)
    first = mover(match)
    assert first.deadline == NOON + timedelta(days=7)
    now.shift(2 * DAY)
    match = take_some_turn(match)
    first.refresh_from_db()
    assert first.time_left == 5 * DAY + HOUR
    match = take_some_turn(match)
    first.refresh_from_db()
    assert first.deadline == NOON + timedelta(days=7, hours=1)


def test_turns_are_counted_as_taken_in_time_or_late(alice, bob, now):
    match = laying_match(alice, bob)
    seat = mover(match)
    turn = play.take_turn(match.key, seat.user, seat.decision, some_turn(match, seat))
    assert turn.in_time
    match = Match.objects.get(pk=match.pk)
    other = mover(match)
    now.shift(match.pace + 1)
    turn = play.take_turn(match.key, other.user, other.decision, some_turn(match, other))
    assert not turn.in_time, "late, but nobody had carried the time-out out yet"
    assert match.turns.get(number=turn.number).in_time is False
    counts = {each.pk: (each.own_turns, each.late_turns) for each in match.seats.all()}
    assert counts == {seat.pk: (2, 0), other.pk: (2, 1)}


def test_nothing_of_a_clock_is_left_when_the_match_is_over(alice, bob):
    match = laying_match(alice, bob)
    play.ask_pause(match.key, alice)
    play.resign(match.key, alice)
    play.resign(match.key, bob)
    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    for seat in match.seats.all():
        assert (seat.deadline, seat.remind_at, seat.time_left, seat.opponent_due) == (None, None, None, None)
        assert not seat.waiting
        assert not seat.wants_pause


# -- pauses -----------------------------------------------------------------------------------------------------------


def test_all_clocks_stand_when_everybody_wants_it_and_go_on_when_one_does_not(alice, bob, now):
    match = laying_match(alice, bob)
    now.shift(HOUR)
    play.ask_pause(match.key, alice)
    match.refresh_from_db()
    assert match.paused is None
    assert match.seats.get(user=alice).wants_pause
    assert mover(match).deadline is not None

    play.ask_pause(match.key, bob)
    match.refresh_from_db()
    assert match.paused is not None
    seat = mover(match)
    assert (seat.deadline, seat.remind_at, seat.time_left) == (None, None, match.pace - HOUR)
    assert not match.seats.filter(wants_pause=True).exists()

    now.shift(20 * DAY)
    play.resume(match.key, bob)
    match.refresh_from_db()
    assert match.paused is None
    assert mover(match).deadline == NOON + timedelta(days=20, seconds=match.pace)


def test_a_wish_for_a_pause_can_be_withdrawn(alice, bob):
    match = laying_match(alice, bob)
    play.ask_pause(match.key, alice)
    play.withdraw_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    match.refresh_from_db()
    assert match.paused is None


def test_turns_may_be_taken_in_a_pause_and_the_next_clock_stands_as_well(alice, bob, now):
    match = laying_match(alice, bob)
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    now.shift(30 * DAY)
    match = take_some_turn(Match.objects.get(pk=match.pk))
    assert match.turns.last().in_time
    seat = mover(match)
    assert (seat.deadline, seat.time_left) == (None, match.pace)
    play.resume(match.key, alice)
    assert mover(match).deadline == NOON + timedelta(days=30, seconds=match.pace)


def test_whoever_plays_alone_with_opponents_needs_nobodys_consent(alice):
    match = new_match(alice, opponents=["easy"])
    assert play.ask_pause(match.key, alice).paused is not None


def test_who_resigns_does_not_stand_against_a_pause(alice, bob, charlie):
    match = laying_match(alice, bob, charlie)
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    play.resign(match.key, charlie)
    match.refresh_from_db()
    assert match.paused is not None


def test_only_those_who_play_speak_of_pauses(alice, bob, charlie):
    match = laying_match(alice, bob)
    for call in (play.ask_pause, play.withdraw_pause, play.resume):
        refused("not-seated", call, match.key, charlie)
        refused("no-such-match", call, "nowhere", alice)
    waiting = play.create_match(alice, GAME, seats=2)
    refused("not-running", play.ask_pause, waiting.key, alice)
    play.resign(match.key, alice)
    refused("resigned", play.ask_pause, match.key, alice)


def test_asking_twice_and_resuming_what_runs_are_no_faults(alice, bob):
    match = laying_match(alice, bob)
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, alice)
    play.resume(match.key, alice)
    assert match.seats.get(user=alice).wants_pause
    play.ask_pause(match.key, bob)
    assert play.ask_pause(match.key, alice).paused is not None
    assert not match.seats.filter(wants_pause=True).exists()


def test_a_match_can_be_muted_by_who_sits_there(alice, bob, charlie):
    match = laying_match(alice, bob)
    play.mute(match.key, alice, True)
    assert [seat.muted for seat in match.seats.all()] == [True, False]
    play.mute(match.key, alice, False)
    assert not match.seats.filter(muted=True).exists()
    refused("not-seated", play.mute, match.key, charlie, True)
    refused("no-such-match", play.mute, "nowhere", alice, True)


# -- reliability ------------------------------------------------------------------------------------------------------


def reckon(user, own, late):
    """Gives a person so many turns, so many of them late, at a table of their own."""
    match = play.create_match(user, GAME, seats=2)
    Seat.objects.filter(match=match).update(own_turns=own, late_turns=late)
    return match


def test_reliability_is_the_share_of_turns_in_time_at_all_tables(alice, bob):
    assert selectors.reliability(alice.pk) is None
    reckon(alice, 9, 0)
    assert selectors.reliability(alice.pk) is None, "nine turns say nothing"
    match = reckon(alice, 6, 1)
    assert selectors.reliability(alice.pk) == 93
    Replaced.objects.create(match=match, index=1, user=alice, name="Alice", own_turns=5, late_turns=5)
    assert selectors.reliability(alice.pk) == 70
    assert selectors.reliabilities([alice.pk, bob.pk]) == {alice.pk: 70}


def test_the_reliability_of_many_people_costs_two_queries(alice, bob, django_assert_num_queries):
    reckon(alice, 20, 1)
    reckon(bob, 10, 1)
    with django_assert_num_queries(2):
        assert selectors.reliabilities([alice.pk, bob.pk]) == {alice.pk: 95, bob.pk: 90}


def test_who_lets_others_wait_does_not_join_a_match_that_asks_for_reliability(alice, bob, charlie):
    reckon(bob, 20, 3)
    reckon(charlie, 9, 9)
    match = play.create_match(alice, GAME, seats=3, min_reliability=90)
    with pytest.raises(Refusal) as caught:
        play.join_match(match.key, bob)
    assert caught.value.code == "not-reliable"
    assert "90%" in sentence(caught.value)
    assert "85%" in sentence(caught.value)
    play.join_match(match.key, charlie)
    assert match.seats.count() == 2, "of who has played little nobody can say it"
