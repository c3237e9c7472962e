"""Measure the computer opponents: how well each level does against the next lower one, and how fast.

    python benchmarks/opponents.py [trans-america | paris-connection] [--rounds 300] [--players 4] [--jobs 2]
    python benchmarks/opponents.py paris-connection --ends --rounds 20

Every deal is played out and scored by the rules; the one seat of the higher level goes round the table. Of Trans
America that is a round: printed are penalties a seat and round and the higher level's mean as a share of the lower
level's. Of Paris Connection it is a whole match: printed are ranks (seats of equal points share the mean of their
places, so that equals have 2.5 at a table of four) and how many matches the higher level wins, shared wins included.
Both are better the lower they are, and come with their standard error and the processor time of a turn. Deals come from
the seeds "opponents <round>", so that a run can be repeated; they are for measuring, and no opponent has been tuned on
them (give --seeds another name for that).

With --ends whole matches are played without the stall guard, at tables of every size, by each level and by all three
mixed. Printed are how many of them ended within a number of turns that no match should need, and how long they took.
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
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.rules.chance import Chance
from games.rules.contract import LEVELS, Game, complete_options
from games.rules.paris_connection import game as paris_connection
from games.rules.trans_america import game as trans_america

GAMES: dict[str, Game] = {game.key: game for game in (trans_america, paris_connection)}
PAIRS = (("hard", "medium"), ("medium", "easy"))

LONGEST = 2000
"""After so many turns a match is given up, as one that does not end."""


class Setting(NamedTuple):
    """One deal to be played out: its game and number, the levels of the seats, and the options of the match."""

    key: str
    number: int
    levels: tuple[str, ...]
    options: dict[str, str | bool]
    seeds: str


class Outcome(NamedTuple):
    """levels: one a seat; times: (level, seconds of one core) of each turn.

    amounts: each seat's penalty or rank; None where the match did not end.
    """

    levels: tuple[str, ...]
    amounts: tuple[float, ...] | None
    times: list[tuple[str, float]]


def amounts(game: Game, state: Any) -> tuple[float, ...] | None:
    """What is measured, once it is known: the penalties of the first round, or the ranks of the match."""
    if game is trans_america:
        return state.rounds[0].penalties if state.rounds else None
    result = game.result(state)
    return None if result is None else tuple(rank + (result.ranks.count(rank) - 1) / 2 for rank in result.ranks)


def play_out(setting: Setting) -> Outcome:
    """A deal to its penalties or ranks."""
    game = GAMES[setting.key]
    seed = hashlib.sha256(f"{setting.seeds} {setting.number}".encode()).digest()
    options = complete_options(game, setting.options)
    state = game.start(len(setting.levels), options, Chance(seed, 0))
    times = []
    number = 0
    while (counted := amounts(game, state)) is None and len(times) < LONGEST:
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
    return Outcome(setting.levels, counted, times)


def settings(given: argparse.Namespace, pair: tuple[str, str]) -> list[Setting]:
    """The deals of one table: one seat of the higher level, which moves on by one each time."""
    high, low = pair
    options: dict[str, str | bool] = {}
    if given.game == trans_america.key:
        options = {"board": given.board, "vexation": given.vexation}
    return [
        Setting(
            given.game,
            number,
            tuple(high if seat == number % given.players else low for seat in range(given.players)),
            options,
            given.seeds,
        )
        for number in range(given.rounds)
    ]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5


def show(key: str, pair: tuple[str, str], outcomes: Sequence[Outcome]) -> None:
    """Print what came of one table."""
    high, low = pair
    ours, theirs, wins = [], [], 0
    for outcome in outcomes:
        assert outcome.amounts is not None, f"a match of {outcome.levels} does not end"
        mine = outcome.amounts[outcome.levels.index(high)]
        others = [each for level, each in zip(outcome.levels, outcome.amounts, strict=True) if level == low]
        ours.append(mine)
        theirs.append(statistics.fmean(others))
        wins += mine <= min(others)
    players = len(outcomes[0].levels)
    measured, played = ("penalty", "rounds") if key == trans_america.key else ("rank", "matches")
    print(f"\n1 {high} against {players - 1} {low}, {len(outcomes)} {played}")
    print(f"{'level':8}{measured:>9}{'± error':>9}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
    times: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for level, seconds in outcome.times:
            times[level].append(1000 * seconds)
    for level, values in ((high, ours), (low, theirs)):
        mean, error = mean_and_error(values)
        cuts = statistics.quantiles(times[level], n=100)
        print(f"{level:8}{mean:9.3f}{error:9.3f}{cuts[49]:9.1f}{cuts[94]:9.1f}{max(times[level]):9.1f}")
    if key == trans_america.key:
        share = statistics.fmean(ours) / statistics.fmean(theirs)
        joined = statistics.fmean(mine == 0 for mine in ours)
        print(f"{high} loses {share:.1%} of what {low} loses; it joins all its cities in {joined:.1%} of the rounds")
    else:
        print(f"{high} wins {wins / len(outcomes):.1%} of the matches")


def show_ends(given: argparse.Namespace, pool: Any) -> None:
    """Print how long matches are that only end by themselves."""
    print(f"{'players':8}{'levels':20}{'ended':>9}{'p50 turns':>11}{'max turns':>11}{'max ms':>9}")
    for players in GAMES[given.game].seats:
        for table in (*((level,) for level in LEVELS), LEVELS):
            levels = (table * players)[:players]
            rounds = [
                Setting(given.game, number, levels, {"stall_guard": False}, given.seeds)
                for number in range(given.rounds)
            ]
            outcomes = pool.map(play_out, rounds, chunksize=1)
            ended = sum(outcome.amounts is not None for outcome in outcomes)
            turns = [len(outcome.times) for outcome in outcomes]
            slowest = max(1000 * seconds for outcome in outcomes for _, seconds in outcome.times)
            print(
                f"{players:<8}{' '.join(table):20}{f'{ended}/{given.rounds}':>9}"
                f"{statistics.median(turns):11.0f}{max(turns):11}{slowest:9.1f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the computer opponents of a game.")
    parser.add_argument("game", nargs="?", default=trans_america.key, choices=sorted(GAMES))
    parser.add_argument("--rounds", type=int, default=300, help="rounds, or matches, of each table")
    parser.add_argument("--players", type=int, default=4, help="seats at the table")
    parser.add_argument("--board", default="america", choices=("america", "europa"), help="of Trans America")
    parser.add_argument("--vexation", action="store_true", help="play Trans America with coloured rails")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="processes to play in")
    parser.add_argument("--seeds", default="opponents", help="name of the deals; another name gives other deals")
    parser.add_argument("--ends", action="store_true", help="whether matches of Paris Connection end by themselves")
    given = parser.parse_args()
    if given.players not in GAMES[given.game].seats:
        parser.error(f"{given.game} has no table of {given.players}")
    if given.ends and given.game != paris_connection.key:
        parser.error(f"--ends is for {paris_connection.key}")
    with multiprocessing.Pool(given.jobs) as pool:
        if given.ends:
            show_ends(given, pool)
            return
        for pair in PAIRS:
            show(given.game, pair, pool.map(play_out, settings(given, pair), chunksize=1))


if __name__ == "__main__":
    main()
