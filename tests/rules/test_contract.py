"""What every game of the house promises (games/rules/contract.py), whatever its rules are."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.chance import Chance
from games.rules.contract import BadOption, IllegalMove, complete_options, encode
from games.rules.registry import GAMES
from games.rules.shapes import Scene
from tests.rules.playouts import Table, begin, last_state, play_out, tables

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
FEW = settings(max_examples=15, deadline=None)


def some(steps, luck, count=12):
    """A few of the steps of a match."""
    steps = list(steps)
    return random.Random(luck).sample(steps, min(count, len(steps)))


@EVERY_GAME
def test_a_game_says_what_it_is(game):
    assert GAMES[game.key] is game
    assert game.revision >= 1
    assert len(game.seats) >= 1
    for option in game.options:
        assert option.default in option.values
        assert len(set(option.values)) == len(option.values) > 1
    assert msgspec.json.schema(game.move_type)
    assert msgspec.json.schema(game.view_type)
    assert encode(game.boards())


@EVERY_GAME
def test_options_are_completed_and_wrong_ones_refused(game):
    defaults = complete_options(game, {})
    assert defaults == {option.key: option.default for option in game.options}
    with pytest.raises(BadOption) as problem:
        complete_options(game, {"no such option": True})
    assert (problem.value.code, problem.value.key) == ("unknown-option", "no such option")
    for option in game.options:
        for value in option.values:
            assert complete_options(game, {option.key: value})[option.key] == value
        for value in ("no such value", 1, None):
            with pytest.raises(BadOption) as problem:
                complete_options(game, {option.key: value})
            assert (problem.value.code, problem.value.key) == ("bad-option-value", option.key)


@FEW
@given(tables())
def test_random_matches_end_and_everybody_is_ranked(table):
    game = table.game
    result = game.result(last_state(table))
    assert len(result.points) == len(result.ranks) == table.seats
    assert min(result.ranks) == 1
    for rank in result.ranks:
        # Ties share a rank, and the next rank counts how many are before it.
        assert rank == 1 + sum(other < rank for other in result.ranks)
    for line in result.sheet:
        assert len(line.amounts) == table.seats


@FEW
@given(tables())
def test_the_same_moves_and_chance_lead_to_the_same_bytes(table):
    assert encode(last_state(table)) == encode(last_state(table))


@FEW
@given(tables())
def test_either_seats_or_the_house_are_waited_for_until_the_end(table):
    game, after = table.game, None
    for before, after, _, _ in play_out(table):  # noqa: B007 - the last one is looked at below
        waiting = game.waiting_for(before)
        assert game.result(before) is None
        assert waiting <= set(range(table.seats))
        if not waiting:
            assert before != game.settle(before, Chance(table.seed, 1))
    assert game.waiting_for(after) == frozenset()
    assert game.result(after) is not None


@FEW
@given(tables())
def test_states_views_and_moves_survive_their_json(table):
    game = table.game
    for before, _, seat, move in some(play_out(table), table.luck):
        written = encode(before)
        read = msgspec.json.decode(written, type=game.state_type)
        assert read == before
        assert encode(read) == written
        view = game.view(before, seat)
        assert msgspec.json.decode(encode(view), type=game.view_type) == view
        if seat is not None:
            assert msgspec.json.decode(encode(move), type=game.move_type) == move


@FEW
@given(tables())
def test_every_choice_can_be_played_and_is_offered_once(table):
    game = table.game
    for before, _, seat, _ in some(play_out(table), table.luck, 6):
        if seat is None:
            continue
        choices = game.choices(before, seat)
        assert choices.moves
        assert len({encode(move) for move in choices.moves}) == len(choices.moves)
        assert len(choices.costs) in (0, len(choices.moves))
        for move in choices.moves:
            assert game.play(before, seat, move) != before


@FEW
@given(tables())
def test_seats_that_are_not_waited_for_cannot_move_and_change_nothing(table):
    game = table.game
    for before, _, seat, move in some(play_out(table), table.luck):
        written = encode(before)
        for other in set(range(table.seats)) - game.waiting_for(before):
            if seat is None:
                continue
            with pytest.raises(IllegalMove):
                game.play(before, other, move)
        assert encode(before) == written


@FEW
@given(tables())
def test_what_a_seat_is_shown_needs_nothing_that_is_hidden_from_it(table):
    game = table.game
    for before, _, _, _ in some(play_out(table), table.luck, 5):
        for seat in (None, *range(table.seats)):
            blind = game.blind(before, seat)
            view = game.view(before, seat)
            assert game.blind(blind, seat) == blind
            assert encode(game.view(blind, seat)) == encode(view)
            if seat is not None and seat in game.waiting_for(before):
                assert game.choices(blind, seat) == game.choices(before, seat)


@FEW
@given(tables())
def test_a_move_that_is_legal_is_legal_in_the_dry_run_too(table):
    game = table.game
    for before, _, seat, move in some(play_out(table), table.luck):
        if seat is not None:
            assert game.play(game.blind(before, seat), seat, move) is not None


@FEW
@given(tables())
def test_scenes_are_drawn_from_a_view_and_carry_legal_moves(table):
    game = table.game
    for before, _, seat, _ in some(play_out(table), table.luck, 4):
        choices = None if seat is None else game.choices(before, seat)
        scene = game.scene(game.view(before, seat), choices)
        assert isinstance(scene, Scene)
        assert encode(scene) == encode(game.scene(game.view(game.blind(before, seat), seat), choices))
        ids = [shape.id for shape in scene.shapes if shape.id is not None]
        assert len(set(ids)) == len(ids)
        carried = [shape.move for shape in scene.shapes if shape.move is not None]
        assert set(carried) <= set(choices.moves if choices else ())
        assert not [shape.move for shape in game.scene(game.view(before, seat)).shapes if shape.move is not None]


@FEW
@given(tables())
def test_events_of_every_step_are_plain_json(table):
    game = table.game
    for before, after, seat, move in play_out(table):
        for event in game.events(before, after, seat, move):
            assert msgspec.json.decode(encode(event), type=type(event)) == event


@EVERY_GAME
@settings(max_examples=5, deadline=None)
@given(luck=st.integers(0, 2**32 - 1))
def test_the_match_begins_without_anything_to_hide(game, luck):
    """A start has no secrets yet, so that creating a match needs no care."""
    state = begin(Table(game.key, game.seats.start, {}, luck))
    assert game.blind(state, None) == state
    assert game.result(state) is None
