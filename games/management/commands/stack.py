"""`manage.py stack`: the whole production stack on this computer, without a container engine.

PostgreSQL, Redis, two web processes, the live socket, two workers and beat, and a relay that makes one address of them.
What ends by itself is started again, as the restart policy of docker/compose.yaml does it. Plain HTTP on the loopback
address: for trying and for proving, not for people elsewhere (docs/operations.md).
"""

import contextlib
import os
import signal
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config import processes

WATCH_SECONDS = 1.0
OF_THE_STACK = ("BRANCHLINE_HOSTS", "BRANCHLINE_DATA_DIR", "BRANCHLINE_URL")
"""Settings that the stack decides itself."""


class Command(BaseCommand):
    help = "Start PostgreSQL, Redis and all processes of the production stack on this computer."
    requires_system_checks: list[str] = []  # `migrate` checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8080, help="the port to serve on (8080)")
        parser.add_argument("--data-dir", default="", help="where everything is kept; without it nothing is")
        parser.add_argument("--demo", action="store_true", help="make the demo accounts and matches of `play`")

    def handle(self, *args: Any, port: int, data_dir: str, demo: bool, **options: Any) -> None:
        if not 0 < port < 65536:
            raise CommandError(_("A port is a number from 1 to 65535."))
        if processes.accepts(port):
            raise CommandError(_("Something else answers at port %(port)d: choose another one.") % {"port": port})
        # From here on Ctrl-C and SIGTERM both end the block below in order.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as context:
            try:
                self.run(port, data_dir, demo, context)
            except (processes.CouldNotStartError, OSError) as error:
                raise CommandError(str(error)) from error
        self.stdout.write("\n" + (_("Stopped. Everything is kept for the next time.") if data_dir else _("Stopped.")))

    def run(self, port: int, data_dir: str, demo: bool, context: contextlib.ExitStack) -> None:
        """Start everything, say so, and watch over it until Ctrl-C."""
        home = Path(data_dir).resolve() if data_dir else context.enter_context(processes.temporary_directory("stack"))
        (home / "postgres").mkdir(parents=True, exist_ok=True)
        home.chmod(home.stat().st_mode | 0o011)  # the way to its data for PostgreSQL, where that has a user of its own
        database = context.enter_context(processes.postgres_server(home / "postgres"))
        redis = context.enter_context(processes.redis_server())
        mine = {
            name: value
            for name, value in os.environ.items()
            if name == "EMAIL_URL" or (name.startswith("BRANCHLINE_") and name not in OF_THE_STACK)
        }
        stack = context.enter_context(
            processes.stack(database.url, f"{redis.url}/0", mine, home=home, port=port),
        )
        if demo:
            stack.manage("shell", "--verbosity", "0", "-c", "from games.demo import prepare; prepare()")
        parts = {"postgres": database.part, "redis": redis.part, **stack.parts}
        self.greet(stack.url, parts)
        while True:
            time.sleep(WATCH_SECONDS)
            for name in processes.revive(parts):
                self.stdout.write(_("%(part)s ended and is started again.") % {"part": name})
                self.stdout.flush()

    def greet(self, url: str, parts: dict[str, processes.Part]) -> None:
        """Say where the site is, what runs, and where each part writes what it has to say."""
        lines = ["", f"  {self.style.SUCCESS(url + '/')}", ""]
        lines += [f"  {name.ljust(13)} {str(part.process.pid).rjust(7)}  {part.log}" for name, part in parts.items()]
        lines += ["", "  " + _("Ctrl-C stops it."), ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()
