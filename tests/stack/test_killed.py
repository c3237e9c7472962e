"""A process that is killed right after its transaction takes every nudge with it: the sweep must find the rest.

On the real stack: the workers run, and the process that dies is another one on the same database and broker.
"""

import json
import subprocess
import sys

import pytest

from config.processes import ROOT
from tests.stack.client import Client, my_turn

pytestmark = pytest.mark.stack

DIE_AFTER_COMMIT = """
import json, os, signal, sys
import django
django.setup()
from django.contrib.auth import get_user_model
from django.db import transaction
from games import play
user, name, arguments = get_user_model().objects.get(username="Ann"), sys.argv[1], json.loads(sys.argv[2])
with transaction.atomic():
    # Registered first, so that it is called first: between the commit and the first nudge.
    transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
    if name == "create_match":
        match = play.create_match(user, "trans-america", seats=2, opponents=["easy"])
    else:
        play.take_turn(arguments["key"], user, arguments["decision"], arguments["moves"])
    print(match.key if name == "create_match" else "", flush=True)
"""


def run_and_die(stack, name, **arguments):
    """Do it in a process of its own that is killed between commit and delivery; gives what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", DIE_AFTER_COMMIT, name, json.dumps(arguments)],
        cwd=ROOT,
        env=dict(stack.settings),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == -9, done.stderr
    return done.stdout.strip()


@pytest.fixture
def ann(stack_site):
    stack_site.manage("shell", "-c", "from games import demo; demo.prepare()")
    return Client(stack_site.url)


def test_a_deal_that_nobody_was_told_of_is_made(stack_site, ann):
    key = run_and_die(stack_site, "create_match")
    ann.wait_for(key, my_turn, seconds=20)


def test_a_turn_that_nobody_was_told_of_is_answered_by_the_opponent(stack_site, ann):
    key = ann.new_match("easy")
    ann.wait_for(key, my_turn)
    choices = ann.get(f"/matches/{key}/choices/")
    before = ann.match(key)["version"]
    run_and_die(stack_site, "take_turn", key=key, decision=choices["decision"], moves=choices["moves"][:1])
    ann.wait_for(key, lambda match: match["version"] > before + 1 and my_turn(match), seconds=20)


def test_a_notice_that_nobody_was_told_of_is_delivered_once(stack_site, ann):
    bob = Client(stack_site.url, "Bob")
    key = ann.post("/matches/", {"game": "trans-america", "seats": 2})["key"]
    bob.post(f"/matches/{key}/join/", {})
    ann.wait_for(key, lambda match: match["version"] > 0)
    if not my_turn(ann.match(key)):
        bob.take_turn(key)
    choices = ann.get(f"/matches/{key}/choices/")
    decision = bob.match(key)["you"]["decision"]
    run_and_die(stack_site, "take_turn", key=key, decision=choices["decision"], moves=choices["moves"][:1])
    about = f"user__username='Bob', match__key='{key}', kind='your-turn', decision={decision}"
    question = (
        f"from games.models import Notice; import time; mine = Notice.objects.filter({about})\n"
        "for _ in range(100):\n"
        "    if mine.filter(done__isnull=False).exists(): break\n"
        "    time.sleep(0.2)\n"
        "print(mine.filter(done__isnull=False).count(), mine.count())"
    )
    assert stack_site.manage("shell", "--verbosity", "0", "-c", question).split() == ["1", "1"]
