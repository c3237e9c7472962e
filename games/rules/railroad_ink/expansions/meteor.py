"""Meteors: one hits every board in every round, before anything is drawn, and leaves a crater.

The dice show a direction and how far it flies from where the last one hit; with "any" each player chooses one, and so
the meteors take other ways on other boards. To cross off an unused special route instead is to use it.

Where the rules are silent: the flight is counted over craters too, only the last cell must be without one. A crater may
be erased to draw a route there and not otherwise, and nobody has to: the round may end where a die fits nothing but
craters.
"""

from collections.abc import Iterator

import msgspec

from games.rules.contract import IllegalMove, Saying
from games.rules.railroad_ink.board import ROUTES, Cell, Side, board
from games.rules.railroad_ink.expansions.base import Bonus, Demand, Expansion
from games.rules.railroad_ink.routes import check_special, specials_left
from games.rules.railroad_ink.sheet import CRATER, Sheet, sheet_of
from games.rules.railroad_ink.values import BoardState, Crater, Drawn, Ignore, Move, Running

DIRECTIONS = ("up", "right", "down", "left")
"""The faces of the direction die, at the places of the sides; "any" is each of them."""

END_POINTS = 2
"""For each open end of a route that leads into a crater."""


class Meteor(Expansion):
    """Two dice, direction and distance, that are not drawn."""

    key = "meteor"
    rounds = 6
    codes = ("craters",)

    def start(self) -> BoardState:
        """The first meteor flies from the middle."""
        return BoardState(hit=board().first_meteor)

    def tiles(self, running: Running) -> tuple[str, ...]:
        """None: its dice are not drawn."""
        return ()

    def before_drawing(self, running: Running) -> Demand | None:
        """The meteor comes first."""
        if not running.expansion_left:
            return None
        direction, distance = running.expansion_left
        asked = Saying("draw-crater", {"direction": direction, "distance": int(distance)})
        return Demand(Saying("meteor-first"), asked)

    def moves(self, own: BoardState, running: Running) -> tuple[Move, ...]:
        """The craters that the meteor may make, and the special routes that may be crossed off instead."""
        if not running.expansion_left:
            return ()
        craters = (Crater(board().names[cell]) for cell in _hits(own, running))
        return (*craters, *(Ignore(tile) for tile in specials_left(own, running)))

    def play(self, own: BoardState, running: Running, move: Move, round_: int) -> tuple[BoardState, Running]:
        """A crater, or a special route crossed off."""
        match move:
            case Crater(cell=name):
                if name not in board().index:
                    raise IllegalMove("no-such-cell", cell=name)
                _check_meteor(running)
                cell, hits = board().index[name], _hits(own, running)
                if cell not in hits:
                    raise IllegalMove("meteor-misses", cell=name, cells=[board().names[each] for each in hits])
                drawn = (*(each for each in own.drawn if each.cell != cell), Drawn(cell, CRATER, 0, round_))
                own = msgspec.structs.replace(own, drawn=drawn, hit=cell)
            case Ignore(special=tile):
                if tile not in board().specials:
                    raise IllegalMove("no-such-special", tile=tile)
                _check_meteor(running)
                check_special(own, running, tile)
                own = msgspec.structs.replace(own, specials=(*own.specials, tile))
                running = msgspec.structs.replace(running, special=True)
            case _:
                return super().play(own, running, move, round_)
        return own, msgspec.structs.replace(running, expansion_left=())

    def errors(self, sheet: Sheet) -> Iterator[tuple[Cell, Side]]:
        """The open ends less those that lead into a crater."""
        return (end for end in sheet.open_ends(ROUTES) if not _leads_into_crater(sheet, *end))

    def bonuses(self, sheet: Sheet) -> tuple[Bonus, ...]:
        """Points for each open end of a route that leads into a crater."""
        ends = [(cell, side) for cell, side in sheet.open_ends(ROUTES) if _leads_into_crater(sheet, cell, side)]
        return (Bonus("craters", END_POINTS * len(ends), tuple(dict.fromkeys(cell for cell, _ in ends))),)


METEOR = Meteor()


def _check_meteor(running: Running) -> None:
    if not running.expansion_left:
        raise IllegalMove("meteor-is-over")


def _hits(own: BoardState, running: Running) -> list[Cell]:
    """The cells that this round's meteor may hit: one, or with "any" up to four."""
    direction, distance = running.expansion_left
    sides = range(4) if direction == "any" else (DIRECTIONS.index(direction),)
    return list(dict.fromkeys(_flight(own, side, int(distance)) for side in sides))


def _flight(own: BoardState, side: Side, distance: int) -> Cell:
    """Where a meteor comes down. There are fewer rounds than cells in a line, so that it always finds one."""
    sheet, cell = sheet_of(own.drawn), own.hit
    assert cell is not None
    while distance > 0 or sheet.is_crater(cell):
        beside = board().beside[cell][side]
        if beside is None:
            side = (side + 2) % 4
        else:
            cell, distance = beside, distance - 1
    return cell


def _leads_into_crater(sheet: Sheet, cell: Cell, side: Side) -> bool:
    beside = board().beside[cell][side]
    return beside is not None and sheet.is_crater(beside)
