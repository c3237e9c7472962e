"""Whole matches that were played once and must replay to the same end for ever.

Each file holds one match in the form of a downloaded record, with what every entry led to. A change that is meant to
replay old records differently raises the game's `revision`; the files of the older revision then say so by theirs, and
`python -m tests.records` makes new ones.
"""

from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent


class Recorded(msgspec.Struct):
    """A match: options, seats and seed; the moves of each turn (None: the house's); and the events of each."""

    game: str
    revision: int
    options: dict[str, Any]
    seats: int
    seed: str
    turns: list[tuple[int, list[Any]] | None]
    events: list[list[Any]]
    points: list[int]
    ranks: list[int]


def read(name: str) -> Recorded:
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Recorded)


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.json"))
