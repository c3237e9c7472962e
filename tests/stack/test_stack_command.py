"""`manage.py stack`: the production stack on the bare machine, at one address."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from config.processes import HOST, ROOT, WORKERS, Part, accepts, free_port, running, site_settings, temporary_directory
from tests.stack.client import Client, live_socket, my_turn
from tests.stack.faults import until

pytestmark = pytest.mark.stack


@pytest.fixture
def home():
    with temporary_directory("stack-command") as place:
        place.chmod(0o711)  # the way for PostgreSQL, where that has a user of its own
        yield place / "site"


def stack(home, port):
    command = [sys.executable, "manage.py", "stack", "--port", str(port), "--data-dir", str(home), "--demo"]
    log = home.with_name("said")
    settings = site_settings({"BRANCHLINE_OPPONENT_PAUSE": "0"})
    return Part("stack", command, log, lambda part: "Ctrl-C" in part.said(), signal.SIGINT, settings)


def parts_of(said):
    """{name: pid} as it was printed."""
    return {name: int(pid) for name, pid in re.findall(r"^  ([\w-]+) +(\d+)  /", said, re.MULTILINE)}


def test_everything_runs_at_one_address_is_started_again_when_it_dies_and_is_kept_when_it_ends(home):
    port = free_port()
    url = f"http://{HOST}:{port}"
    with running(stack(home, port)) as site:
        parts = parts_of(site.said())
        assert set(parts) == {"postgres", "redis", "web", "live", *WORKERS, "beat", "relay"}
        web = psutil.Process(parts["web"])
        assert len([child for child in web.children() if "spawn" in " ".join(child.cmdline())]) >= 2, "two processes"
        ann = Client(url)
        key = ann.new_match("easy")
        ann.wait_for(key, my_turn, 60)
        with live_socket(url) as page:
            page.send(json.dumps({"watch": key}))
            version = json.loads(page.recv(timeout=30))["version"]
            ann.take_turn(key)
            assert json.loads(page.recv(timeout=30))["version"] == version + 1
        os.kill(parts["worker-all"], signal.SIGKILL)
        until(lambda: "worker-all" in site.said().partition("Ctrl-C")[2], "it is said that a part is started again")
        ann.wait_for(key, my_turn, 60)
        ann.take_turn(key)
        ann.wait_for(key, my_turn, 60)
        version = ann.match(key)["version"]
        site.process.send_signal(signal.SIGINT)
        assert site.process.wait(60) == 0
        assert not any(psutil.pid_exists(pid) for pid in parts.values())
        assert "Traceback" not in site.said()
    with running(stack(home, port)):
        assert Client(url).match(key)["version"] == version
    assert not accepts(port)


def test_a_port_that_is_taken_is_said():
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        command = [sys.executable, "manage.py", "stack", "--port", str(port)]
        done = subprocess.run(command, cwd=ROOT, env=site_settings({}), capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert "Traceback" not in done.stderr
