"""Parts of the production stack die at their work: no match is stuck, no turn is lost, and nothing is told twice."""

import json
import os
import signal
import time

import pytest

from config.processes import Part, running
from games.nudges import DELIVERY_PAUSE_SECONDS
from tests.stack.client import live_socket, my_turn
from tests.stack.faults import (
    SETTINGS,
    Posting,
    breakable_site,
    insist,
    mover,
    next_turn,
    play_on,
    standing_still,
    until,
)

pytestmark = pytest.mark.stack

WAITING = """
    SELECT s.name FROM games_seat s JOIN games_match m ON m.id = s.match_id WHERE m.key = %s AND s.waiting
"""
NOTICES = """
    SELECT count(*) FROM games_notice n JOIN games_match m ON m.id = n.match_id JOIN accounts_user u ON u.id = n.user_id
    WHERE m.key = %s AND u.username = %s AND n.kind = %s
"""


@pytest.fixture(scope="module")
def whole_site():
    with breakable_site() as made:
        yield made


@pytest.fixture
def site(whole_site):
    """The site with all its parts at work, which it must be after the test as well."""
    for part in (whole_site.database.part, whole_site.redis.part, *whole_site.stack.parts.values()):
        if not part.runs:
            part.start()
    yield whole_site
    whole_site.is_well()


@pytest.fixture
def ann(site):
    return site.person("Ann")


@pytest.fixture
def bob(site):
    return site.person("Bob")


def match_of_two(ann, bob):
    """A match of Ann and Bob that has been dealt."""
    key = ann.post("/matches/", {"game": "trans-america", "seats": 2})["key"]
    bob.post(f"/matches/{key}/join/", {})
    ann.wait_for(key, lambda match: match["version"] > 0, 30)
    return key


def turns_of(site, key):
    """(seat, decision, number) of all turns of players in a match."""
    return site.ask(
        """SELECT t.seat, t.decision, t.number FROM games_turn t JOIN games_match m ON m.id = t.match_id
            WHERE m.key = %s AND t.kind = 'turn' ORDER BY t.number""",
        key,
    )


def all_stand_once(site, key, taken):
    """Fails unless every turn that was answered is in the record, at the place it was told, and no other is twice."""
    record = turns_of(site, key)
    assert len({(seat, decision) for seat, decision, _number in record}) == len(record)
    numbers = [number for number, _turn in taken]
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= {number for _seat, _decision, number in record}


# -- what is looked at after each test ---------------------------------------------------------------------------------


def test_a_site_is_not_well_when_work_is_left_or_a_mail_is_missing_or_came_twice(site, ann, bob):
    key = match_of_two(ann, bob)
    site.is_well()
    (notice,) = site.ask(
        """SELECT n.id FROM games_notice n JOIN games_match m ON m.id = n.match_id WHERE m.key = %s
            AND n.kind = 'your-turn'""",
        key,
    )[0]

    def is_ill(what):
        with pytest.raises(AssertionError, match=what):
            site.is_well(0)

    site.do("UPDATE games_match SET rating_due = now() + interval '1 day' WHERE key = %s", key)
    is_ill("ratings")
    site.do("UPDATE games_match SET rating_due = NULL WHERE key = %s", key)
    site.do("UPDATE games_delivery SET outcome = 'failed' WHERE notice_id = %s", notice)
    is_ill("given up")
    site.do("UPDATE games_delivery SET outcome = 'sent' WHERE notice_id = %s", notice)
    mail = site.box.mails.pop()
    is_ill("mails came, ")
    site.box.mails += [mail, mail]
    is_ill("came twice")
    site.box.mails.pop()
    site.do("UPDATE games_notice SET decision = decision + 100 WHERE id = %s", notice)  # none about this turn, then
    is_ill("got no mail")
    site.do("UPDATE games_notice SET decision = decision - 100 WHERE id = %s", notice)


# -- workers -----------------------------------------------------------------------------------------------------------


def test_a_worker_killed_while_it_settles_leaves_the_deal_to_the_other_one(site, ann):
    with site.nobody_writes("games_turn"):
        key = ann.new_match("easy")
        killed = site.kill_who_waits_for_a_lock()
    assert killed in site.stack.workers
    ann.wait_for(key, my_turn, 60)
    deals = (
        "SELECT count(*) FROM games_turn t JOIN games_match m ON m.id = match_id WHERE m.key = %s AND kind = 'house'"
    )
    assert site.ask(deals, key) == [(1,)]


def test_all_workers_killed_while_one_settles_leave_the_deal_to_those_that_are_started_next(site, ann):
    with site.nobody_writes("games_turn"):
        key = ann.new_match("easy")
        site.kill_who_waits_for_a_lock()
        site.stack.kill(*site.stack.workers)
    assert ann.match(key)["version"] == 0
    site.stack.start(*site.stack.workers)
    ann.wait_for(key, my_turn, 60)


def test_a_worker_killed_while_an_opponent_thinks_costs_the_opponent_no_turn(site, ann):
    thinker = site.stack.parts["worker-all"]
    key = ann.new_match("hard")
    ann.wait_for(key, my_turn, 30)
    site.all_are_told()

    def was_caught_thinking():
        """Takes a turn and stops the worker as soon as it has the opponent's; whether it had not moved by then."""
        tasks = thinker.said().count("move_opponent[")
        turn = next_turn(ann, key)
        number = insist(ann, key, turn)["number"]
        until(lambda: thinker.said().count("move_opponent[") > tasks, "the opponent is asked")
        with standing_still(thinker):
            if ann.match(key)["version"] == number:
                thinker.kill()
                return number
        ann.wait_for(key, my_turn, 60)
        site.all_are_told()
        return None

    number = until(was_caught_thinking, "the worker is caught in time")
    assert ann.match(key)["version"] == number
    thinker.start()
    ann.wait_for(key, lambda match: my_turn(match) and match["version"] > number, 60)
    all_stand_once(site, key, [])


def test_a_worker_killed_while_it_writes_an_opponents_turn_leaves_that_to_another_one(site, ann):
    key = ann.new_match("easy")
    ann.wait_for(key, my_turn, 30)
    site.all_are_told()
    turn = next_turn(ann, key)
    opponents = site.stack.parts["worker-all"]
    with standing_still(opponents):
        number = insist(ann, key, turn)["number"]
        lock = site.nobody_writes("games_turn")
        lock.__enter__()
    assert site.kill_who_waits_for_a_lock() == "worker-all"
    lock.__exit__(None, None, None)
    assert ann.match(key)["version"] == number
    opponents.start()
    ann.wait_for(key, lambda match: match["version"] > number and my_turn(match), 60)
    all_stand_once(site, key, [(number, turn)])


def test_an_opponent_that_thinks_without_end_delays_no_deal(site, ann, bob):
    slow = ann.new_match("hard")
    ann.wait_for(slow, my_turn, 30)
    turn = next_turn(ann, slow)
    site.all_are_told()
    with standing_still(site.stack.parts["worker-all"]):  # where opponents think, and nowhere else
        number = insist(ann, slow, turn)["number"]
        match_of_two(ann, bob)
        assert ann.match(slow)["version"] == number, "the opponent thinks on"
    ann.wait_for(slow, lambda match: my_turn(match) and match["version"] > number, 60)


# -- web ---------------------------------------------------------------------------------------------------------------


def test_a_web_process_killed_after_the_commit_and_before_the_answer_gives_the_same_answer_when_asked_again(
    site, ann, bob
):
    key = match_of_two(ann, bob)
    player = mover([ann, bob], key)
    turn = next_turn(player, key)
    before = len(turns_of(site, key))
    web = site.stack.parts["web"]
    # The broker stands still, so the process waits with its first message, which it sends after the commit: the one
    # about notices, unless it sent one a moment ago.
    time.sleep(2 * DELIVERY_PAUSE_SECONDS)
    with standing_still(site.redis.part):
        posting = Posting(player, key, turn)
        until(lambda: len(turns_of(site, key)) > before, "the turn is committed")
        assert posting.is_alive()
        for process in web.children():
            os.kill(process, signal.SIGKILL)
        posting.join(30)
    assert posting.broke is not None
    assert posting.answer is None
    again = insist(player, key, turn)
    assert (again["number"], len(turns_of(site, key))) == (turns_of(site, key)[-1][2], before + 1)
    assert insist(player, key, turn) == again
    assert web.runs, "who was killed has been replaced"


# -- servers -----------------------------------------------------------------------------------------------------------


def test_a_match_goes_on_while_redis_is_flushed_and_started_again(site, ann, bob):
    key = ann.post("/matches/", {"game": "trans-america", "seats": 3, "opponents": ["easy"]})["key"]
    bob.post(f"/matches/{key}/join/", {})
    ann.wait_for(key, lambda match: match["version"] > 0, 30)
    with live_socket(site.stack.live_url) as page:
        page.send(json.dumps({"watch": key}))
        taken = play_on([ann, bob], key, 2)
        # All messages are lost while they wait to be read ...
        workers = [site.stack.parts[name] for name in site.stack.workers]
        waited_for = mover([ann, bob], key)
        with standing_still(*workers):
            taken += play_on([waited_for], key, 1)
            site.stack.manage("shell", "--verbosity", "0", "-c", "from django.core.cache import cache; cache.clear()")
        taken += play_on([ann, bob], key, 2)
        # ... and then the broker itself is gone for a while, in which turns are taken all the same.
        waited_for = mover([ann, bob], key)
        site.redis.part.stop()
        taken += play_on([waited_for], key, 1)
        site.redis.part.start()
        taken += play_on([ann, bob], key, 3)

        def is_told():
            message = json.loads(page.recv(timeout=30))
            return message["kind"] == "match" and message["version"] >= taken[-1][0]

        until(is_told, "the open page hears of moves again")
    all_stand_once(site, key, taken)


@pytest.mark.parametrize("end", [Part.stop, Part.kill], ids=["in order", "by a power cut"])
def test_a_match_goes_on_while_postgresql_is_started_again(site, ann, bob, end):
    key = ann.post("/matches/", {"game": "trans-america", "seats": 3, "opponents": ["easy"]})["key"]
    bob.post(f"/matches/{key}/join/", {})
    ann.wait_for(key, lambda match: match["version"] > 0, 30)
    taken = play_on([ann, bob], key, 2)
    player = mover([ann, bob], key)
    turn = next_turn(player, key)
    site.all_are_told()
    end(site.database.part)
    posting = Posting(player, key, turn)
    posting.join(2)  # it waits for a connection, or has failed
    site.database.part.start()
    posting.join(60)
    taken.append((insist(player, key, turn)["number"], turn))
    taken += play_on([ann, bob], key, 4)
    all_stand_once(site, key, taken)


# -- the sweeper -------------------------------------------------------------------------------------------------------


def test_two_sweepers_at_once_do_nothing_twice(site, ann, bob):
    beat = site.stack.parts["beat"]
    twin = Part("second beat", beat.command, beat.log.with_name("beat-2.log"), beat.ready, settings=beat.settings)
    late, warned = match_of_two(ann, bob), match_of_two(ann, bob)
    slow, waited_for = site.ask(WAITING, late)[0][0], site.ask(WAITING, warned)[0][0]
    workers = [site.stack.parts[name] for name in site.stack.workers]
    with running(twin):
        with standing_still(*workers):
            undealt = ann.post("/matches/", {"game": "trans-america", "seats": 2})["key"]
            bob.post(f"/matches/{undealt}/join/", {})
            for key, column in ((late, "deadline"), (warned, "remind_at")):
                site.do(
                    f"""UPDATE games_seat SET {column} = now() - interval '1 minute'
                        WHERE waiting AND match_id = (SELECT id FROM games_match WHERE key = %s)""",
                    key,
                )
            # Whatever was sent to workers is lost, so that all is left to the sweepers.
            site.stack.manage("shell", "--verbosity", "0", "-c", "from config.celery import app; app.control.purge()")
        ann.wait_for(undealt, lambda match: match["version"] > 0, 30)
        until(lambda: turns_of(site, late), "the turn is played for who was late")
        until(lambda: site.ask(NOTICES, warned, waited_for, "reminder") != [(0,)], "there is a reminder")
        # Each of the two sweeps once more.
        time.sleep(2 * float(SETTINGS["BRANCHLINE_SWEEP_SECONDS"]))
    house = (
        "SELECT count(*) FROM games_turn t JOIN games_match m ON m.id = match_id WHERE m.key = %s AND kind = 'house'"
    )
    assert site.ask(house, undealt) == [(1,)]
    assert len(turns_of(site, late)) == 1
    assert site.ask(NOTICES, late, slow, "timed-out") == [(1,)]
    assert site.ask(NOTICES, warned, waited_for, "reminder") == [(1,)]
    deliveries = """SELECT count(*) FROM games_delivery d JOIN games_notice n ON n.id = d.notice_id
        WHERE n.kind IN ('timed-out', 'reminder') AND d.target = 'mail' AND d.outcome = 'sent'
            AND n.match_id IN (SELECT id FROM games_match WHERE key = ANY(%s))"""
    until(lambda: site.ask(deliveries, [late, warned]) == [(2,)], "both were mailed, once each")


def test_a_sweeper_that_was_dead_for_an_hour_does_once_what_was_due_meanwhile(site, ann, bob):
    players = {"Ann": ann, "Bob": bob}
    late, answered = match_of_two(ann, bob), match_of_two(ann, bob)
    site.stack.kill("beat")
    for key in (late, answered):
        site.do(
            """UPDATE games_seat SET deadline = now() - interval '1 hour',
                    remind_at = now() - interval '2 hours'
                WHERE waiting AND match_id = (SELECT id FROM games_match WHERE key = %s)""",
            key,
        )
    # Who comes late, but before the time-out, has still taken the turn.
    tardy = site.ask(WAITING, answered)[0][0]
    play_on([players[tardy]], answered, 1)
    slow = site.ask(WAITING, late)[0][0]
    before = len(turns_of(site, late))
    site.stack.start("beat")
    until(lambda: len(turns_of(site, late)) > before, "the turn is played for who was late")
    seat = """SELECT s.timeouts, s.late_turns, s.resigned FROM games_seat s JOIN games_match m ON m.id = s.match_id
        WHERE m.key = %s AND s.name = %s"""
    assert site.ask(seat, late, slow) == [(1, 1, False)]
    assert site.ask(seat, answered, tardy) == [(0, 1, False)]
    assert (len(turns_of(site, late)), len(turns_of(site, answered))) == (before + 1, 1)
    assert site.ask(NOTICES, late, slow, "timed-out") == [(1,)]
    assert site.ask(NOTICES, answered, tardy, "timed-out") == [(0,)]
    play_on([ann, bob], late, 1)
