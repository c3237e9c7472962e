"""Messages that make things happen sooner: to the workers over Celery, to open pages over Channels.

All of them are sent after the transaction has committed, and any of them may be lost: what must happen is in the
database, and the sweep (`games/tasks/`) finds it there. So nothing here may fail loudly.
"""

import asyncio
import atexit
import functools
import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction

from config.celery import app
from games.models import Match, Seat

log = logging.getLogger(__name__)

DELIVERY_PAUSE_SECONDS = 0.25
"""How long notices gather before a worker delivers them. Open pages are told at once all the same."""
LAST_SECONDS = 1.0
"""How long a process that ends waits for messages to open pages."""

_next_delivery = 0.0
"""When the message that this process sent last will be taken up; what is committed before rides along."""


def match_group(key: str) -> str:
    """The group of all pages that show a match."""
    return f"match.{key}"


def user_group(user: int) -> str:
    """The group of all pages that a person has open."""
    return f"user.{user}"


def house_must_move(match: Match) -> None:
    """Wakes a worker for the house's move."""
    _after_commit(lambda: app.send_task("games.tasks.house.move_house", [match.key]))


def opponent_must_move(match: Match, seat: Seat) -> None:
    """Wakes a worker for a computer opponent, after the pause that lets people see what happened."""
    _after_commit(
        lambda: app.send_task(
            "games.tasks.house.move_opponent",
            [match.key, seat.index, seat.decision],
            countdown=settings.OPPONENT_PAUSE_SECONDS,
        )
    )


def ratings_are_due(match: Match) -> None:
    """Wakes a worker for the ratings of a match that is over."""
    _after_commit(lambda: app.send_task("games.tasks.ratings.rate_match", [match.key]))


def notices_are_due() -> None:
    """Wakes a worker for the outbox, in a moment: one message serves all notices that are written until then."""

    def send() -> None:
        global _next_delivery
        now = time.monotonic()
        if now >= _next_delivery:
            app.send_task("games.tasks.notices.deliver_notices", countdown=DELIVERY_PAUSE_SECONDS)
            _next_delivery = now + DELIVERY_PAUSE_SECONDS

    _after_commit(send)


def match_changed(match: Match) -> None:
    """Tells the pages that show the match."""
    _after_commit(
        lambda: _send((match_group(match.key), {"type": "match.changed", "match": match.key, "version": match.version}))
    )


def waiting_changed(users: Iterable[int]) -> None:
    """Tells people's open pages that the number of matches that wait for them is another."""
    listed = list(users)

    def send() -> None:
        _send(*((user_group(user), {"type": "waiting.changed"}) for user in listed))

    if listed:
        _after_commit(send)


def chat_changed(key: str, users: Iterable[int], message: int) -> None:
    """Tells the open pages of the people at a table that something was said or seen there, up to this message."""
    listed = list(users)

    def send() -> None:
        _send(*((user_group(user), {"type": "chat.changed", "match": key, "message": message}) for user in listed))

    if listed:
        _after_commit(send)


def notices_arrived(notices: Iterable[tuple[int, dict[str, str]]]) -> None:
    """Tells open pages what their people are to know: (person, {about, match, url, text}), in that person's words."""
    listed = list(notices)

    def send() -> None:
        _send(*((user_group(user), {"type": "notice.arrived", "notice": notice}) for user, notice in listed))

    if listed:
        _after_commit(send)


def sessions_ended(user: Any, **_signal: Any) -> None:
    """Has a person's open pages look whether they are still logged in, since some of them may not be."""
    group = user_group(user.pk)
    _after_commit(lambda: _send((group, {"type": "sessions.ended"})))


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """An event loop in a thread of its own, where messages to pages are sent without anybody waiting for it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="nudges", daemon=True)
    thread.start()
    atexit.register(_end, loop, thread)
    return loop


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    """Lets messages that are on their way go out, and ends the thread with the process.

    Python would cut it off wherever it is: in an extension written in Rust that takes the process down by SIGABRT.
    """

    async def rest() -> None:
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=LAST_SECONDS)
        loop.stop()

    asyncio.run_coroutine_threadsafe(rest(), loop)
    thread.join(2 * LAST_SECONDS)


def _send(*messages: tuple[str, dict[str, Any]]) -> None:
    """Sends each message to its group."""

    async def send() -> None:
        try:
            for group, message in messages:
                await get_channel_layer().group_send(group, message)
        except Exception:  # as below: an open page reads again by itself
            log.warning("A message to open pages was lost", exc_info=True)

    asyncio.run_coroutine_threadsafe(send(), _loop())


def _after_commit(send: Callable[[], object]) -> None:
    def send_quietly() -> None:
        try:
            send()
        except Exception:  # whatever the broker has: the turn is stored, and the sweep does the rest
            log.warning("A nudge was lost", exc_info=True)

    transaction.on_commit(send_quietly)
