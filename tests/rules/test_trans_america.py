"""The rules of Trans America, paragraph by paragraph, on small positions drawn as text (see drawing.py)."""

from pathlib import Path

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, Saying, complete_options, encode
from games.rules.trans_america import game
from games.rules.trans_america.board import BOARDS, COLOURS, Board, BoardFault, board, read_facts
from games.rules.trans_america.values import LastTurn, Lay, Move, Place, State, Stop
from tests.rules.drawing import Drawing, position

SEED = b"trans america in tests"
AMERICA = board("america")
EUROPA = board("europa")

# The country round Santa Fe [8,8] and Oklahoma City [8,11]: single lines only. Junctions 7-8 to 7-11 on top.
PLAINS = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0---+---Y---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
"""


def start(seats: int = 2, number: int = 0, **options: str | bool) -> State:
    return game.start(seats, complete_options(game, options), Chance(SEED, number))


def dealt(seats: int = 2, number: int = 1, **options: str | bool) -> State:
    return game.settle(start(seats, **options), Chance(SEED, number))


def play(state: State, *moves: tuple[int, Move]) -> State:
    for seat, move in moves:
        state = game.play(state, seat, move)
    return state


def refusal(state: State, seat: int, move: Move) -> Saying:
    """Why a move is refused; nothing of the state has changed."""
    before = encode(state)
    with pytest.raises(IllegalMove) as problem:
        game.play(state, seat, move)
    assert encode(state) == before
    return problem.value.saying


def lines_offered(state: State, seat: int = 0, own: bool = False) -> dict[str, int]:
    choices = game.choices(state, seat)
    return {
        move.line: cost
        for move, cost in zip(choices.moves, choices.costs, strict=True)
        if isinstance(move, Lay) and move.own == own
    }


def junction(city: str, on: Board = AMERICA) -> int:
    return next(one.junction for one in on.cities if one.name == city)


def named(lines: tuple[int, ...], on: Board = AMERICA) -> list[str]:
    return [on.line_names[line] for line in lines]


# The boards


def test_the_board_of_america_is_the_drawn_one():
    drawing = Drawing(AMERICA, "0-0", Path(__file__).with_name("america.txt").read_text())
    assert drawing.junctions == set(range(188))
    assert drawing.lines == set(range(509))
    assert not drawing.rails


def test_the_boards_have_the_counts_of_the_rules():
    assert (len(AMERICA.junctions), len(AMERICA.lines), AMERICA.costs.count(2), AMERICA.rails) == (188, 509, 109, 84)
    assert (len(EUROPA.junctions), len(EUROPA.lines), EUROPA.costs.count(2), EUROPA.rails) == (210, 577, 151, 83)
    degrees = [len(neighbours) for neighbours in AMERICA.neighbours]
    assert {degree: degrees.count(degree) for degree in sorted(set(degrees))} == {3: 14, 4: 30, 5: 8, 6: 136}
    for map_ in (AMERICA, EUROPA):
        assert [len(map_.cities_of(colour, 4)) for colour in COLOURS] == [7] * 5
        assert [len(map_.cities_of(colour, 3)) for colour in COLOURS] == [5] * 5


def test_the_lines_that_lists_of_the_european_board_dispute_are_single():
    for name in ("0-5:1-6", "5-1:6-1", "10-12:10-13"):
        assert EUROPA.costs[EUROPA.line_index[name]] == 1


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("Seattle", "Boston", 19),
        ("Seattle", "Jacksonville", 21),
        ("San Francisco", "New York", 21),
        ("San Diego", "Boston", 21),
        ("Portland", "New Orleans", 18),
        ("Helena", "Houston", 11),
    ],
)
def test_distances_on_the_empty_board(one, other, distance):
    assert AMERICA.graph.distances([junction(one)])[junction(other)] == distance


@pytest.mark.parametrize("name", BOARDS)
def test_a_line_is_one_long_and_joins_neighbours(name):
    map_ = board(name)
    for a, b in map_.lines:
        (ax, ay), (bx, by) = map_.position(a), map_.position(b)
        assert (bx - ax) ** 2 + (by - ay) ** 2 == pytest.approx(1)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lambda facts: {"double_lines": [*facts.double_lines, "0-0:5-5"]}, "no such lines"),
        (lambda facts: {"double_lines": facts.double_lines[1:]}, "counts"),
        (lambda facts: {"double_lines": [*facts.double_lines, facts.double_lines[0]]}, "listed twice"),
        (lambda facts: {"rows": [*facts.rows, [(0, 1)]]}, "out of reach"),
        (lambda facts: {"cities": facts.cities[1:]}, "seven cities"),
        (lambda facts: {"cities": [*facts.cities[1:], facts.cities[1]]}, "two cities on one junction"),
        (lambda facts: {"disputed_lines": facts.double_lines[:1]}, "disputed"),
    ],
)
def test_a_board_with_contradicting_facts_cannot_be_read(fault, message):
    facts = read_facts("america")
    with pytest.raises(BoardFault, match=message):
        Board("america", msgspec.structs.replace(facts, **fault(facts)))


def test_a_city_that_lies_nowhere_is_named():
    facts = read_facts("america")
    lost = msgspec.structs.replace(facts.cities[0], junction="0-99")
    with pytest.raises(BoardFault, match="Seattle"):
        Board("america", msgspec.structs.replace(facts, cities=[lost, *facts.cities[1:]]))


def test_lines_are_described_by_their_city_or_the_nearest_one():
    def words(line: str) -> dict[str, object]:
        return AMERICA.describe(AMERICA.line_index[line])

    assert words("5-7:5-8") == {"place": "Denver", "distance": 0, "direction": "east"}
    assert words("4-7:5-7") == {"place": "Denver", "distance": 0, "direction": "north-east"}
    assert words("4-17:5-17") == {"place": "New York", "distance": 0, "direction": "south-west", "to": "Washington"}
    assert words("5-8:5-9") == {"place": "Denver", "distance": 1, "direction": "east", "towards": "east"}
    assert AMERICA.describe_junction(junction("Omaha")) == {"place": "Omaha", "distance": 0}
    assert AMERICA.describe_junction(AMERICA.junction_index["3-9"]) == {
        "place": "Omaha",
        "distance": 1,
        "direction": "north-east",
    }


@pytest.mark.parametrize("name", BOARDS)
def test_no_two_lines_or_junctions_have_the_same_words(name):
    map_ = board(name)
    lines = [tuple(sorted(map_.describe(line).items())) for line in range(len(map_.lines))]
    junctions = [tuple(sorted(map_.describe_junction(each).items())) for each in range(len(map_.junctions))]
    assert len(set(lines)) == len(lines)
    assert len(set(junctions)) == len(junctions)


# 1. The deal


@pytest.mark.parametrize("seats", game.seats)
@pytest.mark.parametrize("on", BOARDS)
def test_everybody_gets_a_city_of_each_colour_and_none_is_dealt_twice(seats, on):
    for number in range(1, 20):
        state = dealt(seats, number, board=on)
        cities = [board(on).cities[city] for hand in state.hands for city in hand]
        assert len(set(cities)) == 5 * seats
        for hand in state.hands:
            assert [board(on).cities[city].colour for city in hand] == list(COLOURS)


@pytest.mark.parametrize(("seats", "are_in_play"), [(2, False), (3, False), (4, True), (6, True)])
def test_dashed_cities_are_in_play_with_four_and_more(seats, are_in_play):
    hands = [hand for number in range(1, 30) for hand in dealt(seats, number).hands]
    assert any(AMERICA.cities[city].dashed for hand in hands for city in hand) == are_in_play


def test_the_cards_are_shuffled_anew_and_the_same_chance_deals_the_same():
    assert dealt(4, 1) == dealt(4, 1)
    assert dealt(4, 1).hands != dealt(4, 2).hands


def test_chance_names_the_first_start_player():
    assert {start(3, number).start for number in range(20)} == {0, 1, 2}


# 2. Start markers


def test_markers_are_set_clockwise_from_the_start_player_who_then_lays_first():
    state = msgspec.structs.replace(start(3), start=1)
    state = game.settle(state, Chance(SEED, 1))
    for seat, name in ((1, "5-7"), (2, "0-0"), (0, "3-3")):
        assert game.waiting_for(state) == {seat}
        assert game.choices(state, seat).asked == Saying("place-marker")
        state = game.play(state, seat, Place(name))
        assert state.last == LastTurn(seat, marker=AMERICA.junction_index[name])
    assert state.phase == "lay"
    assert game.waiting_for(state) == {1}


def test_a_marker_may_stand_on_any_free_junction_city_or_not():
    state = dealt()
    first = state.mover
    assert len(game.choices(state, first).moves) == 188
    state = game.play(state, first, Place("5-7"))
    assert Place("5-7") not in game.choices(state, 1 - first).moves
    assert len(game.choices(state, 1 - first).moves) == 187
    told = refusal(state, 1 - first, Place("5-7"))
    assert told == Saying("junction-taken", {"junction": "5-7", "seat": first, "place": "Denver", "distance": 0})


def test_a_junction_has_one_spelling():
    state = dealt()
    for name in ("5-07", "05-7", " 5-7", "5,7", "13-0", ""):
        assert refusal(state, state.mover, Place(name)) == Saying("unknown-junction", {"junction": name})


def test_nobody_lays_before_every_marker_is_set_nor_sets_one_afterwards():
    state = dealt()
    assert refusal(state, state.mover, Lay("5-7:5-8")).code == "place-first"
    assert refusal(state, state.mover, Stop()).code == "place-first"
    assert refusal(position("7-8", PLAINS), 0, Place("0-0")).code == "already-placed"


# 3. A turn: one or two rails worth two points at most


def test_two_single_lines_are_a_turn():
    state = position("7-8", PLAINS)
    assert game.choices(state, 0).asked == Saying("lay", {"points": 2})
    state = play(state, (0, Lay("8-9:8-10")))
    assert game.waiting_for(state) == {0}
    assert game.choices(state, 0).asked == Saying("lay-more", {"points": 1})
    state = play(state, (0, Lay("8-9:9-9")))
    assert game.waiting_for(state) == {1}
    assert state.last == LastTurn(0, lines=(AMERICA.line_index["8-9:8-10"], AMERICA.line_index["8-9:9-9"]))


def test_the_second_rail_may_grow_from_the_first_or_from_elsewhere():
    state = play(position("7-8", PLAINS), (0, Lay("8-9:8-10")))
    grown = play(state, (0, Lay("8-10:8-11")))
    apart = play(state, (0, Lay("8-8:8-9")))
    assert game.waiting_for(grown) == game.waiting_for(apart) == {1}


DOUBLES = """
  +---Y---+
 Z \\ / \\ /
R===0---+
"""


def test_a_double_line_is_a_turn():
    state = position("8-7", DOUBLES)
    assert lines_offered(state)["9-7:9-8"] == 2
    assert game.waiting_for(play(state, (0, Lay("9-7:9-8")))) == {1}


def test_a_double_line_is_too_dear_after_a_single_one():
    state = play(position("8-7", DOUBLES), (0, Lay("8-8:9-8")))
    assert "9-7:9-8" not in lines_offered(state)
    assert set(lines_offered(state).values()) == {1}
    told = refusal(state, 0, Lay("9-7:9-8"))
    assert told.code == "too-dear"
    assert (told.params["cost"], told.params["left"]) == (2, 1)


def test_one_rail_must_be_laid_and_stopping_is_possible_after_it():
    state = position("7-8", PLAINS)
    assert refusal(state, 0, Stop()).code == "must-lay-first"
    assert Stop() not in game.choices(state, 0).moves
    state = play(state, (0, Lay("8-9:8-10")))
    assert Stop() in game.choices(state, 0).moves
    state = play(state, (0, Stop()))
    assert game.waiting_for(state) == {1}
    assert state.last == LastTurn(0, lines=(AMERICA.line_index["8-9:8-10"],))


def test_points_are_not_saved_up_for_the_next_turn():
    state = play(position("7-8", PLAINS, mover=0), (0, Lay("8-9:8-10")), (0, Stop()))
    state = play(state, (1, Lay(next(iter(lines_offered(state, 1))))))
    state = play(state, (1, Stop())) if game.waiting_for(state) == {1} else state
    assert game.choices(state, 0).asked == Saying("lay", {"points": 2})


def test_a_turn_ends_by_itself_when_only_double_lines_are_left():
    """Seats 1's coloured rails shut the only single lines on from Washington's coast."""
    state = position(
        "0-0",
        """
          g===+
         # N
        0===+
       # N
      +===+
       b
        G
        """,
        seats=2,
    )
    state = msgspec.structs.replace(state, rails=state.rails[1:])  # [0,0]-[1,0] is the line to lay
    assert lines_offered(state) == {"0-0:1-0": 1, "1-0:1-1": 2, "1-0:2-1": 2, "2-0:2-1": 2}
    assert game.waiting_for(play(state, (0, Lay("0-0:1-0")))) == {1}


def test_turns_go_clockwise():
    state = position("7-8", PLAINS, seats=3, mover=0)
    for seat in (0, 1, 2, 0):
        assert game.waiting_for(state) == {seat}
        for _ in range(2):
            state = play(
                state, (seat, Lay(min(line for line, cost in lines_offered(state, seat).items() if cost == 1)))
            )


# 4. Where a rail may lie


def test_a_rail_needs_an_end_in_the_network_of_the_own_marker():
    state = position("7-8", PLAINS)
    assert set(lines_offered(state)) == {"7-8:8-9", "7-9:8-9", "8-8:8-9", "8-9:8-10", "8-9:9-9", "8-9:9-10"}
    told = refusal(state, 0, Lay("8-10:8-11"))
    assert told.code == "line-not-connected"
    assert told.params == {"line": "8-10:8-11", "place": "Oklahoma City", "distance": 0, "direction": "west"}


def test_a_built_line_is_built_once():
    state = play(position("7-8", PLAINS), (0, Lay("8-9:8-10")))
    assert "8-9:8-10" not in lines_offered(state)
    assert refusal(state, 0, Lay("8-9:8-10")).code == "line-taken"


def test_a_line_has_one_spelling():
    state = position("7-8", PLAINS)
    told = refusal(state, 0, Lay("8-10:8-9"))
    assert told == Saying("line-turned-round", {"line": "8-10:8-9", "right": "8-9:8-10"})
    for name in ("8-9:8-11", "8-9", "8-9:8-10:8-11", "8-9-8-10", ""):
        assert refusal(state, 0, Lay(name)) == Saying("unknown-line", {"line": name})


def test_rails_of_others_count_only_when_they_meet_the_own_network():
    apart = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0---+###1---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
    """
    state = position("7-8", apart)
    assert "8-11:8-12" not in lines_offered(state)
    state = play(state, (0, Lay("8-9:8-10")))
    assert "8-11:8-12" in lines_offered(state)


def test_only_the_seat_that_has_the_turn_may_move():
    state = position("7-8", PLAINS, seats=3)
    assert refusal(state, 2, Lay("8-9:8-10")) == Saying("not-your-turn", {"seat": 0})
    choices = game.choices(state, 2)
    assert (choices.asked, choices.moves) == (Saying("wait", {"seat": 0}), ())


# 5. The end of a round

ALMOST = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y###0###+---1---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
"""
WEST_EAST = ["Santa Fe", "Oklahoma City"]


def test_the_round_ends_at_once_in_the_middle_of_a_turn():
    before = position("7-8", ALMOST, {0: WEST_EAST})
    after = play(before, (0, Lay("8-10:8-11")))
    assert (after.phase, game.waiting_for(after)) == ("score", frozenset())
    assert game.events(before, after, 0, Lay("8-10:8-11"))[1] == Saying("joined", {"seats": [0]})
    assert refusal(after, 0, Stop()).code == "house-to-move"
    assert game.choices(after, 0).asked == Saying("wait-house")


def test_the_round_ends_when_the_rail_was_another_players():
    before = position("7-8", ALMOST, {0: WEST_EAST}, mover=1)
    after = play(before, (1, Lay("8-10:8-11")))
    assert after.phase == "score"
    assert after.last == LastTurn(1, lines=(AMERICA.line_index["8-10:8-11"],))
    assert game.events(before, after, 1, Lay("8-10:8-11"))[1] == Saying("joined", {"seats": [0]})


def test_several_may_be_done_together():
    before = position("7-8", ALMOST, {0: WEST_EAST, 1: WEST_EAST, 2: ["Seattle", "Boston"]}, seats=3)
    after = play(before, (0, Lay("8-10:8-11")))
    assert game.events(before, after, 0, Lay("8-10:8-11"))[1] == Saying("joined", {"seats": [0, 1]})
    assert game.settle(after, Chance(SEED, 5)).rounds[0].done == (0, 1)


def test_cities_joined_to_each_other_but_not_to_the_own_marker_are_not_joined():
    state = position("7-8", ALMOST, {0: ["Santa Fe"], 1: ["Santa Fe"]}, mover=1)
    assert play(state, (1, Lay("8-11:8-12"))).phase == "score"  # seat 0 has been done before
    state = position("7-8", ALMOST, {1: ["Santa Fe"]}, mover=1)
    assert play(state, (1, Lay("8-11:8-12"))).phase == "lay"


def far_grown(rails: int, on: Board) -> tuple[int, ...]:
    """So many rails grown from the last junction."""
    network, built = [len(on.junctions) - 1], dict[int, None]()
    for reached in network:
        for other, line, _ in on.neighbours[reached]:
            if len(built) < rails:
                built[line] = None
            if other not in network:
                network.append(other)
    return tuple(built)


@pytest.mark.parametrize(("on", "rails"), [("america", 84), ("europa", 83)])
def test_the_round_ends_with_the_last_rail(on, rails):
    state = position("0-0", "0", on=on, mover=1)
    last = len(board(on).junctions) - 1
    state = msgspec.structs.replace(state, rails=far_grown(rails - 2, board(on)), markers=(0, last))
    line = next(line for line, cost in lines_offered(state, 1).items() if cost == 1)
    state = play(state, (1, Lay(line)))
    assert state.phase == "lay"
    line = next(iter(lines_offered(state, 1)))
    after = play(state, (1, Lay(line)))
    assert after.phase == "score"
    assert game.events(state, after, 1, Lay(line))[1] == Saying("last-rail", {"rails": rails})
    assert game.view(after, None).rails_left == 0


# 6. Penalties


def scored(state: State) -> State:
    return game.settle(state, Chance(SEED, 9))


@pytest.mark.parametrize(
    ("hand", "cost"),
    [
        (["Seattle", "Helena", "Salt Lake City", "Atlanta", "Winston"], 23),
        (["Medford", "Bismarck", "Omaha", "Atlanta", "New York"], 28),
        (["Seattle", "Duluth", "Oklahoma City", "Phoenix", "Jacksonville"], 33),
        (["San Francisco", "Helena", "Salt Lake City", "Phoenix", "Washington"], 28),
    ],
)
def test_what_it_costs_to_join_a_hand_on_the_empty_board(hand, cost):
    state = position("7-8", PLAINS, {0: hand}, mover=None)
    state = msgspec.structs.replace(state, markers=(junction(hand[-1]), state.markers[1]))
    report = scored(state).rounds[0]
    assert report.penalties[0] == cost
    assert sum(AMERICA.costs[line] for line in report.missing[0]) == cost


def test_a_penalty_is_the_cheapest_set_of_lines_and_not_a_sum_of_ways():
    """Santa Fe, Phoenix and El Paso lie 3 from each other and meet in a junction between them."""
    state = position("7-8", PLAINS.replace("Y---0", "0---+"), {0: ["Phoenix", "El Paso"]}, mover=None)
    distances = AMERICA.graph.distances([junction("Santa Fe")])
    assert (distances[junction("Phoenix")], distances[junction("El Paso")]) == (3, 3)
    assert AMERICA.graph.distances([junction("Phoenix")])[junction("El Paso")] == 3
    assert scored(state).rounds[0].penalties[0] == 5


def test_every_built_rail_is_free_connected_or_not():
    gap = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0---+###Y---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
    """
    report = scored(position("7-8", gap, {0: ["Oklahoma City"]}, mover=None)).rounds[0]
    assert report.penalties[0] == 1
    assert named(report.missing[0]) == ["8-9:8-10"]


def test_each_player_is_reckoned_alone_and_imagined_rails_are_not_kept():
    both = PLAINS.replace("Y---0---+---Y", "1---0---+---Y")
    state = position("7-8", both, {0: ["Oklahoma City"], 1: ["Oklahoma City"]}, mover=None)
    after = scored(state)
    assert after.rounds[0].penalties == (2, 3)
    assert after.rails == state.rails == ()


def test_who_is_done_loses_nothing():
    state = play(position("7-8", ALMOST, {0: WEST_EAST, 1: ["Denver"]}), (0, Lay("8-10:8-11")))
    report = scored(state).rounds[0]
    assert (report.penalties[0], report.missing[0], report.done) == (0, (), (0,))
    assert report.penalties[1] > 0


# 7. Points, and what is shown after a round


def test_points_start_at_13_and_penalties_come_off():
    assert start(4).points == (13, 13, 13, 13)
    state = position("7-8", PLAINS, {0: ["Oklahoma City"], 1: ["Jacksonville"]}, mover=None, points=(9, 7))
    after = scored(state)
    report = after.rounds[0]
    assert after.points == report.points == (9 - 2, 7 - report.penalties[1])


def test_all_cities_and_missing_lines_are_shown_after_a_round():
    state = position("7-8", PLAINS, {0: ["Oklahoma City"], 1: ["Jacksonville"]}, mover=None)
    assert game.view(state, None).rounds == ()
    after = scored(state)
    assert after.phase == "deal"
    shown = game.view(after, None).rounds[0]
    assert [[city.name for city in hand] for hand in shown.hands] == [["Oklahoma City"], ["Jacksonville"]]
    assert shown.missing[0] == ("8-9:8-10", "8-10:8-11")
    assert [rail.line for rail in game.view(after, None).rails] == named(state.rails)  # the board is cleared later
    assert game.settle(after, Chance(SEED, 10)).rails == ()


# 8. The start player


def test_the_start_player_moves_one_seat_clockwise_each_round():
    state = scored(position("7-8", PLAINS, {0: ["Oklahoma City"], 1: [], 2: []}, mover=None, seats=3, start=2))
    state = game.settle(state, Chance(SEED, 10))
    assert (state.round, state.start, state.mover) == (2, 0, 0)


# The end of a match


def ended(points: tuple[int, ...], **fields: object) -> State:
    """A round scored in which nobody loses a point, with these points left."""
    hands = {seat: ["Santa Fe"] for seat in range(len(points))}
    state = position("8-8", "0", hands, mover=None, seats=len(points), points=points, **fields)
    return scored(msgspec.structs.replace(state, markers=(junction("Santa Fe"),) * len(points)))


@pytest.mark.parametrize(("points", "is_over"), [((1, 5), False), ((0, 5), True), ((-2, 5), True)])
def test_the_match_ends_with_the_round_that_leaves_somebody_no_points(points, is_over):
    after = ended(points)
    assert (after.phase == "over") == is_over
    assert (game.result(after) is not None) == is_over
    if is_over:
        assert refusal(after, 0, Stop()).code == "match-is-over"
        assert game.choices(after, 0).asked == Saying("match-is-over")
        with pytest.raises(ValueError, match="nothing to do"):
            game.settle(after, Chance(SEED, 1))


def test_most_points_win_and_ties_share_the_win_and_negative_totals_order_the_losers():
    result = game.result(ended((4, -3, 4, 0, -1)))
    assert result.points == (4, -3, 4, 0, -1)
    assert result.ranks == (1, 5, 1, 3, 4)


def test_the_sheet_starts_with_13_and_takes_each_penalty_off():
    state = position("7-8", PLAINS, {0: ["Oklahoma City"], 1: ["Jacksonville"]}, mover=None, points=(2, 13))
    after = scored(state)
    result = game.result(after)
    assert [line.label.code for line in result.sheet] == ["sheet-start", "sheet-round"]
    assert result.sheet[0].amounts == (13, 13)
    assert result.sheet[1].amounts == tuple(-lost for lost in after.rounds[0].penalties)


# Option: barrier


@pytest.mark.parametrize(("lowest", "threshold"), [(9, 6), (4, 1), (3, 0), (2, 0)])
def test_the_barrier_moves_to_three_below_the_lowest_after_round_2(lowest, threshold):
    after = ended((12, lowest), barrier=True, round=2)
    assert (after.phase, after.threshold) == ("deal", threshold)


def test_the_barrier_moves_once_and_only_when_chosen():
    assert ended((12, 9), barrier=True, round=1).threshold == 0
    assert ended((12, 9), barrier=True, round=3).threshold == 0
    assert ended((12, 9), barrier=False, round=2).threshold == 0


def test_the_match_ends_at_the_barrier():
    assert ended((12, 6), barrier=True, round=3, threshold=6).phase == "over"
    assert ended((12, 7), barrier=True, round=3, threshold=6).phase == "deal"


def test_the_barrier_is_told():
    state = position("8-8", "0", {0: ["Santa Fe"], 1: []}, mover=None, points=(12, 9), barrier=True, round=2)
    events = game.events(state, scored(state), None, None)
    assert events[1] == Saying("barrier", {"threshold": 6})


# Option: vexation

TOLL = """
      +---+---+---+
     / \\ / \\ / \\ / \\
    Y---0bbb+---Y---+
     \\ / \\ / \\ / \\ /
      +---+---+---+
"""


def test_a_coloured_rail_costs_like_a_plain_one():
    state = position("8-7", DOUBLES, vexation=True)
    assert lines_offered(state, own=True) == lines_offered(state)
    assert game.waiting_for(play(state, (0, Lay("9-7:9-8", own=True)))) == {1}
    assert play(state, (0, Lay("8-8:9-8", own=True))).coloured == ((AMERICA.line_index["8-8:9-8"], 0),)


def test_a_coloured_rail_joins_only_for_its_owner():
    state = position("7-8", TOLL, seats=2)
    assert "8-10:8-11" not in lines_offered(state, 0)
    assert refusal(state, 0, Lay("8-10:8-11")).code == "line-not-connected"
    told = refusal(state, 0, Lay("8-9:8-10"))
    assert (told.code, told.params["seat"]) == ("line-blocked", 1)
    owner = msgspec.structs.replace(state, markers=state.markers[::-1], mover=1)
    assert "8-10:8-11" in lines_offered(owner, 1)
    assert refusal(owner, 1, Lay("8-9:8-10")).code == "line-taken"


def test_nobody_else_is_done_over_a_coloured_rail():
    state = position("7-8", TOLL, {0: ["Oklahoma City"], 1: ["Oklahoma City"]}, mover=1)
    state = msgspec.structs.replace(state, markers=(state.markers[0],) * 2)
    after = play(state, (1, Lay("8-10:8-11")))
    assert game.events(state, after, 1, Lay("8-10:8-11"))[1] == Saying("joined", {"seats": [1]})


def test_a_penalty_goes_round_the_coloured_rails_of_others():
    state = position("7-8", TOLL, {0: ["Oklahoma City"], 1: ["Oklahoma City"]}, mover=None)
    state = msgspec.structs.replace(state, markers=(state.markers[0],) * 2)
    report = scored(state).rounds[0]
    assert report.penalties == (3, 1)
    assert AMERICA.line_index["8-9:8-10"] not in report.missing[0]


def test_everybody_has_three_coloured_rails_each_round():
    text = """
      +---+aaa+---+
     / \\ / \\ / \\ / \\
    Y---0---+---Y---+
     a / \\ / \\ / a /
      +---+---+---+
    """
    state = position("7-8", text)
    assert game.view(state, None).coloured_left == (0, 3)
    assert lines_offered(state, own=True) == {}
    assert refusal(state, 0, Lay("8-9:8-10", own=True)).code == "no-coloured-rails-left"
    after = scored(position("7-8", text, {0: ["Santa Fe"], 1: []}, mover=None))
    fresh = game.settle(after, Chance(SEED, 3))
    assert game.view(fresh, None).coloured_left == (3, 3)


def test_there_are_no_coloured_rails_without_the_option():
    state = position("7-8", PLAINS)
    assert lines_offered(state, own=True) == {}
    assert refusal(state, 0, Lay("8-9:8-10", own=True)).code == "no-coloured-rails-here"
    assert game.view(state, None).coloured_left == (0, 0)


def test_coloured_rails_are_of_the_84():
    state = position("0-0", "0", seats=2, vexation=True, mover=1)
    state = msgspec.structs.replace(state, rails=far_grown(83, AMERICA))
    line = next(iter(lines_offered(state, 1, own=True)))
    assert play(state, (1, Lay(line, own=True))).phase == "score"


# The corner of Maine: seat 0's two junctions are shut in by two rails of seat 1 and two of seat 2.
SHUT_IN = """
        0###+
       b b c c
      b---+---o
"""


def shut_in(**fields: object) -> State:
    return position("1-15", SHUT_IN, seats=3, **fields)


def test_a_shut_in_seat_is_passed_over_by_the_house():
    state = shut_in(mover=2)
    assert lines_offered(msgspec.structs.replace(state, mover=0), 0) == {}
    for _ in range(2):
        state = play(state, (2, Lay(next(line for line, cost in lines_offered(state, 2).items() if cost == 1))))
    assert (state.phase, game.waiting_for(state)) == ("pass", frozenset())
    after = game.settle(state, Chance(SEED, 4))
    assert (after.phase, game.waiting_for(after)) == ("lay", {1})
    assert game.events(state, after, None, None) == [Saying("passed-over", {"seats": [0]})]


def test_who_is_left_alone_has_one_turn_after_the_other():
    """All four rails round the corner as seat 1's, more than there can be: nobody else can lay."""
    state = position("1-15", SHUT_IN.replace("c", "b"), seats=2, mover=1)
    for _ in range(2):
        state = play(state, (1, Lay(next(line for line, cost in lines_offered(state, 1).items() if cost == 1))))
    assert game.waiting_for(state) == frozenset()
    state = game.settle(state, Chance(SEED, 4))
    assert game.choices(state, 1).asked == Saying("lay", {"points": 2})


def test_a_penalty_counts_blocked_lines_as_unbuilt_where_they_leave_no_way():
    state = shut_in(hands={0: ["Boston"]}, mover=None)
    report = scored(state).rounds[0]
    assert report.penalties[0] == 1
    assert named(report.missing[0]) == ["1-16:2-17"]


def test_the_round_ends_when_every_seat_is_shut_in():
    """Seats 0 and 3 in Oregon, shut in by 1 and 2; seats 1 and 2 in Maine, shut in by 0 and 3."""
    index, lines = AMERICA.junction_index, AMERICA.line_index
    coloured = {
        "0-0:0-1": 1,
        "0-0:1-1": 1,
        "1-0:1-1": 1,
        "1-0:2-1": 2,
        "2-0:2-1": 2,
        "2-0:3-1": 2,
        "1-15:1-16": 0,
        "1-16:2-16": 0,
        "2-16:2-17": 0,
        "2-17:3-17": 3,
    }
    plain = [lines["0-0:1-0"], lines["1-0:2-0"]]
    state = position(
        "0-0",
        "0",
        seats=4,
        mover=1,
        vexation=True,
        markers=tuple(index[name] for name in ("0-0", "1-16", "2-17", "2-0")),
        rails=(*plain, *(lines[name] for name in coloured)),
        coloured=tuple((lines[name], seat) for name, seat in coloured.items()),
    )
    assert lines_offered(state, 1) == {"1-16:2-17": 1}
    after = play(state, (1, Lay("1-16:2-17")))
    assert after.phase == "score"
    assert game.events(state, after, 1, Lay("1-16:2-17"))[1].code == "nobody-can-lay"


# Views


def test_a_view_shows_the_own_cities_and_nobody_elses():
    state = dealt(3)
    for seat in range(3):
        view = game.view(state, seat)
        assert [city.name for city in view.hand] == [AMERICA.cities[city].name for city in state.hands[seat]]
    assert game.view(state, None).hand == ()


def test_a_blind_state_keeps_one_hand_and_a_rail_joins_nobody_elses_cities_in_it():
    state = position("7-8", ALMOST, {0: WEST_EAST, 1: ["Denver"]}, mover=1)
    blind = game.blind(state, 1)
    assert blind.hands == ((), state.hands[1])
    assert game.blind(state, None).hands == ((), ())
    assert play(state, (1, Lay("8-10:8-11"))).phase == "score"
    after = play(blind, (1, Lay("8-10:8-11")))
    assert (after.phase, game.waiting_for(after)) == ("lay", {1})


def test_a_blind_state_knows_when_the_own_cities_are_joined():
    state = position("7-8", ALMOST, {0: WEST_EAST}, mover=0)
    assert play(game.blind(state, 0), (0, Lay("8-10:8-11"))).phase == "score"


def test_a_view_shows_the_running_turn_and_the_last_one():
    state = play(position("7-8", PLAINS), (0, Lay("8-9:8-10")))
    view = game.view(state, None)
    assert (view.turn, view.points_left, view.last) == (("8-9:8-10",), 1, None)
    view = game.view(play(state, (0, Lay("8-10:8-11"))), None)
    assert (view.turn, view.points_left, view.last.lines) == ((), 2, ("8-9:8-10", "8-10:8-11"))
    assert view.rails_left == 82


def test_what_is_unveiled_after_the_end_holds_every_hand():
    state = dealt(2)
    names = [[city.name for city in hand] for hand in game.unveil(state).hands]
    assert names == [[AMERICA.cities[city].name for city in hand] for hand in state.hands]
    assert game.view(state, 0).hands == ()


# Moves as clients send them


def test_moves_are_read_from_json_and_unknown_parts_are_refused():
    def read(text: str) -> Move:
        return msgspec.json.decode(text, type=game.move_type)

    assert read('{"type": "place", "junction": "5-7"}') == Place("5-7")
    assert read('{"type": "lay", "line": "5-7:5-8"}') == Lay("5-7:5-8")
    assert read('{"type": "lay", "line": "5-7:5-8", "own": true}') == Lay("5-7:5-8", own=True)
    assert read('{"type": "stop"}') == Stop()
    for wrong in ('{"type": "stop", "why": 1}', '{"type": "lay"}', '{"type": "fly"}', '{"line": "5-7:5-8"}'):
        with pytest.raises(msgspec.ValidationError):
            read(wrong)


def test_events_of_a_turn_say_what_was_laid_where():
    state = position("7-8", PLAINS)
    after = play(state, (0, Lay("8-9:8-10")))
    assert game.events(state, after, 0, Lay("8-9:8-10")) == [
        Saying(
            "laid",
            {
                "seat": 0,
                "line": "8-9:8-10",
                "place": "Santa Fe",
                "distance": 1,
                "direction": "east",
                "towards": "east",
                "cost": 1,
                "own": False,
            },
        )
    ]
    assert game.events(after, play(after, (0, Stop())), 0, Stop()) == [Saying("stopped", {"seat": 0})]


def test_dealing_and_placing_are_told():
    state = start()
    after = game.settle(state, Chance(SEED, 1))
    assert game.events(state, after, None, None) == [Saying("round-dealt", {"round": 1, "seat": after.start})]
    placed = game.play(after, after.start, Place("5-7"))
    told = game.events(after, placed, after.start, Place("5-7"))
    assert told == [Saying("placed", {"seat": after.start, "junction": "5-7", "place": "Denver", "distance": 0})]
