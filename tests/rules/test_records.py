"""Matches that were played once replay to the same end for ever."""

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.registry import GAMES
from tests import records


@pytest.mark.parametrize("name", records.names())
def test_a_recorded_match_replays_to_its_end(name):
    record = records.read(name)
    game, seed = GAMES[record.game], bytes.fromhex(record.seed)
    assert record.revision == game.revision
    state = game.start(record.seats, record.options, Chance(seed, 0))
    for number, (turn, events) in enumerate(zip(record.turns, record.events, strict=True), start=1):
        told = []
        if turn is None:
            before, state = state, game.settle(state, Chance(seed, number))
            told += game.events(before, state, None, None)
        else:
            seat, moves = turn
            for move in msgspec.convert(moves, list[game.move_type]):
                before, state = state, game.play(state, seat, move)
                told += game.events(before, state, seat, move)
        assert msgspec.to_builtins(told) == events, f"entry {number}"
    result = game.result(state)
    assert (list(result.points), list(result.ranks)) == (record.points, record.ranks)


def test_the_ways_in_which_matches_end_are_among_the_records():
    kept = [records.read(name) for name in records.names()]
    for game in GAMES.values():
        records_of = [record for record in kept if record.game == game.key]
        assert {record.seats for record in records_of} == {seats for seats in game.seats if seats > 1}
        for option in game.options:
            assert {record.options[option.key] for record in records_of} == set(option.values), option.key
    assert any(record.ranks.count(1) > 1 for record in kept), "a shared win"
    assert any(min(record.points) < 0 for record in kept), "points below nothing"
    codes = {event["code"] for record in kept for events in record.events for event in events}
    assert any(event["params"].get("own") for record in kept for events in record.events for event in events)
    assert {"joined", "last-rail", "round-scored", "barrier", "ends-supply", "ends-last-city", "ends-stall"} <= codes
