"""`python -m tests.records`: plays the matches below with computer opponents and writes their records.

Between them they hold the ways in which rounds and matches end in play; `tests/rules/test_records.py` checks that they
do. Rounds that end because everybody is shut in do not come up by themselves: tests draw their positions.
"""

import hashlib
from typing import Any

import msgspec

from games.rules.chance import Chance
from games.rules.contract import Game, complete_options
from games.rules.registry import GAMES
from tests.records import FOLDER, Recorded

MATCHES = {
    "trans-america-two": ("trans-america", {}, ("hard", "medium")),
    "trans-america-three": ("trans-america", {}, ("medium", "easy", "hard")),
    "trans-america-six": ("trans-america", {}, ("easy", "easy", "medium", "medium", "hard", "hard")),
    "trans-america-barrier": ("trans-america", {"barrier": True}, ("medium",) * 4),
    "trans-america-vexation": ("trans-america", {"vexation": True}, ("random", "medium", "random", "easy")),
    "trans-america-europa": ("trans-america", {"board": "europa"}, ("medium", "medium", "easy", "easy", "hard")),
    "trans-america-last-rail": ("trans-america", {}, ("random",) * 3),
    "trans-america-shared-win": ("trans-america", {}, ("easy", "easy", "easy")),
    "paris-connection-three": ("paris-connection", {}, ("medium", "hard", "easy")),
    "paris-connection-four": ("paris-connection", {"penalty": "once"}, ("hard", "medium", "easy", "medium")),
    "paris-connection-five": ("paris-connection", {"cut_off": "always", "show_holdings": True}, ("medium",) * 5),
    "paris-connection-six": ("paris-connection", {}, ("easy", "medium", "easy", "medium", "easy", "medium")),
    "paris-connection-stall": ("paris-connection", {}, ("swap",) * 3),
    "paris-connection-random": ("paris-connection", {"stall_guard": False}, ("random",) * 4),
}
SEEDS = {"trans-america-shared-win": 6}
"""Which try of a match is kept, where not the first is what it is there for."""


def turn_of(game: Game, state: Any, seat: int, level: str, chance: Chance) -> list[Any]:
    """A whole turn: an opponent's, or, for "random", any legal moves, which also come to what no opponent does; for
    "swap", a trade of one for one."""
    if level not in ("random", "swap"):
        return list(game.think(game.view(state, seat), level, chance))
    moves: list[Any] = []
    while seat in game.waiting_for(state):
        legal = game.choices(state, seat).moves
        moves.append(chance.pick([move for move in legal if level == "random" or len(getattr(move, "take", ())) == 1]))
        state = game.play(state, seat, moves[-1])
    return moves


def played(key: str, options: dict[str, object], levels: tuple[str, ...], seed: bytes) -> Recorded:
    """A whole match of opponents of these levels, by seat."""
    game = GAMES[key]
    chosen = complete_options(game, options)
    state = game.start(len(levels), chosen, Chance(seed, 0))
    record = Recorded(key, game.revision, chosen, len(levels), seed.hex(), [], [], [], [])
    while (result := game.result(state)) is None:
        number = len(record.turns) + 1
        waiting = sorted(game.waiting_for(state))
        before, events, moves = state, [], []
        if not waiting:
            state = game.settle(state, Chance(seed, number))
            events += game.events(before, state, None, None)
            record.turns.append(None)
        else:
            seat = waiting[0]
            for move in turn_of(game, state, seat, levels[seat], Chance(seed, number, "opponent")):
                if seat not in game.waiting_for(state):
                    break
                before, state = state, game.play(state, seat, move)
                events += game.events(before, state, seat, move)
                moves.append(msgspec.to_builtins(move))
            record.turns.append((seat, moves))
        record.events.append(msgspec.to_builtins(events))
    record.points, record.ranks = list(result.points), list(result.ranks)
    return record


def main() -> None:
    for name, (key, options, levels) in MATCHES.items():
        seed = hashlib.sha256(f"{name} {SEEDS.get(name, 0)}".encode()).digest()
        record = played(key, options, levels, seed)
        (FOLDER / f"{name}.json").write_bytes(msgspec.json.encode(record) + b"\n")
        print(f"{name}: {len(record.turns)} turns, {record.points}")


if __name__ == "__main__":
    main()
