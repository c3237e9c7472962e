"""Back-up and restore on real PostgreSQL, by the scripts and with the programs that docs/operations.md names."""

import os
import subprocess
import sys

import psycopg
import pytest

from config import processes
from tests import migrated

pytestmark = pytest.mark.stack

PLAY = """
from games import demo
from games.models import Match
from tests.matches import settled, take_some_turn
demo.prepare()
for match in Match.objects.filter(status="running"):
    match = settled(match)
    for _ in range(8):
        if match.status == "running":
            match = take_some_turn(match)
"""


class Installation:
    """A site without processes: its database, its data directory and its commands."""

    def __init__(self, place):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        self.name = f"branchline_backup_{worker}"
        self.url = processes.new_database(os.environ["DATABASE_URL"], self.name, migrated.template())
        self.data, self.backups = place / "data", place / "backups"
        self.media = self.data / "media"
        self.settings = processes.site_settings({"DATABASE_URL": self.url, "BRANCHLINE_DATA_DIR": str(self.data)})

    def manage(self, *command):
        return self.run(sys.executable, "manage.py", *command).stdout

    def run(self, *command, check=True):
        programs = processes.postgres_installations()[0]
        environment = {
            **self.settings,
            "MEDIA_DIR": str(self.media),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        }
        return subprocess.run(
            command, cwd=processes.ROOT, env=environment, check=check, capture_output=True, text=True, timeout=300
        )

    def back_up(self):
        return self.run("sh", "docker/backup.sh", str(self.backups)).stdout.strip()

    def restore(self, backup, check=True):
        return self.run("sh", "docker/restore.sh", str(backup), check=check)

    def facts(self):
        """Everything that is in the database, as one text."""
        with psycopg.connect(self.url) as connection:
            tables = connection.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name"
            ).fetchall()
            return {
                table: connection.execute(
                    f"SELECT md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM \"{table}\" t"
                ).fetchone()[0]
                for (table,) in tables
            }


@pytest.fixture
def site(tmp_path):
    return Installation(tmp_path)


def test_a_site_that_lost_everything_is_as_it_was_when_it_was_backed_up(site):
    site.manage("shell", "-c", PLAY)
    picture = site.media / "avatars" / "ann.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    before = site.facts()
    backup = site.back_up()

    # What is played later is lost; so is what a newer version of the site may have added.
    site.manage("shell", "-c", PLAY)
    picture.write_bytes(b"another picture")
    picture.with_name("bob.webp").touch()
    with psycopg.connect(site.url) as connection:
        connection.execute("CREATE TABLE games_newer (id int)")
    site.restore(backup)
    assert site.facts() == before
    assert [path.name for path in picture.parent.iterdir()] == ["ann.webp"]
    assert picture.read_bytes() == b"a picture"

    # The disk is gone, and with it the database.
    processes.new_database(os.environ["DATABASE_URL"], site.name)
    picture.unlink()
    site.restore(backup)
    assert site.facts() == before
    assert picture.read_bytes() == b"a picture"
    assert "as its record says" in site.manage("verify_match", "--all")

    # And it goes on from there.
    site.manage("migrate", "--check")
    site.manage("shell", "-c", PLAY)
    site.manage("verify_match", "--all")
    assert site.facts() != before
    site.restore(backup)
    assert site.facts() == before


def test_a_back_up_that_was_not_finished_is_refused_and_one_that_is_broken_changes_nothing(site, tmp_path):
    before = site.facts()
    backup = site.back_up()
    unfinished = tmp_path / "20260101T000000Z.unfinished"
    unfinished.mkdir()
    (unfinished / "database.dump").touch()
    refused = site.restore(unfinished, check=False)
    assert (refused.returncode, refused.stderr.strip()) == (1, f"{unfinished} was not finished")
    assert site.restore(tmp_path, check=False).returncode == 1
    dump = tmp_path / "broken" / "database.dump"
    dump.parent.mkdir()
    whole = (site.backups / backup / "database.dump").read_bytes()
    dump.write_bytes(whole[: len(whole) // 2])
    assert site.restore(dump.parent, check=False).returncode != 0
    assert site.facts() == before


def test_a_database_that_is_away_leaves_no_back_up_that_looks_like_one(site):
    site.settings["DATABASE_URL"] = f"postgres://branchline@{processes.HOST}:{processes.free_port()}/branchline"
    assert site.run("sh", "docker/backup.sh", str(site.backups), check=False).returncode != 0
    assert [path.suffix for path in site.backups.iterdir()] == [".unfinished"]
