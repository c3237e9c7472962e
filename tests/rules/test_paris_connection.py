"""The rules of Paris Connection, by small positions and by what holds in every match."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, complete_options
from games.rules.paris_connection import game
from games.rules.paris_connection.board import board
from games.rules.paris_connection.game import IN_THE_BAG, SWAPS_EACH
from games.rules.paris_connection.values import COMPANIES, Build, LastTurn, State, Stop, Trade

FEW = settings(max_examples=15, deadline=None)
SEVEN_IN_EACH = (7,) * 6
LONGEST = 5000
"""More steps than any random match has."""


def at(*names: str) -> dict[str, list[str]]:
    """Locomotives by company: `at("red J3 J2", "blue K3")`."""
    return {words.split()[0]: words.split()[1:] for words in names}


def position(locomotives: dict[str, list[str]], **changes) -> State:
    """A match of three in which Ann (seat 0) is to move and everybody holds two of each company."""
    index = board().index
    start = game.start(3, complete_options(game, {}), Chance(bytes(32), 0))
    facts = {
        "phase": "turn",
        "start": 0,
        "mover": 0,
        "hands": ((2,) * 6,) * 3,
        "supply": SEVEN_IN_EACH,
        "locomotives": tuple(
            (COMPANIES.index(name), index[hex_]) for name in locomotives for hex_ in locomotives[name]
        ),
    }
    return msgspec.structs.replace(start, **facts | changes)


STATIONS = at("red J3", "blue K3", "black K4", "brown J5", "yellow I4", "purple I3")


BOXED_IN = at(
    "red I1 I2 J1 J6 K1 K2 K3 K5 K6 K8 L1 L2 L3 L4 L6 L7 M1 M2 M3 M4 M5 M6 N1 N2 N3 N4 O1 O2",
    "blue I1 I2 J2 J3 K2 L1 M1 M2 N1 N2",
    "black E1 E2 E3 F1 F2 F3 G1 G2 H1 H2 H3 I4",
    "brown B1 C2 D1 D2 E2 E3 F2 F3 G2 H2 H3 I3",
    "yellow F6 G5 H5 I6 J6 K4 K5 L3 M3 N3 O3 O4 P2 P3 Q1",
    "purple A1 B1 C1 D1 E4 E5 F4 G3 H4 I5 I6 J5 J7 K7 L11 L7 M10 M7 M8 M9 N8",
)
"""From a real match: no company that has locomotives left can build."""


def after(state: State, *moves) -> State:
    for move in moves:
        state = game.play(state, state.mover, move)
    return state


def refusal(state: State, *moves) -> str:
    with pytest.raises(IllegalMove) as problem:
        after(state, *moves)
    return problem.value.saying.code


def test_a_build_grows_from_what_it_has_just_built_and_may_fork():
    state = after(position(STATIONS), *(Build("red", hex_) for hex_ in ("I2", "H1", "J2", "J1", "K1")))
    assert (state.mover, state.values[0], state.supply[0]) == (1, 4, 2)
    assert state.last == LastTurn(0, built=tuple((0, board().index[hex_]) for hex_ in ("I2", "H1", "J2", "J1", "K1")))


def test_where_no_company_can_build_a_share_is_traded():
    state = position(BOXED_IN, supply=(0, 18, 12, 16, 0, 0))
    choices = game.choices(state, 0)
    assert choices.asked.code == "trade"
    assert {type(move) for move in choices.moves} == {Trade}
    assert game.choices(position(STATIONS), 0).asked.code == "build-or-trade"


def test_cities_count_at_the_end_of_the_build():
    state = after(position(STATIONS), Build("red", "J2"))
    assert (state.mover, state.values[0]) == (0, 0)
    assert (after(state, Stop()).mover, after(state, Stop()).values[0]) == (1, 1)


def test_a_build_ends_by_itself_with_the_supply():
    state = position(STATIONS, supply=(1, 7, 7, 7, 7, 7))
    assert after(state, Build("red", "J2")).mover == 1


def test_what_a_build_may_not_do():
    state = position(STATIONS | at("yellow I4 H3", "purple I3 H3", "blue K3 K2 J2"))
    assert refusal(state, Stop()) == "must-act-first"
    assert refusal(state, Build("red", "Z9")) == "unknown-hex"
    assert refusal(state, Build("red", "J4")) == "paris"
    assert refusal(state, Build("red", "K3")) == "start-hex"
    assert refusal(state, Build("blue", "K2")) == "already-there"
    assert refusal(state, Build("red", "J2")) == "hex-full"
    assert refusal(state, Build("brown", "H3")) == "hex-full"
    assert refusal(state, Build("red", "N11")) == "not-adjacent"
    assert refusal(state, Build("red", "K2"), Build("blue", "L2")) == "one-company-a-build"
    assert refusal(state, Build("red", "K2"), Trade("red", ("blue",))) == "trade-while-building"
    assert refusal(msgspec.structs.replace(state, supply=(0, 7, 7, 7, 7, 7)), Build("red", "K2")) == "supply-empty"


def test_a_ribbon_keeps_neighbours_apart():
    state = position(STATIONS | at("red J3 E2"))
    with pytest.raises(IllegalMove) as problem:
        after(state, Build("red", "E3"))
    assert (problem.value.saying.code, problem.value.saying.params["barrier"]) == ("ribbon", "Gulf of Saint-Malo")


def nothing_free_but(*names: str) -> State:
    """All cities belong to black but these."""
    held = [hex_.hex for hex_ in board().hexes if hex_.kind == "city" and hex_.hex not in names]
    return position(STATIONS | {"black": ["K4", *held]})


def test_nobody_is_cut_off_who_has_not_reached_a_city():
    with pytest.raises(IllegalMove) as problem:
        after(nothing_free_but("J2"), Build("red", "J2"))
    assert (problem.value.saying.code, problem.value.saying.params["victim"]) == ("cut-off", "blue")
    assert Build("red", "J2") not in game.choices(nothing_free_but("J2"), 0).moves
    assert after(nothing_free_but("J2", "H1", "M5"), Build("red", "J2")).building == COMPANIES.index("red")


def test_the_ban_protects_companies_with_a_city_only_where_that_was_chosen():
    state = nothing_free_but("J2")
    with_cities = zip(("blue", "brown", "yellow", "purple"), ("M5", "A1", "C1", "C2"), strict=True)
    owners = {board().index[city]: COMPANIES.index(name) for name, city in with_cities}
    state = msgspec.structs.replace(
        state, locomotives=tuple((owners.get(hex_, company), hex_) for company, hex_ in state.locomotives)
    )
    assert after(state, Build("red", "J2")).turn == (board().index["J2"],)
    assert refusal(msgspec.structs.replace(state, cut_off="always"), Build("red", "J2")) == "cut-off"


def test_a_company_that_has_no_way_to_a_city_any_more_bars_nobody():
    state = nothing_free_but()
    beside = (COMPANIES.index("blue"), board().index["K2"])
    state = msgspec.structs.replace(state, cut_off="always", locomotives=(*state.locomotives, beside))
    assert after(state, Build("red", "K2")).turn == (board().index["K2"],)


def test_the_last_city_ends_the_match_at_once_and_counts():
    state = after(position(STATIONS | at("red J3 N10")), Build("red", "N11"))
    assert (state.phase, state.mover, state.values[0], state.ending) == ("score", None, 4, "last-city")
    over = game.settle(state, Chance(bytes(32), 2))
    assert game.result(over).points == (8, 8, 8)
    assert game.result(over).ranks == (1, 1, 1)


def test_a_trade_gives_one_share_and_takes_one_or_two_of_one_other_company():
    state = after(position(STATIONS), Trade("red", ("blue", "blue")))
    assert (state.hands[0], state.supply) == ((1, 4, 2, 2, 2, 2), (8, 5, 7, 7, 7, 7))
    assert (state.mover, state.swaps) == (1, 0)
    poor = position(STATIONS, hands=((0, 2, 2, 2, 2, 2), *((2,) * 6,) * 2), supply=(7, 7, 1, 0, 7, 7))
    assert refusal(poor, Trade("red", ("blue",))) == "share-not-held"
    assert refusal(poor, Trade("blue", ("blue",))) == "same-company"
    assert refusal(poor, Trade("blue", ("red", "black"))) == "mixed-companies"
    assert refusal(poor, Trade("blue", ())) == "take-one-or-two"
    assert refusal(poor, Trade("blue", ("red",) * 3)) == "take-one-or-two"
    assert refusal(poor, Trade("blue", ("black",) * 2)) == "supply-too-small"
    assert refusal(poor, Trade("blue", ("brown",))) == "supply-empty"


def test_the_match_ends_when_one_company_alone_has_supply_judged_after_the_whole_trade():
    state = position(STATIONS, supply=(5, 1, 0, 0, 0, 0))
    assert after(state, Trade("red", ("blue",))).ending == "supply"
    # The returned share keeps a second supply alive.
    assert after(state, Trade("black", ("blue",))).ending is None


def test_swaps_alone_end_the_match_unless_the_guard_is_off():
    swaps = [Trade("red", ("blue",)), Trade("red", ("blue",)), Trade("red", ("blue",))]
    swaps += [Trade("blue", ("red",))] * 3 + [Trade("red", ("blue",))] * 3
    state = position(STATIONS)
    assert after(state, *swaps[:-1]).ending is None
    assert after(state, *swaps).ending == "stall"
    assert after(state, *swaps[:-1], Build("red", "J2"), Stop(), *swaps[:-1]).ending is None
    assert after(position(STATIONS, stall_guard=False), *swaps).ending is None


@pytest.mark.parametrize(("seats", "dealt", "limit"), [(3, 10, 20), (4, 8, 15), (5, 6, 12), (6, 5, 10)])
def test_shares_are_dealt_and_limited_by_the_number_of_players(seats, dealt, limit):
    state = game.settle(game.start(seats, complete_options(game, {}), Chance(bytes(32), 0)), Chance(bytes(32), 1))
    assert [sum(hand) for hand in state.hands] == [dealt] * seats
    assert game.view(state, None).limit == limit
    hands = ((limit, 0, 0, 0, 0, 0), (limit + 1, 0, 0, 0, 0, 0), *state.hands[2:])
    over = msgspec.structs.replace(state, phase="over", mover=None, hands=hands)
    assert game.result(over).points[:2] == (0, -20)


@pytest.mark.parametrize(("penalty", "points"), [("per-share", 21 - 60), ("once", 21 - 20)])
def test_shares_above_the_limit_cost_twenty_points(penalty, points):
    hands = ((23, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1))
    over = position(STATIONS, phase="over", mover=None, hands=hands, penalty=penalty, values=(1, 0, 0, 0, 0, 5))
    result = game.result(over)
    assert result.points == (points + 2, 1, 5)
    assert result.sheet[-1].amounts[1:] == (0, 0)


@st.composite
def matches(draw):
    """The steps of a random match: (before, after, seat, move)."""
    options = {
        option.key: draw(st.sampled_from(option.values)) for option in game.options if option.key != "stall_guard"
    }
    seats, luck = draw(st.sampled_from(game.seats)), draw(st.integers(0, 2**32 - 1))
    seed, dice, number = luck.to_bytes(32, "big"), random.Random(luck), 1
    state, steps = game.start(seats, complete_options(game, options), Chance(seed, 0)), []
    while game.result(state) is None:
        seat = state.mover
        if seat is None:
            move, new = None, game.settle(state, Chance(seed, number))
            number += 1
        else:
            move = dice.choice(game.choices(state, seat).moves)
            new = game.play(state, seat, move)
        steps.append((state, new, seat, move))
        state = new
        assert len(steps) < LONGEST, "the match does not end"
    return steps


@FEW
@given(matches())
def test_every_match_ends_in_one_of_its_ways(steps):
    last, scored = steps[-1][0], steps[-1][1]
    assert (last.phase, scored.phase, last.mover) == ("score", "over", None)
    match last.ending:
        case "supply":
            assert sum(supply > 0 for supply in last.supply) <= 1
        case "last-city":
            assert last.locomotives[-1][1] == board().last_city
        case _:
            assert {trade.count for trade in last.trades[-SWAPS_EACH * len(last.hands) :]} == {1}


@FEW
@given(matches())
def test_locomotives_are_conserved(steps):
    for _, state, _, _ in steps:
        for company in range(6):
            on_map = sum(each == company for each, _ in state.locomotives)
            in_hands = sum(hand[company] for hand in state.hands)
            assert on_map + in_hands + state.supply[company] == IN_THE_BAG + 1


@FEW
@given(matches(), st.integers(0, 5))
def test_a_seat_cannot_tell_apart_states_that_differ_in_the_others_shares(steps, seat):
    seat %= len(steps[0][0].hands)
    for state, _, mover, move in steps[1:]:
        others = [owner for owner in range(len(state.hands)) if owner != seat]
        if state.show_holdings or state.phase != "turn":
            continue
        hands = list(state.hands)
        hands[others[0]], hands[others[-1]] = hands[others[-1]], hands[others[0]]
        changed = msgspec.structs.replace(state, hands=tuple(hands))
        assert game.view(changed, seat) == game.view(state, seat)
        assert game.choices(changed, seat) == game.choices(state, seat)
        assert game.blind(changed, seat) == game.blind(state, seat)
        if mover == seat:
            blind = game.play(game.blind(state, seat), seat, move)
            assert game.view(blind, seat) == game.view(game.play(state, seat, move), seat)
