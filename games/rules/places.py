"""Words for the places of a board that have no name of their own: so many steps from the nearest one that has.

For boards whose places lie on a plane, their neighbours being 1 apart. The sentences are in `games/words/places.py`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.shapes import Point

COMPASS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")


def direction(start: Point, end: Point) -> str:
    """The nearest of the eight winds from one point to another, y growing south."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    return COMPASS[round(angle / (math.pi / 4)) % 8]


def described(points: Sequence[Point], names: Mapping[int, str]) -> tuple[dict[str, Any], ...]:
    """Each point in words: the nearest named one (`place`), how many steps from there (`distance`) and, where that is
    not 0, in which `direction` (one of eight, "north-east").

    names: the names that some points have, by their index. No two points get the same words: where two lie alike from
    their nearest named one, one of them is said from its next one.
    """

    def away(point: int, named: int) -> float:
        return round(math.dist(points[point], points[named]), 6)

    def words(point: int, named: int) -> dict[str, Any]:
        facts: dict[str, Any] = {"place": names[named], "distance": math.ceil(away(point, named))}
        if facts["distance"]:
            facts["direction"] = direction(points[named], points[point])
        return facts

    order = {named: place for place, named in enumerate(names)}
    found: list[dict[str, Any]] = []
    for point in range(len(points)):
        near = sorted(names, key=lambda named: (away(point, named), order[named]))
        found.append(next(facts for named in near if (facts := words(point, named)) not in found))
    return tuple(found)
