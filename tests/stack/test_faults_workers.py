"""Workers of the production stack die at their work: no match is stuck, no turn is lost, and nothing is told twice."""

import pytest

from tests.stack.client import my_turn
from tests.stack.faults import all_stand_once, insist, match_of_two, next_turn, standing_still, until

pytestmark = pytest.mark.stack


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
