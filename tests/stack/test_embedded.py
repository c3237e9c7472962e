"""The whole site in one process, as `manage.py play` starts it."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import pytest
from asgiref.sync import async_to_sync

from config.embedded import Steadfast, ThreadSafeChannelLayer
from config.processes import ROOT, embedded_site, free_port, site_settings
from tests.stack.client import Client, live_socket, my_turn

SOONER_THAN_THE_SWEEP = 2.0
"""Seconds. A match that lost its message waits for the sweep, which leaves it alone for at least this long."""


def play(*arguments):
    """Run `manage.py play` to its end; gives its exit code and all it said."""
    command = [sys.executable, "manage.py", "play", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=site_settings({}), capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def test_the_house_deals_and_opponents_move_as_soon_as_a_request_has_nudged_them(embedded_site):
    ann = Client(embedded_site)
    key = ann.new_match("easy", "medium")
    dealt = ann.wait_for(key, lambda match: match["version"] >= 1, SOONER_THAN_THE_SWEEP)
    ann.wait_for(key, my_turn)
    before = ann.match(key)["version"]
    ann.take_turn(key)
    answered = ann.wait_for(key, my_turn, SOONER_THAN_THE_SWEEP)
    assert ann.match(key)["version"] >= before + 3  # mine and theirs
    print(f"dealt {dealt * 1000:.0f} ms after the request, two opponents moved after {answered * 1000:.0f} ms")


def test_opponents_pause_before_they_move(site_data):
    with embedded_site(site_data, {"BRANCHLINE_OPPONENT_PAUSE": "1", "BRANCHLINE_SWEEP_SECONDS": "600"}) as site:
        ann = Client(site.url)
        key = ann.new_match("easy")
        ann.wait_for(key, my_turn)
        ann.take_turn(key)
        assert 0.9 < ann.wait_for(key, my_turn) < 1 + SOONER_THAN_THE_SWEEP


def test_an_open_page_hears_of_a_move_that_a_worker_made(embedded_site):
    ann = Client(embedded_site)
    key = ann.new_match("easy", "easy")
    ann.wait_for(key, my_turn)
    version = ann.match(key)["version"]
    with live_socket(embedded_site) as page:
        page.send(json.dumps({"watch": key}))
        assert json.loads(page.recv(timeout=5)) == {"kind": "match", "match": key, "version": version}
        ann.take_turn(key)
        told = [json.loads(page.recv(timeout=SOONER_THAN_THE_SWEEP))["version"] for _ in range(3)]
    assert told == [version + 1, version + 2, version + 3]


def test_data_is_kept_over_a_restart_and_what_a_killed_process_left_goes_on_at_once(tmp_path):
    with embedded_site(tmp_path, {"BRANCHLINE_OPPONENT_PAUSE": "3600"}) as site:
        ann = Client(site.url)
        key = ann.new_match("easy", "easy")
        site.process.kill()
        site.process.wait()
    with embedded_site(tmp_path, {"BRANCHLINE_OPPONENT_PAUSE": "0"}) as site:
        again = Client(site.url)
        assert again.token == ann.token
        assert again.match(key)["seats"][0]["name"] == "Ann"
        again.wait_for(key, lambda match: match["version"] >= 1, 20)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_it_ends_by_itself_with_pages_open_and_work_running(site_data, sign):
    with embedded_site(site_data) as site:
        Client(site.url).new_match("hard", "hard")
        with live_socket(site.url):
            began = time.monotonic()
            site.process.send_signal(sign)
            # Two to three seconds where the machine has nothing else to do.
            code = site.process.wait(30)
        print(f"{sign.name}: {time.monotonic() - began:.1f} s")
        assert code == (0 if sign == signal.SIGINT else -sign)
    said = (site_data / "log").read_text()
    assert "Traceback" not in said
    assert "WARNING" not in said


def test_one_process_at_a_time_has_the_data(site_data):
    with embedded_site(site_data):
        code, said = play("--port", free_port(), "--data-dir", site_data)
    assert code == 1
    assert f"already runs on the data in {site_data}" in said


def test_a_taken_port_is_said_with_one_that_is_free(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, said = play("--port", port, "--data-dir", tmp_path)
    assert code == 1
    assert f"Port {port} cannot be used here" in said
    assert "--port" in said.partition("Choose another")[2]
    assert "Traceback" not in said


def test_the_mails_page_is_there_and_the_address_in_mails_has_the_right_port(embedded_site):
    with urllib.request.urlopen(f"{embedded_site}/dev/mail") as answer:
        assert "Nothing has been sent yet" in answer.read().decode()


# -- the parts ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def server_loop():
    """A loop that runs in a thread of its own, as a server's does."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_a_send_from_another_thread_wakes_the_consumer_in_the_servers_loop(server_loop):
    layer = ThreadSafeChannelLayer()
    layer.serve_in(server_loop)

    async def consume():
        channel = await layer.new_channel()
        await layer.group_add("match.abc", channel)
        return await layer.receive(channel)

    hears = asyncio.run_coroutine_threadsafe(consume(), server_loop)
    while "match.abc" not in layer.groups:
        time.sleep(0.01)
    async_to_sync(layer.group_send)("match.abc", {"type": "match.changed"})
    # A loop that nothing wakes sleeps for ever here: there is no timer in it.
    assert hears.result(timeout=1) == {"type": "match.changed"}


def test_a_send_without_a_server_is_harmless(server_loop):
    layer = ThreadSafeChannelLayer()
    async_to_sync(layer.group_send)("match.abc", {"type": "match.changed"})
    layer.serve_in(server_loop)
    server_loop.call_soon_threadsafe(server_loop.stop)
    while server_loop.is_running():
        time.sleep(0.01)
    async_to_sync(layer.group_send)("match.abc", {"type": "match.changed"})


def test_a_part_that_breaks_down_is_logged_and_starts_again(caplog):
    runs, worked = [], threading.Event()

    def work():
        runs.append(len(runs))
        if len(runs) == 1:
            raise RuntimeError("out of steam")
        if len(runs) == 3:
            worked.set()
            part.stopping.wait()

    part = Steadfast("worker house", work, pause=0)
    part.start()
    assert worked.wait(5)
    part.stopping.set()
    part.join(5)
    assert runs == [0, 1, 2]  # after it broke down, and after it merely ended
    assert "worker house broke down" in caplog.text
    assert "out of steam" in caplog.text
    assert "worker house ended before it should" in caplog.text


def test_nonsense_on_the_live_socket_is_passed_over(embedded_site):
    ann = Client(embedded_site)
    key = ann.new_match("easy")
    with live_socket(embedded_site) as page:
        nonsense = [
            "",
            "{",
            "[]",
            "7",
            "[" * 100_000,
            '{"watch": 5}',
            '{"watch": "\\ud800"}',
            '{"watch": "x\\u0000"}',
            b"\x00\xff",
        ]
        for frame in nonsense:
            page.send(frame)
        page.send(json.dumps({"watch": "zzzzzzzzzz"}))
        page.send(json.dumps({"watch": key}))
        assert json.loads(page.recv(timeout=5))["match"] == key
