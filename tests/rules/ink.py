"""Positions and play-outs of Railroad Ink for tests of its rules."""

import random
import re

import msgspec
import pytest

from games.rules.chance import Chance
from games.rules.contract import IllegalMove, complete_options
from games.rules.railroad_ink.board import board
from games.rules.railroad_ink.expansions import EXPANSIONS
from games.rules.railroad_ink.game import RailroadInk
from games.rules.railroad_ink.score import score
from games.rules.railroad_ink.sheet import Sheet
from games.rules.railroad_ink.values import Draw, Drawn

game = RailroadInk()
NOTATION = re.compile(r"([A-Z][\dFV])([A-G]\d)(\d)|X([A-G]\d)")
LONGEST = 5000
"""More steps than any match has; a play-out beyond it would never end."""


def drawn(text, round_=0):
    """What stands on a board, written as "A4A10 B2C31"; XD3 is a crater."""
    found = []
    for tile, cell, orientation, crater in NOTATION.findall(text):
        found.append(Drawn(board().index[cell or crater], tile or "X", int(orientation or 0), round_))
    assert len(found) == len(text.split())
    return tuple(found)


def sheet(text):
    return Sheet.of({each.cell: (each.tile, each.orientation) for each in drawn(text)})


def scored(expansion, text):
    return score(sheet(text), EXPANSIONS[expansion])


def points(expansion, text):
    """Points by the code of the bonus."""
    return {bonus.code: bonus.points for bonus in scored(expansion, text).bonuses}


def errors(expansion, text):
    """Cells and sides of the errors: D3E."""
    return {f"{board().names[cell]}{'NESW'[side]}" for cell, side in scored(expansion, text).errors}


def rolled(expansion, dice=(), expansion_dice=(), on_board=None, hit=None, seats=1, luck=0):
    """A match in its first round with these rolls; on_board: what stands on every board already; hit: by a meteor."""
    options = complete_options(game, {"expansion": expansion})
    state = game.settle(game.start(seats, options, Chance(bytes(32), 0)), Chance(luck.to_bytes(32, "big"), 1))
    own = state.boards[0]
    if on_board is not None:
        own = msgspec.structs.replace(own, drawn=drawn(on_board))
    if hit is not None:
        own = msgspec.structs.replace(own, hit=board().index[hit])
    running = msgspec.structs.replace(state.running[0], left=tuple(dice), expansion_left=tuple(expansion_dice))
    return msgspec.structs.replace(
        state,
        dice=tuple(dice),
        expansion_dice=tuple(expansion_dice),
        boards=(own,) * seats,
        before=(own,) * seats,
        running=(running,) * seats,
    )


def draws(text):
    """Moves, written as the drawings they make."""
    return [Draw(each.tile, board().names[each.cell], each.orientation) for each in drawn(text)]


def after(state, *moves, seat=0):
    for move in moves:
        state = game.play(state, seat, move)
    return state


def on_board(state, seat=0):
    """What stands on a board, written as in `drawn`, sorted."""
    return " ".join(
        sorted(
            f"X{board().names[each.cell]}"
            if each.tile == "X"
            else f"{each.tile}{board().names[each.cell]}{each.orientation}"
            for each in state.boards[seat].drawn
        )
    )


def refusal(state, *moves, seat=0):
    with pytest.raises(IllegalMove) as problem:
        after(state, *moves, seat=seat)
    return problem.value.saying


def choices(state, kind, seat=0):
    return [move for move in game.choices(state, seat).moves if isinstance(move, kind)]


def play_out(expansion, seats, luck, seed=None):
    """(before, after, seat, move) of every step of a match in which everybody draws at random, in any order."""
    dice, number = random.Random(luck), 0
    seed = luck.to_bytes(32, "big") if seed is None else seed
    state = game.start(seats, complete_options(game, {"expansion": expansion}), Chance(seed, 0))
    for _step in range(LONGEST):
        if game.result(state) is not None:
            return
        seat, move = None, None
        if waiting := sorted(game.waiting_for(state)):
            seat = dice.choice(waiting)
            move = dice.choice(game.choices(state, seat).moves)
            next_state = game.play(state, seat, move)
        else:
            number += 1
            next_state = game.settle(state, Chance(seed, number))
        yield state, next_state, seat, move
        state = next_state
    raise AssertionError("the match does not end")
