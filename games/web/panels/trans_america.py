"""Beside the board of Trans America: my cities and which are joined, rails left, and how a round was scored."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.contract import Seat
from games.rules.trans_america.board import board
from games.rules.trans_america.game import TURN_POINTS
from games.rules.trans_america.scene import network
from games.rules.trans_america.values import CityView, ReportView, View
from games.web.panels.base import Panel
from games.words.catalogue import figure
from games.words.trans_america import COLOURS

FOLDER = "match/trans_america"


def panel(view: View, viewer: Seat | None) -> Panel:
    playing = view.phase in ("place", "lay", "pass", "score")
    report = view.rounds[-1] if view.rounds else None
    return Panel(
        points=view.points,
        start=view.start if view.round else None,
        notes=_notes(view),
        moment=_moment(view),
        spent=_spent(view),
        switch=_switch(view, viewer) if playing else None,
        own=(f"{FOLDER}/own.html", _own(view, viewer)) if playing else None,
        report=(f"{FOLDER}/report.html", _report(view, report, viewer)) if report else None,
        legend=(f"{FOLDER}/legend.html", _legend(view)),
        scored=_("Round %(round)d is scored.") % {"round": report.number} if report else "",
        summary=_summary(report, viewer) if report else "",
        shows_report=report is not None and view.phase in ("deal", "over"),
    )


def since(view: View, turns: Sequence[Sequence[Mapping[str, Any]]]) -> View:
    """The view whose last turn has the rails of several turns, each a list of plain moves."""
    laid = {move["line"] for moves in turns for move in moves if move["type"] == "lay"}
    lines = tuple(rail.line for rail in view.rails if rail.line in laid)
    if view.last is None or not lines:
        return view
    return msgspec.structs.replace(view, last=msgspec.structs.replace(view.last, lines=lines))


def _moment(view: View) -> str:
    if not view.round:
        return _("Before the first deal")
    # Translators: which round of a match is being played.
    return _("Round %(round)d") % {"round": view.round}


def _spent(view: View) -> str:
    if not view.turn:
        return ""
    return _("%(used)d of %(all)d points used") % {"used": TURN_POINTS - view.points_left, "all": TURN_POINTS}


def _switch(view: View, viewer: Seat | None) -> tuple[str, list[tuple[str, str]]] | None:
    """Plain rails or own ones: the offers of the scene."""
    if viewer is None or not view.vexation:
        return None
    laid = {*view.turn, *(view.last.lines if view.last and view.last.seat == viewer else ())}
    used = any(rail.seat == viewer and rail.line in laid for rail in view.rails)
    if not view.coloured_left[viewer]:
        # The place stays for as long as the turn that used the last one is looked at.
        return ("rails", []) if used else None
    if view.phase != "lay":
        return "rails", []
    return "rails", [("plain", _("rails for everybody")), ("own", _("my own rails"))]


def _notes(view: View) -> dict[Seat, list[str]]:
    if not view.vexation:
        return {}
    return {
        seat: [ngettext("%(rails)d coloured rail left", "%(rails)d coloured rails left", left) % {"rails": left}]
        for seat, left in enumerate(view.coloured_left)
    }


def _own(view: View, viewer: Seat | None) -> dict[str, Any]:
    """Facts for own.html: cities, how many are joined, the supply of rails, and when the match ends."""
    map_ = board(view.board)
    joined: AbstractSet[int] = frozenset() if viewer is None else network(map_, view, viewer)
    cities = [_city(view, city, joined) for city in view.hand]
    return {
        "cities": cities,
        "joined": sum(city["joined"] for city in cities),
        "rails_left": view.rails_left,
        "rails": map_.rails,
        "threshold": view.threshold,
        "vexation": view.vexation,
        "hands": [
            {"seat": seat, "cities": [_city(view, city, network(map_, view, seat)) for city in hand]}
            for seat, hand in enumerate(view.hands)
            if hand
        ],
    }


def _city(view: View, city: CityView, joined: AbstractSet[int]) -> dict[str, Any]:
    return {
        "name": city.name,
        "colour": city.colour,
        "colour_words": COLOURS[city.colour],
        "joined": board(view.board).junction_index[city.junction] in joined,
    }


def _legend(view: View) -> dict[str, Any]:
    """Facts for legend.html: which signs are on the board now."""
    scored = view.phase in ("deal", "over") and bool(view.rounds)
    return {
        "own": bool(view.hand),
        "missing": scored,
        "dashed": len(view.points) <= 3,
        "vexation": view.vexation,
        "laying": view.phase == "lay",
        "threshold": view.threshold,
    }


def _report(view: View, report: ReportView, viewer: Seat | None) -> dict[str, Any]:
    """Facts for report.html: a row for each seat. Which cities were joined is known while the board shows the round."""
    map_ = board(view.board)
    shown = view.phase in ("deal", "over")
    rows = [
        {
            "seat": seat,
            "cities": [_city(view, city, network(map_, view, seat)) for city in hand],
            "done": seat in report.done,
            "penalty": report.penalties[seat],
            "points": report.points[seat],
            "mine": seat == viewer,
        }
        for seat, hand in enumerate(report.hands)
    ]
    return {"rows": rows, "shown": shown}


def _summary(report: ReportView, seat: Seat | None) -> str:
    """What the round means for who sits there."""
    if seat is None:
        return ""
    left = report.points[seat]
    facts = {"lost": report.penalties[seat], "left": figure(left)}
    if seat in report.done:
        return (
            ngettext(
                "You joined all your cities and lose nothing. You have %(left)s point left.",
                "You joined all your cities and lose nothing. You have %(left)s points left.",
                left,
            )
            % facts
        )
    return (
        ngettext(
            "You lose %(lost)d point and have %(left)s left.",
            "You lose %(lost)d points and have %(left)s left.",
            report.penalties[seat],
        )
        % facts
    )
