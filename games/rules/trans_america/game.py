"""The rules of Trans America: what may be done, what it leads to, and what may be known of it.

Rules as in the published game, with two boards (`board`) and two published variants: `barrier` (the moving end of the
match) and `vexation` (three rails a seat that only their owner can use). Not here: the boards (`board.py`), the picture
(`scene.py`), the computer's play (`opponents/`).

Where the published rules say nothing, the house says:
- Vexation: a seat that cannot lay any rail is passed over; when that is so for every seat, the round ends.
- Vexation: where the others' coloured rails leave no way at all to a missing city, they count as unbuilt lines in that
  seat's penalty, at their cost.
"""

from collections.abc import Sequence, Set
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
from games.rules.graphs import SteinerTree
from games.rules.shapes import Scene
from games.rules.trans_america.board import BOARDS, COLOURS, Board, board
from games.rules.trans_america.scene import scene
from games.rules.trans_america.values import (
    CityView,
    LastTurn,
    LastTurnView,
    Lay,
    Move,
    Place,
    RailView,
    Report,
    ReportView,
    State,
    Stop,
    View,
)

START_POINTS = 13
TURN_POINTS = 2
COLOURED_RAILS = 3
BARRIER_ROUND = 2
BARRIER_GAP = 3


class TransAmerica:
    """The game, as `games.rules.contract.Game` describes it."""

    key = "trans-america"
    revision = 1
    seats = range(2, 7)
    options: tuple[Option, ...] = (
        Option("board", "america", BOARDS),
        Option("barrier", False, (False, True)),
        Option("vexation", False, (False, True)),
    )
    state_type = State
    move_type = Move
    view_type = View

    def boards(self) -> dict[str, Any]:
        """For each board its rails, junctions (x, y in lines' lengths, y growing south), lines and cities."""
        return {name: _geometry(board(name)) for name in BOARDS}

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Before the first deal; chance names the first start player."""
        return State(
            board=str(options["board"]),
            barrier=bool(options["barrier"]),
            vexation=bool(options["vexation"]),
            phase="deal",
            round=0,
            start=chance.below(seats),
            mover=None,
            points=(START_POINTS,) * seats,
            threshold=0,
            hands=((),) * seats,
            markers=(None,) * seats,
            rails=(),
            coloured=(),
            turn=(),
            last=None,
            rounds=(),
        )

    def waiting_for(self, state: State) -> frozenset[Seat]:
        """The seat that has the turn."""
        return frozenset() if state.mover is None else frozenset({state.mover})

    def choices(self, state: State, seat: Seat) -> Choices:
        """Markers cost nothing; rails cost 1 or 2 points of the turn. Without a turn there is only what is awaited."""
        if state.mover != seat:
            return Choices(_awaited(state))
        map_ = board(state.board)
        if state.phase == "place":
            taken = set(state.markers)
            free = [name for junction, name in enumerate(map_.junction_names) if junction not in taken]
            return Choices(Saying("place-marker"), tuple(Place(name) for name in free), (0,) * len(free))
        left = TURN_POINTS - _spent(state)
        lines = _open_lines(state, seat, left)
        moves: list[Move] = [Lay(map_.line_names[line]) for line in lines]
        costs = [map_.costs[line] for line in lines]
        if _coloured_left(state, seat):
            moves += [Lay(map_.line_names[line], own=True) for line in lines]
            costs *= 2
        if state.turn:
            moves.append(Stop())
            costs.append(0)
        return Choices(Saying("lay-more" if state.turn else "lay", {"points": left}), tuple(moves), tuple(costs))

    def play(self, state: State, seat: Seat, move: Move) -> State:
        """One marker, one rail, or the end of a turn."""
        if state.mover is None:
            raise IllegalMove("match-is-over" if state.phase == "over" else "house-to-move")
        if state.mover != seat:
            raise IllegalMove("not-your-turn", seat=state.mover)
        match move:
            case Place():
                return _place(state, seat, move)
            case Lay():
                return _lay(state, seat, move)
            case Stop():
                if state.phase == "place":
                    raise IllegalMove("place-first")
                if not state.turn:
                    raise IllegalMove("must-lay-first")
                return _end_turn(state)

    def settle(self, state: State, chance: Chance) -> State:
        """Deal the next round, score the one that has ended, or pass over seats that cannot lay."""
        if state.phase == "deal":
            return _deal(state, chance)
        if state.phase == "score":
            return _score(state)
        if state.phase == "pass":
            return _pass_over(state)
        raise ValueError(f"the house has nothing to do in phase {state.phase}")

    def blind(self, state: State, seat: Seat | None) -> State:
        """Without the others' cities. Scored rounds are public and stay."""
        hands = tuple(hand if other == seat else () for other, hand in enumerate(state.hands))
        return msgspec.structs.replace(state, hands=hands)

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything but the others' cities."""
        map_ = board(state.board)
        owners = dict(state.coloured)
        seats = range(len(state.points))
        last = state.last
        return View(
            seat=seat,
            board=state.board,
            barrier=state.barrier,
            vexation=state.vexation,
            phase=state.phase,
            round=state.round,
            start=state.start,
            mover=state.mover,
            points=state.points,
            threshold=state.threshold,
            hand=() if seat is None else _hand_view(map_, state.hands[seat]),
            markers=tuple(None if marker is None else map_.junction_names[marker] for marker in state.markers),
            rails=tuple(RailView(map_.line_names[line], owners.get(line)) for line in state.rails),
            rails_left=map_.rails - len(state.rails),
            coloured_left=tuple(_coloured_left(state, other) for other in seats),
            turn=tuple(map_.line_names[line] for line in state.turn),
            points_left=TURN_POINTS - _spent(state) if state.phase == "lay" else 0,
            last=None
            if last is None
            else LastTurnView(
                last.seat,
                None if last.marker is None else map_.junction_names[last.marker],
                tuple(map_.line_names[line] for line in last.lines),
            ),
            rounds=tuple(_report_view(map_, report) for report in state.rounds),
        )

    def unveil(self, state: State) -> View:
        """A spectator's view with everybody's cities."""
        hands = tuple(_hand_view(board(state.board), hand) for hand in state.hands)
        return msgspec.structs.replace(self.view(state, None), hands=hands)

    def result(self, state: State) -> Result | None:
        """Most points win; equal points share a rank. The sheet starts with 13 and takes each round's penalties off."""
        if state.phase != "over":
            return None
        return Result(
            points=state.points,
            ranks=tuple(1 + sum(other > mine for other in state.points) for mine in state.points),
            sheet=(
                SheetLine(Saying("sheet-start"), (START_POINTS,) * len(state.points)),
                *(
                    SheetLine(
                        Saying("sheet-round", {"round": report.number}), tuple(-lost for lost in report.penalties)
                    )
                    for report in state.rounds
                ),
            ),
        )

    def scene(self, view: View, choices: Choices | None = None) -> Scene:
        """The board with markers, rails and the view's own cities."""
        return scene(board(view.board), view, choices)

    def events(self, before: State, after: State, seat: Seat | None, move: Move | None) -> Sequence[Event]:
        """Codes: placed, laid, stopped, joined, last-rail, nobody-can-lay; of the house: round-dealt, passed-over,
        round-scored, barrier."""
        map_ = board(after.board)
        match move:
            case None:
                return _house_events(before, after)
            case Place():
                junction = map_.junction_index[move.junction]
                told = {"seat": seat, "junction": move.junction, **map_.describe_junction(junction)}
                return [Event("placed", told)]
            case Lay():
                line = map_.line_index[move.line]
                told = {"seat": seat, **_line_facts(map_, line), "cost": map_.costs[line], "own": move.own}
                return [Event("laid", told), *_turn_events(after)]
            case Stop():
                return [Event("stopped", {"seat": seat}), *_turn_events(after)]

    def think(self, view: View, level: str, chance: Chance) -> Sequence[Move]:
        """A whole turn of a computer opponent."""
        # Opponents are built on these rules, so that this module cannot import theirs before it is complete.
        from games.rules.trans_america.opponents import think

        return think(board(view.board), view, level, chance)


def _geometry(map_: Board) -> dict[str, Any]:
    return {
        "rails": map_.rails,
        "junctions": [
            {"junction": name, "x": x, "y": round(y, 4)}
            for name, (x, y) in zip(map_.junction_names, map_.positions, strict=True)
        ],
        "lines": [{"line": name, "cost": cost} for name, cost in zip(map_.line_names, map_.costs, strict=True)],
        "cities": [
            {
                "name": city.name,
                "colour": city.colour,
                "junction": map_.junction_names[city.junction],
                "dashed": city.dashed,
            }
            for city in map_.cities
        ],
    }


def _awaited(state: State) -> Saying:
    if state.mover is not None:
        return Saying("wait", {"seat": state.mover})
    return Saying("match-is-over" if state.phase == "over" else "wait-house")


def _spent(state: State) -> int:
    """The points that the running turn has used."""
    costs = board(state.board).costs
    return sum(costs[line] for line in state.turn)


def _coloured_left(state: State, seat: Seat) -> int:
    if not state.vexation:
        return 0
    return COLOURED_RAILS - sum(owner == seat for _, owner in state.coloured)


def _blocked(state: State, seat: Seat) -> frozenset[int]:
    """The lines that carry another seat's coloured rail."""
    return frozenset(line for line, owner in state.coloured if owner != seat)


def _usable(state: State, seat: Seat) -> frozenset[int]:
    """The rails that count for a seat."""
    return frozenset(state.rails) - _blocked(state, seat)


def _network(state: State, seat: Seat) -> Set[int]:
    """The junctions joined to a seat's marker."""
    marker = state.markers[seat]
    if marker is None:
        return set()
    return board(state.board).graph.reachable(marker, _usable(state, seat))


def _joined(state: State) -> tuple[Seat, ...]:
    """The seats whose five cities are all joined to their marker. A seat with a hidden hand is never among them."""
    cities = board(state.board).cities
    done = []
    shared: list[Set[int]] = []
    for seat, hand in enumerate(state.hands):
        if not hand:
            continue
        network = next((known for known in shared if state.markers[seat] in known), None)
        if network is None:
            network = _network(state, seat)
            if not state.vexation:
                shared.append(network)
        if all(cities[city].junction in network for city in hand):
            done.append(seat)
    return tuple(done)


def _open_lines(state: State, seat: Seat, points: int) -> list[int]:
    """The lines that a seat may build next with so many points, ascending."""
    neighbours = board(state.board).neighbours
    built = set(state.rails)
    return sorted(
        {
            line
            for junction in _network(state, seat)
            for _, line, cost in neighbours[junction]
            if cost <= points and line not in built
        }
    )


def _line_facts(map_: Board, line: int) -> dict[str, Any]:
    return {"line": map_.line_names[line], **map_.describe(line)}


def _place(state: State, seat: Seat, move: Place) -> State:
    map_ = board(state.board)
    if state.phase != "place":
        raise IllegalMove("already-placed")
    junction = map_.junction_index.get(move.junction)
    if junction is None:
        raise IllegalMove("unknown-junction", junction=move.junction)
    if junction in state.markers:
        owner = state.markers.index(junction)
        raise IllegalMove("junction-taken", junction=move.junction, seat=owner, **map_.describe_junction(junction))
    markers = (*state.markers[:seat], junction, *state.markers[seat + 1 :])
    everybody_placed = None not in markers
    return msgspec.structs.replace(
        state,
        phase="lay" if everybody_placed else "place",
        mover=state.start if everybody_placed else (seat + 1) % len(markers),
        markers=markers,
        last=LastTurn(seat, marker=junction),
    )


def _lay(state: State, seat: Seat, move: Lay) -> State:
    map_ = board(state.board)
    line = _legal_line(state, seat, move)
    state = msgspec.structs.replace(
        state,
        rails=(*state.rails, line),
        coloured=(*state.coloured, (line, seat)) if move.own else state.coloured,
        turn=(*state.turn, line),
    )
    if len(state.rails) == map_.rails or _joined(state):
        return _end_round(state)
    left = TURN_POINTS - _spent(state)
    if left and _open_lines(state, seat, left):
        return state
    return _end_turn(state)


def _legal_line(state: State, seat: Seat, move: Lay) -> int:
    """The line of a legal move. Raises IllegalMove."""
    map_ = board(state.board)
    if state.phase == "place":
        raise IllegalMove("place-first")
    line = map_.line_index.get(move.line)
    if line is None:
        turned = ":".join(reversed(move.line.split(":")))
        if turned in map_.line_index:
            raise IllegalMove("line-turned-round", line=move.line, right=turned)
        raise IllegalMove("unknown-line", line=move.line)
    facts = _line_facts(map_, line)
    for other, owner in state.coloured:
        if other == line and owner != seat:
            raise IllegalMove("line-blocked", seat=owner, **facts)
    if line in state.rails:
        raise IllegalMove("line-taken", **facts)
    if _network(state, seat).isdisjoint(map_.lines[line]):
        raise IllegalMove("line-not-connected", **facts)
    left = TURN_POINTS - _spent(state)
    if map_.costs[line] > left:
        raise IllegalMove("too-dear", cost=map_.costs[line], left=left, **facts)
    if move.own:
        if not state.vexation:
            raise IllegalMove("no-coloured-rails-here")
        if not _coloured_left(state, seat):
            raise IllegalMove("no-coloured-rails-left")
    return line


def _finished(state: State) -> LastTurn:
    """The running turn as a finished one."""
    assert state.mover is not None
    return LastTurn(state.mover, lines=state.turn)


def _end_turn(state: State) -> State:
    """The next seat has the turn. When it is shut in the house passes it over; when all are, the round ends."""
    assert state.mover is not None
    able = _next_able(state, state.mover)
    if able is None:
        return _end_round(state)
    next_seat = (state.mover + 1) % len(state.points)
    # Passing over is a move of the house, so that a seat that gets the turn again has had the end of its first one.
    passing = able != next_seat
    return msgspec.structs.replace(
        state,
        phase="pass" if passing else "lay",
        mover=None if passing else next_seat,
        turn=(),
        last=_finished(state),
    )


def _next_able(state: State, seat: Seat) -> Seat | None:
    """The first seat after this one, itself the last, that can lay a rail."""
    seats = len(state.points)
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        # Only coloured rails can shut a seat in, so that without them nobody needs to look.
        if not state.coloured or _open_lines(state, other, TURN_POINTS):
            return other
    return None


def _pass_over(state: State) -> State:
    assert state.last is not None
    return msgspec.structs.replace(state, phase="lay", mover=_next_able(state, state.last.seat))


def _end_round(state: State) -> State:
    return msgspec.structs.replace(state, phase="score", mover=None, turn=(), last=_finished(state))


def _deal(state: State, chance: Chance) -> State:
    """All cards are shuffled anew and each seat gets one city of each colour."""
    map_ = board(state.board)
    seats = len(state.points)
    decks = [chance.shuffled(map_.cities_of(colour, seats)) for colour in COLOURS]
    start = (state.start + 1) % seats if state.round else state.start
    return msgspec.structs.replace(
        state,
        phase="place",
        round=state.round + 1,
        start=start,
        mover=start,
        hands=tuple(tuple(deck[seat] for deck in decks) for seat in range(seats)),
        markers=(None,) * seats,
        rails=(),
        coloured=(),
        last=None,
    )


def missing(state: State, seat: Seat) -> SteinerTree:
    """The cheapest set of further lines that joins a seat's marker and its cities; its cost is the penalty."""
    map_ = board(state.board)
    marker = state.markers[seat]
    assert marker is not None
    terminals = [marker, *(map_.cities[city].junction for city in state.hands[seat])]
    free, blocked = _usable(state, seat), _blocked(state, seat)
    tree = map_.graph.steiner_tree(terminals, free, blocked) or map_.graph.steiner_tree(terminals, free)
    assert tree is not None  # The board is connected.
    return tree


def _score(state: State) -> State:
    trees = [missing(state, seat) for seat in range(len(state.points))]
    penalties = tuple(tree.cost for tree in trees)
    points = tuple(had - lost for had, lost in zip(state.points, penalties, strict=True))
    report = Report(
        number=state.round,
        start=state.start,
        hands=state.hands,
        markers=tuple(marker for marker in state.markers if marker is not None),
        rails=len(state.rails),
        done=_joined(state),
        penalties=penalties,
        missing=tuple(tree.edges for tree in trees),
        points=points,
    )
    over = min(points) <= state.threshold
    moves_barrier = state.barrier and state.round == BARRIER_ROUND and not over
    return msgspec.structs.replace(
        state,
        phase="over" if over else "deal",
        points=points,
        threshold=max(0, min(points) - BARRIER_GAP) if moves_barrier else state.threshold,
        hands=((),) * len(points),
        rounds=(*state.rounds, report),
    )


def _turn_events(after: State) -> list[Event]:
    """What a rail or a stop led to besides itself."""
    if after.phase == "score":
        if done := _joined(after):
            return [Event("joined", {"seats": list(done)})]
        if len(after.rails) == board(after.board).rails:
            return [Event("last-rail", {"rails": len(after.rails)})]
        return [Event("nobody-can-lay", {"seats": list(range(len(after.points)))})]
    return []


def _house_events(before: State, after: State) -> list[Event]:
    if before.phase == "deal":
        return [Event("round-dealt", {"round": after.round, "seat": after.start})]
    if before.phase == "pass":
        assert before.last is not None
        seats = len(after.points)
        passed = []
        seat = (before.last.seat + 1) % seats
        while seat != after.mover:
            passed.append(seat)
            seat = (seat + 1) % seats
        return [Event("passed-over", {"seats": passed})]
    report = after.rounds[-1]
    told = [
        Event(
            "round-scored",
            {"round": report.number, "penalties": list(report.penalties), "points": list(report.points)},
        )
    ]
    if after.threshold != before.threshold:
        told.append(Event("barrier", {"threshold": after.threshold}))
    return told


def _hand_view(map_: Board, hand: Sequence[int]) -> tuple[CityView, ...]:
    cities = [map_.cities[city] for city in hand]
    return tuple(CityView(city.name, city.colour, map_.junction_names[city.junction]) for city in cities)


def _report_view(map_: Board, report: Report) -> ReportView:
    return ReportView(
        number=report.number,
        start=report.start,
        hands=tuple(_hand_view(map_, hand) for hand in report.hands),
        markers=tuple(map_.junction_names[marker] for marker in report.markers),
        rails=report.rails,
        done=report.done,
        penalties=report.penalties,
        missing=tuple(tuple(map_.line_names[line] for line in lines) for lines in report.missing),
        points=report.points,
    )
