"""`manage.py play`: the whole site in this process, with demo accounts and a running match, for one computer.

It serves the loopback address only. The production stack is started otherwise (docs/operations.md).
"""

import contextlib
import os
import socket
import warnings
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from games import demo

HOST = "127.0.0.1"
SECONDS_TO_FINISH = 2
"""How long requests and sockets may take to end after Ctrl-C."""


class Command(BaseCommand):
    help = "Set up everything that is missing and serve the site on this computer."
    requires_system_checks: list[str] = []  # `migrate` checks, and checking twice takes a second

    def add_arguments(self, parser: ArgumentParser) -> None:
        # manage.py puts both into the environment before the settings are read.
        parser.add_argument("--port", type=int, default=8000, help="the port to serve on (8000)")
        parser.add_argument("--data-dir", default="", help="where database, uploads and mails are kept (./data)")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        if settings.PRODUCTION or not settings.EMBEDDED:
            raise CommandError(
                _(
                    "`play` is one process without services: unset BRANCHLINE_HOSTS and REDIS_URL, "
                    "or start the production stack as docs/operations.md describes."
                )
            )
        if not 0 < port < 65536:
            raise CommandError(_("A port is a number from 1 to 65535."))
        # Static files are read by one thread each, as whitenoise does everywhere; under ASGI Django remarks on it.
        warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
        with only_process(settings.DATA_DIR), listening(port) as listener:
            settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # its absence is worth a warning in production only
            try:
                call_command("migrate", interactive=False, verbosity=0)
            except DatabaseError as error:
                raise CommandError(
                    _("The database in %(place)s cannot be used (%(reason)s). Choose another place with --data-dir.")
                    % {"place": settings.DATA_DIR, "reason": error}
                ) from error
            self.greet(port, demo.prepare())
            server = uvicorn.Server(
                uvicorn.Config(
                    "config.asgi:application",
                    lifespan="on",
                    log_config=None,
                    access_log=False,
                    proxy_headers=False,  # there is none before it, so whoever names another address makes it up
                    timeout_graceful_shutdown=SECONDS_TO_FINISH,
                )
            )
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listener])
            self.stdout.write("\n" + _("Stopped. Everything is kept for the next time."))

    def greet(self, port: int, logins: list[tuple[str, str]]) -> None:
        """Say where the site is, who can log in, and where the data lies."""
        address = self.style.SUCCESS(f"http://{HOST}:{port}/")
        lines = [
            "",
            "  Branchline",
            "",
            "  {}  {}".format(_("Site").ljust(12), address),
            "  {}  {}".format(_("Mails").ljust(12), f"http://{HOST}:{port}/dev/mail"),
            "  {}  {}".format(_("Data").ljust(12), settings.DATA_DIR),
        ]
        for number, (name, password) in enumerate(logins):
            label = _("Log in as") if number == 0 else ""
            lines.append(
                "  {}  {}".format(
                    label.ljust(12), _("%(name)s, password %(password)s") % {"name": name, "password": password}
                )
            )
        lines += ["", "  " + _("Ctrl-C stops it."), ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


@contextlib.contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """A socket that holds the port, so that nobody is told an address at which something else answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if os.name != "nt":  # there it would allow two servers on one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen(2048)
        except (OSError, OverflowError) as error:
            raise CommandError(
                _("Port %(port)d cannot be used here (%(reason)s). Choose another one, for example: --port %(other)d")
                % {"port": port, "reason": getattr(error, "strerror", None) or error, "other": free_port_near(port)}
            ) from error
        yield listener


def free_port_near(port: int) -> int:
    """A port that is free at the moment: one of the next twenty when possible."""
    for candidate in [*range(port + 1, port + 21), 0]:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe, contextlib.suppress(OSError, OverflowError):
            probe.bind((HOST, candidate))
            return int(probe.getsockname()[1])
    return 0


@contextlib.contextmanager
def only_process(data_dir: Path) -> Iterator[None]:
    """Hold the data directory: the embedded mode has its workers in the process, and two would not know each other.

    The lock ends with the process, however that ends. Windows has no such lock.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "play.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CommandError(
                _("Branchline already runs on the data in %(place)s. Stop it there, or choose another --data-dir.")
                % {"place": data_dir}
            ) from error
        yield
