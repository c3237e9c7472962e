"""Web processes, servers and the clock of the stack die: no match is stuck, no turn is lost, nothing is told twice."""

import json
import os
import signal
import time

import pytest

from config.processes import Part, running
from games.nudges import DELIVERY_PAUSE_SECONDS
from tests.stack.client import live_socket
from tests.stack.faults import (
    SETTINGS,
    Posting,
    all_stand_once,
    insist,
    match_of_two,
    mover,
    next_turn,
    play_on,
    standing_still,
    turns_of,
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
