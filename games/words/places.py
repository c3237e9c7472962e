"""Places of a board in words: a name, or so many steps from one (`games/rules/places.py`)."""

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import ngettext_lazy

from games.words.catalogue import Facts

# Translators: a place without a name of its own, said by the nearest one that has one.
STEPS: dict[str, Promise] = {
    "east": ngettext_lazy("one step east of %(place)s", "%(distance)d steps east of %(place)s", "distance"),
    "south-east": ngettext_lazy(
        "one step south-east of %(place)s", "%(distance)d steps south-east of %(place)s", "distance"
    ),
    "south": ngettext_lazy("one step south of %(place)s", "%(distance)d steps south of %(place)s", "distance"),
    "south-west": ngettext_lazy(
        "one step south-west of %(place)s", "%(distance)d steps south-west of %(place)s", "distance"
    ),
    "west": ngettext_lazy("one step west of %(place)s", "%(distance)d steps west of %(place)s", "distance"),
    "north-west": ngettext_lazy(
        "one step north-west of %(place)s", "%(distance)d steps north-west of %(place)s", "distance"
    ),
    "north": ngettext_lazy("one step north of %(place)s", "%(distance)d steps north of %(place)s", "distance"),
    "north-east": ngettext_lazy(
        "one step north-east of %(place)s", "%(distance)d steps north-east of %(place)s", "distance"
    ),
}


def place_words(facts: Facts) -> str:
    """A place as a noun: "Denver", "2 steps south of Omaha"."""
    return str(STEPS[facts["direction"]] % facts) if facts["distance"] else str(facts["place"])


def with_place(sentence: Promise) -> Callable[[Facts], str]:
    """A sentence in which %(where)s is a place."""
    return lambda facts: str(sentence) % {**facts, "where": place_words(facts)}
