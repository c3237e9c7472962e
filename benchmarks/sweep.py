"""How long the sweeps and a person's own page take with 10,000 matches that are not over.

    python benchmarks/sweep.py [--matches 10000] [--over 20000] [--requests 200]

It starts PostgreSQL (with its promises to disk kept) and Redis, fills the database with matches (copies of one that was
really begun, a fifth of them still open, and finished ones beside them), and prints what one sweep of the clocks and of
the house takes while little is due, while a thousand reminders are, and what the page with one's own matches takes for
people who play in few and in many. Last a thousand times run out at once: what the sweep takes, which hands them to the
workers, and what the turns take that a worker's task then takes for those people, one after the other in this process.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from config import processes

SEATS = 4
PEOPLE = 2000
BUSY = (10, 60, 200)
"""How many matches each of the people plays in whose page is measured."""
SWEEPS = 20
TIME_OUTS = 1000
"""As many as one sweep takes up (games/tasks/clocks.py)."""
AT_ONCE = 2000
"""Rows that one statement writes: all their values together are fewer than PostgreSQL takes."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--over", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=200)
    args = parser.parse_args()
    with (
        processes.temporary_directory("sweep") as home,
        processes.postgres(durable=True) as database,
        processes.redis() as redis,
    ):
        os.environ.update(DATABASE_URL=database, REDIS_URL=f"{redis}/0", BRANCHLINE_DATA_DIR=str(home))
        (home / "static").mkdir()  # an empty place for collected files; its absence is worth a warning
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        busy = fill(args.matches, args.over)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        measure_sweeps()
        measure_pages(busy, args.requests)
        measure_time_outs()


def fill(matches: int, over: int) -> list[Any]:
    """Writes the rows; gives the people of `BUSY`."""
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from games import play
    from games.models import Match, Seat
    from games.rules.chance import new_seed

    users = get_user_model()
    people = users.objects.bulk_create([users(username=f"Person{number}") for number in range(PEOPLE)])
    busy = users.objects.bulk_create([users(username=f"Busy{number}") for number in BUSY])
    model = play.create_match(people[0], "trans-america", seats=SEATS, access="invited", invited=people[1:SEATS])
    for person in people[1:SEATS]:
        play.join_match(model.key, person)
    play.settle_match(model.key)
    model.refresh_from_db()
    seats = list(model.seats.all())
    facts = {"game": model.game, "revision": model.revision, "options": model.options, "seats_wanted": SEATS}
    facts |= {"pace": model.pace, "snapshot": bytes(model.snapshot or b""), "version": model.version}
    now = timezone.now()

    def row(number: int) -> Match:
        begun = now - timedelta(minutes=number % 10_000)
        status, times = "running", {"created": begun, "started": begun}
        if number >= matches:
            status, times = "over", {"created": begun, "started": begun, "ended": begun + timedelta(hours=1)}
        elif number % 5 == 0:
            status, times = "open", {"created": begun}
        return Match(status=status, creator=people[number % PEOPLE], seed=new_seed(), **facts, **times)

    for first in range(0, matches + over, 5000):
        numbers = range(first, min(first + 5000, matches + over))
        rows = Match.objects.bulk_create([row(number) for number in numbers], batch_size=AT_ONCE)
        places = []
        for number, match in zip(numbers, rows, strict=True):
            table = [people[(number * SEATS + each) % PEOPLE] for each in range(SEATS)]
            # The busy ones sit down at tables far from each other, so that what they read lies apart.
            for at, (person, many) in enumerate(zip(busy, BUSY, strict=True)):
                if number < matches and number % max(1, matches // many) == at:
                    table[at] = person
            for seat, person in zip(seats, table, strict=True):
                if match.status == "open" and seat.index == SEATS - 1:
                    continue
                place = Seat(match=match, index=seat.index, user=person, name=person.username)
                if match.status == "running" and seat.waiting:
                    place.waiting, place.decision = True, seat.decision
                    place.deadline = now + timedelta(hours=1 + number % 70)
                    place.remind_at = place.deadline - timedelta(minutes=30)
                if match.status == "over":
                    place.points, place.rank = 3 * seat.index, SEATS - seat.index
                places.append(place)
        Seat.objects.bulk_create(places, batch_size=AT_ONCE)
    running = Match.objects.filter(status="running").count()
    print(f"{os.cpu_count()} cores; {running} running, {Match.objects.filter(status='open').count()} open, {over} over")
    return busy


def measure_sweeps() -> None:
    """Sweeps while a handful is due, then one while a thousand people are to be reminded."""
    from django.utils import timezone

    from games.models import Match, Seat
    from games.tasks import clocks, house

    now = timezone.now()
    waiting = Seat.objects.filter(deadline__isnull=False).order_by("pk")
    late = list(waiting.values_list("pk", flat=True)[:5])
    Seat.objects.filter(pk__in=late).update(deadline=now - timedelta(minutes=1))
    idle = list(Match.objects.filter(status="running").order_by("-pk").values_list("pk", flat=True)[:5])
    Match.objects.filter(pk__in=idle).update(house_due=now - timedelta(minutes=1))
    for name, sweep in (("clock sweep", clocks.sweep), ("house sweep", house.sweep)):
        sweep()  # the first one opens connections
        shown(name, [seconds(sweep) for _ in range(SWEEPS)])
    due = list(waiting.values_list("pk", flat=True)[5:1005])
    Seat.objects.filter(pk__in=due).update(remind_at=now - timedelta(seconds=1))
    shown("clock sweep with 1000 reminders", [seconds(clocks.sweep)])


def measure_pages(busy: list[Any], requests: int) -> None:
    """The page with one's own matches, as a browser asks for it."""
    from django.test import Client
    from django.urls import reverse

    from games.models import Match

    address = reverse("departures")
    for person in busy:
        client = Client()
        client.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
        played = Match.objects.filter(seats__user=person, status__in=["open", "running"]).count()

        def ask(client: Client = client) -> None:
            assert client.get(address).status_code == 200

        for _ in range(3):
            ask()
        shown(f"own page, {played} matches", [seconds(ask) for _ in range(requests)])


def measure_time_outs() -> None:
    """A thousand seats whose times ran out in the same moment."""
    from django.utils import timezone

    from games.models import Seat, Turn
    from games.tasks import clocks

    now = timezone.now()
    waiting = Seat.objects.filter(deadline__gt=now).order_by("-pk")
    late = list(waiting.values_list("pk", "match__key", "index", "decision")[:TIME_OUTS])
    Seat.objects.filter(pk__in=[pk for pk, *_rest in late]).update(deadline=now - timedelta(minutes=1))
    shown(f"clock sweep with {TIME_OUTS} time-outs", [seconds(clocks.sweep)])
    before = Turn.objects.count()
    shown("turn at a time-out", [seconds(lambda seat=seat: clocks.play_for(*seat)) for _pk, *seat in late])
    assert Turn.objects.count() >= before + TIME_OUTS


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """What a call takes: seconds, and seconds of this process's processor."""
    began, worked = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - began, time.process_time() - worked


def shown(name: str, taken: list[tuple[float, float]]) -> None:
    times = [whole for whole, _worked in taken]
    p50 = statistics.median(times)
    p95 = statistics.quantiles(times, n=20)[18] if len(times) > 1 else times[0]
    worked = statistics.median(worked for _whole, worked in taken)
    figures = f"p50 {p50 * 1e3:7.1f} ms   p95 {p95 * 1e3:7.1f} ms   processor {worked * 1e3:7.1f} ms"
    print(f"{name:34} {figures}", flush=True)


if __name__ == "__main__":
    main()
