"""A program that uses a running site over HTTP and the live socket, as a third party's would."""

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from games.demo import PASSWORD, PEOPLE


class Client:
    """One of the demo people at the site of that address."""

    def __init__(self, url: str, name: str = PEOPLE[0], password: str = PASSWORD) -> None:
        self.url = url
        self.token = ""
        self.token = self.post("/token/", {"login": name, "password": password})["token"]

    def get(self, path: str) -> Any:
        return self._ask(path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._ask(path, json.dumps(body).encode())

    def new_match(self, *opponents: str) -> str:
        """The key of a match against these opponents, which has begun."""
        body = {"game": "trans-america", "seats": 1 + len(opponents), "opponents": opponents}
        return self.post("/matches/", body)["key"]

    def match(self, key: str) -> Any:
        return self.get(f"/matches/{key}/")

    def take_turn(self, key: str) -> None:
        """Take the first turn that is legal."""
        choices, moves = self.get(f"/matches/{key}/choices/"), []
        turn = {"decision": choices["decision"], "moves": moves}
        while choices:
            moves.append(choices["moves"][0])
            choices = self.post(f"/matches/{key}/turns/", {**turn, "dry_run": True})["choices"]
        self.post(f"/matches/{key}/turns/", turn)

    def wait_for(self, key: str, happened: Callable[[Any], bool], seconds: float = 10) -> float:
        """Read the match until that has happened; gives the seconds it took and fails when it takes too long."""
        began = time.monotonic()
        while not happened(seen := self.match(key)):
            assert time.monotonic() - began < seconds, f"still at version {seen['version']} after {seconds} s"
            time.sleep(0.02)
        return time.monotonic() - began

    def _ask(self, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(f"{self.url}/api/v1{path}", body, {"Content-Type": "application/json"})
        if self.token:
            request.add_header("Authorization", f"Token {self.token}")
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)


@contextmanager
def live_socket(url: str) -> Iterator[ClientConnection]:
    """The live socket of a page that nobody is logged in at."""
    with connect(f"{url.replace('http', 'ws', 1)}/ws/", origin=url) as socket:
        yield socket


def my_turn(match: Any) -> bool:
    """Whether the match waits for the person: the house and the computer opponents have done all they could."""
    return bool(match["you"]["waiting"])
