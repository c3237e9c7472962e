"""Measure the computer opponents of Trans America: how well each level does against the next lower one, and how fast.

    python benchmarks/opponents.py [--rounds 300] [--players 4] [--board america] [--jobs 2]

Every round is dealt anew and scored by the rules; the one seat of the higher level goes round the table. Printed are
penalties a seat and round (less is better) with their standard error, the higher level's mean as a share of the lower
level's, and the processor time of a turn. Deals come from the seeds "opponents <round>", so that a run can be repeated;
they are for measuring, and no opponent has been tuned on them (give --seeds another name for that).
"""

import argparse
import hashlib
import multiprocessing
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.rules.chance import Chance
from games.rules.contract import complete_options
from games.rules.trans_america import game
from games.rules.trans_america.values import State

PAIRS = (("hard", "medium"), ("medium", "easy"))


class Setting(NamedTuple):
    """One round to be played: its number, the levels of the seats, and the options of the match."""

    number: int
    levels: tuple[str, ...]
    options: dict[str, str | bool]
    seeds: str


class Outcome(NamedTuple):
    """levels and penalties: one a seat; times: (level, seconds of one core) of each turn."""

    levels: tuple[str, ...]
    penalties: tuple[int, ...]
    times: list[tuple[str, float]]


def play_round(setting: Setting) -> Outcome:
    """The first round of a match, from the deal to its penalties."""
    seed = hashlib.sha256(f"{setting.seeds} {setting.number}".encode()).digest()
    options = complete_options(game, setting.options)
    state: State = game.start(len(setting.levels), options, Chance(seed, 0))
    times = []
    number = 0
    while not state.rounds:
        number += 1
        if not game.waiting_for(state):
            state = game.settle(state, Chance(seed, number))
            continue
        (seat,) = game.waiting_for(state)
        level = setting.levels[seat]
        began = time.process_time()
        moves = game.think(game.view(state, seat), level, Chance(seed, number, "opponent"))
        times.append((level, time.process_time() - began))
        for move in moves:
            if seat in game.waiting_for(state):
                state = game.play(state, seat, move)
    return Outcome(setting.levels, state.rounds[0].penalties, times)


def settings(
    rounds: int, players: int, pair: tuple[str, str], options: dict[str, str | bool], seeds: str
) -> list[Setting]:
    """The rounds of one table: one seat of the higher level, which moves on by one each round."""
    high, low = pair
    return [
        Setting(number, tuple(high if seat == number % players else low for seat in range(players)), options, seeds)
        for number in range(rounds)
    ]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5


def show(pair: tuple[str, str], outcomes: Sequence[Outcome]) -> None:
    """Print what came of one table."""
    high, low = pair
    ours = [outcome.penalties[outcome.levels.index(high)] for outcome in outcomes]
    theirs = [
        statistics.fmean(lost for level, lost in zip(outcome.levels, outcome.penalties, strict=True) if level == low)
        for outcome in outcomes
    ]
    players = len(outcomes[0].levels)
    print(f"\n1 {high} against {players - 1} {low}, {len(outcomes)} rounds")
    print(f"{'level':8}{'penalty':>9}{'± error':>9}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
    times: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for level, seconds in outcome.times:
            times[level].append(1000 * seconds)
    for level, values in ((high, ours), (low, theirs)):
        mean, error = mean_and_error(values)
        cuts = statistics.quantiles(times[level], n=100)
        print(f"{level:8}{mean:9.3f}{error:9.3f}{cuts[49]:9.1f}{cuts[94]:9.1f}{max(times[level]):9.1f}")
    share = statistics.fmean(ours) / statistics.fmean(theirs)
    wins = statistics.fmean(mine == 0 for mine in ours)
    print(f"{high} loses {share:.1%} of what {low} loses; it joins all its cities in {wins:.1%} of the rounds")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the computer opponents of Trans America.")
    parser.add_argument("--rounds", type=int, default=300, help="rounds of each table")
    parser.add_argument("--players", type=int, default=4, choices=game.seats, help="seats at the table")
    parser.add_argument("--board", default="america", choices=("america", "europa"))
    parser.add_argument("--vexation", action="store_true", help="play with coloured rails")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="processes to play in")
    parser.add_argument("--seeds", default="opponents", help="name of the deals; another name gives other deals")
    given = parser.parse_args()
    options: dict[str, str | bool] = {"board": given.board, "vexation": given.vexation}
    with multiprocessing.Pool(given.jobs) as pool:
        for pair in PAIRS:
            rounds = settings(given.rounds, given.players, pair, options, given.seeds)
            show(pair, pool.map(play_round, rounds, chunksize=1))


if __name__ == "__main__":
    main()
