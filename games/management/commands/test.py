"""`manage.py test [pytest's arguments]`: the whole suite on SQLite, and again on real PostgreSQL and Redis.

pytest does the work and tests/conftest.py says which tests belong to which pass; here are the servers, the two runs
and the sum of them. BRANCHLINE_TEST_STRICT=1 turns every skipped test into a failure.
"""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import processes

MOST_PROCESSES = 4
ONE_PROCESS = ("--pdb", "-s", "--capture=no", "--collect-only", "--co", "-h", "--help")
"""Arguments of pytest that want it to run in one process."""
INTERRUPTED, NOTHING_RAN = 2, 5
"""pytest's exit codes for that."""


@dataclass
class Sum:
    """What the passes came to. `skipped` counts tests by reason."""

    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    code: int = 0


class Command(BaseCommand):
    help = "Run the tests with pytest on SQLite, PostgreSQL and Redis. Arguments are pytest's."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """All arguments belong to pytest, so Django does not look at them."""
        missing = [name for name in ("pytest", "pytest_django", "xdist") if importlib.util.find_spec(name) is None]
        try:
            if missing:
                raise CommandError(
                    f"This environment lacks {', '.join(missing)}: python3 -m pip install -r requirements-dev.txt"
                )
            sys.exit(self.run(argv[2:]))
        except CommandError as error:
            sys.exit(str(error))

    def run(self, arguments: list[str]) -> int:
        """Both passes and the closing lines; gives the exit code."""
        total = Sum()
        # Ctrl-C reaches pytest as well, which then ends in order; until it has, its servers are needed.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        with contextlib.ExitStack() as services:
            try:
                database = services.enter_context(processes.postgres())
                redis = services.enter_context(processes.redis())
            except processes.CouldNotStartError as error:
                self.one_pass("SQLite", arguments, {"PASS": "sqlite", "NO_SERVICES": str(error)}, {}, total)
            else:
                self.one_pass("SQLite", arguments, {"PASS": "sqlite"}, {}, total)
                if total.code == INTERRUPTED:
                    return self.close(total)
                urls = {"DATABASE_URL": database, "REDIS_URL": redis}
                self.one_pass("PostgreSQL and Redis", arguments, {"PASS": "services"}, urls, total)
        return self.close(total)

    def one_pass(
        self, name: str, arguments: list[str], test: Mapping[str, str], urls: Mapping[str, str], total: Sum
    ) -> None:
        """Run pytest once and add what it came to."""
        self.stdout.write(self.style.MIGRATE_HEADING(f"On {name}"))
        self.stdout.flush()
        with tempfile.TemporaryDirectory(prefix="branchline-report-") as place:
            report = Path(place, "report.json")
            environment = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
            environment |= {f"BRANCHLINE_TEST_{key}": value for key, value in test.items()}
            environment |= {"BRANCHLINE_TEST_REPORT": str(report), **urls}
            # Each of the many processes would compile all modules anew, which doubles what it takes to collect tests.
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            began = time.monotonic()
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *self.parallel(arguments), *arguments],
                cwd=settings.BASE_DIR,
                env=environment,
                check=False,
            )
            self.stdout.write(f"{time.monotonic() - began:.0f} s\n\n")
            counts: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {}
        total.passed += counts.get("passed", 0)
        total.failed += counts.get("failed", 0)
        total.skipped.update(counts.get("skipped", {}))
        # A pass in which no test was meant to run is no fault; that no pass ran any is, and `close` says so.
        total.code = total.code or (done.returncode if done.returncode != NOTHING_RAN else 0)

    def parallel(self, arguments: list[str]) -> list[str]:
        """Arguments for a run on all cores, unless one process is wanted. The person's own come later and win."""
        if any(argument in ONE_PROCESS for argument in arguments):
            return []
        # One more than cores: those that drive browsers or wait for servers leave theirs idle much of the time.
        count = min((os.cpu_count() or 1) + 1, MOST_PROCESSES)
        return ["-n", str(count), "--dist", "loadfile", "--no-loadscope-reorder"] if count > 1 else []

    def close(self, total: Sum) -> int:
        """The closing lines: why tests were skipped, then the counts alone on the last line."""
        for reason, count in total.skipped.most_common():
            self.stdout.write(f"Skipped {count}: {reason}")
        skipped = sum(total.skipped.values())
        self.stdout.write(f"{total.passed} passed, {total.failed} failed, {skipped} skipped")
        if total.failed or total.code:
            return total.code or 1
        return 0 if total.passed or skipped else NOTHING_RAN
