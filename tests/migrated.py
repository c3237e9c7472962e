"""Databases with all tables and nothing in them: to migrate takes seconds, so a run does it once and copies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from config import processes

TEMPLATE = "branchline_template"
"""The name of the PostgreSQL database that is copied."""


def file(path: Path) -> None:
    """A migrated SQLite database at `path`."""
    made = settings.DATA_DIR / "template.sqlite3"
    _once(made.with_suffix(".made"), lambda: f"sqlite:///{made}")
    shutil.copyfile(made, path)


def template() -> str:
    """The name of a migrated database on the PostgreSQL server of the run, to be the template of others."""
    _once(settings.DATA_DIR / "template.made", lambda: processes.new_database(os.environ["DATABASE_URL"], TEMPLATE))
    return TEMPLATE


def fill(url: str) -> None:
    """The tables of `template` in an empty database of another PostgreSQL server."""
    programs, source = processes.postgres_installations()[0], os.environ["DATABASE_URL"]
    words = [programs / "pg_dump", "--dbname", f"{source.rpartition('/')[0]}/{template()}"]
    dump = subprocess.run(words, check=True, capture_output=True)
    subprocess.run([programs / "psql", "--quiet", "--dbname", url], input=dump.stdout, check=True, capture_output=True)


def _once(sign, make) -> None:
    """Migrates the database whose DATABASE_URL `make` gives, in one of the processes of the run; `sign` says it is."""
    import fcntl  # Windows has none, and no parallel run

    with sign.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not sign.exists():
            environment = processes.site_settings(
                {"DATABASE_URL": make(), "BRANCHLINE_DATA_DIR": str(settings.DATA_DIR), "SECRET_KEY": "migrates only"}
            )
            command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(command, cwd=processes.ROOT, env=environment, check=True)
            sign.touch()
