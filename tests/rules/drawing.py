"""Positions of Trans America drawn as text, for tests.

    0###+---Y        rows of junctions, two text lines apart, and between them the lines that slant
     \\ / \\ / \\

    +  junction          G B Y R O  city of a colour, small when dashed       0 1 2 ...  a seat's start marker
    ---  /  \\  single line, not built          ===  Z  N  double line, not built (Z for /, N for \\)
    ###  #  built        aaa  a  coloured rail of seat 0, b of seat 1 ...     nothing: not drawn, not built

A drawing shows any part of a board; `at` names the first junction of its first row. What it says of cities and costs
is checked against the board.
"""

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

import msgspec

from games.rules.trans_america.board import Board, board
from games.rules.trans_america.values import State

ONE_LETTER_COLOURS = {"green": "G", "blue": "B", "yellow": "Y", "red": "R", "orange": "O"}
SEAT_LETTERS = "abcdef"


class Drawing:
    """What a text says: markers by seat, rails, coloured rails, and every line that it shows."""

    def __init__(self, map_: Board, at: str, text: str) -> None:
        self.map = map_
        rows = dedent(text).strip("\n").splitlines()
        top, left = map_.junctions[map_.junction_index[at]]
        offset = len(rows[0]) - len(rows[0].lstrip())
        self.junctions: set[int] = set()
        self.lines: set[int] = set()
        self.markers: dict[int, int] = {}
        self.rails: list[int] = []
        self.coloured: list[tuple[int, int]] = []
        index = {place: junction for junction, place in enumerate(map_.junctions)}
        for y in range(0, len(rows), 2):
            row = top + y // 2
            # A junction is drawn at x = 4 * column - 2 * row from a fixed left edge.
            edge = offset - (4 * left - 2 * top)
            for (its_row, column), junction in index.items():
                x = edge + 4 * column - 2 * row
                if its_row != row or _char(rows, y, x) == " ":
                    continue
                self._read_junction(junction, _char(rows, y, x))
                for step, place in (((0, 1), (y, x + 2)), ((1, 0), (y + 1, x - 1)), ((1, 1), (y + 1, x + 1))):
                    char = _char(rows, *place)
                    if char != " ":
                        other = index[row + step[0], column + step[1]]
                        self._read_line(map_.lines.index((junction, other)), step, char)

    def _read_junction(self, junction: int, char: str) -> None:
        self.junctions.add(junction)
        if char.isdigit():
            self.markers[int(char)] = junction
            return
        expected = "+"
        if junction in self.map.city_at:
            city = self.map.cities[self.map.city_at[junction]]
            letter = ONE_LETTER_COLOURS[city.colour]
            expected = letter.lower() if city.dashed else letter
        assert char == expected, f"{self.map.junction_names[junction]} is drawn as {char}, and is {expected}"

    def _read_line(self, line: int, step: tuple[int, int], char: str) -> None:
        self.lines.add(line)
        if char == "#":
            self.rails.append(line)
        elif char in SEAT_LETTERS:
            self.rails.append(line)
            self.coloured.append((line, SEAT_LETTERS.index(char)))
        else:
            expected = {(0, 1): "-=", (1, 0): "/Z", (1, 1): "\\N"}[step][self.map.costs[line] - 1]
            assert char == expected, f"{self.map.line_names[line]} is drawn as {char}, and is {expected}"


def _char(rows: Sequence[str], y: int, x: int) -> str:
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else " "


def position(
    at: str,
    text: str,
    hands: Mapping[int, Sequence[str]] | None = None,
    *,
    on: str = "america",
    seats: int | None = None,
    mover: int | None = 0,
    **fields: Any,
) -> State:
    """The drawn position in the middle of a round, with `mover` to lay.

    hands: names of cities by seat; a seat without any has cities that no small drawing joins. Two cities are a hand as
    good as five. Seats without a marker stand out of the way, on the last junctions of the board.
    """
    map_ = board(on)
    drawing = Drawing(map_, at, text)
    count = seats or max(2, *(seat + 1 for seat in drawing.markers))
    by_name = {city.name: index for index, city in enumerate(map_.cities)}
    out_of_the_way = (map_.cities[0].name, map_.cities[-1].name)
    state = State(
        board=on,
        barrier=False,
        vexation=bool(drawing.coloured),
        phase="lay" if mover is not None else "score",
        round=1,
        start=0,
        mover=mover,
        points=(13,) * count,
        threshold=0,
        hands=tuple(tuple(by_name[name] for name in (hands or {}).get(seat, out_of_the_way)) for seat in range(count)),
        markers=tuple(drawing.markers.get(seat, len(map_.junctions) - 1 - seat) for seat in range(count)),
        rails=tuple(drawing.rails),
        coloured=tuple(drawing.coloured),
        turn=(),
        last=None,
        rounds=(),
    )
    return msgspec.structs.replace(state, **fields)
