"""A turn: once, whole, legal, in the right place, and told only when it is true."""

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.urls import reverse

from games import play, record
from games.models import Match, Notice, Turn
from games.refusals import IllegalTurn, Refusal, sentence
from games.rules.contract import encode
from games.rules.registry import GAMES
from tests.matches import laying_match, mover, new_match, play_out, some_turn, take_some_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    return laying_match(alice, bob)


def facts(match):
    """Everything stored about a match."""
    return (
        list(Match.objects.filter(pk=match.pk).values()),
        list(match.seats.values()),
        list(match.turns.values()),
        list(match.notices.order_by("pk").values()),
    )


def refused(code, match, user, decision, moves):
    """The turn is refused for this reason, and nothing is stored."""
    before = facts(match)
    with pytest.raises(Refusal) as caught:
        play.take_turn(match.key, user, decision, moves)
    assert caught.value.code == code
    assert sentence(caught.value)
    assert facts(match) == before


def test_a_turn_is_stored_with_its_state_and_the_next_seat_is_waited_for(match):
    seat = mover(match)
    turn = play.take_turn(match.key, seat.user, seat.decision, some_turn(match, seat))
    after = Match.objects.get(pk=match.pk)
    assert (turn.number, after.version) == (match.version + 1, match.version + 1)
    assert mover(after).index != seat.index
    assert mover(after).deadline is not None
    assert after.seats.get(index=seat.index).decision == seat.decision + 1


def test_the_next_player_gets_one_notice_in_the_same_transaction(match):
    match = take_some_turn(match)
    seat = mover(match)
    mine = Notice.objects.filter(user=seat.user, kind="your-turn", decision=seat.decision)
    assert mine.count() == 1


def test_a_repeated_turn_gets_the_same_answer_and_is_stored_once(match):
    seat = mover(match)
    moves = some_turn(match, seat)
    first = play.take_turn(match.key, seat.user, seat.decision, moves)
    again = play.take_turn(match.key, seat.user, seat.decision, moves)
    assert (again.number, again.events) == (first.number, first.events)
    assert Turn.objects.filter(match=match, seat=seat.index, decision=seat.decision).count() == 1


def test_a_repeat_that_is_written_otherwise_is_a_repeat(match):
    seat = mover(match)
    single = next(msgspec.to_builtins(move) for move, cost in _priced(match, seat) if cost == 1)
    short = {name: value for name, value in single.items() if name != "own"}
    first = play.take_turn(match.key, seat.user, seat.decision, [single, {"type": "stop"}])
    assert play.take_turn(match.key, seat.user, seat.decision, [short, {"type": "stop"}]).number == first.number


def test_another_turn_for_a_decision_that_was_taken_is_a_conflict(match):
    seat = mover(match)
    game = GAMES[match.game]
    choices = game.choices(record.load_state(match), seat.index)
    doubles = [m for m, cost in zip(choices.moves, choices.costs, strict=True) if cost == 2]
    first, second = msgspec.to_builtins((doubles + list(choices.moves))[:2])
    moves = some_turn(match, seat)
    other = [first] if moves != [first] else [second]
    play.take_turn(match.key, seat.user, seat.decision, moves)
    refused("decision-past", match, seat.user, seat.decision, other)


def test_a_turn_for_a_later_decision_is_refused(match):
    seat = mover(match)
    refused("decision-ahead", match, seat.user, seat.decision + 1, some_turn(match, seat))


def test_who_is_not_waited_for_cannot_move(match):
    seat = mover(match)
    other = match.seats.exclude(pk=seat.pk).get()
    refused("not-your-turn", match, other.user, other.decision, some_turn(match, seat))


def test_who_has_no_seat_cannot_move(match, charlie):
    seat = mover(match)
    refused("not-seated", match, AnonymousUser(), seat.decision, some_turn(match, seat))
    refused("not-seated", match, charlie, seat.decision, some_turn(match, seat))


@pytest.mark.parametrize(
    "moves",
    [
        None,
        "lay",
        {"type": "lay"},
        [1],
        [{}],
        [{"type": "fly"}],
        [{"type": "lay"}],
        [{"type": "lay", "line": 5}],
        [{"type": "lay", "line": "1-1:1-2", "extra": 1}],
    ],
)
def test_moves_that_are_not_moves_are_refused(match, moves):
    refused("bad-moves", match, mover(match).user, mover(match).decision, moves)


def test_an_illegal_move_says_why_and_stores_nothing(match):
    seat = mover(match)
    refused("unknown-line", match, seat.user, seat.decision, [{"type": "lay", "line": "99-1:99-2"}])
    refused("must-lay-first", match, seat.user, seat.decision, [{"type": "stop"}])


def test_an_illegal_second_move_stores_not_even_the_first(match):
    seat = mover(match)
    single = next(msgspec.to_builtins(move) for move, cost in _priced(match, seat) if cost == 1)
    before = facts(match)
    with pytest.raises(IllegalTurn) as caught:
        play.take_turn(match.key, seat.user, seat.decision, [single, single])
    assert (caught.value.code, caught.value.at) == ("line-taken", 1)
    assert facts(match) == before


def test_half_a_turn_is_refused(match):
    seat = mover(match)
    single = next(msgspec.to_builtins(move) for move, cost in _priced(match, seat) if cost == 1)
    refused("turn-unfinished", match, seat.user, seat.decision, [single])
    refused("turn-unfinished", match, seat.user, seat.decision, [])


def test_more_than_a_turn_is_refused(match):
    seat = mover(match)
    single = next(msgspec.to_builtins(move) for move, cost in _priced(match, seat) if cost == 1)
    refused("turn-too-long", match, seat.user, seat.decision, [single, {"type": "stop"}, {"type": "stop"}])


def test_a_preview_shows_where_half_a_turn_leads_and_stores_nothing(match):
    seat = mover(match)
    single = next(msgspec.to_builtins(move) for move, cost in _priced(match, seat) if cost == 1)
    before = facts(match)
    preview = play.preview_turn(match, seat, seat.decision, [single])
    assert preview.view.turn == (single["line"],)
    assert preview.choices is not None
    whole = play.preview_turn(match, seat, seat.decision, [single, {"type": "stop"}])
    assert whole.choices is None
    assert facts(match) == before


def test_a_rail_that_joins_anothers_cities_cuts_the_turn_short_but_no_preview_tells_it(alice, bob):
    """What only the house knows happens when the turn is taken, and not when it is tried out."""
    match, seat, moves = _turn_that_ends_the_round_for_another(alice, bob)
    preview = play.preview_turn(match, seat, seat.decision, moves)
    assert preview.view.phase == "lay"
    assert len(preview.view.rails) == len(_view(match, seat).rails) + 2
    turn = play.take_turn(match.key, seat.user, seat.decision, moves)
    assert turn.played == 1
    after = Match.objects.get(pk=match.pk)
    assert record.load_state(after).phase == "score"
    assert play.take_turn(match.key, seat.user, seat.decision, moves).number == turn.number, "a repeat stays a repeat"
    assert encode(record.state_at(after, after.version)) == _folded(after)


def test_opponents_move_once_for_a_decision(alice):
    match = new_match(alice, opponents=["easy"])
    while not mover(match).level:
        match = take_some_turn(match)
    seat = mover(match)
    refused("not-seated", match, AnonymousUser(), seat.decision, some_turn(match, seat))
    assert play.move_opponent(match.key, seat.index, seat.decision) is not None
    assert play.move_opponent(match.key, seat.index, seat.decision) is None


def test_an_opponent_does_not_move_for_a_person(match):
    seat = mover(match)
    assert play.move_opponent(match.key, seat.index, seat.decision) is None


def test_the_house_moves_only_when_it_is_waited_for(match):
    before = facts(match)
    assert play.settle_match(match.key) is False
    assert facts(match) == before


def test_a_finished_match_has_ranks_points_and_a_notice_for_everybody(match):
    match = play_out(match)
    assert match.status == Match.Status.OVER
    assert {seat.rank for seat in match.seats.all()} >= {1}
    assert all(seat.points is not None and not seat.waiting and seat.deadline is None for seat in match.seats.all())
    assert Notice.objects.filter(match=match, kind="ended").count() == 2
    assert match.house_due is None


def test_who_resigned_ranks_behind_everybody_who_played_to_the_end(alice, bob):
    match = new_match(alice, bob, opponents=["easy"])
    play.resign(match.key, alice)
    match = play_out(match)
    assert match.seats.get(user=alice).rank == 3
    told = [event for event in match.turns.last().events if event["code"] == "match-over"]
    assert told[0]["params"]["seats"] == [seat.index for seat in match.seats.all() if seat.rank == 1]


def test_who_resigned_moves_no_more(match):
    seat = mover(match)
    moves = some_turn(match, seat)
    play.resign(match.key, seat.user)
    refused("resigned", match, seat.user, seat.decision, moves)


def test_nobody_moves_in_a_match_that_is_over(match, alice):
    match = play_out(match)
    refused("not-running", match, alice, match.seats.get(user=alice).decision, [])


def test_folding_the_record_gives_the_snapshot_byte_for_byte_at_every_turn(match):
    match = play_out(match)
    assert _folded(match) == bytes(match.snapshot)


def test_the_state_at_a_turn_is_that_of_the_match_then(match):
    states = [(match.version, bytes(match.snapshot))]
    for _ in range(12):
        match = take_some_turn(match)
        states.append((match.version, bytes(match.snapshot)))
    for version, snapshot in states:
        assert encode(record.state_at(match, version)) == snapshot


def _priced(match, seat):
    choices = GAMES[match.game].choices(record.load_state(match), seat.index)
    return zip(choices.moves, choices.costs, strict=True)


def _view(match, seat):
    return GAMES[match.game].view(record.load_state(match), seat.index)


def _folded(match):
    state = None
    for _turn, after in record.replay(match):
        state = after
    return encode(state)


def _turn_that_ends_the_round_for_another(alice, bob):
    """A position, and a turn of two rails the first of which joins the other seat's cities but not the mover's own."""
    for _ in range(60):
        match = new_match(alice, bob)
        while match.status == Match.Status.RUNNING:
            seat = mover(match)
            state = record.load_state(match)
            game = GAMES[match.game]
            if state.phase == "lay":
                for first, cost in _priced(match, seat):
                    if cost != 1:
                        continue
                    after = game.play(state, seat.index, first)
                    if (
                        after.phase != "score"
                        or game.play(game.blind(state, seat.index), seat.index, first).phase != "lay"
                    ):
                        continue
                    blind = game.play(game.blind(state, seat.index), seat.index, first)
                    second = next(move for move in game.choices(blind, seat.index).moves if move != first)
                    return match, seat, msgspec.to_builtins([first, second])
            match = take_some_turn(match, "medium")
    raise AssertionError("no such position came up in sixty matches")


def test_a_record_that_was_touched_is_found_out(match):
    match = play_out(match)
    assert record.faults(match) == []
    last = match.turns.filter(kind="turn").last()
    Turn.objects.filter(pk=last.pk).update(moves=[{"type": "place", "junction": "0-0"}])
    assert "is not possible" in record.faults(match)[0]
    Turn.objects.filter(pk=last.pk).delete()
    assert "the record's numbers are not 1 to" in record.faults(match)[0]


def test_a_downloaded_record_can_be_checked_without_the_database(match, client, tmp_path):
    match = play_out(match)
    file = tmp_path / "record.json"
    file.write_bytes(client.get(reverse("api-record", args=[match.key])).content)
    call_command("verify_match", str(file), match.key)
    file.write_text(file.read_text().replace(bytes(match.seed).hex(), "00" * 32))
    with pytest.raises(CommandError):
        call_command("verify_match", str(file))


def test_a_record_that_cannot_be_one_is_refused_with_a_sentence(match, client, tmp_path):
    match = play_out(match)
    text = client.get(reverse("api-record", args=[match.key])).content.decode()
    for wrong in (
        "{",
        text.replace(bytes(match.seed).hex(), "zz"),
        text.replace("trans-america", "chess"),
        text.replace('"type":"lay"', '"type":"fly"'),
    ):
        file = tmp_path / "record.json"
        file.write_text(wrong)
        with pytest.raises(CommandError, match="1 of 1"):
            call_command("verify_match", str(file))


def test_the_record_of_a_match_that_everybody_left_is_sound(match, alice, bob, client, tmp_path):
    play.resign(match.key, alice)
    play.resign(match.key, bob)
    file = tmp_path / "record.json"
    file.write_bytes(client.get(reverse("api-record", args=[match.key])).content)
    call_command("verify_match", str(file), match.key)
