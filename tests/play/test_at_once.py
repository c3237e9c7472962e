"""Many at the table in the same moment: one turn is taken, and everybody is told the truth about theirs."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import msgspec
import pytest
from django.db import connection

from games import play, record
from games.models import Match, Notice, Turn
from games.refusals import Refusal
from games.rules.registry import GAMES
from tests.matches import laying_match, mover, new_match, some_turn, take_some_turn
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 16


def all_at_once(calls):
    """Runs the calls in as many threads, begun together; gives what each returned or the code of its refusal."""
    ready = Barrier(len(calls))

    def run(call):
        ready.wait()
        try:
            return call()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


@pytest.fixture
def match():
    return laying_match(person("Alice"), person("Bob"))


def different_turns(match, seat, count):
    """So many different whole turns of two rails."""
    game, state = GAMES[match.game], record.load_state(match)
    turns = []
    for first, second in pairs_of_rails(game, game.blind(state, seat.index), seat.index):
        turns.append(msgspec.to_builtins([first, second]))
        if len(turns) == count:
            return turns
    raise AssertionError(f"there are only {len(turns)} turns")


def pairs_of_rails(game, state, index):
    """Each legal first rail that leaves a point, with each that can follow it."""
    choices = game.choices(state, index)
    for first, cost in zip(choices.moves, choices.costs, strict=True):
        if cost == 1:
            after = game.choices(game.play(state, index, first), index)
            yield from ((first, second) for second, price in zip(after.moves, after.costs, strict=True) if price == 1)


def test_of_sixteen_different_turns_one_is_taken_and_the_others_are_conflicts(match):
    seat = mover(match)
    turns = different_turns(match, seat, THREADS)
    answers = all_at_once(
        [lambda moves=moves: play.take_turn(match.key, seat.user, seat.decision, moves) for moves in turns]
    )
    taken = [answer for answer in answers if isinstance(answer, Turn)]
    assert len(taken) == 1
    assert answers.count("decision-past") == THREADS - 1
    stored = Turn.objects.filter(match=match, seat=seat.index, decision=seat.decision)
    assert stored.get().moves == taken[0].moves
    after = Match.objects.get(pk=match.pk)
    assert after.version == match.version + 1
    assert record.faults(after) == []


def test_sixteen_repeats_of_one_turn_get_the_same_answer(match):
    seat = mover(match)
    moves = some_turn(match, seat)
    answers = all_at_once([lambda: play.take_turn(match.key, seat.user, seat.decision, moves)] * THREADS)
    assert len({answer.number for answer in answers}) == 1
    assert Turn.objects.filter(match=match, seat=seat.index, decision=seat.decision).count() == 1
    assert Notice.objects.filter(match=match, kind="your-turn", decision=mover(match).decision).count() <= 2


def test_sixteen_workers_make_the_houses_move_once():
    match = play.create_match(person("Alice"), "trans-america", seats=2, opponents=["easy"])
    all_at_once([lambda: play.settle_match(match.key)] * THREADS)
    assert Turn.objects.filter(match=match, kind="house").count() == 1
    assert record.faults(Match.objects.get(pk=match.pk)) == []


def test_sixteen_workers_move_an_opponent_once():
    match = new_match(person("Alice"), opponents=["easy"])
    while not mover(match).level:
        match = take_some_turn(match)
    seat = mover(match)
    all_at_once([lambda: play.move_opponent(match.key, seat.index, seat.decision)] * THREADS)
    assert Turn.objects.filter(match=match, seat=seat.index, decision=seat.decision).count() == 1


def test_the_last_seat_is_taken_by_one_of_sixteen():
    match = play.create_match(person("Alice"), "trans-america", seats=2)
    people = [person(f"P{number}") for number in range(THREADS)]
    answers = all_at_once([lambda user=user: play.join_match(match.key, user) for user in people])
    assert sum(isinstance(answer, Match) for answer in answers) == 1
    assert match.seats.count() == 2


def test_sixteen_presses_of_play_again_make_one_match():
    alice = person("Alice")
    match = play.resign(new_match(alice, opponents=["easy"]).key, alice)
    answers = all_at_once([lambda: play.play_again(match.key, alice)] * THREADS)
    assert len({answer.pk for answer in answers}) == 1
    assert Match.objects.count() == 2


def test_a_turn_and_a_resignation_in_one_moment_leave_a_sound_match(match):
    seat = mover(match)
    moves = some_turn(match, seat)
    all_at_once(
        [
            lambda: play.take_turn(match.key, seat.user, seat.decision, moves),
            lambda: play.resign(match.key, seat.user),
        ]
    )
    after = Match.objects.get(pk=match.pk)
    assert after.seats.get(index=seat.index).resigned
    assert record.faults(after) == []
    assert after.seats.filter(waiting=True).count() == 1
