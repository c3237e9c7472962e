"""How every kind of shape looks, by day and by night: the one table behind the CSS of pages and the colours of PNGs.

Not for sizes of shapes (they are the scene's, in board units) and not for the page around a board. A shape names one or
more kinds; where they disagree, the kind that stands later in STYLES wins, as in the style sheet made from it.

Signal red belongs to "your turn" on the page and to nothing here.
"""

from collections.abc import Iterable
from functools import cache

import msgspec

THEMES = ("day", "night")
SCALE = 100
"""SVG units in one board unit: whole numbers keep files small, and no browser raises a tiny font to its least size."""

FINGER = 0.52
"""Board units across that answer to a touch, round a line that is thinner."""

FONT = "Barlow Semi Condensed"


class Style(msgspec.Struct, frozen=True):
    """The look of a kind; None leaves a thing to an earlier kind.

    fill, stroke, halo: a name of TOKENS, "tint" (the colour of the shape's seat or group), "tint-ink" (legible on it)
    or "none". width, halo_width: board units. dash: lengths of stroke and gap in board units, () for a whole line.
    opacity: of the whole shape; fill_opacity: of its fill alone. weight: of letters, 500 or 700. tint: sets what "tint"
    means for the shape.
    """

    fill: str | None = None
    stroke: str | None = None
    width: float | None = None
    dash: tuple[float, ...] | None = None
    cap: str | None = None
    opacity: float | None = None
    fill_opacity: float | None = None
    weight: int | None = None
    halo: str | None = None
    halo_width: float | None = None
    tint: str | None = None


TOKENS: dict[str, tuple[str, str]] = {
    # Map: warm paper and pale water; by night deep blue-black.
    "sea": ("#d5e0dd", "#0b111c"),
    "shore-far": ("#cddad7", "#0d1522"),
    "shore-mid": ("#c3d3d1", "#101b2b"),
    "shore-near": ("#b4c8c7", "#152438"),
    "land": ("#f7f0e1", "#1b2536"),
    "abroad": ("#ebe4d3", "#151d2b"),
    "coast": ("#71898d", "#46607f"),
    "grid": ("#bfcfcd", "#182334"),
    "river": ("#a6c3c6", "#2d4560"),
    "state": ("#d6c9ad", "#31405a"),
    "border": ("#b7a582", "#50607b"),
    # Lattice and rails.
    "line": ("#8d816c", "#66758c"),
    "double": ("#dcc79b", "#3b4c69"),
    "junction": ("#675c4a", "#8f9db3"),
    "rail": ("#241f1a", "#f3e9d4"),
    "rail-light": ("#f7f0e1", "#1b2536"),
    "ink": ("#211c17", "#f3e9d4"),
    "paper": ("#fbf7ed", "#131b29"),
    "legal": ("#f0b429", "#ffc93d"),
    "legal-ink": ("#6b4700", "#ffdf94"),
    "running": ("#f5b50f", "#ffcf4d"),
    "last": ("#4da9d6", "#3fb2ec"),
    "focus": ("#1246b5", "#9fc2ff"),
    # Groups of cities, muted as printed inks.
    "city-green": ("#2f7d4f", "#5fb985"),
    "city-blue": ("#2d5fa3", "#7aa9e6"),
    "city-yellow": ("#d9a400", "#edc64a"),
    "city-red": ("#a8443a", "#de8276"),
    "city-orange": ("#d97a1f", "#f0a45a"),
    # Hexes of France and the badges of its cities by value; companies, each with a symbol as well.
    "hex-edge": ("#8f9a76", "#55657f"),
    "hex-rural": ("#dbe6bd", "#1e3330"),
    "hex-start": ("#efe7d2", "#3a4152"),
    "hex-1": ("#eed9ae", "#453a28"),
    "hex-2": ("#dccbe6", "#3a2d4d"),
    "hex-3": ("#f2c9bf", "#522b2b"),
    "hex-4": ("#bcd6ee", "#1f3f63"),
    "badge-1": ("#8a6a2c", "#d9b878"),
    "badge-2": ("#7a4f98", "#c3a0dd"),
    "badge-3": ("#b04a3c", "#ee9a8c"),
    "badge-4": ("#20639e", "#8cc2f2"),
    "ribbon": ("#c23b2e", "#d9503f"),
    "ribbon-light": ("#fffaf0", "#f3e9d4"),
    "tower": ("#5b4a36", "#d8c9a6"),
    "company-red": ("#d0342c", "#d63c34"),
    "company-blue": ("#2166c4", "#2b73d2"),
    "company-black": ("#26231f", "#0a0d13"),
    "company-brown": ("#9a5c28", "#9a6431"),
    "company-yellow": ("#f4c51c", "#f6cf3a"),
    "company-purple": ("#7f3fa8", "#9350bf"),
    "company-red-ink": ("#ffffff", "#ffffff"),
    "company-blue-ink": ("#ffffff", "#ffffff"),
    "company-black-ink": ("#ffffff", "#ffffff"),
    "company-brown-ink": ("#ffffff", "#ffffff"),
    "company-yellow-ink": ("#211c17", "#211c17"),
    "company-purple-ink": ("#ffffff", "#ffffff"),
    # Seats: a set that colour-blind people can tell apart (after Okabe and Ito), each with its own dash as well.
    "seat-0": ("#0067a8", "#58b0ec"),
    "seat-1": ("#e39a00", "#f2b134"),
    "seat-2": ("#00795c", "#31c39c"),
    "seat-3": ("#b04a86", "#e48cc0"),
    "seat-4": ("#57b1e0", "#a9ddf7"),
    "seat-5": ("#4b4640", "#cfc6b6"),
    "seat-0-ink": ("#ffffff", "#0b111c"),
    "seat-1-ink": ("#211c17", "#0b111c"),
    "seat-2-ink": ("#ffffff", "#0b111c"),
    "seat-3-ink": ("#ffffff", "#0b111c"),
    "seat-4-ink": ("#211c17", "#0b111c"),
    "seat-5-ink": ("#ffffff", "#0b111c"),
}

STYLES: dict[str, Style] = {
    # Tints.
    "city-green": Style(tint="city-green"),
    "city-blue": Style(tint="city-blue"),
    "city-yellow": Style(tint="city-yellow"),
    "city-red": Style(tint="city-red"),
    "city-orange": Style(tint="city-orange"),
    "seat-0": Style(tint="seat-0"),
    "seat-1": Style(tint="seat-1", dash=(0.3, 0.1)),
    "seat-2": Style(tint="seat-2", dash=(0.06, 0.07)),
    "seat-3": Style(tint="seat-3", dash=(0.3, 0.08, 0.06, 0.08)),
    "seat-4": Style(tint="seat-4", dash=(0.15, 0.08)),
    "seat-5": Style(tint="seat-5", dash=(0.24, 0.07, 0.05, 0.07, 0.05, 0.07)),
    **{
        f"company-{name}": Style(tint=f"company-{name}")
        for name in ("red", "blue", "black", "brown", "yellow", "purple")
    },
    # The map under the board. Every kind of the still picture begins with "map-".
    "map-sea": Style(fill="sea"),
    "map-grid": Style(stroke="grid", width=0.012),
    "map-shore-far": Style(stroke="shore-far", width=0.6),
    "map-shore-mid": Style(stroke="shore-mid", width=0.34),
    "map-shore-near": Style(stroke="shore-near", width=0.14),
    "map-abroad": Style(fill="abroad"),
    "map-land": Style(fill="land"),
    "map-coast": Style(stroke="coast", width=0.022),
    "map-river": Style(stroke="river", width=0.028),
    "map-lake": Style(fill="sea", stroke="coast", width=0.016),
    "map-state": Style(stroke="state", width=0.018, dash=(0.07, 0.035, 0.015, 0.035), cap="butt"),
    "map-border": Style(stroke="border", width=0.03, dash=(0.12, 0.05, 0.02, 0.05), cap="butt"),
    "map-line": Style(stroke="line", width=0.026),
    "map-double": Style(stroke="line", width=0.175, cap="butt"),
    "map-double-core": Style(stroke="double", width=0.125, cap="butt"),
    "map-junction": Style(stroke="junction", width=0.1),
    "map-hex": Style(stroke="hex-edge", width=0.022, fill_opacity=0.8),
    "map-hex-rural": Style(fill="hex-rural"),
    "map-hex-start": Style(fill="hex-start"),
    "map-hex-paris": Style(fill="paper"),
    **{f"map-hex-{value}": Style(fill=f"hex-{value}") for value in range(1, 5)},
    "map-ribbon-edge": Style(stroke="ink", width=0.16),
    "map-ribbon": Style(stroke="ribbon-light", width=0.125),
    "map-ribbon-red": Style(stroke="ribbon", width=0.125, dash=(0.11, 0.11), cap="butt"),
    "map-tower": Style(fill="tower"),
    "map-tower-deck": Style(stroke="tower", width=0.035),
    "map-track": Style(fill="paper", stroke="coast", width=0.03, fill_opacity=0.85),
    "map-track-one": Style(stroke="grid", width=0.012),
    "map-track-five": Style(stroke="coast", width=0.022),
    "map-track-lane": Style(stroke="grid", width=0.05),
    # What happened on it.
    "last": Style(stroke="last", width=0.44, opacity=0.8),
    "rail": Style(stroke="rail", width=0.17),
    "rail-core": Style(stroke="rail-light", width=0.07, dash=(0.1, 0.1), cap="butt"),
    "rail-ground": Style(stroke="rail-light", width=0.1, cap="butt"),
    "rail-own": Style(stroke="tint", width=0.1, cap="butt"),
    "running": Style(stroke="rail", width=0.25),
    "running-core": Style(stroke="running", width=0.15),
    "missing-under": Style(stroke="paper", width=0.19, opacity=0.9, dash=()),
    "missing": Style(stroke="tint", width=0.11, cap="butt"),
    "legal-line": Style(stroke="legal", width=0.22, opacity=0.68),
    "legal-spot": Style(stroke="legal", width=0.3, opacity=0.62),
    "legal-city": Style(fill="legal", opacity=0.8),
    # Cities and people.
    "city-ring": Style(fill="paper", stroke="ink", width=0.07),
    "city": Style(fill="tint", stroke="ink", width=0.03),
    "city-out": Style(fill="paper", stroke="tint", width=0.045, dash=(0.07, 0.05)),
    "city-name": Style(fill="ink", weight=500, halo="land", halo_width=0.14),
    "town-name": Style(fill="ink", weight=500, halo="land", halo_width=0.09),
    "name-out": Style(opacity=0.6),
    "name-own": Style(weight=700),
    "badge": Style(fill="paper", width=0.045),
    **{f"badge-{value}": Style(stroke=f"badge-{value}") for value in range(1, 5)},
    "badge-figure": Style(fill="ink", weight=700),
    "station-name": Style(fill="ink", weight=500, halo="hex-start", halo_width=0.08),
    "last-ground": Style(fill="last", opacity=0.85),
    "running-ground": Style(fill="running", stroke="ink", width=0.03),
    "engine": Style(fill="tint", stroke="ink", width=0.03),
    "symbol": Style(fill="tint-ink"),
    "track-figure": Style(fill="ink", weight=500),
    "track-bar-edge": Style(stroke="ink", width=0.2, cap="butt"),
    "track-bar": Style(stroke="tint", width=0.16, cap="butt"),
    "track-value": Style(fill="ink", weight=700),
    "track-lap": Style(fill="ink", weight=700),
    "legal-cost": Style(fill="legal-ink", weight=700, halo="paper", halo_width=0.16),
    "marker": Style(fill="tint", stroke="paper", width=0.03, dash=()),
    "marker-edge": Style(stroke="ink", width=0.1, dash=()),
    "marker-own": Style(stroke="ink", width=0.15, dash=()),
    "tag": Style(fill="tint", stroke="paper", width=0.03, dash=()),
    "sign": Style(fill="tint-ink", weight=700),
    "legal-own": Style(fill="tint", stroke="paper", width=0.035, dash=()),
    # What can be chosen is lit from below; pages show the shape itself under the pointer and in the keyboard's focus.
    "legal": Style(fill="none", stroke="none", width=0.24, dash=()),
    "legal-hex": Style(fill="tint", stroke="legal-ink", width=0.065, fill_opacity=0.45),
}


@cache
def resolve(kind: str) -> Style:
    """The look of a shape's kinds together. Raises KeyError for a kind without a style."""
    names = kind.split()
    unknown = [name for name in names if name not in STYLES]
    if unknown:
        raise KeyError(f"no style for {unknown[0]!r}")
    merged: dict[str, object] = {}
    for name, style in STYLES.items():
        if name in names:
            merged |= {key: value for key, value in msgspec.structs.asdict(style).items() if value is not None}
    return Style(**merged)  # type: ignore[arg-type]


def colour(name: str, style: Style, theme: str) -> str:
    """The "#rrggbb" of a token in a style's light."""
    if name in ("tint", "tint-ink"):
        name = name.replace("tint", style.tint or "ink")
    return TOKENS[name][THEMES.index(theme)]


def _value(name: str) -> str:
    return name if name == "none" else f"var(--board-{name})"


def _number(units: float) -> str:
    return f"{units * SCALE:.4g}"


def _rule(name: str, style: Style) -> str:
    rules: list[str] = []
    if style.tint is not None:
        rules.append(f"--board-tint:var(--board-{style.tint})")
        if f"{style.tint}-ink" in TOKENS:
            rules.append(f"--board-tint-ink:var(--board-{style.tint}-ink)")
    for key, value in (("fill", style.fill), ("stroke", style.stroke), ("stroke", style.halo)):
        if value is not None:
            rules.append(f"{key}:{_value(value)}")
    widths = (style.width, style.halo_width)
    rules += [f"stroke-width:{_number(width)}" for width in widths if width is not None]
    if style.dash is not None:
        rules.append(f"stroke-dasharray:{' '.join(map(_number, style.dash)) or 'none'}")
    if style.cap is not None:
        rules.append(f"stroke-linecap:{style.cap}")
    if style.opacity is not None:
        rules.append(f"opacity:{style.opacity:g}")
    if style.fill_opacity is not None:
        rules.append(f"fill-opacity:{style.fill_opacity:g}")
    if style.weight is not None:
        rules.append(f"font-weight:{style.weight}")
    return f".board .{name}{{{';'.join(rules)}}}"


def _tokens(theme: str, used: str | None = None) -> str:
    """All colours, or those that some rules use."""
    names = [name for name in TOKENS if used is None or f"(--board-{name})" in used]
    return ";".join(f"--board-{name}:{TOKENS[name][THEMES.index(theme)]}" for name in names)


_BASE = (
    ".board path,.board circle,.board use{fill:none;stroke-linejoin:round;stroke-linecap:round}",
    ".board .hit{fill:none;stroke:none}",
    f'.board text{{font-family:"{FONT}","Arial Narrow",sans-serif;paint-order:stroke;stroke-linejoin:round}}',
)

# Only pages have pointers, themes and a switch that offers some of what can be chosen.
_PAGE = """\
.board .map-night{display:none}
@media (prefers-color-scheme:dark){:root:not([data-theme=day]) .board .map-day{display:none}
:root:not([data-theme=day]) .board .map-night{display:inline}}
:root[data-theme=night] .board .map-day{display:none}
:root[data-theme=night] .board .map-night{display:inline}
.board text{pointer-events:none}
.board [data-move]{cursor:pointer;outline:none}
.board .not-offered{display:none}
.board circle.legal-own{pointer-events:all}
.board circle.legal{opacity:.55;pointer-events:all}
.board .hit{stroke-width:%(finger)s;stroke-linecap:butt;pointer-events:stroke}
@media (hover:hover){.board .legal:hover{stroke:var(--board-running)}
.board circle.legal:hover{fill:var(--board-running)}
.board .legal-own:hover{stroke:var(--board-ink);stroke-width:6}}
.board .legal-hex:is(:hover,:focus-visible){stroke-width:10;fill-opacity:.7}
.board[role=group] :is(.badge,.engine,.symbol,.last-ground,.running-ground){pointer-events:none}
.board .legal:focus-visible{stroke:var(--board-focus)}
.board circle.legal:focus-visible{fill:var(--board-focus)}
.board .legal-own:focus-visible{stroke:var(--board-focus);stroke-width:9}
"""


def css(kinds: Iterable[str] | None = None, theme: str | None = None) -> str:
    """The style sheet of boards.

    Without a theme it is the one for pages: both editions, chosen by `data-theme` ("day", "night") on the root element
    or else by the system. With a theme it is the one inside a picture that stands alone. kinds: only these.
    """
    names = STYLES if kinds is None else {name for kind in kinds for name in kind.split()}
    rules = [*_BASE, *(_rule(name, style) for name, style in STYLES.items() if name in names)]
    if theme is not None:
        return "\n".join([f".board{{{_tokens(theme, ''.join(rules))}}}", *rules])
    night = _tokens("night")
    return "\n".join(
        [
            f":root{{{_tokens('day')}}}",
            f"@media (prefers-color-scheme:dark){{:root:not([data-theme=day]){{{night}}}}}",
            f":root[data-theme=night]{{{night}}}",
            *rules,
            _PAGE % {"finger": _number(FINGER)},
        ]
    )
