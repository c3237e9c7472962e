"""How many turns a second the production stack takes, beside what the bare transaction does on the same database.

    python benchmarks/turns.py [--clients 1 8 32] [--seconds 15]

It starts PostgreSQL (with its promises to disk kept), Redis, two web processes and a worker, lets clients submit real
turns of prepared four-player matches over HTTP with tokens, and then runs the same transaction with pgbench from as
many clients. What counts is the ratio: both figures come from one run on one machine. Last it prints what a turn costs
early and late in a match.

The clients know every turn beforehand, so that they cost little: the server has the machine almost to itself, as
pgbench's has.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from config import processes

MATCHES_A_CLIENT = 24
SEATS = 4
TURN_LIMIT = 50
"""Turns prepared for a match; more than a round has, so that the worker has to score and to deal as well."""

EARLY, LATE, AROUND = 5, 200, 3
"""Which turns of a match are compared, and how many on each side of them count as that turn."""

Plan = tuple[str, list[tuple[str, bytes]]]
"""Address of a match's turns, and for each turn its player's token and its body."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=15)
    args = parser.parse_args()
    with (
        processes.postgres(durable=True) as database,
        processes.redis() as redis,
        processes.stack(database, f"{redis}/0", workers=1) as stack,
    ):
        os.environ.update(DATABASE_URL=database, REDIS_URL=f"{redis}/0", BRANCHLINE_DATA_DIR=str(stack.home / "data"))
        import django

        django.setup()
        print(f"{os.cpu_count()} cores, {args.seconds:.0f} s each")
        print(f"{'clients':>8} {'turns/s':>9} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'bare/s':>8} {'ratio':>8}")
        for clients in args.clients:
            plans = [[prepare_match() for _ in range(MATCHES_A_CLIENT)] for _ in range(clients)]
            times, seconds = submit(stack.url, plans, args.seconds)
            rate = len(times) / seconds
            bare = bare_rate(database, clients, args.seconds)
            cuts = statistics.quantiles(times, n=100)
            shown = f"{clients:8} {rate:9.0f} {cuts[49] * 1e3:8.1f} {cuts[94] * 1e3:8.1f} {cuts[98] * 1e3:8.1f}"
            print(f"{shown} {bare:8.0f} {'1/%.1f' % (bare / rate) if bare else '-':>8}", flush=True)
        early_and_late(stack.url)


def prepare_match(seats: int = SEATS, most: int = TURN_LIMIT) -> Plan:
    """A running match of people, and its next turns, `most` at most, as they will be taken."""
    from django.contrib.auth import get_user_model
    from rest_framework.authtoken.models import Token

    from games import play
    from games.models import Match

    users = get_user_model()
    count = users.objects.count()
    people = users.objects.bulk_create([users(username=f"player{count + n}") for n in range(seats)])
    tokens = [Token.objects.create(user=user).key for user in people]
    match = play.create_match(people[0], "trans-america", seats=seats, access="invited", invited=people[1:])
    for user in people[1:]:
        play.join_match(match.key, user)
    play.settle_match(match.key)
    match = Match.objects.get(key=match.key)
    return f"/api/v1/matches/{match.key}/turns/", future_turns(match, tokens, most)


def future_turns(match: Any, tokens: list[str], most: int) -> list[tuple[str, bytes]]:
    """The turns that follow in a match, by easy opponents, the house's moves included in the reckoning."""
    import msgspec

    from games import record
    from games.rules.chance import Chance
    from games.rules.registry import GAMES

    game, state, number = GAMES[match.game], record.load_state(match), match.version
    decisions = {seat.index: seat.decision for seat in match.seats.all()}
    turns: list[tuple[str, bytes]] = []
    while game.result(state) is None and len(turns) < most:
        number += 1
        waiting = game.waiting_for(state)
        if not waiting:
            state = record.settle(game, state, bytes(match.seed), number)
            continue
        (seat,) = waiting
        moves = list(game.think(game.view(state, seat), "easy", Chance(bytes(32), number)))
        for move in moves:
            if seat in game.waiting_for(state):
                state = game.play(state, seat, move)
        body = {"decision": decisions[seat], "moves": msgspec.to_builtins(moves)}
        turns.append((tokens[seat], json.dumps(body).encode()))
        decisions[seat] += 1
    return turns


def submit(url: str, plans: list[list[Plan]], seconds: float) -> tuple[list[float], float]:
    """Let one client for each list of plans submit turns for so long; gives the time of each turn, and the whole time.

    The clients are threads of one process of their own, so that preparing and measuring do not share an interpreter.
    """
    with multiprocessing.get_context("fork").Pool(1) as pool:
        taken, spent = pool.apply(run_clients, (url, plans, seconds))
    return [time_of_turn for _end, time_of_turn in taken], spent


class Client:
    """A connection that is kept. As plain as can be: what it costs is taken from the server it measures."""

    def __init__(self, url: str) -> None:
        self.host = url.removeprefix("http://")
        name, port = self.host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=30)
        self.answers = self.socket.makefile("rb")

    def post(self, address: str, token: str, body: bytes) -> tuple[int, bytes, float]:
        """Status and body of the answer, and the seconds it took."""
        head = f"POST {address} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Token {token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        begun = time.monotonic()
        self.socket.sendall(head.encode() + body)
        status, size = int(self.answers.readline().split()[1]), 0
        while (line := self.answers.readline().lower()) != b"\r\n":
            if line.startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        text = self.answers.read(size)
        return status, text, time.monotonic() - begun


def run_clients(url: str, plans: list[list[Plan]], seconds: float) -> tuple[list[tuple[float, float]], float]:
    """As `submit`, in this process: of each turn when it was taken (`time.monotonic`) and its seconds."""
    times: list[tuple[float, float]] = []
    begun = time.monotonic()
    clients = [threading.Thread(target=_client, args=(url, mine, begun + seconds, times)) for mine in plans]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return times, time.monotonic() - begun


def _client(url: str, plans: list[Plan], until: float, times: list[tuple[float, float]]) -> None:
    """Submits the turns of its matches in turn. A turn that the house is not ready for is tried again later."""
    client = Client(url)
    queues = [(address, iter(turns)) for address, turns in plans]
    waiting: dict[str, tuple[str, bytes]] = {}
    while queues and time.monotonic() < until:
        for address, turns in list(queues):
            turn = waiting.pop(address, None) or next(turns, None)
            if turn is None:
                queues.remove((address, turns))
                continue
            status, text, spent = client.post(address, *turn)
            if status == 201:
                times.append((time.monotonic(), spent))
            elif status == 409 and json.loads(text)["code"] == "not-your-turn":
                waiting[address] = turn
                time.sleep(0.01)
            else:
                raise SystemExit(f"{address}: {status} {text.decode()}")
            if time.monotonic() > until:
                break
    if not queues:
        raise SystemExit("The prepared turns were used up: raise MATCHES_A_CLIENT.")


def bare_rate(database: str, clients: int, seconds: float) -> float | None:
    """Transactions a second of a turn's bare transaction in pgbench, on the tables as they are now."""
    from django.db import connection

    pgbench = next(
        (path / "pgbench" for path in processes.postgres_installations() if (path / "pgbench").exists()),
        shutil.which("pgbench"),
    )
    if pgbench is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT avg(length(snapshot))::int FROM games_match WHERE snapshot IS NOT NULL")
        size = cursor.fetchone()[0]
        cursor.execute("SELECT min(id), max(id) FROM games_match")
        first, last = cursor.fetchone()
        cursor.execute("SELECT min(id) FROM accounts_user")
        user = cursor.fetchone()[0]
    script = f"""
\\set match random({first}, {last})
\\set number random(1000000, 1000000000)
BEGIN;
SELECT * FROM games_match WHERE id = :match FOR UPDATE;
INSERT INTO games_turn (match_id, number, kind, seat, decision, moves, played, in_time, events, created)
    VALUES (:match, :number, 'turn', 0, :number, '[{{"type": "lay"}}]', 1, true, '[{{"code": "laid"}}]', now());
UPDATE games_match SET snapshot = convert_to(repeat('x', {size}), 'UTF8'), version = version + 1 WHERE id = :match;
UPDATE games_seat SET waiting = NOT waiting, decision = decision + 1, deadline = now()
    WHERE match_id = :match AND "index" < 2;
INSERT INTO games_notice (user_id, match_id, kind, decision, created, due)
    VALUES ({user}, :match, 'your-turn', :number, now(), now());
COMMIT;
"""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        threads = str(min(clients, 2))
        command = [pgbench, "-n", "-f", file.name, "-c", str(clients), "-j", threads, "-T", f"{seconds:.0f}", database]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with connection.cursor() as cursor:  # so that the next measurement finds what it would have found
        cursor.execute("DELETE FROM games_turn WHERE number >= 1000000")
        cursor.execute("DELETE FROM games_notice WHERE decision >= 1000000")
    return next(float(line.split()[2]) for line in said.splitlines() if line.startswith("tps"))


def early_and_late(url: str) -> None:
    """What a turn costs around turn 5 and around turn 200 of the same matches, submitted by one client.

    Only matches of two last so long; of those that are prepared, some do.
    """
    matches: list[Plan] = []
    while len(matches) < 4:
        plan = prepare_match(seats=2, most=LATE + AROUND)
        if len(plan[1]) == LATE + AROUND:
            matches.append(plan)
    spent: dict[int, list[float]] = {EARLY: [], LATE: []}
    for address, turns in matches:
        client = Client(url)
        for number, (token, body) in enumerate(turns, start=1):
            while True:
                status, _text, seconds = client.post(address, token, body)
                if status == 201:
                    break
                time.sleep(0.02)
            for about, times in spent.items():
                if abs(number - about) <= AROUND:
                    times.append(seconds)
    early, late = (statistics.median(times) * 1e3 for times in spent.values())
    print(f"around turn {EARLY}: p50 {early:.1f} ms; around turn {LATE}: p50 {late:.1f} ms; ratio {late / early:.2f}")


if __name__ == "__main__":
    main()
