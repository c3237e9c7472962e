"""Whether a stream of notices with mails slows turns: turns a second without it and beside it, on the production stack.

    python benchmarks/mails.py [--rate 200] [--clients 8] [--seconds 3] [--pairs 24]

The stack is that of turns.py (PostgreSQL with its promises to disk kept, Redis, two web processes, workers) and a mail
server on the loopback address in a process of its own. Clients submit real turns as in turns.py, from the beginning to
the end without a break; meanwhile short rounds follow each other, in every second of which a writer puts so many
notices a second into the outbox, for people who want mails. They are routed, and the mails are made, each with its
board, and sent while turns are being taken.

What else the machine does changes from minute to minute, so a round is compared with the one beside it: a pair is a
round *alone* and one *beside* the mails, in alternating order. The middle one of all pairs' ratios counts, with the
interval that holds the true middle with 95 % certainty; where that is wider than the aim, more pairs are needed.
*noise* is the same for neighbours of the same kind: what two rounds differ by that should not differ.

A round's figures are taken between its ends, with the writer at work since PAUSE_SECONDS. *queued*: notices that became
deliveries then, a second; *lag*: from when a notice was written until it was routed; *sent*: mails that the server
took, a second. After a round the writer stops, and what it wrote is waited for and counted as well, the last batch
included. What was queued and not yet sent is forgotten before the next round: the workers that send run at a lower
priority (config/celery.py) and would go on in a round alone.
"""

import argparse
import math
import multiprocessing
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from multiprocessing.pool import AsyncResult
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.turns import TURN_LIMIT, Plan, prepare_match, run_clients
from config import processes

READERS = 2000
"""People who are told: so many that most mails are about one notice, as they mostly are."""
BOARDS = 8
"""Matches that they are told of."""
TICK_SECONDS = 0.1
PAUSE_SECONDS = 3.0
"""Before a round is measured: mails under way come to their end, or the stream of notices to its pace."""
SECONDS_TO_ROUTE = 20.0
"""How long what was written is waited for after a round."""
ORIGINALS = 32
"""Matches that are prepared; the others are copies of their rows."""
MOST_TURNS = 700
"""Turns a second for which matches are prepared."""


@dataclass
class Round:
    """Moments (`time.monotonic`) between which it was measured, and what was written, routed and sent in it."""

    name: str
    begin: float
    end: float
    queued: int = 0
    sent: int = 0
    written_in_all: int = 0
    queued_in_all: int = 0

    def rate(self, taken: Sequence[tuple[float, float]]) -> float:
        """Turns a second."""
        return len(self.times(taken)) / (self.end - self.begin)

    def times(self, taken: Sequence[tuple[float, float]]) -> list[float]:
        return [seconds for moment, seconds in taken if self.begin <= moment < self.end]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=int, default=200, help="notices a second")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=3, help="that a round is measured")
    parser.add_argument("--pairs", type=int, default=24, help="of a round of each kind")
    args = parser.parse_args()
    mails = multiprocessing.get_context("spawn").Value("L", 0)
    port = processes.free_port()
    server = multiprocessing.get_context("spawn").Process(target=serve_mail, args=(port, mails), daemon=True)
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
        readers, boards = prepare_readers()
        whole = args.pairs * (2 * (PAUSE_SECONDS + args.seconds) + SECONDS_TO_ROUTE / 4)
        plans = prepare_plans(args.clients, int(whole * MOST_TURNS / TURN_LIMIT / args.clients))
        print(f"{os.cpu_count()} cores, {args.clients} clients, rounds of {args.seconds:.0f} s, {args.rate} notices/s")
        rounds: list[Round] = []
        lags: list[float] = []
        with multiprocessing.get_context("fork").Pool(1) as pool:
            running = pool.apply_async(run_clients, (stack.url, plans, whole))
            for pair in range(args.pairs):
                for name in ("alone", "beside") if pair % 2 == 0 else ("beside", "alone"):
                    measured = measure(name, args.seconds, readers, boards, args.rate, mails, lags, running)
                    rounds.append(measured)
            taken, _spent = running.get()
        show(rounds, lags, taken)
        with writing(readers, boards, args.rate):
            time.sleep(PAUSE_SECONDS)
            before = mails.value
            time.sleep(args.seconds)
            print(f"mails sent when no turns are taken: {(mails.value - before) / args.seconds:.1f}/s")
    server.terminate()


def measure(
    name: str,
    seconds: float,
    readers: list[int],
    boards: list[int],
    rate: int,
    mails: Any,
    lags: list[float],
    running: "AsyncResult[Any]",
) -> Round:
    """One round while the clients are running; adds the lags of its notices, in seconds."""
    from django.utils import timezone

    from games.models import Delivery, Notice

    Delivery.objects.filter(done__isnull=True).update(done=timezone.now(), outcome=Delivery.Outcome.DROPPED)
    before = Notice.objects.order_by("pk").values_list("pk", flat=True).last()
    ours = Notice.objects.filter(kind=Notice.Kind.TIMED_OUT, pk__gt=before)
    with writing(readers, boards, rate if name == "beside" else 0) as written:
        time.sleep(PAUSE_SECONDS)
        measured, since, sent = Round(name, time.monotonic(), 0.0), timezone.now(), mails.value
        time.sleep(seconds)
        measured.end, until, measured.sent = time.monotonic(), timezone.now(), mails.value - sent
    if running.ready():
        raise SystemExit("The clients ended before the last round: they were prepared for less time.")
    waited_for(lambda: not ours.filter(done__isnull=True).exists())
    measured.queued = Delivery.objects.filter(notice__in=ours.filter(done__range=(since, until))).count()
    measured.written_in_all, measured.queued_in_all = written[0], Delivery.objects.filter(notice__in=ours).count()
    lags += [lag(*row) for row in ours.filter(done__isnull=False).values_list("created", "done")]
    return measured


def lag(created: datetime, done: datetime) -> float:
    return (done - created).total_seconds()


def waited_for(done: Callable[[], bool]) -> None:
    """Waits for it, but not for ever: what is missing then is seen in the counts."""
    deadline = time.monotonic() + SECONDS_TO_ROUTE
    while not done() and time.monotonic() < deadline:
        time.sleep(0.1)


def show(rounds: list[Round], lags: list[float], taken: list[tuple[float, float]]) -> None:
    print(f"{'':>8} {'turns/s':>9} {'p50 ms':>8} {'p95 ms':>8} {'queued/s':>9} {'sent/s':>8}")
    for each in rounds:
        cuts = statistics.quantiles(each.times(taken), n=100)
        spent = each.end - each.begin
        shown = f"{each.name:>8} {each.rate(taken):9.0f} {cuts[49] * 1e3:8.1f} {cuts[94] * 1e3:8.1f}"
        print(f"{shown} {each.queued / spent:9.0f} {each.sent / spent:8.1f}")
    for name in ("alone", "beside"):
        rates = [each.rate(taken) for each in rounds if each.name == name]
        print(f"{name:>8}: median {statistics.median(rates):.0f} turns/s, from {min(rates):.0f} to {max(rates):.0f}")
    couples = [sorted(pair, key=lambda each: each.name) for pair in zip(rounds[::2], rounds[1::2], strict=True)]
    print(
        f"  beside: {spread([beside.rate(taken) / alone.rate(taken) for alone, beside in couples])} of alone, by pairs"
    )
    same = [second.rate(taken) / first.rate(taken) for first, second in pairwise(rounds) if first.name == second.name]
    if same:
        print(f"   noise: {spread(same)} between neighbours of the same kind")
    told = [each for each in rounds if each.name == "beside"]
    written, queued = (sum(getattr(each, name) for each in told) for name in ("written_in_all", "queued_in_all"))
    rate = sum(each.queued for each in told) / sum(each.end - each.begin for each in told)
    print(f"  queued: {rate:.0f}/s over all rounds; {queued} of {written} written, the last batches included")
    cuts = statistics.quantiles(lags, n=100)
    print(f"     lag: p50 {cuts[49]:.2f} s, p95 {cuts[94]:.2f} s, longest {max(lags):.2f} s")


def spread(ratios: list[float]) -> str:
    """The middle one, where the middle of ever so many would be with 95 % certainty, and the extremes."""
    ordered, number = sorted(ratios), len(ratios)
    # By the binomial distribution: how many of the ratios may lie below the true median.
    below = (sum(math.comb(number, few) for few in range(most + 1)) / 2**number for most in range(number))
    passed_over = sum(chance <= 0.025 for chance in below)
    sure = f"{ordered[passed_over - 1]:.1%} to {ordered[-passed_over]:.1%}" if passed_over else "unknown"
    return f"median {statistics.median(ratios):.1%} (95 %: {sure}), all {ordered[0]:.1%} to {ordered[-1]:.1%}"


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


def prepare_plans(clients: int, matches: int) -> list[list[Plan]]:
    """So many matches for each client: a few that are prepared, and copies of them with the same turns to come."""
    originals = [prepare_match() for _ in range(min(ORIGINALS, clients * matches))]
    copies = [copies_of(plan, clients * matches // len(originals)) for plan in originals]
    plans = [plan for group in zip(*copies, strict=True) for plan in group]
    return [plans[client::clients] for client in range(clients)]


def copies_of(plan: Plan, number: int) -> list[Plan]:
    """Matches with the rows of the plan's match, under keys of their own."""
    from games.models import Match, Seat, Turn, new_key

    address, turns = plan
    original = Match.objects.get(key=address.split("/")[-3])
    matches = []
    for _ in range(number):
        match = Match.objects.get(pk=original.pk)
        match.pk, match.key = None, new_key()
        match._state.adding = True
        matches.append(match)
    made = Match.objects.bulk_create(matches)
    for model, rows in ((Seat, original.seats.all()), (Turn, original.turns.all())):
        copied = []
        for match in made:
            for row in rows.all():
                row.pk, row.match = None, match
                row._state.adding = True
                copied.append(row)
        model.objects.bulk_create(copied)
    return [(address.replace(original.key, match.key), turns) for match in made]


@contextmanager
def writing(readers: list[int], boards: list[int], rate: int) -> Iterator[list[int]]:
    """A writer of notices for the time of the block, none at rate 0; gives how many it has written, in a list."""
    stop, written = threading.Event(), [0]
    writer = threading.Thread(target=write_notices, args=(readers, boards, rate, stop, written))
    if rate:
        writer.start()
    try:
        yield written
    finally:
        stop.set()
        if rate:
            writer.join()


def write_notices(readers: list[int], boards: list[int], rate: int, stop: threading.Event, written: list[int]) -> None:
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
        now = timezone.now()
        Notice.objects.bulk_create(
            Notice(
                user_id=readers[at % len(readers)],
                match_id=boards[at % len(boards)],
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
    from tests.mailbox import mailbox

    with mailbox(port) as box:
        while True:
            time.sleep(0.2)
            taken.value = len(box.mails)


if __name__ == "__main__":
    main()
