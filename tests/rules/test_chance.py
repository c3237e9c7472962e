"""Chance is a stream that anybody can compute again from the seed, and every outcome is equally likely."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.chance import SEED_BYTES, Chance, commitment, new_seed

SEED = bytes(range(32))


def words(purpose: str, number: int, counter: int) -> list[int]:
    digest = hmac.new(SEED, f"{purpose}:{number}:{counter}".encode(), hashlib.sha256).digest()
    return [int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8)]


def test_draws_are_the_words_of_the_published_stream():
    stream = words("house", 3, 0) + words("house", 3, 1)
    chance = Chance(SEED, 3)
    # A bound that divides 2**64 rejects nothing.
    assert [chance.below(1 << 16) for _ in stream] == [word % (1 << 16) for word in stream]


def test_a_whole_word_can_be_drawn():
    assert Chance(SEED, 0).below(1 << 64) == words("house", 0, 0)[0]


def test_words_beyond_the_last_whole_multiple_are_drawn_again():
    bound = (1 << 63) + 1  # almost half of all words are rejected
    stream = [word for counter in range(8) for word in words("house", 1, counter)]
    kept = [word for word in stream if word < bound]
    chance = Chance(SEED, 1)
    assert [chance.below(bound) for _ in kept] == kept
    assert len(kept) < len(stream)


def test_one_of_one_needs_no_luck():
    assert Chance(SEED, 0).below(1) == 0


def test_nothing_can_be_drawn_from_nothing():
    with pytest.raises(ZeroDivisionError):
        Chance(SEED, 0).pick([])


@pytest.mark.parametrize(
    "other", [Chance(SEED, 1), Chance(SEED, 0, "opponent"), Chance(SEED[::-1], 0)], ids=["number", "purpose", "seed"]
)
def test_another_move_purpose_or_seed_is_another_stream(other):
    chance = Chance(SEED, 0)
    assert [chance.below(1 << 32) for _ in range(4)] != [other.below(1 << 32) for _ in range(4)]


@given(st.lists(st.integers()), st.integers(0, 1000))
def test_shuffling_keeps_every_item_and_can_be_repeated(items, number):
    before = list(items)
    shuffled = Chance(SEED, number).shuffled(items)
    assert Counter(shuffled) == Counter(items)
    assert items == before
    assert shuffled == Chance(SEED, number).shuffled(items)


def test_every_order_comes_up_about_equally_often():
    found = Counter(tuple(Chance(SEED, number).shuffled("abc")) for number in range(3000))
    assert len(found) == 6
    assert all(400 < times < 600 for times in found.values())


def test_the_commitment_is_the_sha_256_of_a_fresh_seed_of_256_bits():
    seed = new_seed()
    assert len(seed) == SEED_BYTES == 32
    assert seed != new_seed()
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()
