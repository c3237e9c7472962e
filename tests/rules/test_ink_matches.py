"""What holds in every match of Railroad Ink, whatever the expansion and the number of seats."""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, encode
from games.rules.railroad_ink.board import BLANK, ORIENTATIONS, board
from games.rules.railroad_ink.expansions import EXPANSIONS
from games.rules.railroad_ink.routes import SPECIALS_MOST
from games.rules.railroad_ink.sheet import sheet_of
from games.rules.railroad_ink.values import Crater, Done, Draw, Erase, Ignore, Running
from tests.rules.ink import game, play_out

FEW = settings(max_examples=3, deadline=None)
LUCK = st.integers(0, 2**32)
EVERY_EXPANSION = pytest.mark.parametrize("expansion", EXPANSIONS)


@EVERY_EXPANSION
@pytest.mark.parametrize("seats", game.seats)
def test_matches_end_after_their_rounds_and_the_sheet_adds_up(expansion, seats):
    *_, (_, over, _, _) = play_out(expansion, seats, luck=seats)
    assert (over.phase, over.round) == ("over", 7 if expansion == "none" else 6)
    result = game.result(over)
    for seat in range(seats):
        assert result.points[seat] == sum(line.amounts[seat] for line in result.sheet)
        assert result.points[seat] == game.view(over, None).boards[seat].score.total
    assert len({line.label.code for line in result.sheet}) == len(result.sheet)
    for own in game.view(over, None).boards:
        assert tuple(bonus.code for bonus in own.score.bonuses) == EXPANSIONS[expansion].codes


@EVERY_EXPANSION
@FEW
@given(luck=LUCK, seats=st.integers(1, 6))
def test_every_die_is_used_once_and_every_special_route_once_one_a_round_three_a_match(expansion, luck, seats):
    specials = set(board().specials)
    for before, after, seat, move in play_out(expansion, seats, luck):
        for own, running in zip(after.boards, after.running, strict=True):
            assert len({each.cell for each in own.drawn}) == len(own.drawn)
            assert len(own.specials) == len(set(own.specials)) <= SPECIALS_MOST
            assert {each.tile for each in own.drawn} & specials <= set(own.specials)
            assert Counter(running.left) <= Counter(after.dice)
            assert Counter(running.expansion_left) <= Counter(after.expansion_dice)
        if isinstance(move, Draw):
            ours = [
                Counter((*running.left, *running.expansion_left, *specials - set(own.specials)))
                for own, running in ((state.boards[seat], state.running[seat]) for state in (before, after))
            ]
            assert ours[0] - ours[1] == (Counter() if move.tile == "LV" else Counter([move.tile]))
        for own, earlier in zip(after.boards, after.before, strict=True):
            assert len(set(own.specials) - set(earlier.specials)) <= 1


@EVERY_EXPANSION
@FEW
@given(luck=LUCK, seats=st.integers(1, 6))
def test_no_side_ever_meets_another_kind(expansion, luck, seats):
    for _, after, seat, _ in play_out(expansion, seats, luck):
        if seat is None:
            continue
        sheet = sheet_of(after.boards[seat].drawn)
        for cell, drawing in enumerate(sheet.at):
            for side, kind in enumerate(drawing.sides if drawing else ()):
                assert BLANK in (kind, sheet.met(cell, side)) or kind == sheet.met(cell, side)


@EVERY_EXPANSION
@FEW
@given(luck=LUCK)
def test_a_round_ends_only_where_no_route_of_the_roll_fits_an_empty_cell(expansion, luck):
    for before, _, seat, move in play_out(expansion, 2, luck):
        if isinstance(move, Done):
            sheet = sheet_of(before.boards[seat].drawn)
            for tile in before.running[seat].left:
                assert all(sheet.is_crater(cell) for cell, _ in sheet.places(tile))


def is_played(state, seat, move):
    try:
        game.play(state, seat, move)
    except IllegalMove:
        return False
    return True


def look(move):
    """The move in the least orientation that looks the same."""
    if not isinstance(move, Draw):
        return move
    drawings = board().drawings[move.tile]
    return msgspec.structs.replace(move, orientation=drawings.index(drawings[move.orientation]))


def every_move(state):
    """Every move that can be written down for a match."""
    tiles = {*board().specials, *state.dice, *state.expansion_dice, "LV", "WF"} & set(board().drawings)
    draws = [Draw(tile, cell, each) for tile in tiles for cell in board().names for each in ORIENTATIONS]
    others = [kind(cell) for kind in (Crater, Erase) for cell in board().names]
    return [*draws, Done(), *others, *(Ignore(tile) for tile in board().specials)]


@EVERY_EXPANSION
@FEW
@given(luck=LUCK)
def test_what_may_be_played_is_what_is_offered(expansion, luck):
    steps = [step for step in play_out(expansion, 2, luck) if step[2] is not None]
    for before, _, seat, _ in steps[:: max(1, len(steps) // 4)]:
        offered = game.choices(before, seat).moves
        assert len(set(offered)) == len(offered) > 0
        played = {look(move) for move in every_move(before) if is_played(before, seat, move)}
        assert played == set(offered)


@EVERY_EXPANSION
@FEW
@given(luck=LUCK, seats=st.integers(2, 6))
def test_what_others_do_in_the_running_round_is_seen_by_nobody_else(expansion, luck, seats):
    steps = [state for _, state, _, _ in play_out(expansion, seats, luck) if game.waiting_for(state)]
    for state in random.Random(luck).sample(steps, 20):
        for seat in (luck % seats, None):
            others = [owner for owner in range(seats) if owner != seat]
            unknown = msgspec.structs.replace(
                state,
                boards=tuple(state.before[owner] if owner in others else own for owner, own in enumerate(state.boards)),
                running=tuple(
                    Running(done=each.done) if owner in others else each for owner, each in enumerate(state.running)
                ),
            )
            assert encode(game.view(state, seat)) == encode(game.view(unknown, seat))
            assert encode(game.blind(state, seat)) == encode(unknown)
            if seat is not None and not state.running[seat].done:
                assert game.choices(game.blind(state, seat), seat) == game.choices(state, seat)


@EVERY_EXPANSION
@FEW
@given(luck=LUCK)
def test_states_views_and_moves_survive_their_json(expansion, luck):
    steps = list(play_out(expansion, 2, luck))
    for before, _, seat, move in steps[:: max(1, len(steps) // 5)]:
        assert msgspec.json.decode(encode(before), type=game.state_type) == before
        view = game.view(before, seat)
        assert msgspec.json.decode(encode(view), type=game.view_type) == view
        if move is not None:
            assert msgspec.json.decode(encode(move), type=game.move_type) == move


@EVERY_EXPANSION
def test_everybody_gets_the_same_roll_and_it_depends_on_the_chance_alone(expansion):
    start = next(play_out(expansion, 3, 1))[0]
    rolls = {game.settle(start, Chance(bytes(32), number)).expansion_dice for number in range(300)}
    faces = board().dice.get(expansion, ())
    assert rolls == ({()} if not faces else {(one, other) for one in faces[0] for other in faces[1]})
    state = game.settle(start, Chance(bytes(32), 1))
    assert len(set(state.running)) == 1
    assert state == game.settle(start, Chance(bytes(32), 1))
