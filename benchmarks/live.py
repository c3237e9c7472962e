"""How soon an open page hears of a turn on the production stack.

    python benchmarks/live.py [--pages 200] [--rate 20] [--seconds 15]

It starts PostgreSQL (durable), Redis, two web processes, the live socket and a worker, opens the sockets of `pages`
people who are logged in and look at their matches of four, lets one client take turns at `rate` a second, and measures
how long after the request was sent each of the other three pages has its message. That is an upper bound of the time
from the commit, which comes later than the request. The aim: p95 under 100 ms with 200 pages.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.turns import SEATS, Client, Plan, prepare_match
from config import processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=15)
    args = parser.parse_args()
    with (
        processes.postgres(durable=True) as database,
        processes.redis() as redis,
        processes.stack(database, f"{redis}/0", workers=1) as stack,
    ):
        os.environ.update(stack.settings)
        import django

        django.setup()
        plans = [prepare_match() for _ in range(args.pages // SEATS)]
        pages = [(key_of(plan), cookie) for plan in plans for cookie in cookies_of(plan)]
        waits = asyncio.run(measure(stack, plans, pages, args.rate, args.seconds))
    cuts = statistics.quantiles(waits, n=100)
    print(f"{len(pages)} pages, {args.rate:.0f} turns a second, {len(waits)} messages")
    print(f"from the request to the message: p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, p99 {cuts[98]:.1f} ms")


def key_of(plan: Plan) -> str:
    return plan[0].split("/")[4]


def cookies_of(plan: Plan) -> list[str]:
    """A session's cookie for each person at the match."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.cached_db import SessionStore

    from games.models import Seat

    cookies = []
    for seat in Seat.objects.filter(match__key=key_of(plan)).select_related("user"):
        session = SessionStore()
        assert seat.user
        session[SESSION_KEY] = str(seat.user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = seat.user.get_session_auth_hash()
        session.save()
        cookies.append(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
    return cookies


async def measure(
    stack: processes.Stack, plans: list[Plan], pages: list[tuple[str, str]], rate: float, seconds: float
) -> list[float]:
    """Milliseconds from each request to each message at a page of its match."""
    from websockets.asyncio.client import connect

    sent: dict[tuple[str, int], float] = {}
    heard: list[tuple[str, int, float]] = []

    async def page(key: str, cookie: str, open_pages: asyncio.Semaphore) -> None:
        address = f"{stack.live_url.replace('http', 'ws', 1)}/ws/"
        async with connect(address, origin=stack.live_url, additional_headers={"Cookie": cookie}) as line:  # type: ignore[arg-type]
            await line.send(json.dumps({"watch": key}))
            async for text in line:
                message = json.loads(text)
                if message["kind"] == "match":
                    heard.append((key, message["version"], time.monotonic()))
                    open_pages.release()

    opened = asyncio.Semaphore(0)
    listening = [asyncio.create_task(page(key, cookie, opened)) for key, cookie in pages]
    for _page in listening:  # each hears the version of its match once
        await opened.acquire()
    heard.clear()

    def take_turns() -> None:
        client = Client(stack.url)
        queues = [(key_of(plan), plan[0], iter(plan[1])) for plan in plans]
        begun = time.monotonic()
        taken = 0
        while time.monotonic() - begun < seconds:
            key, address, turns = queues[taken % len(queues)]
            pause = begun + taken / rate - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            at = time.monotonic()
            turn: Any = next(turns)
            status, text, _spent = client.post(address, *turn)
            if status != 201:
                raise SystemExit(f"{address}: {status} {text.decode()}")
            sent[key, json.loads(text)["number"]] = at
            taken += 1

    await asyncio.to_thread(take_turns)
    await asyncio.sleep(1)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    waits = [(at - sent[key, version]) * 1e3 for key, version, at in heard if (key, version) in sent]
    missing = len(sent) * SEATS - len(waits)
    if missing:
        raise SystemExit(f"{missing} messages did not come.")
    return waits


if __name__ == "__main__":
    main()
