"""The embedded mode: web server, background work and live socket in one process, without a service beside it.

Here are the parts that only this mode needs: a channel layer that other threads may send through, and workers that
live and end with the ASGI server. What the work is stands in `games/tasks/`. Not for production: messages wait
in memory, so whatever must survive a kill is a row in the database, and the sweep finds it there.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from celery import Celery
from celery.beat import Scheduler, Service
from celery.bootsteps import RUN  # type: ignore[attr-defined]  # celery-types knows no constants
from celery.worker import WorkController, state
from celery.worker.consumer import Consumer
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.conf import settings

from config.celery import make_app

log = logging.getLogger(__name__)

WORKERS = {
    "house": ["house", "clocks", "ratings"],
    "notices": ["notices"],  # of its own, so that a slow mail server never delays a deal ...
    "opponents": ["timeouts", "opponents"],  # ... nor an opponent that thinks long
}
"""The worker threads and the queues that each of them serves."""
WATCH_SECONDS = 0.2
"""How often a worker looks whether it has to end."""
STOP: Any = 0
"""Celery's own word to its workers in this process: end, without an error."""
PAUSE_SECONDS = 1.0
"""How long a part that broke down stays down, so that a lasting fault does not fill the log."""


class ThreadSafeChannelLayer(InMemoryChannelLayer):
    """Channels' layer in memory, for senders in any thread.

    Its queues belong to the loop of the server, and a message put there from another thread would wake nobody. Once
    the server has said which loop is its own (`serve_in`), sends from elsewhere are carried over to it. Without a
    server (tests, other commands) a send ends in the sender's own loop, where hardly anybody listens: harmless.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._loop: asyncio.AbstractEventLoop | None = None

    def serve_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """The loop in which all consumers live; None when the server ends."""
        self._loop = loop

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        await self._in_the_servers_loop(super().send(channel, message))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self._in_the_servers_loop(super().group_send(group, message))

    async def _in_the_servers_loop(self, sending: Coroutine[Any, Any, None]) -> None:
        loop = self._loop
        if loop is None or loop is asyncio.get_running_loop() or not loop.is_running():
            await sending
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(sending, loop))


class Lifespan:
    """The ASGI lifespan of the site: starts the background work of the embedded mode, and ends it with the server."""

    def __init__(self, background: bool) -> None:
        self._background = Background() if background else None

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        layer = get_channel_layer()
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                if isinstance(layer, ThreadSafeChannelLayer):
                    layer.serve_in(asyncio.get_running_loop())
                if self._background:
                    self._background.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._background:
                    await asyncio.to_thread(self._background.stop)
                if isinstance(layer, ThreadSafeChannelLayer):
                    layer.serve_in(None)
                await send({"type": "lifespan.shutdown.complete"})
                return


class Background:
    """Celery's workers and its beat as threads of this process. They begin with one round of all that beat repeats."""

    def __init__(self) -> None:
        self._beat: Service | None = None
        self._parts: list[Steadfast] = []

    def start(self) -> None:
        """Start all threads; returns at once."""
        state.should_stop = None
        # Before the threads begin: the import of a task changes the tables of every app, which they go through.
        make_app().loader.import_default_modules()
        self._parts = [Steadfast(f"worker {name}", partial(self._work, name)) for name in WORKERS]
        self._parts.append(Steadfast("beat", self._keep_time))
        for part in self._parts:
            part.start()

    def stop(self, seconds: float = 3.0) -> None:
        """End all threads after the task each has in hand; one that takes longer ends with the process."""
        for part in self._parts:
            part.stopping.set()
        state.should_stop = STOP
        if self._beat:
            self._beat.stop()
        for part in self._parts:
            part.join(seconds / len(self._parts))

    def _work(self, name: str) -> None:
        app = make_app()  # an app each, since an app knows one set of queues to consume from
        app.set_current()
        worker = WorkController(
            app=app,
            hostname=f"{name}@embedded",
            queues=WORKERS[name],
            pool="solo",
            concurrency=1,
            consumer_cls=PromptConsumer,
            prefetch_multiplier=0,  # nobody else waits for these messages, so there is nothing to hold back for
            timer_precision=WATCH_SECONDS,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        worker.start()

    def _keep_time(self) -> None:
        app = make_app()
        app.set_current()
        self._do_once_what_beat_repeats(app)
        # The scheduler that keeps nothing in a file: how often the sweep ran before does not matter.
        self._beat = Service(app, max_interval=1, scheduler_cls=Scheduler)
        self._beat.start()

    @staticmethod
    def _do_once_what_beat_repeats(app: Celery) -> None:
        """Takes up at once what an earlier process left undone."""
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            app.send_task(entry["task"])


class PromptConsumer(Consumer):
    """Celery's consumer with its loop for brokers that cannot wake it, made to look for the end more often than 2 s."""

    @staticmethod
    def loop(consumer: Consumer, connection: Any, messages: Any, blueprint: Any, *unused: Any) -> None:
        messages.on_message = consumer.create_task_handler()
        messages.consume()
        consumer.on_ready()
        while blueprint.state == RUN:
            state.maybe_shutdown()
            consumer.perform_pending_operations()
            with contextlib.suppress(TimeoutError):
                connection.drain_events(timeout=WATCH_SECONDS)


class Steadfast(threading.Thread):
    """A thread that does `work` for ever: when it ends or breaks down before it should, that is logged and it resumes.

    `stopping` is the sign that it should end.
    """

    def __init__(self, name: str, work: Callable[[], None], pause: float = PAUSE_SECONDS) -> None:
        # A daemon: a task that never ends cannot keep the process from ending.
        super().__init__(name=name, daemon=True)
        self.stopping = threading.Event()
        self._work = work
        self._pause = pause

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                self._work()
            except Exception:
                log.exception("%s broke down", self.name)
            if not self.stopping.is_set():
                log.error("%s ended before it should and is started again", self.name)
                self.stopping.wait(self._pause)
