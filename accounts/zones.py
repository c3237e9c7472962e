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


@cache
def zone_names() -> frozenset[str]:
    """Every zone that a person may have: UTC and those named after a region and a place."""
    return frozenset({UTC}) | {name for name in zoneinfo.available_timezones() if name.partition("/")[0] in _REGIONS}


@cache
def zone_choices() -> list[tuple[object, object]]:
    """Choices of a select element: UTC, then a group a region; the label of a zone is its place, for type-ahead."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in _REGIONS}
    for name in sorted(zone_names() - {UTC}):
        region, _slash, place = name.partition("/")
        groups[region].append((name, place.replace("_", " ").replace("/", ", ")))
    return [(UTC, UTC), *((_REGIONS[region], places) for region, places in groups.items())]


def known_zone(name: str) -> str:
    """`name` when a person may have that zone, else "UTC". For what a browser says about itself."""
    return name if name in zone_names() else UTC


def zone_or_utc(name: str) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(known_zone(name))
