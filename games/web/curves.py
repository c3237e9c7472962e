"""How a rating went, as a small SVG drawn by matplotlib. Its looks are CSS classes (site.css), for day and night.

matplotlib is loaded when the first curve is drawn: nothing else of the site needs it, and it takes its time. Figures
are made one by one, without `pyplot`, which keeps a state of its own for the whole process.
"""

import io
import re
import threading
from collections.abc import Sequence
from xml.etree import ElementTree

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Rating

WIDTH, HEIGHT = 416, 200
"""Of the picture's own units; a page shows them as pixels on a phone, and a little larger on a wide screen."""
LEFT, RIGHT, TOP, BOTTOM = 44, 52, 18, 42
LEAST_SPAN = 100
"""Points that the scale shows at least, so that a few of them do not look like a mountain."""
KEPT_SECONDS = 30 * 24 * 60 * 60
SVG = "{http://www.w3.org/2000/svg}"

_drawing = threading.Lock()
"""matplotlib shares caches of fonts between figures and does not promise that threads may draw at once."""


def curve(rating: Rating, values: Sequence[float]) -> SafeString:
    """The way of a rating, kept until it changes. values: before the first rated match and after each."""
    name = f"curve:{rating.pk}:{rating.matches}:{rating.value!r}:{get_language()}"
    drawn = cache.get(name)
    if drawn is None:
        drawn = draw(values)
        cache.set(name, drawn, KEPT_SECONDS)
    return mark_safe(drawn)  # noqa: S308 - made of figures and our own words, which ElementTree has escaped


def draw(values: Sequence[float]) -> str:
    """The `<svg>` of a curve through these ratings. It is hidden from screen readers: tell them in words beside it."""
    with _drawing:
        return _restyled(_figure(values))


def _figure(values: Sequence[float]) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    matplotlib.rcParams["svg.fonttype"] = "none"  # words stay words, in the page's own type
    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    axes = figure.add_axes(
        (LEFT / WIDTH, BOTTOM / HEIGHT, (WIDTH - LEFT - RIGHT) / WIDTH, (HEIGHT - TOP - BOTTOM) / HEIGHT)
    )
    figure.patch.set_visible(False)
    axes.patch.set_visible(False)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_gid("curve-base")
    axes.tick_params(length=0, pad=6, labelsize=13)

    last = len(values) - 1
    middle = (max(values) + min(values)) / 2
    half = max(max(values) - min(values), LEAST_SPAN) / 2 * 1.12
    axes.set_xlim(0, last)
    axes.set_ylim(middle - half, middle + half)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.set_xlabel(_("rated matches"), fontsize=13, labelpad=4)
    axes.grid(axis="y", gid="curve-grid")
    axes.plot(range(len(values)), values, clip_on=False, gid="curve-line")
    axes.plot([last, last], [values[-1]] * 2, clip_on=False, gid="curve-end")  # a round end makes a dot of it
    axes.annotate(
        f"{values[-1]:.0f}",
        (last, values[-1]),
        xytext=(9, -5),
        textcoords="offset points",
        fontsize=15,
        annotation_clip=False,
        gid="curve-now",
    )
    written = io.StringIO()
    FigureCanvasSVG(figure).print_svg(written, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return written.getvalue()


def _restyled(written: str) -> str:
    """The same picture without styles of its own, which the site's policy forbids: groups get classes instead.

    A group keeps the name that `_figure` gave it as its class; ids go, because a page shows several curves.
    """
    root = ElementTree.fromstring(written)  # noqa: S314 - matplotlib wrote it a moment ago
    for parent in list(root.iter()):
        for definitions in parent.findall(f"{SVG}defs"):
            parent.remove(definitions)
    for element in root.iter():
        anchor = re.search(r"text-anchor: (\w+)", element.attrib.pop("style", ""))
        if anchor is not None:
            element.set("text-anchor", anchor[1])
        element.attrib.pop("clip-path", None)
        if element.tag == f"{SVG}path":
            element.attrib |= {"fill": "none", "stroke": "currentColor"}
        name = element.attrib.pop("id", "")
        if name.startswith("curve-"):
            element.set("class", name)
    root.attrib = {"class": "curve", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "fill": "currentColor", "aria-hidden": "true"}
    ElementTree.register_namespace("", SVG.strip("{}"))
    return ElementTree.tostring(root, encoding="unicode")
