"""What docs/api.md tells a newcomer to type works as it stands there, and its tables say what the source says."""

import ast
import json
import re
import subprocess
from pathlib import Path

import msgspec
import pytest
from rest_framework.exceptions import APIException

from accounts.notifications.addresses import BadAddress
from config.processes import ROOT
from games import refusals
from games.api.problems import FIELD_OF, STATUS_OF
from games.consumers import Said
from games.rules.registry import GAMES


def test_the_script_of_the_page_plays_a_whole_match_with_curl(embedded_site, tmp_path):
    page = Path(ROOT, "docs", "api.md").read_text()
    script = re.search(r"```bash\n(.*?)```", page, re.DOTALL)
    assert script is not None
    file = tmp_path / "play.sh"
    file.write_text(script[1])
    played = subprocess.run(
        ["bash", "-eu", str(file)],
        env={"SITE": embedded_site, "PATH": "/usr/bin:/bin:/usr/local/bin"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert played.returncode == 0, played.stderr
    ranks = [line for line in played.stdout.splitlines() if re.match(r"\d\. \w+: -?\d+$", line)]
    assert len(ranks) == 3
    assert "Ann laid" in played.stdout


NAMERS = {"Refusal": 0, "VacationRefusal": 0, "BadOption": 0, "problem": 2, "PermissionDenied": 1, "NotFound": 1}
"""What the API's errors are raised with, and which of its arguments is the code."""
NEVER_ANSWERED = {"bad-days"}
"""Of a page: a program that asks for too many days is told `invalid` before."""


def words_of(node):
    """The texts that an expression may be."""
    if isinstance(node, ast.IfExp):
        return words_of(node.body) | words_of(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def trees(*places):
    files = [file for place in places for file in [Path(ROOT, place), *Path(ROOT, place).rglob("*.py")]]
    return [ast.parse(file.read_text()) for file in files if file.is_file()]


def named(namers, *places):
    """The codes that calls in the source name: {function: which argument is the code}."""
    found = set()
    for node in (node for tree in trees(*places) for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in namers and len(node.args) > namers[name]:
            found |= words_of(node.args[namers[name]])
    return found


def codes_of_the_framework():
    """Of the errors that the framework raises itself, and of those made after them."""
    kinds, found = [APIException], set()
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind is not APIException and kind.__module__.split(".")[0] in ("rest_framework", "games", "accounts"):
            found.add(kind.default_code.replace("_", "-"))
    return found


def section(title):
    return re.search(rf"## {title}\n(.*?)(?:\n## |\Z)", Path(ROOT, "docs", "api.md").read_text(), re.DOTALL)[1]


def rows(text, column):
    """The words in a column of the tables of a text, by what stands in the first column."""
    found = {}
    for line in text.splitlines():
        if line.startswith("| "):
            cells = line.split(" | ")
            found.setdefault(cells[0].strip("| `"), set()).update(re.findall(r"`([^`]+)`", cells[column]))
    return found


def test_the_table_of_errors_has_the_codes_of_the_source_and_no_others():
    in_source = named(NAMERS, "games/api", "games/play.py", "games/chat.py", "games/rules/contract.py", "accounts")
    in_source |= set(refusals._sentences()) | set(STATUS_OF) | set(FIELD_OF) | set(BadAddress.SENTENCES)
    in_source |= codes_of_the_framework()
    table = {status: codes for status, codes in rows(section("Errors"), 1).items() if status.isdigit()}
    on_page = set.union(*table.values())
    assert in_source - on_page == NEVER_ANSWERED
    assert on_page - in_source == set()
    for code, status in STATUS_OF.items():
        assert code in table[str(status)], code


@pytest.mark.parametrize("key", GAMES)
def test_the_table_of_moves_has_the_codes_of_each_game_and_no_others(key):
    in_source = named({"IllegalMove": 0}, f"games/rules/{key.replace('-', '_')}")
    assert "match-is-over" in in_source
    assert rows(section("Errors"), 1).get(key) == in_source


def test_the_tables_of_the_socket_have_all_that_is_said_to_it_and_by_it():
    (tree,) = trees("games/consumers.py")
    said = {
        value.value: [key.value for key in node.keys if key is not None]
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "kind" and isinstance(value, ast.Constant)
    }
    assert set(said) == {"match", "count", "chat", "notice"}, "this test sees what is said"
    page = section("What is said to you")
    on_page = {json.loads(text.replace(": n", ": 0"))["kind"]: text for text in re.findall(r'`(\{"kind".*?\})`', page)}
    assert set(on_page) == set(said)
    for kind, keys in said.items():
        assert all(f'"{key}"' in on_page[kind] for key in keys), kind
    assert set(re.findall(r'`\{"(\w+)": "<key>"\}`', page)) == {field.name for field in msgspec.structs.fields(Said)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address", "sent", "told"),
    [
        ("get", "matches", {"headers": {"accept": "text/html"}}, (406, "not-acceptable")),
        ("delete", "token", {}, (405, "method-not-allowed")),
        ("post", "token", {"data": "x", "content_type": "text/plain"}, (415, "unsupported-media-type")),
    ],
)
def test_answers_of_the_framework_are_as_the_table_of_errors_says(client, method, address, sent, told):
    answer = getattr(client, method)(f"/api/v1/{address}/", **sent)
    assert (answer.status_code, answer.json()["code"]) == told
    assert told[1] in rows(section("Errors"), 1)[str(told[0])]
