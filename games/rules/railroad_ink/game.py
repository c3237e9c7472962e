"""The rules of Railroad Ink, without an expansion.

Everybody draws the same roll on an own board, all at once; a seat's turn is its whole round. What others draw stays
hidden until everybody has finished the round. Then the house reveals the boards and rolls again.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

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
from games.rules.railroad_ink.board import ORIENTATIONS, SIDES, board
from games.rules.railroad_ink.routes import is_finished, placements
from games.rules.railroad_ink.score import Score, score
from games.rules.railroad_ink.sheet import Sheet
from games.rules.railroad_ink.values import (
    BoardView,
    Done,
    Draw,
    Drawn,
    DrawnView,
    Move,
    Running,
    ScoreView,
    State,
    View,
)

T = TypeVar("T")

ROUNDS = 7
SPECIALS_MOST = 3
"""How many special routes one may draw in a match; one a round."""


class RailroadInk:
    """The game, as `games.rules.contract.Game` describes it. Not offered yet: it has no picture and no opponents."""

    key = "railroad-ink"
    revision = 1
    seats = range(1, 7)
    options: tuple[Option, ...] = (Option("longest", "trail", ("trail", "simple")),)
    state_type = State
    move_type = Move
    view_type = View

    def boards(self) -> dict[str, Any]:
        """Exits, centre and tiles: each tile's sides and joined sides in its eight orientations."""
        board_ = board()
        return {
            "board": {
                "cells": list(board_.names),
                "exits": [
                    {"cell": board_.names[cell], "side": SIDES[side], "kind": kind}
                    for cell, sides in enumerate(board_.exits)
                    for side, kind in enumerate(sides)
                    if kind != "-"
                ],
                "centre": sorted(board_.names[cell] for cell in board_.centre),
                "tiles": {
                    tile: [
                        {
                            "sides": "".join(drawing.sides),
                            "joined": ["".join(SIDES[side] for side in group) for group in drawing.joined],
                        }
                        for drawing in drawings
                    ]
                    for tile, drawings in board_.drawings.items()
                },
                "specials": list(board_.specials),
            }
        }

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Empty boards before the first roll."""
        return State(
            longest=str(options["longest"]),
            phase="roll",
            round=0,
            dice=(),
            boards=((),) * seats,
            running=(Running(),) * seats,
        )

    def waiting_for(self, state: State) -> frozenset[Seat]:
        """Everybody who has not finished the round."""
        return frozenset(seat for seat, running in enumerate(state.running) if not running.done)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every drawing of what is left of the roll, then of special routes; the end of the round when nothing fits."""
        running = state.running[seat]
        if running.done:
            return Choices(_awaited(state))
        sheet = sheet_of(state.boards[seat])
        names = board().names
        tiles = (*running.left, *_specials_left(state, seat))
        draws = [Draw(tile, names[cell], orientation) for tile, cell, orientation in placements(sheet, tiles)]
        finished = is_finished(sheet, running.left)
        asked = Saying("draw" if not finished else "draw-or-end", {"left": len(running.left)})
        return Choices(asked, (*draws, *((Done(),) if finished else ())))

    def play(self, state: State, seat: Seat, move: Move) -> State:
        """One drawing, or the end of the seat's round."""
        if state.phase == "over":
            raise IllegalMove("match-is-over")
        if state.phase == "roll":
            raise IllegalMove("house-to-move")
        if state.running[seat].done:
            raise IllegalMove("round-is-finished")
        return _draw(state, seat, move) if isinstance(move, Draw) else _end(state, seat)

    def settle(self, state: State, chance: Chance) -> State:
        """Reveal what was drawn, and roll for the next round."""
        if state.phase == "over" or self.waiting_for(state):
            raise ValueError(f"the house has nothing to do in phase {state.phase}")
        if state.round == ROUNDS:
            return msgspec.structs.replace(state, phase="over")
        dice = tuple(chance.pick(faces) for faces in board().dice["route"])
        return msgspec.structs.replace(
            state,
            phase="draw",
            round=state.round + 1,
            dice=dice,
            running=(Running(left=dice, done=False),) * len(state.boards),
        )

    def blind(self, state: State, seat: Seat | None) -> State:
        """Without what others have drawn in the running round."""
        boards = tuple(_known(state, seat, owner) for owner in range(len(state.boards)))
        running = tuple(each if owner == seat else Running(done=each.done) for owner, each in enumerate(state.running))
        return msgspec.structs.replace(state, boards=boards, running=running)

    def view(self, state: State, seat: Seat | None) -> View:
        """Everything but what others have drawn in the running round."""
        return _view(self.blind(state, seat), seat)

    def unveil(self, state: State) -> View:
        """A spectator's view with everything that has been drawn."""
        return _view(state, None)

    def result(self, state: State) -> Result | None:
        """Most points win; equal points: the fewest errors; then the places are shared."""
        if state.phase != "over":
            return None
        scores = [_score(state, seat) for seat in range(len(state.boards))]
        lines = [
            SheetLine(Saying("sheet-networks"), tuple(sum(each.points for each in own.networks) for own in scores)),
            SheetLine(Saying("sheet-highway"), tuple(own.highway.length for own in scores)),
            SheetLine(Saying("sheet-railway"), tuple(own.railway.length for own in scores)),
            SheetLine(Saying("sheet-centre"), tuple(own.centre for own in scores)),
            SheetLine(Saying("sheet-errors"), tuple(-len(own.errors) for own in scores)),
        ]
        order = [(own.total, -len(own.errors)) for own in scores]
        ranks = tuple(1 + sum(other > mine for other in order) for mine in order)
        return Result(tuple(own.total for own in scores), ranks, tuple(lines))

    def events(self, before: State, after: State, seat: Seat | None, move: Move | None) -> Sequence[Event]:
        """Codes: finished; of the house: rolled, revealed. Drawings are told by nothing before they are revealed."""
        if move is None:
            told = []
            if before.round:
                totals = [_score(after, each).total for each in range(len(after.boards))]
                told.append(Event("round-scored", {"round": before.round, "totals": totals}))
            if after.phase == "draw":
                told.append(Event("rolled", {"round": after.round, "dice": list(after.dice)}))
            return told
        return [Event("finished", {"seat": seat})] if isinstance(move, Done) else []


def sheet_of(drawn: Sequence[Drawn]) -> Sheet:
    """What one may ask of a board."""
    return Sheet.of({each.cell: (each.tile, each.orientation) for each in drawn})


def _awaited(state: State) -> Saying:
    if state.phase == "over":
        return Saying("match-is-over")
    return Saying("wait-others" if any(not running.done for running in state.running) else "wait-house")


def _specials_drawn(drawn: Sequence[Drawn]) -> tuple[str, ...]:
    return tuple(each.tile for each in drawn if each.tile in board().specials)


def _specials_left(state: State, seat: Seat) -> tuple[str, ...]:
    """The special routes that a seat may still draw in this round."""
    drawn = _specials_drawn(state.boards[seat])
    if state.running[seat].special or len(drawn) >= SPECIALS_MOST:
        return ()
    return tuple(tile for tile in board().specials if tile not in drawn)


def _draw(state: State, seat: Seat, move: Draw) -> State:
    board_, running = board(), state.running[seat]
    if move.tile not in board_.drawings:
        raise IllegalMove("no-such-tile", tile=move.tile)
    if move.orientation not in ORIENTATIONS:
        raise IllegalMove("no-such-orientation", orientation=move.orientation)
    if move.cell not in board_.index:
        raise IllegalMove("no-such-cell", cell=move.cell)
    special = move.tile in board_.specials
    if special:
        drawn = _specials_drawn(state.boards[seat])
        if running.special:
            raise IllegalMove("special-this-round")
        if len(drawn) >= SPECIALS_MOST:
            raise IllegalMove("specials-used-up", most=SPECIALS_MOST)
        if move.tile in drawn:
            raise IllegalMove("special-is-used", tile=move.tile)
    elif move.tile not in running.left:
        raise IllegalMove("die-is-used" if move.tile in state.dice else "not-rolled", tile=move.tile)
    cell = board_.index[move.cell]
    sheet_of(state.boards[seat]).check(cell, board_.drawings[move.tile][move.orientation])
    left = list(running.left)
    if not special:
        left.remove(move.tile)
    drawn_now = Drawn(cell, move.tile, move.orientation, state.round)
    return msgspec.structs.replace(
        state,
        boards=_with(state.boards, seat, (*state.boards[seat], drawn_now)),
        running=_with(state.running, seat, Running(tuple(left), running.special or special, done=False)),
    )


def _end(state: State, seat: Seat) -> State:
    running = state.running[seat]
    fitting = next(placements(sheet_of(state.boards[seat]), running.left), None)
    if fitting is not None:
        tile, cell, orientation = fitting
        raise IllegalMove("must-draw", tile=tile, cell=board().names[cell], orientation=orientation)
    return msgspec.structs.replace(
        state, running=_with(state.running, seat, msgspec.structs.replace(running, done=True))
    )


def _with(all_: Sequence[T], seat: Seat, one: T) -> tuple[T, ...]:
    """The same with one seat's entry another."""
    return (*all_[:seat], one, *all_[seat + 1 :])


def _known(state: State, seat: Seat | None, owner: Seat) -> tuple[Drawn, ...]:
    """What of an owner's board a seat may see."""
    if seat == owner or not any(not running.done for running in state.running):
        return state.boards[owner]
    return tuple(each for each in state.boards[owner] if each.round < state.round)


def _score(state: State, seat: Seat) -> Score:
    return score(sheet_of(state.boards[seat]), simple=state.longest == "simple")


def _view(state: State, seat: Seat | None) -> View:
    names, running = board().names, Running() if seat is None else state.running[seat]
    boards = []
    for owner, drawn in enumerate(state.boards):
        own = _score(state, owner)
        boards.append(
            BoardView(
                drawn=tuple(DrawnView(names[each.cell], each.tile, each.orientation, each.round) for each in drawn),
                specials=_specials_drawn(drawn),
                score=ScoreView(
                    total=own.total,
                    networks=tuple((each.exits, each.points) for each in own.networks if each.points),
                    highway=own.highway.length,
                    railway=own.railway.length,
                    centre=own.centre,
                    errors=tuple(f"{names[cell]}{SIDES[side]}" for cell, side in own.errors),
                    highway_cells=tuple(names[cell] for cell in own.highway.cells),
                    railway_cells=tuple(names[cell] for cell in own.railway.cells),
                ),
                done=state.running[owner].done,
            )
        )
    return View(
        seat=seat,
        longest=state.longest,
        phase=state.phase,
        round=state.round,
        rounds=ROUNDS,
        dice=state.dice,
        left=running.left,
        special=seat is not None and not running.done and bool(_specials_left(state, seat)),
        boards=tuple(boards),
    )
