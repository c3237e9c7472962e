"""The way of a mail is broken: the server refuses for long, or a worker dies as it sends. Each notice comes once."""

import contextlib
import threading
from contextlib import contextmanager

import pytest

from tests.mailbox import text_of
from tests.stack.client import my_turn
from tests.stack.faults import PATIENCE, breakable_site, insist, next_turn, until

pytestmark = pytest.mark.stack

DELIVERIES = """
    SELECT d.id, d.outcome FROM games_delivery d JOIN games_notice n ON n.id = d.notice_id
    JOIN games_match m ON m.id = n.match_id JOIN accounts_user u ON u.id = n.user_id
    WHERE m.key = %s AND u.username = %s AND n.kind = 'your-turn' AND n.decision = %s AND d.target = 'mail'
"""
SOONER = "UPDATE games_delivery SET due = due - interval '15 minutes' WHERE done IS NULL"


@pytest.fixture(scope="module")
def whole_site():
    # A lease longer than any test: who died loses it when the test says so.
    with breakable_site({"BRANCHLINE_DELIVERY_LEASE": "600"}) as made:
        yield made


@pytest.fixture
def box(whole_site):
    return whole_site.box


class Due:
    """Somebody's turn at a match of Ann and Bob, of which they were not yet told."""

    def __init__(self, site, box):
        self.site, self.box = site, box
        players = {name: site.person(name) for name in ("Ann", "Bob")}
        self.key = players["Ann"].post("/matches/", {"game": "trans-america", "seats": 2})["key"]
        players["Bob"].post(f"/matches/{self.key}/join/", {})
        players["Ann"].wait_for(self.key, lambda match: match["version"] > 0, 60)
        site.all_are_told()
        first, second = ("Ann", "Bob") if my_turn(players["Ann"].match(self.key)) else ("Bob", "Ann")
        self.first, self.name, self.player = players[first], second, players[second]
        self.address = f"{second.lower()}@example.org"
        self.decision = self.player.match(self.key)["you"]["decision"]
        self.before = len(box.to(self.address))

    def begin(self):
        """The other one takes a turn, so that this person is to be told."""
        insist(self.first, self.key, next_turn(self.first, self.key))

    def delivery(self):
        """(id, outcome) of the mail's row; None when it is not written yet."""
        return next(iter(self.site.ask(DELIVERIES, self.key, self.name, self.decision)), None)

    def mails(self):
        """Those about this match since then; others of the site go on."""
        return [mail for mail in self.box.to(self.address)[self.before :] if self.key in text_of(mail)]

    def is_told(self):
        """Wait until the row says that the mail went out."""
        until(lambda: (self.delivery() or (0, ""))[1] == "sent", "the mail is sent")


@contextmanager
def held(box, address, forgets=False):
    """The mail server takes its time over mails to that address, to the end of the block, and then takes or forgets
    them; gives the sign that it has one."""
    reached, go_on = threading.Event(), threading.Event()

    def hold(mail):
        if mail["To"] == address:
            reached.set()
            go_on.wait(PATIENCE)
            if forgets:
                raise ConnectionAbortedError("the sender left before the mail was taken")

    box.on_data = hold
    try:
        yield reached
    finally:
        box.on_data = None
        go_on.set()


def test_a_worker_killed_while_it_mails_leaves_the_mail_to_another_one(site, box):
    due = Due(site, box)
    with held(box, due.address, forgets=True) as reached:
        due.begin()
        assert reached.wait(PATIENCE)
        site.stack.kill("worker-all")
    assert due.mails() == []
    site.stack.start("worker-all")
    site.do(SOONER)  # the lease of the dead one is over
    due.is_told()
    assert len(due.mails()) == 1


def test_a_worker_killed_before_it_wrote_that_the_mail_is_out_sends_what_mail_programs_know_to_be_the_same(site, box):
    due = Due(site, box)
    with contextlib.ExitStack() as lock:
        with held(box, due.address) as reached:
            due.begin()
            assert reached.wait(PATIENCE)
            lock.enter_context(site.nobody_writes("games_delivery"))
        assert site.kill_who_waits_for_a_lock() == "worker-all"
    assert len(due.mails()) == 1
    site.stack.start("worker-all")
    site.do(SOONER)
    due.is_told()
    assert len(due.mails()) == 2, "what a server has taken cannot be called back"
    first, second = due.mails()
    assert first["Message-ID"] == second["Message-ID"]
    box.mails.remove(second)  # the only one of these tests that comes twice


@pytest.mark.parametrize("answer", ["421 come back later", "451 no room"])
def test_a_mail_server_that_refuses_for_ten_minutes_gets_each_mail_once_when_it_takes_them(site, box, answer):
    due = Due(site, box)
    attempts, box.refusal = box.attempts, answer
    due.begin()
    for _time in range(3):
        until(lambda before=attempts: box.attempts > before, "the worker tries (again)")
        attempts = box.attempts
        # Matches go on meanwhile.
        key = due.player.new_match("easy")
        due.player.wait_for(key, my_turn, PATIENCE)
        site.do(SOONER)
    assert due.delivery()[1] == ""
    box.refusal = None
    site.do(SOONER)
    due.is_told()
    assert len(due.mails()) == 1
