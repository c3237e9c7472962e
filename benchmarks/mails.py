"""Whether a stream of notices with mails slows turns: turns a second without it and beside it, on the production stack.

    python benchmarks/mails.py [--rate 200] [--clients 8] [--seconds 15] [--rounds 2]

The stack is that of turns.py (PostgreSQL with its promises to disk kept, Redis, two web processes, workers) and a mail
server on the loopback address in a process of its own. Clients submit real turns as in turns.py; in every second
round a writer puts so many notices a second into the outbox beside them, for people who want mails. They are routed,
and the mails are made, each with its board, and sent while turns are being taken.

*queued*: notices that became deliveries; *sent*: mails that the server took, both a second. What was queued and not
yet sent goes out when the machine has time for it: the workers that send run at a lower priority (config/celery.py).
"""

import argparse
import multiprocessing
import os
import statistics
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.turns import MATCHES_A_CLIENT, prepare_match, submit
from config import processes
from tests.mailbox import mailbox

READERS = 2000
"""People who are told: so many that most mails are about one notice, as they mostly are."""
BOARDS = 8
"""Matches that they are told of."""
TICK_SECONDS = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=int, default=200, help="notices a second")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=2, help="of each kind")
    args = parser.parse_args()
    taken = multiprocessing.get_context("spawn").Value("L", 0)
    port = processes.free_port()
    server = multiprocessing.get_context("spawn").Process(target=serve_mail, args=(port, taken), daemon=True)
    server.start()
    settings = {"EMAIL_URL": f"smtp://{processes.HOST}:{port}"}
    with (
        processes.postgres(durable=True) as database,
        processes.redis() as redis,
        processes.stack(database, f"{redis}/0", settings) as stack,
    ):
        os.environ.update(DATABASE_URL=database, REDIS_URL=f"{redis}/0", BRANCHLINE_DATA_DIR=str(stack.home / "data"))
        import django

        django.setup()
        readers, matches = prepare_readers()
        print(f"{os.cpu_count()} cores, {args.clients} clients, {args.seconds:.0f} s each, {args.rate} notices/s")
        print(f"{'':>8} {'turns/s':>9} {'p50 ms':>8} {'p95 ms':>8} {'written/s':>10} {'queued/s':>9} {'sent/s':>8}")
        rates: dict[str, list[float]] = {"alone": [], "beside": []}
        for _round in range(args.rounds):
            for name, rate in (("alone", 0), ("beside", args.rate)):
                plans = [[prepare_match() for _ in range(MATCHES_A_CLIENT)] for _ in range(args.clients)]
                rates[name].append(measure(name, stack.url, plans, args.seconds, readers, matches, rate, taken))
        alone, beside = (statistics.mean(rates[name]) for name in rates)
        print(f"turns beside the mails: {beside / alone:.1%} of those alone")
        before = taken.value
        time.sleep(args.seconds)
        print(f"mails sent afterwards, when no turns are taken: {(taken.value - before) / args.seconds:.1f}/s")
    server.terminate()


def measure(
    name: str,
    url: str,
    plans: list[list[Any]],
    seconds: float,
    readers: list[int],
    matches: list[int],
    rate: int,
    taken: Any,
) -> float:
    """One round; gives the turns a second. What an earlier round left in the outboxes is forgotten first."""
    from django.utils import timezone

    from games.models import Delivery, Notice

    Notice.objects.filter(done__isnull=True).update(done=timezone.now())
    Delivery.objects.filter(done__isnull=True).update(done=timezone.now(), outcome="dropped")
    time.sleep(2)
    mails_before, deliveries_before, written = taken.value, Delivery.objects.count(), [0]
    stop = threading.Event()
    writer = threading.Thread(target=write_notices, args=(readers, matches, rate, stop, written))
    if rate:
        writer.start()
    times, spent = submit(url, plans, seconds)
    mails, deliveries = taken.value - mails_before, Delivery.objects.count() - deliveries_before
    stop.set()
    if rate:
        writer.join()
    cuts = statistics.quantiles(times, n=100)
    shown = f"{name:>8} {len(times) / spent:9.0f} {cuts[49] * 1e3:8.1f} {cuts[94] * 1e3:8.1f}"
    print(f"{shown} {written[0] / spent:10.0f} {deliveries / spent:9.0f} {mails / spent:8.1f}", flush=True)
    return len(times) / spent


def prepare_readers() -> tuple[list[int], list[int]]:
    """The keys of people with addresses, and of matches that have boards."""
    from django.contrib.auth import get_user_model

    from games.models import Match

    users = get_user_model()
    people = [users(username=f"reader{n}", email=f"reader{n}@example.org") for n in range(READERS)]
    made = users.objects.bulk_create(people)
    for _board in range(BOARDS):
        prepare_match(most=1)
    return [user.pk for user in made], list(Match.objects.values_list("pk", flat=True)[:BOARDS])


def write_notices(readers: list[int], matches: list[int], rate: int, stop: threading.Event, written: list[int]) -> None:
    """Puts notices into the outbox at an even rate, as play.py does, and wakes the workers as nudges.py does.

    They are of a kind that stays true, so that every one of them is a mail.
    """
    from django.db import connection
    from django.utils import timezone

    from games import nudges
    from games.models import Notice

    begun, number = time.monotonic(), 0
    while not stop.wait(TICK_SECONDS):
        due = int((time.monotonic() - begun) * rate)
        now = timezone.now() - timedelta(milliseconds=1)
        Notice.objects.bulk_create(
            Notice(
                user_id=readers[at % len(readers)],
                match_id=matches[at % len(matches)],
                kind=Notice.Kind.TIMED_OUT,
                decision=time.time_ns() // 1000 + at,
                created=now,
                due=now,
            )
            for at in range(number, due)
        )
        nudges.notices_are_due()
        number = written[0] = due
    connection.close()


def serve_mail(port: int, taken: Any) -> None:
    """The mail server: it counts what it takes and forgets it."""
    with mailbox(port) as box:
        while True:
            time.sleep(0.2)
            taken.value = len(box.mails)


if __name__ == "__main__":
    main()
