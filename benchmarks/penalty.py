"""How long an exact penalty of Trans America takes: `python benchmarks/penalty.py [positions]` prints a table.

Positions are random hands with a marker (six different terminals) on a board with 0 to all of its rails laid from
random markers, as they would lie in a round. Not a test: nothing is asserted here.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.rules.trans_america.board import BOARDS, COLOURS, Board, board


def grown_rails(map_: Board, rails: int, dice: random.Random) -> frozenset[int]:
    """Rails that grew from four random markers."""
    network = set(dice.sample(range(len(map_.junctions)), 4))
    built: set[int] = set()
    while len(built) < rails:
        open_lines = [
            (line, other)
            for junction in sorted(network)
            for other, line, _ in map_.neighbours[junction]
            if line not in built
        ]
        line, other = dice.choice(open_lines)
        built.add(line)
        network.add(other)
    return frozenset(built)


def hand(map_: Board, dice: random.Random) -> list[int]:
    """The junctions of a marker and of one city of each colour, all different."""
    cities = [map_.cities[dice.choice(map_.cities_of(colour, 6))].junction for colour in COLOURS]
    free = sorted(set(range(len(map_.junctions))) - set(cities))
    return [dice.choice(free), *cities]


def timings(map_: Board, positions: int, empty: bool) -> list[float]:
    """Milliseconds for each position, sorted."""
    dice = random.Random(map_.name)
    found = []
    for _ in range(positions):
        rails = grown_rails(map_, 0 if empty else dice.randrange(map_.rails), dice)
        terminals = hand(map_, dice)
        start = time.perf_counter()
        map_.graph.steiner_tree(terminals, rails)
        found.append((time.perf_counter() - start) * 1000)
    return sorted(found)


def main() -> None:
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(f"{'board':<10}{'rails':<10}{'positions':>10}{'p50 ms':>10}{'p95 ms':>10}{'max ms':>10}")
    for name in BOARDS:
        for empty in (True, False):
            times = timings(board(name), positions, empty)
            figures = (times[len(times) // 2], times[int(len(times) * 0.95)], times[-1])
            print(
                f"{name:<10}{'none' if empty else 'some':<10}{positions:>10}" + "".join(f"{t:>10.2f}" for t in figures)
            )


if __name__ == "__main__":
    main()
