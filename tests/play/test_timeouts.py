"""When the time is over: an opponent takes the turn, then the seat; who may have the seat after that."""

from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec
import pytest
import time_machine
from django.db.models.signals import pre_save

from games import chat, play, record
from games.models import Invitation, Match, Notice, Replaced, Seat, Turn
from games.refusals import Refusal, sentence
from games.rules.chance import Chance
from games.rules.contract import LEVELS, Saying
from games.rules.registry import GAMES
from games.selectors import names_then
from games.words import say
from tests.matches import GAME, laying_match, mover, new_match, play_out, settled, some_turn, take_some_turn
from tests.people import person

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
def now():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def match(now, alice, bob):
    """A match of Alice and Bob in which one is to lay."""
    return laying_match(alice, bob)


def refused(code, call, *args, **kwargs):
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    assert caught.value.code == code
    assert sentence(caught.value)


def run_out(now, match):
    """The seat that is waited for lets its time run out, and that is carried out; gives the entry of the record."""
    seat = mover(match)
    now.shift(match.pace + 1)
    return play.time_out(match.key, seat.index, seat.decision)


def until_it_is(user, match):
    """The match when this person is to move, the others having taken their turns."""
    while mover(match).user != user:
        match = take_some_turn(match)
    return match


def replaced(now, user, match):
    """The match after this person let the time run out twice in a row."""
    for _time in range(2):
        match = until_it_is(user, match)
        run_out(now, match)
        match = settled(match)
    return match


def told(match, user, kind):
    return list(Notice.objects.filter(match=match, user=user, kind=kind).values_list("decision", flat=True))


# -- the first time ---------------------------------------------------------------------------------------------------


def test_an_opponent_takes_the_turn_of_who_lets_the_time_run_out(now, match):
    seat = mover(match)
    turn = run_out(now, match)
    assert (turn.kind, turn.seat, turn.decision, turn.in_time) == (Turn.Kind.TURN, seat.index, seat.decision, False)
    assert turn.events[0] == {"code": "timed-out", "params": {"seat": seat.index}}
    match = Match.objects.get(pk=match.pk)
    assert mover(match).index != seat.index
    seat.refresh_from_db()
    assert (seat.timeouts, seat.level, seat.resigned) == (1, "", False)
    assert (seat.own_turns, seat.late_turns) == (2, 1)
    assert told(match, seat.user, "timed-out") == [turn.decision]
    assert record.faults(match) == []


def test_the_turn_is_that_of_the_medium_opponent(now, alice, bob):
    taken, others = [], []
    for _time in range(3):
        match = laying_match(alice, bob)
        seat = mover(match)
        view, seed = GAMES[GAME].view(record.load_state(match), seat.index), bytes(match.seed)
        thought = {}
        for level in LEVELS:
            chance = Chance(seed, seat.decision, f"opponent-{seat.index}")
            thought[level] = msgspec.to_builtins(list(GAMES[GAME].think(view, level, chance)))
        taken.append((run_out(now, match).moves, thought.pop("medium")))
        others += [moves for moves in thought.values() if moves != taken[-1][0]]
    assert all(moves == medium for moves, medium in taken)
    assert others, "another level would have taken another turn"


def test_the_log_says_so(now, match):
    turn = run_out(now, match)
    names = [seat.name for seat in match.seats.all()]
    assert say(GAME, Saying(**turn.events[0]), names) == (
        f"{names[turn.seat]} runs out of time, and a computer takes the turn"
    )


def test_nothing_happens_before_the_deadline(now, match):
    seat = mover(match)
    now.shift(match.pace - 1)
    assert play.time_out(match.key, seat.index, seat.decision) is None
    assert Match.objects.get(pk=match.pk).version == match.version


def test_a_time_out_that_comes_twice_is_carried_out_once(now, match):
    seat = mover(match)
    assert run_out(now, match) is not None
    assert play.time_out(match.key, seat.index, seat.decision) is None
    assert Match.objects.get(pk=match.pk).version == match.version + 1


def test_a_late_turn_that_came_before_the_time_out_counts(now, match):
    seat = mover(match)
    now.shift(match.pace + 60)
    turn = play.take_turn(match.key, seat.user, seat.decision, some_turn(match, seat))
    assert not turn.in_time
    assert play.time_out(match.key, seat.index, seat.decision) is None
    seat.refresh_from_db()
    assert (seat.timeouts, seat.late_turns) == (0, 1)


def test_the_turn_of_who_comes_after_the_time_out_is_a_conflict(now, match):
    seat = mover(match)
    other = some_turn(match, seat, "hard")
    turn = run_out(now, match)
    if other == turn.moves:
        other = [{"type": "stop"}]
    refused("decision-past", play.take_turn, match.key, seat.user, seat.decision, other)


def test_no_time_runs_out_in_a_pause(now, match, alice, bob):
    play.ask_pause(match.key, alice)
    play.ask_pause(match.key, bob)
    assert run_out(now, match) is None


# -- the second time --------------------------------------------------------------------------------------------------


def test_after_two_in_a_row_an_opponent_plays_on_and_the_match_goes_to_its_end(now, match, alice, bob):
    match = until_it_is(alice, match)
    run_out(now, match)
    match = until_it_is(alice, settled(match))
    seat = mover(match)
    entry = run_out(now, match)
    assert (entry.kind, entry.seat, entry.in_time) == (Turn.Kind.REPLACEMENT, seat.index, False)
    assert entry.events == [{"code": "replaced", "params": {"seat": seat.index}}]
    seat.refresh_from_db()
    assert (seat.level, seat.resigned, seat.waiting, seat.deadline) == ("medium", True, True, None)
    assert seat.opponent_due is not None
    gone = Replaced.objects.get(match=match)
    assert (gone.user, gone.index, gone.name, gone.late_turns) == (alice, seat.index, "Alice", 2)
    assert len(told(match, alice, "timed-out")) == 2
    refused("resigned", play.take_turn, match.key, alice, seat.decision, some_turn(match, seat))

    match = play_out(settled(match))
    assert match.status == Match.Status.OVER
    assert match.seats.get(user=alice).rank == 2, "whoever was replaced ranks last"
    assert record.faults(match) == []


def test_an_own_turn_in_between_is_forgiven(now, match, alice):
    for _time in range(2):
        match = until_it_is(alice, match)
        run_out(now, match)
        match = until_it_is(alice, settled(match))
        match = take_some_turn(match)
    seat = match.seats.get(user=alice)
    assert (seat.timeouts, seat.resigned) == (0, False)
    assert not Replaced.objects.exists()


def test_a_match_whose_last_person_is_replaced_ends_without_a_result(now, alice, client):
    match = new_match(alice, opponents=["easy"])
    match = replaced(now, alice, match)
    assert match.status == Match.Status.CANCELLED
    assert match.turns.last().events == [{"code": "deserted", "params": {"seat": 0}}]
    assert not match.seats.filter(opponent_due__isnull=False).exists()
    assert record.faults(match) == []


def test_a_resignation_counts_no_turn_as_late(match, alice):
    match = until_it_is(alice, match)
    before = match.seats.get(user=alice).own_turns
    play.resign(match.key, alice)
    gone = Replaced.objects.get(match=match)
    assert (gone.user, gone.own_turns, gone.late_turns) == (alice, before, 0)
    assert match.seats.get(user=alice).own_turns == 0


# -- taking a seat over -----------------------------------------------------------------------------------------------


def test_whoever_the_table_invites_takes_the_seat_over_and_plays_on(now, match, alice, bob, charlie):
    match = replaced(now, alice, match)
    index = match.seats.get(user=alice).index
    play.invite_to_seat(match.key, bob, index, charlie)
    assert told(match, charlie, "invited") == [match.version]
    play.take_over(match.key, charlie)

    match.refresh_from_db()
    entry = match.turns.last()
    assert (entry.kind, entry.seat, entry.number) == (Turn.Kind.TAKE_OVER, index, match.version)
    names = [seat.name for seat in match.seats.all()]
    assert say(GAME, Saying(**entry.events[0]), names) == "Charlie takes the seat over from the computer"
    seat = match.seats.get(index=index)
    assert (seat.user, seat.name, seat.level, seat.resigned, seat.timeouts) == (charlie, "Charlie", "", False, 0)
    assert not Invitation.objects.filter(match=match).exists()
    assert record.faults(match) == []
    then = names_then(match)
    assert (then(entry.number - 1)[index], then(entry.number)[index]) == ("Alice", "Charlie")

    match = play_out(match)
    seats = {each.user: each for each in match.seats.all()}
    best = max(each.points for each in seats.values())
    assert {each.rank for each in seats.values() if each.points == best} == {1}, "the seat is ranked as any other"
    assert seats[charlie].own_turns > 0
    assert Replaced.objects.get(match=match).user == alice


def test_a_seat_that_is_waited_for_gets_its_clock_and_its_person_a_notice(now, match, alice, bob, charlie):
    match = until_it_is(alice, match)
    play.resign(match.key, alice)
    seat = mover(match)
    play.invite_to_seat(match.key, bob, seat.index, charlie)
    now.shift(HOUR)
    play.take_over(match.key, charlie)
    seat.refresh_from_db()
    assert (seat.deadline - NOON).total_seconds() == HOUR + match.pace
    assert seat.opponent_due is None
    assert told(match, charlie, "your-turn") == [seat.decision]
    assert play.move_opponent(match.key, seat.index, seat.decision) is None, "the opponent has nothing to say any more"


def test_taking_over_twice_is_taking_over_once(match, alice, bob, charlie):
    play.resign(match.key, alice)
    play.invite_to_seat(match.key, bob, match.seats.get(user=alice).index, charlie)
    play.take_over(match.key, charlie)
    version = Match.objects.get(pk=match.pk).version
    play.take_over(match.key, charlie)
    assert Match.objects.get(pk=match.pk).version == version


def test_of_two_who_are_invited_the_first_takes_the_seat(match, alice, bob, charlie):
    dora = person("Dora")
    play.resign(match.key, alice)
    index = match.seats.get(user=alice).index
    play.invite_to_seat(match.key, bob, index, charlie)
    play.invite_to_seat(match.key, bob, index, dora)
    play.take_over(match.key, dora)
    refused("not-invited", play.take_over, match.key, charlie)


def test_a_seat_is_taken_over_only_with_the_reliability_that_the_match_asks_for(match, alice, bob, charlie):
    Match.objects.filter(pk=match.pk).update(min_reliability=90)
    elsewhere = play.create_match(charlie, match.game, seats=2)
    elsewhere.seats.update(own_turns=20, late_turns=3)
    play.resign(match.key, alice)
    play.invite_to_seat(match.key, bob, match.seats.get(user=alice).index, charlie)
    refused("not-reliable", play.take_over, match.key, charlie)
    elsewhere.seats.update(late_turns=2)
    play.take_over(match.key, charlie)
    assert match.seats.filter(user=charlie).exists()


def test_who_gave_up_does_not_come_back_to_the_match(match, alice, bob, charlie):
    play.resign(match.key, alice)
    index = match.seats.get(user=alice).index
    refused("gave-up", play.invite_to_seat, match.key, bob, index, alice)
    refused("gave-up", play.take_over, match.key, alice)
    play.invite_to_seat(match.key, bob, index, charlie)
    play.take_over(match.key, charlie)
    play.resign(match.key, charlie)
    refused("gave-up", play.invite_to_seat, match.key, bob, index, alice)
    assert set(Replaced.objects.values_list("name", flat=True)) == {"Alice", "Charlie"}


def test_a_seat_is_given_only_by_the_table_and_only_when_it_is_free(match, alice, bob, charlie):
    mine = match.seats.get(user=alice).index
    refused("no-seat-to-take", play.invite_to_seat, match.key, bob, mine, charlie)
    refused("not-seated", play.invite_to_seat, match.key, charlie, mine, charlie)
    refused("not-invited", play.take_over, match.key, charlie)
    play.resign(match.key, alice)
    refused("resigned", play.invite_to_seat, match.key, alice, mine, charlie)
    refused("no-seat-to-take", play.invite_to_seat, match.key, bob, 7, charlie)
    refused("already-seated", play.invite_to_seat, match.key, bob, mine, bob)


def test_the_seat_of_an_opponent_that_was_one_from_the_start_is_not_to_be_taken(alice, charlie):
    match = new_match(alice, opponents=["easy"])
    refused("no-seat-to-take", play.invite_to_seat, match.key, alice, 1, charlie)


def test_guests_do_not_take_seats_of_rated_matches(alice, bob, charlie):
    dora = person("Dora")
    match = new_match(alice, bob, charlie, rated=True)
    play.resign(match.key, alice)
    dora.is_guest = True
    dora.save()
    refused("guests-not-rated", play.invite_to_seat, match.key, bob, 0, dora)


def test_nobody_takes_a_seat_of_a_match_that_is_over(match, alice, bob, charlie):
    play.resign(match.key, alice)
    play.invite_to_seat(match.key, bob, match.seats.get(user=alice).index, charlie)
    play.resign(match.key, bob)
    refused("not-running", play.take_over, match.key, charlie)


# -- what happens in the same moment, without the match's lock ---------------------------------------------------------


@contextmanager
def meanwhile(change):
    """Does something in the moment after a call has read the seats and before it stores the first of them."""

    def once(**_signal):
        pre_save.disconnect(once, Seat)
        change()

    pre_save.connect(once, Seat)
    yield
    assert not pre_save.disconnect(once, Seat), "it never came to that"


def muted_and_read(match, user):
    seat = match.seats.get(user=user)
    return seat.muted, seat.chat_seen


def test_who_mutes_the_match_and_reads_its_chat_while_they_lose_the_seat_has_done_both(match, alice, bob):
    said = chat.say(match.key, bob, "Where are you?").pk

    def mute_and_read():
        play.mute(match.key, alice, True)
        chat.mark_seen(match.key, alice, said)

    with meanwhile(mute_and_read):
        play.resign(match.key, alice)
    assert muted_and_read(match, alice) == (True, said)
    assert match.seats.get(user=alice).resigned


def test_who_mutes_the_match_while_the_last_person_leaves_it_has_muted_it(match, alice, bob):
    play.resign(match.key, alice)
    with meanwhile(lambda: play.mute(match.key, alice, True)):
        play.resign(match.key, bob)
    assert muted_and_read(match, alice) == (True, 0)
    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    assert not match.seats.filter(waiting=True).exists()


def test_whose_account_goes_while_the_last_person_leaves_has_no_seat_any_more(match, alice, bob):
    play.resign(match.key, alice)
    with meanwhile(alice.delete):
        play.resign(match.key, bob)
    assert match.seats.filter(user=None, resigned=True).count() == 1


def test_taking_a_seat_over_writes_nothing_else_of_it(match, alice, bob, charlie):
    play.resign(match.key, alice)
    seat = match.seats.get(user=alice)
    play.invite_to_seat(match.key, bob, seat.index, charlie)
    with meanwhile(lambda: Seat.objects.filter(pk=seat.pk).update(decision=seat.decision + 1, waiting=True)):
        play.take_over(match.key, charlie)
    taken = match.seats.get(index=seat.index)
    assert (taken.user, taken.level, taken.resigned, taken.name) == (charlie, "", False, "Charlie")
    assert (taken.decision, taken.waiting) == (seat.decision + 1, True)


# -- matches that nobody joins ----------------------------------------------------------------------------------------


def test_a_match_that_nobody_joins_for_two_weeks_is_closed_and_those_in_it_are_told(now, alice, bob):
    match = play.create_match(alice, GAME, seats=3)
    now.shift(14 * DAY - 1)
    play.join_match(match.key, bob)
    now.shift(14 * DAY - 1)
    assert not play.close_unfilled_match(match.key), "somebody has joined it since"
    now.shift(1)
    assert play.close_unfilled_match(match.key)
    assert not play.close_unfilled_match(match.key)
    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    assert (told(match, alice, "ended"), told(match, bob, "ended")) == ([0], [0])
