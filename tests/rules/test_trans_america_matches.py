"""What holds in every match of Trans America, however it is played."""

import msgspec
import pytest
from hypothesis import given, settings

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, encode
from games.rules.trans_america import game
from games.rules.trans_america.board import COLOURS, board
from games.rules.trans_america.game import COLOURED_RAILS, START_POINTS, TURN_POINTS
from games.rules.trans_america.values import Lay, State
from tests.rules.playouts import Table, last_state, play_out, tables

FEW = settings(max_examples=15, deadline=None)
MATCHES = tables("trans-america")
SNAPSHOT_BYTES = 8 * 1024


@FEW
@given(MATCHES)
def test_rails_are_laid_once_from_the_supply_and_stay(table):
    for before, after, _, move in play_out(table):
        assert len(set(after.rails)) == len(after.rails) <= board(after.board).rails
        if isinstance(move, Lay):
            assert after.rails == (*before.rails, board(after.board).line_index[move.line])
        elif after.rails != before.rails:
            assert (before.phase, after.rails) == ("deal", ())


@FEW
@given(MATCHES)
def test_coloured_rails_are_few(table):
    for _, after, _, _ in play_out(table):
        owners = [seat for _, seat in after.coloured]
        assert all(owners.count(seat) <= COLOURED_RAILS for seat in owners)
        assert {line for line, _ in after.coloured} <= set(after.rails)
        assert after.vexation or not after.coloured


@FEW
@given(MATCHES)
def test_every_turn_lays_one_or_two_rails_worth_two_points_at_most(table):
    for before, after, _, _ in play_out(table):
        if after.last is not None and after.last != before.last and after.last.marker is None:
            costs = [board(after.board).costs[line] for line in after.last.lines]
            assert 1 <= len(costs) <= 2
            assert sum(costs) <= TURN_POINTS


@FEW
@given(MATCHES)
def test_points_are_13_less_all_penalties_and_missing_lines_explain_each(table):
    state = last_state(table)
    costs = board(state.board).costs
    left = [START_POINTS] * table.seats
    for number, report in enumerate(state.rounds, start=1):
        assert report.number == number
        left = [had - lost for had, lost in zip(left, report.penalties, strict=True)]
        assert report.points == tuple(left)
        for seat, penalty in enumerate(report.penalties):
            assert sum(costs[line] for line in report.missing[seat]) == penalty
            assert (penalty == 0) == (seat in report.done)
    assert state.points == tuple(left)
    starts = [report.start for report in state.rounds]
    assert starts == [(starts[0] + step) % table.seats for step in range(len(starts))]


def redealt(state: State, seat: int | None, number: int) -> State:
    """The same state for this seat, with other cities in all other hands."""
    map_ = board(state.board)
    kept = [] if seat is None else state.hands[seat]
    decks = [
        [
            city
            for city in Chance(b"other cards", number).shuffled(map_.cities_of(colour, len(state.points)))
            if city not in kept
        ]
        for colour in COLOURS
    ]
    hands = tuple(
        hand if other == seat or not hand else tuple(deck[other] for deck in decks)
        for other, hand in enumerate(state.hands)
    )
    return msgspec.structs.replace(state, hands=hands)


@FEW
@given(MATCHES)
def test_states_that_a_seat_cannot_tell_apart_look_the_same_to_it(table):
    secrets = 0
    for number, (before, _, mover, move) in enumerate(play_out(table)):
        if number % 7 or mover is None:
            continue
        # The mover, a spectator, and somebody else.
        for seat in (mover, None, (mover + 1) % table.seats):
            other = redealt(before, seat, number)
            secrets += other != before
            assert encode(game.blind(other, seat)) == encode(game.blind(before, seat))
            view = game.view(before, seat)
            assert encode(game.view(other, seat)) == encode(view)
            if seat == mover:
                choices = game.choices(before, seat)
                assert game.choices(other, seat) == choices
                assert game.scene(game.view(other, seat), choices) == game.scene(view, choices)
            # Whether the round is over now is no secret any more; what was laid is told in the same words.
            told = [game.events(one, game.play(one, mover, move), mover, move)[0] for one in (before, other)]
            assert told[0] == told[1]
    assert secrets


@FEW
@given(MATCHES)
def test_a_rail_that_is_not_offered_is_refused_with_a_reason_and_changes_nothing(table):
    reasons = {"line-taken", "line-blocked", "line-not-connected", "too-dear"}
    for number, (before, _, seat, _) in enumerate(play_out(table)):
        if number % 9 or before.phase != "lay":
            continue
        legal = {move.line for move in game.choices(before, seat).moves if isinstance(move, Lay)}
        written = encode(before)
        for name in set(board(before.board).line_names[number % 5 :: 17]) - legal:
            with pytest.raises(IllegalMove) as problem:
                game.play(before, seat, Lay(name))
            assert problem.value.saying.code in reasons
            assert problem.value.saying.params["line"] == name
        assert encode(before) == written


def test_a_snapshot_is_small_at_the_end_of_the_eighth_round_of_six():
    table = Table("trans-america", 6, {"vexation": True, "board": "europa"}, 6)
    ended, scored = next((step.before, step.after) for step in play_out(table) if step.before.phase == "score")
    assert len(ended.rails) > 60
    late = msgspec.structs.replace(ended, rounds=scored.rounds * 8)
    assert len(encode(late)) < SNAPSHOT_BYTES
