"""Vacations: how many days there are, and what they do to clocks."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts import vacations
from accounts.models import Vacation
from games import play
from games.models import Match
from games.tasks import clocks
from tests.matches import GAME, laying_match, mover, settled, take_some_turn

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
def now():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def match(now, alice, bob):
    """A match in which it is Alice's turn to lay."""
    match = laying_match(alice, bob)
    return match if mover(match).user == alice else take_some_turn(match)


def refused(code, user, days):
    with pytest.raises(vacations.VacationRefusal) as caught:
        vacations.start_vacation(user, days)
    assert caught.value.code == code
    return vacations.sentence(caught.value)


# -- days -------------------------------------------------------------------------------------------------------------


def test_there_are_thirty_days_a_year_and_those_that_are_planned_count(now, alice):
    assert vacations.days_left(alice) == 30
    vacation = vacations.start_vacation(alice, 12)
    assert vacation.until == NOON + timedelta(days=12)
    assert vacations.days_left(alice) == 18


def test_whoever_comes_back_early_gets_the_days_back_that_had_not_begun(now, alice):
    vacations.start_vacation(alice, 12)
    now.shift(2 * DAY + 1)
    vacations.end_vacation(alice)
    assert vacations.days_left(alice) == 27
    assert vacations.current_vacation(alice) is None
    assert Vacation.objects.get().ended == NOON + timedelta(days=2, seconds=1)


def test_no_more_days_are_taken_than_there_are(now, alice):
    for days in (0, 31, -1, True, 2.5):
        assert refused("bad-days", alice, days) == "A vacation lasts between one and 30 days."
    vacations.start_vacation(alice, 29)
    assert refused("on-vacation", alice, 1) == "You are on vacation already."
    now.shift(29 * DAY)
    assert "1 day of vacation left" in refused("too-many-days", alice, 2)
    vacations.start_vacation(alice, 1)
    now.shift(DAY)
    assert "no days of vacation left" in refused("too-many-days", alice, 1)
    assert not Vacation.objects.filter(ended=None).exists()


def test_a_vacation_over_new_year_takes_days_of_both_years(now, alice):
    now.move_to(datetime(2026, 12, 30, 0, tzinfo=UTC))
    vacations.start_vacation(alice, 10)
    assert (vacations.days_left(alice, 2026), vacations.days_left(alice, 2027)) == (28, 22)
    vacations.end_vacation(alice)
    assert (vacations.days_left(alice, 2026), vacations.days_left(alice, 2027)) == (30, 30)


def test_days_of_last_year_do_not_help_next_year(now, alice):
    now.move_to(datetime(2026, 12, 2, 0, tzinfo=UTC))
    vacations.start_vacation(alice, 26)
    now.move_to(datetime(2026, 12, 28, 0, tzinfo=UTC))
    vacations.start_vacation(alice, 20)
    assert (vacations.days_left(alice, 2026), vacations.days_left(alice, 2027)) == (0, 14)


def test_a_vacation_over_new_year_needs_days_of_both_years(now, alice):
    now.move_to(datetime(2026, 11, 2, 0, tzinfo=UTC))
    vacations.start_vacation(alice, 28)
    now.move_to(datetime(2026, 12, 28, 0, tzinfo=UTC))
    assert "2 days of vacation left" in refused("too-many-days", alice, 20)


def test_a_year_begins_when_it_does_in_the_persons_zone(now, alice):
    alice.timezone = "Pacific/Auckland"
    alice.save()
    now.move_to(datetime(2026, 12, 31, 12, tzinfo=UTC))
    vacations.start_vacation(alice, 1)
    assert (vacations.days_left(alice, 2026), vacations.days_left(alice, 2027)) == (30, 29)


def test_ending_what_has_not_begun_is_no_fault(now, alice):
    vacations.end_vacation(alice)
    assert not Vacation.objects.exists()


# -- clocks -----------------------------------------------------------------------------------------------------------


def test_on_vacation_my_clocks_stand_and_go_on_afterwards_with_what_was_left(now, match, alice):
    now.shift(HOUR)
    vacation = vacations.start_vacation(alice, 10)
    seat = mover(match)
    assert (seat.user, seat.deadline, seat.remind_at) == (alice, None, None)
    assert (seat.time_left, seat.away_until) == (match.pace - HOUR, vacation.until)
    now.shift(10 * DAY)
    clocks.sweep()
    seat.refresh_from_db()
    assert (seat.deadline, seat.away_until, seat.time_left) == (
        NOON + timedelta(days=10, seconds=match.pace),
        None,
        None,
    )
    assert Vacation.objects.get().ended == vacation.until


def test_the_clocks_of_the_others_run_on(match, bob):
    before = mover(match).deadline
    vacations.start_vacation(bob, 10)
    assert mover(match).deadline == before
    assert match.seats.get(user=bob).away_until is not None


def test_a_turn_that_begins_on_vacation_has_its_whole_time_afterwards(now, match, bob):
    vacations.start_vacation(bob, 3)
    match = take_some_turn(match)
    seat = mover(match)
    assert (seat.user, seat.deadline, seat.time_left) == (bob, None, match.pace)
    now.shift(DAY)
    vacations.end_vacation(bob)
    seat.refresh_from_db()
    assert seat.deadline == NOON + timedelta(days=1, seconds=match.pace)


def test_nobody_on_vacation_runs_out_of_time_but_may_move(now, match, alice):
    vacations.start_vacation(alice, 30)
    now.shift(29 * DAY)
    seat = mover(match)
    assert play.time_out(match.key, seat.index, seat.decision) is None
    match = take_some_turn(match)
    assert match.turns.last().in_time
    assert match.seats.get(user=alice).away_until is not None


def test_seats_that_are_taken_on_vacation_are_away_as_well(now, alice, bob):
    vacation = vacations.start_vacation(alice, 10)
    match = play.create_match(alice, GAME, seats=2)
    assert match.seats.get().away_until == vacation.until
    play.join_match(match.key, bob)
    match = settled(match)
    seat = match.seats.get(user=alice)
    assert (seat.deadline, seat.away_until) == (None, vacation.until)
    vacations.end_vacation(alice)
    seat.refresh_from_db()
    assert seat.away_until is None
    assert (seat.deadline is not None) == seat.waiting


def test_who_takes_a_seat_over_on_vacation_is_away_there(now, match, alice, bob, charlie):
    vacation = vacations.start_vacation(charlie, 10)
    play.resign(match.key, alice)
    seat = mover(match)
    play.invite_to_seat(match.key, bob, seat.index, charlie)
    play.take_over(match.key, charlie)
    seat.refresh_from_db()
    assert (seat.deadline, seat.time_left, seat.away_until) == (None, match.pace, vacation.until)


def test_the_end_of_a_vacation_does_not_end_a_pause(now, match, alice, bob):
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    vacations.start_vacation(alice, 1)
    vacations.end_vacation(alice)
    seat = mover(match)
    assert (seat.deadline, seat.time_left) == (None, match.pace)
    vacations.start_vacation(alice, 1)
    play.resume(match.key, bob)
    assert mover(match).deadline is None
    vacations.end_vacation(alice)
    assert mover(match).deadline == NOON + timedelta(seconds=match.pace)


def test_a_vacation_whose_start_or_end_no_match_heard_of_is_made_good_by_the_sweep(now, match, alice):
    vacation = Vacation.objects.create(user=alice, started=NOON, until=NOON + timedelta(days=5))
    clocks.sweep()
    seat = mover(match)
    assert (seat.deadline, seat.away_until) == (None, vacation.until)
    # Its end was written, and then the process died.
    Vacation.objects.update(until=NOON)
    clocks.sweep()
    seat.refresh_from_db()
    assert (seat.deadline, seat.away_until) == (NOON + timedelta(seconds=match.pace), None)
    vacation.refresh_from_db()
    assert vacation.ended == NOON


def test_a_match_that_is_over_says_nothing_of_vacations(now, match, alice, bob):
    vacations.start_vacation(alice, 10)
    play.resign(match.key, bob)
    play.resign(match.key, alice)
    match = Match.objects.get(pk=match.pk)
    assert match.status == Match.Status.CANCELLED
    assert not match.seats.exclude(away_until=None).exists()
