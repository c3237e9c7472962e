"""The time zones that people choose from. Not for arithmetic with times: that is UTC everywhere."""

import zoneinfo
from functools import cache

from django.utils.translation import gettext_lazy as _

UTC = "UTC"

_REGIONS = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}

_SPELLED = {
    "ACT": "Australian Capital Territory",
    "ComodRivadavia": "Comodoro Rivadavia",
    "DumontDUrville": "Dumont d’Urville",
    "LHI": "Lord Howe Island",
    "NSW": "New South Wales",
    "St Johns": "St. John’s",
}
"""Places that the names of zones leave without a space, shorten or misspell."""


@cache
def zone_names() -> frozenset[str]:
    """Every zone that a person may have: UTC and those named after a region and a place."""
    return frozenset({UTC}) | {name for name in zoneinfo.available_timezones() if name.partition("/")[0] in _REGIONS}


@cache
def zone_choices() -> list[tuple[object, object]]:
    """Choices of a select element: UTC, then a group a region; the label of a zone is its place, for type-ahead."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in _REGIONS}
    for name in sorted(zone_names() - {UTC}):
        groups[name.partition("/")[0]].append((name, place_of(name)))
    for places in groups.values():
        places.sort(key=lambda choice: choice[1])
    return [(UTC, UTC), *((_REGIONS[region], places) for region, places in groups.items())]


def place_of(name: str) -> str:
    """The place that a zone is named after, as people write it: "Argentina, Buenos Aires"; "UTC" for that."""
    parts = name.replace("_", " ").split("/")
    return ", ".join(_SPELLED.get(part, part) for part in parts[1:] or parts)


def known_zone(name: str) -> str:
    """`name` when a person may have that zone, else "UTC". For what a browser says about itself."""
    return name if name in zone_names() else UTC


def zone_or_utc(name: str) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(known_zone(name))
