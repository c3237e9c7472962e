"""The picture of a view as data: shapes with ids, in the units of the game's own board.

A scene is made by a game's `scene`, and drawn by `games/scenes` as SVG for pages and as PNG for mails. It knows nothing
of colours: a shape names its `kind`, and one table of styles (`games/scenes/styles.py`) says how a kind looks by day
and by night.
"""

from typing import Any

import msgspec

Point = tuple[float, float]

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """What all shapes have.

    kind: space-separated names of styles (`rail-own seat-2`). Kinds that begin with `map-` are the still picture: they
    are the same in every scene with the same `backdrop`.
    id: unique in the scene where given.
    title: code and parameters of the saying that a screen reader speaks and a pointer shows.
    move: the move that choosing this shape stands for; cost: its price, where moves have one.
    offer: where one place can stand for several moves, which of them this is: a value of the switch beside the board
    (`Panel.switch`). A page shows one offer at a time.
    """

    kind: str
    id: str | None = None
    title: tuple[str, dict[str, Any]] | None = None
    move: Any = None
    cost: int | None = None
    offer: str | None = None


class Path(Shape, frozen=True, tag="path", kw_only=True, omit_defaults=True):
    """Straight strokes through points, in one or more parts; a part of one point is a dot as wide as the stroke.

    `closed` parts are areas that may be filled; a part inside another is a hole.
    """

    parts: tuple[tuple[Point, ...], ...]
    closed: bool = False


class Circle(Shape, frozen=True, tag="circle", kw_only=True, omit_defaults=True):
    """A disc round a point."""

    at: Point
    radius: float


class Text(Shape, frozen=True, tag="text", kw_only=True, omit_defaults=True):
    """Words on the board: proper names and figures only, since they are the same in every language.

    at: the middle of its capitals' height, and of its width or the end named by anchor ("start", "middle", "end").
    size: the font size.
    """

    at: Point
    text: str
    size: float
    anchor: str = "middle"


class Scene(msgspec.Struct, frozen=True):
    """A whole picture. box: of all of it, in board units. title: code and parameters for screen readers.

    backdrop: the name of the still picture that the `map-` shapes make, for those who keep it apart from the rest.
    """

    box: Box
    shapes: tuple[Path | Circle | Text, ...]
    title: tuple[str, dict[str, Any]]
    backdrop: str | None = None
