"""A site that tests may break: the production stack on servers of its own, looked at through its database."""

import os
import signal
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg

from config import processes
from config.processes import Part, Server, Stack
from tests import migrated
from tests.mailbox import Mailbox, mailbox
from tests.stack.client import Client, my_turn

PATIENCE = 60.0
"""Seconds until a condition that must come true counts as one that never does, on a slow machine."""
SETTINGS = {
    "BRANCHLINE_SWEEP_SECONDS": "2",
    "BRANCHLINE_OPPONENT_PAUSE": "0",
    "BRANCHLINE_DELIVERY_LEASE": "20",
}
WAITING_FOR_A_LOCK = """
    SELECT client_port FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
OVERDUE = {
    "matches that wait for the house": "SELECT key, house_due FROM games_match WHERE house_due IS NOT NULL",
    "opponents that are to move": "SELECT match_id, opponent_due FROM games_seat WHERE opponent_due IS NOT NULL",
    "turns whose time is over": "SELECT match_id, deadline FROM games_seat WHERE deadline < now()",
    "notices": "SELECT id, kind, due FROM games_notice WHERE done IS NULL",
    "deliveries": "SELECT id, target, due FROM games_delivery WHERE done IS NULL",
    "ratings": "SELECT key, rating_due FROM games_match WHERE rating_due IS NOT NULL",
}
"""Rows that say that something is still to be done."""
LOST = {
    "matches that were never dealt": "SELECT key FROM games_match WHERE status = 'running' AND version = 0",
    "deliveries that were given up": "SELECT id, target FROM games_delivery WHERE outcome = 'failed'",
    "people who are waited for and got no mail about it": """
        SELECT s.match_id, s.name, s.decision FROM games_seat s WHERE s.waiting AND s.level = '' AND NOT EXISTS (
            SELECT FROM games_notice n JOIN games_delivery d ON d.notice_id = n.id
            WHERE n.match_id = s.match_id AND n.user_id = s.user_id AND n.kind = 'your-turn'
                AND n.decision = s.decision AND d.target = 'mail' AND d.outcome = 'sent')
    """,
}
"""Rows that there must not be once nothing is left to be done."""
MAILED = "SELECT user_id, done FROM games_delivery WHERE target = 'mail' AND outcome = 'sent' GROUP BY user_id, done"
"""The mails that went out by what the workers wrote: deliveries that went out as one mail are done in one moment."""
PEOPLE = """
from django.contrib.auth import get_user_model
from games.demo import PASSWORD, PEOPLE
for name in PEOPLE:
    get_user_model().objects.create_user(name, f"{name.lower()}@example.org", PASSWORD)
"""


def until(happened: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
    """Wait for it and give what it gave; fails with `what` when it takes too long."""
    began = time.monotonic()
    while not (found := happened()):
        assert time.monotonic() - began < seconds, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.02)
    return found


class Site:
    """The stack, its servers, its database, and the mail server that it sends to."""

    def __init__(self, stack: Stack, database: Server, redis: Server, box: Mailbox) -> None:
        self.stack, self.database, self.redis, self.box = stack, database, redis, box
        self.people: dict[str, Client] = {}

    def person(self, name: str) -> Client:
        """That person, who logs in once: tests together would log in more often than an address may in a minute."""
        if name not in self.people:
            self.people[name] = Client(self.stack.url, name)
        return self.people[name]

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the site's database."""
        with psycopg.connect(self.database.url) as connection:
            return connection.execute(query, values).fetchall()

    def do(self, statement: str, *values: Any) -> int:
        """Change the site's database behind its back; gives the number of rows."""
        with psycopg.connect(self.database.url) as connection:
            return connection.execute(statement, values).rowcount

    @contextmanager
    def nobody_writes(self, table: str) -> Iterator[None]:
        """Whoever writes to that table waits to the end of the block."""
        with psycopg.connect(self.database.url) as connection:
            connection.execute(f"LOCK TABLE {table} IN SHARE MODE")
            yield
            connection.rollback()

    def kill_who_waits_for_a_lock(self) -> str:
        """Kill the part that waits for a lock, as soon as one does; gives its name. What it waits for is not done."""
        port = until(lambda: self.ask(WAITING_FOR_A_LOCK), "somebody waits for the lock")[0][0]
        for name, part in self.stack.parts.items():
            for process in family(part):
                if any(each.laddr.port == port for each in process.net_connections("tcp")):
                    self.stack.kill(name)
                    # The server would notice only after the statement that it has begun.
                    self.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = %s", port)
                    return name
        raise AssertionError(f"no part of the stack has a connection from port {port}")

    def all_are_told(self) -> None:
        """Wait until no notice and no mail is under way: who is killed then leaves none that may have gone out."""
        for what in ("notices", "deliveries"):
            until(lambda what=what: not self.ask(OVERDUE[what]), f"no {what} are under way")

    def is_well(self, seconds: float = PATIENCE) -> None:
        """Fails unless, within these seconds, nothing is left to be done and every mail came once."""
        for what, query in OVERDUE.items():
            began = time.monotonic()
            while left := self.ask(query):
                assert time.monotonic() - began < seconds, f"{what}: {left}"
                time.sleep(0.1)
        for what, query in LOST.items():
            assert (lost := self.ask(query)) == [], f"{what}: {lost}"
        mails = Counter(str(mail["Message-ID"]) for mail in self.box.mails)
        twice = [name for name, times in mails.items() if times > 1]
        assert twice == [], f"mails that came twice: {twice}"
        sent = len(self.ask(MAILED))
        assert len(mails) == sent, f"{len(mails)} mails came, {sent} were sent"


def family(part: Part) -> list[psutil.Process]:
    """The part's process and all below it."""
    process = psutil.Process(part.process.pid)
    return [process, *process.children(recursive=True)]


@contextmanager
def standing_still(*parts: Part) -> Iterator[None]:
    """These parts do nothing to the end of the block, and do not know it. Killed ones stay so."""
    try:
        for part in parts:
            os.killpg(part.process.pid, signal.SIGSTOP)
        yield
    finally:
        for part in parts:
            if part.runs:
                os.killpg(part.process.pid, signal.SIGCONT)


def next_turn(player: Client, key: str) -> dict[str, Any]:
    """The player's first legal turn, to be posted."""
    choices, moves = player.get(f"/matches/{key}/choices/"), []
    turn = {"decision": choices["decision"], "moves": moves}
    while choices:
        moves.append(choices["moves"][0])
        choices = player.post(f"/matches/{key}/turns/", {**turn, "dry_run": True})["choices"]
    return turn


def insist(player: Client, key: str, turn: dict[str, Any]) -> Any:
    """Post a turn as an honest client does when there is no answer, or one that is no answer: again."""

    def answer() -> Any:
        try:
            return player.post(f"/matches/{key}/turns/", turn)
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise AssertionError(f"{error.code} {error.read().decode()}") from error
        except OSError:
            pass
        return None

    return until(answer, "the turn has an answer")


class Posting(threading.Thread):
    """Posts a turn once, beside the test. `broke` is what came instead of an answer."""

    def __init__(self, player: Client, key: str, turn: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.player, self.key, self.turn = player, key, turn
        self.answer: Any = None
        self.broke: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = self.player.post(f"/matches/{self.key}/turns/", self.turn)
        except Exception as error:
            self.broke = error


def mover(players: list[Client], key: str) -> Client:
    """The one of these that a match waits for, as soon as it does."""

    def found() -> Client | None:
        return next((player for player in players if my_turn(until_answered(player, key))), None)

    return until(found, "the match waits for somebody")


def play_on(players: list[Client], key: str, turns: int) -> list[tuple[int, dict[str, Any]]]:
    """Take that many turns of a match, whoever's they are; gives what was taken, with the number it was given."""
    taken = []
    for _ in range(turns):
        player = mover(players, key)
        turn = next_turn(player, key)
        taken.append((insist(player, key, turn)["number"], turn))
    return taken


def until_answered(player: Client, key: str) -> Any:
    """The match as soon as it can be read."""

    def read() -> Any:
        try:
            return player.match(key)
        except OSError:
            return None

    return until(read, "the match can be read")


def match_of_two(ann: Client, bob: Client) -> str:
    """A match of Ann and Bob that has been dealt."""
    key = ann.post("/matches/", {"game": "trans-america", "seats": 2})["key"]
    bob.post(f"/matches/{key}/join/", {})
    ann.wait_for(key, lambda match: match["version"] > 0, 30)
    return key


def turns_of(site: Site, key: str) -> list[tuple[Any, ...]]:
    """(seat, decision, number) of all turns of players in a match."""
    return site.ask(
        """SELECT t.seat, t.decision, t.number FROM games_turn t JOIN games_match m ON m.id = t.match_id
            WHERE m.key = %s AND t.kind = 'turn' ORDER BY t.number""",
        key,
    )


def all_stand_once(site: Site, key: str, taken: list[tuple[int, dict[str, Any]]]) -> None:
    """Fails unless every turn that was answered is in the record, at the place it was told, and no other is twice."""
    record = turns_of(site, key)
    assert len({(seat, decision) for seat, decision, _number in record}) == len(record)
    numbers = [number for number, _turn in taken]
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= {number for _seat, _decision, number in record}


@contextmanager
def breakable_site(settings: dict[str, str] | None = None) -> Iterator[Site]:
    """A site with Ann and Bob, whose parts and servers, that for mails included, all belong to the tests.

    At the end the record of each of its matches must give the match.
    """
    with ExitStack() as context:
        home = Path(context.enter_context(processes.temporary_directory("faults")))
        home.chmod(0o755)  # the way to its data for PostgreSQL, where that has a user of its own
        (home / "postgres").mkdir()
        database = context.enter_context(processes.postgres_server(home / "postgres"))
        migrated.fill(database.url)
        redis = context.enter_context(processes.redis_server())
        box = context.enter_context(mailbox())
        words = {**SETTINGS, "EMAIL_URL": box.url, **(settings or {})}
        stack = context.enter_context(processes.stack(database.url, f"{redis.url}/0", words, home=home))
        stack.manage("shell", "--verbosity", "0", "-c", PEOPLE)
        yield Site(stack, database, redis, box)
        stack.manage("verify_match", "--all")
