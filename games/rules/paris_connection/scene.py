"""The picture of Paris Connection."""

import math

from games.rules.contract import Choices
from games.rules.paris_connection.board import board
from games.rules.paris_connection.values import Build, View
from games.rules.shapes import Path, Point, Scene

RADIUS = 1 / math.sqrt(3)


def scene(view: View, choices: Choices | None = None) -> Scene:
    """The map with all locomotives. With choices, a shape for each locomotive that may be built next."""
    map_ = board()
    shapes = []
    for move in choices.moves if choices else ():
        if isinstance(move, Build):
            hex_ = map_.index[move.hex]
            told = {"company": move.company, "value": map_.values[hex_], **map_.describe(hex_)}
            outline = (_outline(map_.positions[hex_]),)
            shapes.append(Path(kind="legal", parts=outline, closed=True, move=move, title=("build", told)))
    return Scene((-8.5, -6.5, 16.5, 15.0), tuple(shapes), ("board", {}), backdrop="paris-connection")


def _outline(middle: Point) -> tuple[Point, ...]:
    angles = (math.pi / 3 * corner for corner in range(6))
    return tuple((middle[0] + RADIUS * math.cos(angle), middle[1] + RADIUS * math.sin(angle)) for angle in angles)
