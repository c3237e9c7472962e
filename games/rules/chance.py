"""Chance that can be checked: a deterministic stream from a match's secret seed and the number of the house's move.

The stream is HMAC-SHA256(seed, "<purpose>:<number>:<counter>") for counter = 0, 1, 2 ..., read eight bytes at a time;
draws use rejection sampling, so every outcome is equally likely. The seed is 256 bits from the operating system; its
SHA-256 is shown from the start of a match and the seed itself after the end. Nothing else in the house may draw.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32


def new_seed() -> bytes:
    """256 bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is shown of a seed before the end: its SHA-256 as 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


class Chance:
    """The draws of one move. `number` is the house's move (0: the start); `purpose` keeps other users apart."""

    def __init__(self, seed: bytes, number: int, purpose: str = "house") -> None:
        self._seed = seed
        self._label = f"{purpose}:{number}"
        self._counter = 0
        self._buffer = b""

    def _word(self) -> int:
        """The next 64 bits of the stream."""
        if not self._buffer:
            label = f"{self._label}:{self._counter}".encode()
            self._buffer = hmac.new(self._seed, label, hashlib.sha256).digest()
            self._counter += 1
        word, self._buffer = self._buffer[:8], self._buffer[8:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """A whole number 0 .. n-1, each equally likely. n is 1 .. 2**64."""
        limit = (1 << 64) - (1 << 64) % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order (Fisher and Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
