"""Elo for several players: the formula, and what holds for any match."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings import START, Player, Standing, expected_score, k_factor, reckon


def match_of(*placed):
    """Players from (place, rating, rated matches before), in the order of their seats, and their standings."""
    players = [Player(seat, 100 + seat, (False, place)) for seat, (place, _value, _count) in enumerate(placed)]
    return players, {100 + seat: Standing(value, count) for seat, (_place, value, count) in enumerate(placed)}


def changes_of(*placed):
    return [change.after - change.before for change in reckon(*match_of(*placed))]


def new(place):
    return (place, START, 0)


@pytest.mark.parametrize(("matches", "factor"), [(0, 60), (9, 60), (10, 40), (19, 40), (20, 20), (500, 20)])
def test_the_first_ten_matches_move_a_player_most_and_from_the_twentieth_on_least(matches, factor):
    assert k_factor(matches) == factor


def test_four_hundred_points_more_are_ten_times_the_chance():
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    assert expected_score(1500, 1500) == 0.5


def test_two_newcomers_win_and_lose_half_of_k():
    assert changes_of(new(1), new(2)) == [30, -30]


def test_two_newcomers_who_tie_keep_their_ratings():
    assert changes_of(new(1), new(1)) == [0, 0]


def test_of_three_newcomers_the_one_in_the_middle_stays():
    assert changes_of(new(1), new(2), new(3)) == [40, 0, -40]


def test_of_four_newcomers_two_share_the_win():
    assert changes_of(new(1), new(1), new(3), new(4)) == [30, 30, -15, -45]


def test_a_match_of_three_by_hand():
    # K 60, 40 and 20; N = 3. A beats B and C, C beats B.
    changes = changes_of((1, 1500, 0), (3, 1700, 12), (2, 1600, 30))
    ab, ac, bc = 1 / (1 + 10**0.5), 1 / (1 + 10**0.25), 1 / (1 + 10**-0.25)
    assert changes == pytest.approx(
        [
            60 * 2 / 3 * ((1 - ab) + (1 - ac)),
            40 * 2 / 3 * ((0 - (1 - ab)) + (0 - bc)),
            20 * 2 / 3 * ((0 - (1 - ac)) + (1 - (1 - bc))),
        ]
    )


def test_who_left_ranks_behind_all_who_stayed_and_level_with_others_who_left():
    players = [Player(0, 1, (True, 0)), Player(1, 2, (False, 4)), Player(2, 3, (True, 0)), Player(3, 4, (False, 1))]
    changes = reckon(players, {user: Standing() for user in (1, 2, 3, 4)})
    assert [change.after - START for change in changes] == [-30, 15, -30, 45]


def test_a_change_is_told_against_each_opponent():
    first, second, _third = reckon(*match_of((1, 1500, 0), (2, 1700, 0), (3, 1300, 0)))
    assert [(each["seat"], each["rating"], each["score"]) for each in first.against] == [(1, 1700, 1), (2, 1300, 1)]
    assert [(each["seat"], each["score"]) for each in second.against] == [(0, 0), (2, 1)]
    assert first.against[0]["change"] == pytest.approx(40 * (1 - expected_score(1500, 1700)))


ranked = st.tuples(st.integers(1, 6), st.floats(0, 4000), st.integers(0, 40))
matches = st.lists(ranked, min_size=2, max_size=6)
level = st.lists(st.tuples(st.integers(1, 6), st.floats(0, 4000), st.just(5)), min_size=2, max_size=6)


@given(level)
def test_what_some_win_others_lose_when_all_have_the_same_k(placed):
    assert math.fsum(changes_of(*placed)) == pytest.approx(0, abs=1e-8)


@given(matches, st.randoms(use_true_random=False))
def test_the_order_of_the_seats_plays_no_part_not_even_in_the_last_bit(placed, random):
    players, standings = match_of(*placed)
    shuffled = random.sample(players, len(players))
    assert {each.player.user: each.after for each in reckon(players, standings)} == {
        each.player.user: each.after for each in reckon(shuffled, standings)
    }


@given(matches)
def test_the_parts_add_up_to_the_change(placed):
    for change in reckon(*match_of(*placed)):
        assert len(change.against) == len(placed) - 1
        assert change.after == change.before + math.fsum(each["change"] for each in change.against)


@given(matches)
def test_of_two_equals_in_rating_the_one_ahead_wins_no_less(placed):
    players, standings = match_of(*[(place, 1500.0, 5) for place, _value, _count in placed])
    after = [change.after for change in reckon(players, standings)]
    for mine, theirs in permutations(range(len(placed)), 2):
        if players[mine].place <= players[theirs].place:
            assert after[mine] >= after[theirs] - 1e-9


@given(matches)
def test_nobody_wins_or_loses_more_than_k_times_two(placed):
    for change, (_place, _value, count) in zip(reckon(*match_of(*placed)), placed, strict=True):
        assert abs(change.after - change.before) <= 2 * k_factor(count)
        assert change.matches == count + 1
