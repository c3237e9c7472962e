"""The rules of Railroad Ink. What an expansion changes is in `expansions`.

Everybody draws the same roll on an own board, all at once; a seat's turn is its whole round. What others draw stays
hidden until everybody has finished the round. Then the house reveals the boards and rolls again.
"""

from collections.abc import Iterator, Sequence
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
from games.rules.railroad_ink.expansions import EXPANSIONS, Demand, Expansion
from games.rules.railroad_ink.routes import Placement, check_special, forced, is_finished, placements, specials_left
from games.rules.railroad_ink.score import Score, score
from games.rules.railroad_ink.sheet import Sheet, sheet_of
from games.rules.railroad_ink.values import (
    BoardState,
    BoardView,
    BonusView,
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


class RailroadInk:
    """The game, as `games.rules.contract.Game` describes it. Not offered yet: it has no picture and no opponents."""

    key = "railroad-ink"
    revision = 1
    seats = range(1, 7)
    options: tuple[Option, ...] = (
        Option("expansion", "none", tuple(EXPANSIONS)),
        Option("longest", "trail", ("trail", "simple")),
    )
    state_type = State
    move_type = Move
    view_type = View

    def boards(self) -> dict[str, Any]:
        """The facts of the board and the dice; of each tile the sides and joined sides in its eight orientations."""
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
                "volcano": board_.names[board_.volcano],
                "first_meteor": board_.names[board_.first_meteor],
                "dice": {use: [list(faces) for faces in dice] for use, dice in board_.dice.items()},
            }
        }

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """The boards before the first roll."""
        expansion = EXPANSIONS[str(options["expansion"])]
        boards = (expansion.start(),) * seats
        return State(
            longest=str(options["longest"]),
            expansion=expansion.key,
            phase="roll",
            round=0,
            dice=(),
            expansion_dice=(),
            boards=boards,
            before=boards,
            running=(Running(),) * seats,
        )

    def waiting_for(self, state: State) -> frozenset[Seat]:
        """Everybody who has not finished the round."""
        return frozenset(seat for seat, running in enumerate(state.running) if not running.done)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every drawing of the roll, of the expansion and of special routes; the end of the round when it may end."""
        running, expansion = state.running[seat], EXPANSIONS[state.expansion]
        if running.done:
            return Choices(_awaited(state))
        own = state.boards[seat]
        if (demand := expansion.before_drawing(running)) is not None:
            return Choices(demand.asked, expansion.moves(own, running))
        sheet, names = sheet_of(own.drawn), board().names
        draws = [
            Draw(tile, names[cell], orientation)
            for tile, cell, orientation in (
                *placements(sheet, running.left),
                *_placements_of(expansion, sheet, running),
                *placements(sheet, specials_left(own, running)),
            )
        ]
        moves = (*draws, *expansion.moves(own, running))
        if not is_finished(sheet, running.left):
            return Choices(Saying("draw", {"left": len(running.left)}), moves)
        if (demand := expansion.before_end(own, running)) is not None:
            return Choices(demand.asked, moves)
        return Choices(Saying("draw-or-end", {"left": len(running.left)}), (*moves, Done()))

    def play(self, state: State, seat: Seat, move: Move) -> State:
        """One drawing, a move of the expansion, or the end of the seat's round."""
        if state.phase == "over":
            raise IllegalMove("match-is-over")
        if state.phase == "roll":
            raise IllegalMove("house-to-move")
        if state.running[seat].done:
            raise IllegalMove("round-is-finished")
        expansion = EXPANSIONS[state.expansion]
        match move:
            case Draw() | Done():
                _demand(expansion.before_drawing(state.running[seat]))
                return _draw(state, seat, move) if isinstance(move, Draw) else _end(state, seat)
            case _:
                return _seat_with(
                    state, seat, *expansion.play(state.boards[seat], state.running[seat], move, state.round)
                )

    def settle(self, state: State, chance: Chance) -> State:
        """Reveal what was drawn, and roll for the next round."""
        if state.phase == "over" or self.waiting_for(state):
            raise ValueError(f"the house has nothing to do in phase {state.phase}")
        expansion = EXPANSIONS[state.expansion]
        if state.round == expansion.rounds:
            return msgspec.structs.replace(state, phase="over")
        dice = tuple(chance.pick(faces) for faces in board().dice["route"])
        expansion_dice = expansion.roll(chance)
        return msgspec.structs.replace(
            state,
            phase="draw",
            round=state.round + 1,
            dice=dice,
            expansion_dice=expansion_dice,
            before=state.boards,
            running=(Running(left=dice, done=False, expansion_left=expansion_dice),) * len(state.boards),
        )

    def blind(self, state: State, seat: Seat | None) -> State:
        """Without what others have drawn in the running round."""
        boards = state.boards
        if self.waiting_for(state):
            boards = state.before if seat is None else _with(state.before, seat, state.boards[seat])
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
            *(
                SheetLine(Saying(f"sheet-{each[0].code}"), tuple(bonus.points for bonus in each))
                for each in zip(*(own.bonuses for own in scores), strict=True)
            ),
            SheetLine(Saying("sheet-errors"), tuple(-len(own.errors) for own in scores)),
        ]
        order = [(own.total, -len(own.errors)) for own in scores]
        ranks = tuple(1 + sum(other > mine for other in order) for mine in order)
        return Result(tuple(own.total for own in scores), ranks, tuple(lines))

    def events(self, before: State, after: State, seat: Seat | None, move: Move | None) -> Sequence[Event]:
        """Codes: finished; of the house: rolled, round-scored. Drawings are not told before they are revealed."""
        if move is None:
            told = []
            if before.round:
                totals = [_score(after, each).total for each in range(len(after.boards))]
                told.append(Event("round-scored", {"round": before.round, "totals": totals}))
            if after.phase == "draw":
                told.append(_rolled(after))
            return told
        return [Event("finished", {"seat": seat})] if isinstance(move, Done) else []


def _rolled(state: State) -> Event:
    if not state.expansion_dice:
        return Event("rolled", {"round": state.round, "dice": list(state.dice)})
    expansion = {"expansion": state.expansion, "expansion_dice": list(state.expansion_dice)}
    return Event("rolled-expansion", {"round": state.round, "dice": list(state.dice), **expansion})


def _awaited(state: State) -> Saying:
    if state.phase == "over":
        return Saying("match-is-over")
    return Saying("wait-others" if any(not running.done for running in state.running) else "wait-house")


def _placements_of(expansion: Expansion, sheet: Sheet, running: Running) -> Iterator[Placement]:
    """Every drawing of the expansion that is legal now, those that look the same once."""
    for tile in dict.fromkeys(expansion.tiles(running)):
        for cell, orientation in expansion.places(sheet, tile):
            yield tile, cell, orientation


def _draw(state: State, seat: Seat, move: Draw) -> State:
    board_, running, own = board(), state.running[seat], state.boards[seat]
    expansion = EXPANSIONS[state.expansion]
    if move.tile not in board_.drawings:
        raise IllegalMove("no-such-tile", tile=move.tile)
    if move.orientation not in ORIENTATIONS:
        raise IllegalMove("no-such-orientation", orientation=move.orientation)
    if move.cell not in board_.index:
        raise IllegalMove("no-such-cell", cell=move.cell)
    cell, drawing, sheet = board_.index[move.cell], board_.drawings[move.tile][move.orientation], sheet_of(own.drawn)
    if move.tile in board_.specials:
        check_special(own, running, move.tile)
        sheet.check(cell, drawing)
        running = msgspec.structs.replace(running, special=True)
        own = msgspec.structs.replace(own, specials=(*own.specials, move.tile))
    elif move.tile in running.left:
        sheet.check(cell, drawing)
        running = msgspec.structs.replace(running, left=_without(running.left, move.tile))
    elif move.tile in expansion.tiles(running):
        expansion.check(sheet, move.tile, cell, drawing)
        running = msgspec.structs.replace(running, expansion_left=_without(running.expansion_left, move.tile))
    else:
        rolled = move.tile in (*state.dice, *state.expansion_dice)
        raise IllegalMove("die-is-used" if rolled else "not-rolled", tile=move.tile)
    # A route in a crater erases it.
    drawn = (*(each for each in own.drawn if each.cell != cell), Drawn(cell, move.tile, move.orientation, state.round))
    own = expansion.after_drawing(msgspec.structs.replace(own, drawn=drawn), state.round)
    return _seat_with(state, seat, own, running)


def _without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """The tiles less the first that is this one, if any is."""
    place = tiles.index(tile) if tile in tiles else len(tiles)
    return tiles[:place] + tiles[place + 1 :]


def _end(state: State, seat: Seat) -> State:
    running = state.running[seat]
    fitting = next(forced(sheet_of(state.boards[seat].drawn), running.left), None)
    if fitting is not None:
        tile, cell, orientation = fitting
        raise IllegalMove("must-draw", tile=tile, cell=board().names[cell], orientation=orientation)
    _demand(EXPANSIONS[state.expansion].before_end(state.boards[seat], running))
    return _seat_with(state, seat, state.boards[seat], msgspec.structs.replace(running, done=True))


def _demand(demand: Demand | None) -> None:
    if demand is not None:
        raise IllegalMove(demand.refusal.code, **demand.refusal.params)


def _seat_with(state: State, seat: Seat, own: BoardState, running: Running) -> State:
    """The same with one seat's board and round another."""
    return msgspec.structs.replace(
        state, boards=_with(state.boards, seat, own), running=_with(state.running, seat, running)
    )


def _with(all_: Sequence[T], seat: Seat, one: T) -> tuple[T, ...]:
    """The same with one seat's entry another."""
    return (*all_[:seat], one, *all_[seat + 1 :])


def _score(state: State, seat: Seat) -> Score:
    sheet = sheet_of(state.boards[seat].drawn)
    return score(sheet, EXPANSIONS[state.expansion], simple=state.longest == "simple")


def _view(state: State, seat: Seat | None) -> View:
    names, running = board().names, Running() if seat is None else state.running[seat]
    boards = []
    for owner, board_ in enumerate(state.boards):
        own = _score(state, owner)
        boards.append(
            BoardView(
                drawn=tuple(
                    DrawnView(names[each.cell], each.tile, each.orientation, each.round) for each in board_.drawn
                ),
                specials=board_.specials,
                score=ScoreView(
                    total=own.total,
                    networks=tuple((each.exits, each.points) for each in own.networks if each.points),
                    highway=own.highway.length,
                    railway=own.railway.length,
                    centre=own.centre,
                    errors=tuple(f"{names[cell]}{SIDES[side]}" for cell, side in own.errors),
                    highway_cells=tuple(names[cell] for cell in own.highway.cells),
                    railway_cells=tuple(names[cell] for cell in own.railway.cells),
                    bonuses=tuple(
                        BonusView(each.code, each.points, tuple(names[cell] for cell in each.cells))
                        for each in own.bonuses
                    ),
                ),
                done=state.running[owner].done,
                hit=None if board_.hit is None else names[board_.hit],
            )
        )
    return View(
        seat=seat,
        longest=state.longest,
        phase=state.phase,
        round=state.round,
        rounds=EXPANSIONS[state.expansion].rounds,
        dice=state.dice,
        left=running.left,
        special=seat is not None and not running.done and bool(specials_left(state.boards[seat], running)),
        boards=tuple(boards),
        expansion=state.expansion,
        expansion_dice=state.expansion_dice,
        expansion_left=running.expansion_left,
    )
