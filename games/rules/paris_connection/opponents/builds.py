"""Builds worth thinking of: which hexes to build in, one company at a time, and what the cities among them add.

Built for speed, since the hard opponent looks thousands of builds ahead. A build is sought as a row of shortest ways to
cities, each through as many other cities as possible. Not here: whether the cut-off ban allows it, and whom it serves.
"""

import functools
from typing import NamedTuple

from games.rules.paris_connection.board import Hexes, board, hexes_of
from games.rules.paris_connection.values import Hex

_MAP = board()
_VALUES = _MAP.values
LAST_CITY = 1 << _MAP.last_city
_OTHER_CITIES = _MAP.cities & ~LAST_CITY
_BYTES = (len(_MAP.hexes) + 7) // 8
_BESIDE = tuple(
    tuple(_MAP.beside(byte << 8 * place & (1 << len(_MAP.hexes)) - 1) for byte in range(256)) for place in range(_BYTES)
)
"""The neighbours of every eight hexes: of any set in a few steps, however large it is."""

KEPT = 1 << 14
"""How many answers are kept: matches that are played in the head from one choice and another have much in common."""


class Plan(NamedTuple):
    """A build of one company. hexes: in the order of building; mask: the same as a set; gain: the cities' values."""

    hexes: tuple[Hex, ...]
    mask: Hexes
    gain: int

    @property
    def ends(self) -> bool:
        """Whether it ends the match."""
        return bool(self.mask & LAST_CITY)


NOTHING = Plan((), 0, 0)


def beside(hexes: Hexes) -> Hexes:
    """The neighbours of some hexes."""
    found = 0
    for row, byte in zip(_BESIDE, hexes.to_bytes(_BYTES, "little"), strict=True):
        if byte:
            found |= row[byte]
    return found


@functools.lru_cache(maxsize=KEPT)
def best_build(own: Hexes, free: Hexes, most: int, width: int) -> Plan:
    """The build of the greatest gain, of `most` locomotives or fewer; of equal ones the shortest that was found.

    own: the company's hexes; free: those that it could enter. width: how many of the next cities are tried each time,
    the most worth for the way first. NOTHING where no city is so near.
    """
    found = NOTHING
    if most <= 0:
        return found
    layers = _layers(own, free, most)
    cities = [
        (-_VALUES[hex_] / way, way, hex_)
        for way, layer in enumerate(layers[1:], start=1)
        for hex_ in hexes_of(layer & _MAP.cities)
    ]
    cities.sort()
    for _, way, hex_ in cities[:width]:
        path = _path(layers, way, hex_)
        mask, gain = 0, 0
        for step in path:
            mask |= 1 << step
            gain += _VALUES[step]
        if way < most and not mask & LAST_CITY:
            more = best_build(own | mask, free & ~mask, most - way, width)
            path, mask, gain = path + more.hexes, mask | more.mask, gain + more.gain
        if (gain, -len(path)) > (found.gain, -len(found.hexes)):
            found = Plan(path, mask, gain)
    return found


@functools.lru_cache(maxsize=KEPT)
def way_to(own: Hexes, free: Hexes, goals: Hexes, most: int) -> Plan:
    """The first `most` locomotives of a shortest way to the nearest of some hexes; NOTHING where there is none."""
    layers = _layers(own, free, len(_VALUES), goals)
    arrived = layers[-1] & goals
    if not arrived or len(layers) == 1:
        return NOTHING
    path = _path(layers, len(layers) - 1, next(hexes_of(arrived)))[:most]
    return Plan(path, sum(1 << hex_ for hex_ in path), sum(_VALUES[hex_] for hex_ in path))


def _layers(own: Hexes, free: Hexes, most: int, goals: Hexes = 0) -> list[Hexes]:
    """The own hexes, then the free ones by their distance from those, up to a distance or to the first goal.

    Nothing lies behind the last city: a build ends there.
    """
    layers = [own]
    seen, edge = own, own
    for _ in range(most):
        edge = beside(edge & ~LAST_CITY if len(layers) > 1 else edge) & free & ~seen
        if not edge:
            break
        seen |= edge
        layers.append(edge)
        if edge & goals:
            break
    return layers


def _path(layers: list[Hexes], way: int, hex_: Hex) -> tuple[Hex, ...]:
    """A shortest way to a hex of a layer, through cities where it can."""
    path = [hex_]
    for layer in layers[way - 1 : 0 : -1]:
        before = _MAP.around[path[-1]] & layer & ~LAST_CITY
        path.append(next(hexes_of(before & _OTHER_CITIES or before)))
    return tuple(reversed(path))
