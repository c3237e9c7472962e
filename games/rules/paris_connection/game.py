"""The rules of Paris Connection: what may be done, what it leads to, and what may be known of it.

Rules as in the published game for three to six players, with the readings of a disputed point as options. Not here: the
board (`board.py`) and where one may build (`position.py`).

The cut-off ban is asked of the finished build. A locomotive more never opens a way, so that a build that breaks it
cannot be mended by going on, and it is refused at the locomotive that breaks it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.rules.chance import Chance
from games.rules.contract import (
    Choices,
    Event,
    IllegalMove,
    Option,
    Options,
    Result,
    Saying,
    Seat,
    SheetLine,
)
from games.rules.paris_connection.board import board, hexes_of
from games.rules.paris_connection.position import Position
from games.rules.paris_connection.scene import scene
from games.rules.paris_connection.values import (
    COMPANIES,
    Build,
    Company,
    CompanyView,
    Ending,
    Hex,
    LastTurn,
    LastTurnView,
    LocomotiveView,
    Move,
    State,
    Stop,
    Trade,
    Traded,
    TradeView,
    View,
)
from games.rules.shapes import Scene

IN_THE_BAG = 31
"""Locomotives of a company that are dealt from, of its 33: one marks its value, one stands on a start hex."""

DEALT = {3: 10, 4: 8, 5: 6, 6: 5}
"""Shares that each seat is dealt, by the number of seats."""

LIMITS = {3: 20, 4: 15, 5: 12, 6: 10}
"""Shares that a seat may hold at the end without losing points, by the number of seats."""

PENALTY = 20
BUILD_MOST = 5
TAKE_MOST = 2
SWAPS_EACH = 3
"""When every seat in turn has done nothing but swap so many times running, the match ends."""


class ParisConnection:
    """The game, as `games.rules.contract.Game` describes it."""

    key = "paris-connection"
    revision = 1
    seats = range(3, 7)
    options: tuple[Option, ...] = (
        Option("penalty", "per-share", ("per-share", "once")),
        Option("cut_off", "first-city", ("first-city", "always")),
        Option("show_holdings", False, (False, True)),
        Option("stall_guard", True, (False, True)),
    )
    state_type = State
    move_type = Move
    view_type = View

    def boards(self) -> dict[str, Any]:
        """France: its hexes (x, y of the middle, neighbours being 1 apart, y growing south) and its ribbons."""
        map_ = board()
        return {
            "france": {
                "hexes": [
                    {
                        "hex": each.hex,
                        "x": round(x, 4),
                        "y": y,
                        "kind": each.kind,
                        "name": each.name,
                        "value": each.value,
                        "room": map_.room(place),
                        "neighbours": [map_.names[other] for other in hexes_of(map_.around[place])],
                    }
                    for place, (each, (x, y)) in enumerate(zip(map_.hexes, map_.positions, strict=True))
                ],
                "ribbons": [{"hexes": sorted(pair), "barrier": barrier} for pair, barrier in map_.ribbons.items()],
            }
        }

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Before the deal; chance puts a company on each start hex and names the start player."""
        stations = chance.shuffled(board().starts)
        return State(
            penalty=str(options["penalty"]),
            cut_off=str(options["cut_off"]),
            show_holdings=bool(options["show_holdings"]),
            stall_guard=bool(options["stall_guard"]),
            phase="deal",
            start=chance.below(seats),
            mover=None,
            hands=((),) * seats,
            supply=(IN_THE_BAG,) * len(COMPANIES),
            values=(0,) * len(COMPANIES),
            locomotives=tuple(enumerate(stations)),
            building=None,
            turn=(),
            swaps=0,
            trades=(),
            last=None,
            ending=None,
        )

    def waiting_for(self, state: State) -> frozenset[Seat]:
        """The seat that has the turn."""
        return frozenset() if state.mover is None else frozenset({state.mover})

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every locomotive that may be built next, then every trade, or the end of the build."""
        if state.mover != seat:
            return Choices(_awaited(state))
        if state.building is None:
            builds = [build for company in range(len(COMPANIES)) for build in _builds(state, company)]
            asked = Saying("build-or-trade" if builds else "trade")
            return Choices(asked, (*builds, *_trades(state, seat)))
        left = min(BUILD_MOST - len(state.turn), state.supply[state.building])
        asked = Saying("build-more", {"company": COMPANIES[state.building], "left": left})
        return Choices(asked, (*_builds(state, state.building), Stop()))

    def play(self, state: State, seat: Seat, move: Move) -> State:
        """One locomotive, the end of a build, or a trade."""
        if state.mover is None:
            raise IllegalMove("match-is-over" if state.phase == "over" else "house-to-move")
        if state.mover != seat:
            raise IllegalMove("not-your-turn", seat=state.mover)
        match move:
            case Build():
                return _build(state, move)
            case Trade():
                return _trade(state, seat, move)
            case Stop():
                if state.building is None:
                    raise IllegalMove("must-act-first")
                return _end_build(state)

    def settle(self, state: State, chance: Chance) -> State:
        """Deal the shares, or show and count them."""
        if state.phase == "deal":
            return _deal(state, chance)
        if state.phase == "score":
            return msgspec.structs.replace(state, phase="over")
        raise ValueError(f"the house has nothing to do in phase {state.phase}")

    def blind(self, state: State, seat: Seat | None) -> State:
        """Without the others' shares, unless all holdings are open."""
        hands = tuple(hand if _is_known(state, seat, owner) else () for owner, hand in enumerate(state.hands))
        return msgspec.structs.replace(state, hands=hands)

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything but the others' shares."""
        return _view(state, seat, tuple(_is_known(state, seat, owner) for owner in range(len(state.hands))))

    def unveil(self, state: State) -> View:
        """A spectator's view with everybody's shares."""
        return _view(state, None, (True,) * len(state.hands))

    def scene(self, view: View, choices: Choices | None = None) -> Scene:
        """The picture, as in `scene.py`."""
        return scene(view, choices)

    def result(self, state: State) -> Result | None:
        """Shares times values, less what the shares above the limit cost. Most points win; equal points share."""
        if state.phase != "over":
            return None
        seats = range(len(state.hands))
        lines = [
            SheetLine(
                Saying("sheet-company", {"company": name, "value": value}),
                tuple(hand[company] * value for hand in state.hands),
            )
            for company, (name, value) in enumerate(zip(COMPANIES, state.values, strict=True))
        ]
        penalties = tuple(-_penalty(state, seat) for seat in seats)
        if any(penalties):
            lines.append(SheetLine(Saying("sheet-penalty", {"limit": LIMITS[len(seats)]}), penalties))
        points = tuple(sum(line.amounts[seat] or 0 for line in lines) for seat in seats)
        ranks = tuple(1 + sum(other > mine for other in points) for mine in points)
        return Result(points, ranks, tuple(lines))

    def events(self, before: State, after: State, seat: Seat | None, move: Move | None) -> Sequence[Event]:
        """Codes: built, earned, traded, ends-last-city, ends-supply, ends-stall; of the house: dealt,
        holdings-shown."""
        match move:
            case None:
                if before.phase == "deal":
                    return [Event("dealt", {"shares": DEALT[len(after.hands)], "seat": after.start})]
                return [Event("holdings-shown")]
            case Build():
                hex_ = board().index[move.hex]
                told = {"seat": seat, "company": move.company, "value": board().values[hex_]}
                return [Event("built", {**told, **board().describe(hex_)}), *_build_events(before, after, move.company)]
            case Stop():
                assert before.building is not None
                return _build_events(before, after, COMPANIES[before.building])
            case Trade():
                told = {"seat": seat, "give": move.give, "take": move.take[0], "count": len(move.take)}
                return [Event("traded", told), *_ending_events(after)]

    def think(self, view: View, level: str, chance: Chance) -> Sequence[Move]:
        """A whole turn of a computer opponent."""
        # Opponents are built on these rules, so that this module cannot import theirs before it is complete.
        from games.rules.paris_connection.opponents import think

        return think(view, level, chance)


def _awaited(state: State) -> Saying:
    """What is waited for while this seat has nothing to do."""
    if state.mover is not None:
        return Saying("wait", {"seat": state.mover})
    return Saying("match-is-over" if state.phase == "over" else "wait-house")


def _is_known(state: State, seat: Seat | None, owner: Seat) -> bool:
    """Whether a seat (None: a spectator) may see the shares of an owner."""
    return seat == owner or state.show_holdings or state.phase == "over"


def _always(state: State) -> bool:
    """Whether the cut-off ban protects companies that have reached a city as well."""
    return state.cut_off == "always"


def _penalty(state: State, seat: Seat) -> int:
    over = max(0, sum(state.hands[seat]) - LIMITS[len(state.hands)])
    return PENALTY * min(over, 1 if state.penalty == "once" else over)


def _builds(state: State, company: Company) -> list[Build]:
    """The locomotives of a company that may be built next."""
    if not state.supply[company]:
        return []
    legal = Position.of(state.locomotives).legal(company, _always(state))
    return [Build(COMPANIES[company], board().names[hex_]) for hex_ in hexes_of(legal)]


def _trades(state: State, seat: Seat) -> list[Trade]:
    return [
        Trade(give, (take,) * count)
        for give, shares in zip(COMPANIES, state.hands[seat], strict=True)
        for take, supply in zip(COMPANIES, state.supply, strict=True)
        for count in range(1, min(TAKE_MOST, supply) + 1)
        if shares and give != take
    ]


def _deal(state: State, chance: Chance) -> State:
    """All that is in the bag is shuffled, and each seat gets its shares from the top."""
    seats = len(state.hands)
    bag = chance.shuffled([company for company in range(len(COMPANIES)) for _ in range(IN_THE_BAG)])
    each = DEALT[seats]
    hands = [bag[seat * each : (seat + 1) * each] for seat in range(seats)]
    rest = bag[seats * each :]
    return msgspec.structs.replace(
        state,
        phase="turn",
        mover=state.start,
        hands=tuple(_counted(hand) for hand in hands),
        supply=_counted(rest),
    )


def _counted(locomotives: Sequence[Company]) -> tuple[int, ...]:
    return tuple(locomotives.count(company) for company in range(len(COMPANIES)))


def _changed(amounts: tuple[int, ...], company: Company, by: int) -> tuple[int, ...]:
    """Amounts by company, one of them changed."""
    return (*amounts[:company], amounts[company] + by, *amounts[company + 1 :])


def _build(state: State, move: Build) -> State:
    company, hex_ = COMPANIES.index(move.company), _legal_hex(state, move)
    state = msgspec.structs.replace(
        state,
        supply=_changed(state.supply, company, -1),
        locomotives=(*state.locomotives, (company, hex_)),
        building=company,
        turn=(*state.turn, hex_),
    )
    done = hex_ == board().last_city or len(state.turn) == BUILD_MOST or not _builds(state, company)
    return _end_build(state) if done else state


def _legal_hex(state: State, move: Build) -> Hex:
    """The hex of a legal build. Raises IllegalMove."""
    map_, company = board(), COMPANIES.index(move.company)
    hex_ = map_.index.get(move.hex)
    if hex_ is None:
        raise IllegalMove("unknown-hex", hex=move.hex)
    told = {"company": move.company, **map_.describe(hex_)}
    if state.building not in (None, company):
        raise IllegalMove("one-company-a-build", **told, building=COMPANIES[state.building])
    if not state.supply[company]:
        raise IllegalMove("supply-empty", company=move.company)
    kind = map_.hexes[hex_].kind
    if kind == "paris":
        raise IllegalMove("paris", **told)
    if kind == "start":
        raise IllegalMove("start-hex", **told)
    position = Position.of(state.locomotives)
    bit = 1 << hex_
    if position.at[company] & bit:
        raise IllegalMove("already-there", **told)
    if position.full & bit:
        raise IllegalMove("hex-full", **told)
    if not position.beside(company) & bit:
        own = {map_.names[other] for other in hexes_of(position.at[company])}
        barriers = [barrier for pair, barrier in map_.ribbons.items() if move.hex in pair and pair & own]
        if barriers:
            raise IllegalMove("ribbon", barrier=barriers[0], **told)
        raise IllegalMove("not-adjacent", **told)
    victim = position.cut_off(company, hex_, _always(state))
    if victim is not None:
        raise IllegalMove("cut-off", victim=COMPANIES[victim], **told)
    return hex_


def _end_build(state: State) -> State:
    """What was built in cities counts now, once."""
    assert state.building is not None
    gain = sum(board().values[hex_] for hex_ in state.turn)
    return _end_turn(
        msgspec.structs.replace(
            state,
            values=_changed(state.values, state.building, gain),
            swaps=0,
            last=_finished_build(state),
        ),
        "last-city" if board().last_city in state.turn else None,
    )


def _finished_build(state: State) -> LastTurn:
    assert state.mover is not None
    assert state.building is not None
    return LastTurn(state.mover, built=tuple((state.building, hex_) for hex_ in state.turn))


def _trade(state: State, seat: Seat, move: Trade) -> State:
    if state.building is not None:
        raise IllegalMove("trade-while-building", company=COMPANIES[state.building])
    count = len(move.take)
    if not 1 <= count <= TAKE_MOST:
        raise IllegalMove("take-one-or-two", count=count)
    if len(set(move.take)) > 1:
        raise IllegalMove("mixed-companies", take=list(move.take))
    give, take = COMPANIES.index(move.give), COMPANIES.index(move.take[0])
    if give == take:
        raise IllegalMove("same-company", company=move.give)
    if not state.hands[seat][give]:
        raise IllegalMove("share-not-held", company=move.give)
    if not state.supply[take]:
        raise IllegalMove("supply-empty", company=move.take[0])
    if state.supply[take] < count:
        raise IllegalMove("supply-too-small", company=move.take[0])
    trade = Traded(seat, give, take, count)
    hand = _changed(_changed(state.hands[seat], give, -1), take, count)
    return _end_turn(
        msgspec.structs.replace(
            state,
            hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
            supply=_changed(_changed(state.supply, give, 1), take, -count),
            swaps=state.swaps + 1 if count == 1 else 0,
            trades=(*state.trades, trade),
            last=LastTurn(seat, trade=trade),
        ),
    )


def _end_turn(state: State, ending: Ending | None = None) -> State:
    """The next seat has the turn, unless the match ends: then the house shows the holdings."""
    assert state.mover is not None
    seats = len(state.hands)
    if ending is None and sum(supply > 0 for supply in state.supply) <= 1:
        ending = "supply"
    if ending is None and state.stall_guard and state.swaps >= SWAPS_EACH * seats:
        ending = "stall"
    return msgspec.structs.replace(
        state,
        phase="turn" if ending is None else "score",
        mover=(state.mover + 1) % seats if ending is None else None,
        building=None,
        turn=(),
        ending=ending,
    )


def _build_events(before: State, after: State, company: str) -> list[Event]:
    """What the end of a build led to; nothing while it goes on."""
    if after.building is not None:
        return []
    place = COMPANIES.index(company)
    gain = after.values[place] - before.values[place]
    earned = [Event("earned", {"company": company, "gain": gain, "value": after.values[place]})] if gain else []
    return [*earned, *_ending_events(after)]


def _ending_events(after: State) -> list[Event]:
    match after.ending:
        case None:
            return []
        case "last-city":
            return [Event("ends-last-city", {"city": board().hexes[board().last_city].name})]
        case "supply":
            return [Event("ends-supply")]
        case "stall":
            return [Event("ends-stall", {"times": SWAPS_EACH})]


def _view(state: State, seat: Seat | None, known: tuple[bool, ...]) -> View:
    map_ = board()
    on_map = [0] * len(COMPANIES)
    for company, _ in state.locomotives:
        on_map[company] += 1
    in_play = IN_THE_BAG + 1  # the one on the start hex was never in the bag
    last = state.last

    def locomotive(company: Company, hex_: Hex) -> LocomotiveView:
        return LocomotiveView(COMPANIES[company], map_.names[hex_])

    return View(
        seat=seat,
        penalty=state.penalty,
        cut_off=state.cut_off,
        show_holdings=state.show_holdings,
        stall_guard=state.stall_guard,
        limit=LIMITS[len(state.hands)],
        phase=state.phase,
        start=state.start,
        mover=state.mover,
        companies=tuple(
            CompanyView(name, value, supply, in_play - supply - built)
            for name, value, supply, built in zip(COMPANIES, state.values, state.supply, on_map, strict=True)
        ),
        holdings=tuple(hand if shown and hand else None for hand, shown in zip(state.hands, known, strict=True)),
        locomotives=tuple(locomotive(*each) for each in state.locomotives),
        building=None if state.building is None else COMPANIES[state.building],
        turn=tuple(map_.names[hex_] for hex_ in state.turn),
        swaps=state.swaps,
        swaps_to_end=SWAPS_EACH * len(state.hands) if state.stall_guard else 0,
        trades=tuple(_trade_view(trade) for trade in state.trades),
        last=None
        if last is None
        else LastTurnView(
            last.seat,
            tuple(locomotive(*each) for each in last.built),
            None if last.trade is None else _trade_view(last.trade),
        ),
        ending=state.ending,
    )


def _trade_view(trade: Traded) -> TradeView:
    return TradeView(trade.seat, COMPANIES[trade.give], COMPANIES[trade.take], trade.count)
