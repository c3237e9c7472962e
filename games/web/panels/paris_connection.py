"""Beside the board of Paris Connection: the companies, my shares, all trades, and all shares at the end."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.contract import Seat
from games.rules.paris_connection.board import board
from games.rules.paris_connection.game import BUILD_MOST, DEALT
from games.rules.paris_connection.values import COMPANIES, CompanyName, LocomotiveView, View
from games.web.panels.base import Option, Panel
from games.words.paris_connection import COMPANIES as COMPANY_WORDS

FOLDER = "match/paris_connection"


def panel(view: View, viewer: Seat | None) -> Panel:
    return Panel(
        # At the end the score sheet lays the sum out; what is taken for too many shares is not in this one.
        points=[None if view.phase == "over" else _points(view, holding) for holding in view.holdings],
        start=view.start,
        notes=_notes(view),
        moment=_("Before the deal") if view.phase == "deal" else "",
        spent=_spent(view),
        switch=_switch(view, viewer),
        warning=_warning(view),
        menus={"trade": _trades},
        sign=f"{FOLDER}/_company.html",
        own=(f"{FOLDER}/own.html", _own(view, viewer)),
    )


def since(view: View, turns: Sequence[Sequence[Mapping[str, Any]]]) -> View:
    """The view whose last turn has the locomotives of several turns, each a list of plain moves."""
    built = tuple(
        LocomotiveView(move["company"], move["hex"]) for moves in turns for move in moves if move["type"] == "build"
    )
    if view.last is None or not built:
        return view
    return msgspec.structs.replace(view, last=msgspec.structs.replace(view.last, built=built))


def _points(view: View, holding: Sequence[int] | None) -> int | None:
    """What a holding is worth now, before anything is taken for too many shares; None where it is hidden."""
    if holding is None:
        return None
    return sum(shares * company.value for shares, company in zip(holding, view.companies, strict=True))


def _held(view: View, seat: Seat) -> int:
    """How many shares a seat holds: everybody has seen how many were dealt, given and taken."""
    return DEALT[len(view.holdings)] + sum(trade.count - 1 for trade in view.trades if trade.seat == seat)


def _notes(view: View) -> dict[Seat, list[str]]:
    if view.phase == "deal":
        return {}
    notes = {}
    for seat in range(len(view.holdings)):
        held = _held(view, seat)
        notes[seat] = [ngettext("%(shares)d share", "%(shares)d shares", held) % {"shares": held}]
        if held > view.limit:
            notes[seat].append(_("above the limit of %(limit)d") % {"limit": view.limit})
    return notes


def _values(hexes: Sequence[str]) -> int:
    map_ = board()
    return sum(map_.values[map_.index[hex_]] for hex_ in hexes)


def _spent(view: View) -> str:
    """The running build; nothing before and after it."""
    if view.building is None:
        return ""
    return _("%(built)d of %(all)d built, %(company)s gains %(gain)d") % {
        "built": len(view.turn),
        "all": BUILD_MOST,
        "company": COMPANY_WORDS[view.building],
        "gain": _values(view.turn),
    }


def _switch(view: View, viewer: Seat | None) -> tuple[str, list[tuple[str, str]]] | None:
    """Which company is built; nothing to tell apart once a build has begun."""
    if viewer is None or view.phase in ("deal", "over"):
        return None
    if view.mover != viewer or view.building is not None:
        return "company", []
    return "company", [(each.company, str(COMPANY_WORDS[each.company])) for each in view.companies]


def _warning(view: View) -> str:
    if view.phase == "score":
        return _("This turn ends the match: all shares are shown and counted.")
    return ""


def _trades(options: Sequence[Option]) -> tuple[str, dict[str, Any]]:
    """A row for each company of which a share can be given back, in it a cell for each that can be taken."""
    rows: dict[CompanyName, dict[CompanyName, list[tuple[int, Option]]]] = {}
    for option in options:
        take = option.plain["take"]
        rows.setdefault(option.plain["give"], {}).setdefault(take[0], []).append((len(take), option))
    return f"{FOLDER}/trades.html", {
        "rows": [
            {"give": give, "words": COMPANY_WORDS[give], "cells": [(take, cells[take]) for take in cells]}
            for give, cells in rows.items()
        ],
        "companies": COMPANIES,
    }


def _own(view: View, viewer: Seat | None) -> dict[str, Any]:
    """Facts for own.html: a row for each company, all trades, and everybody's shares where they are shown."""
    mine = view.holdings[viewer] if viewer is not None else None
    gained = dict.fromkeys(COMPANIES, 0)
    for locomotive in view.last.built if view.last else ():
        gained[locomotive.company] += _values([locomotive.hex])
    return {
        "companies": [
            {
                "company": each.company,
                "words": COMPANY_WORDS[each.company],
                "value": each.value,
                "gained": gained[each.company],
                "supply": each.supply,
                "held": each.held,
                "mine": None if mine is None else mine[place],
                "hands": [None if holding is None else holding[place] for holding in view.holdings],
            }
            for place, each in enumerate(view.companies)
        ],
        "mine": None if mine is None else sum(mine),
        "worth": _points(view, mine),
        "limit": view.limit,
        "once": view.penalty == "once",
        "over": view.phase == "over",
        "shown": view.phase != "deal" and all(holding is not None for holding in view.holdings),
        "trades": [
            {
                "seat": trade.seat,
                "give": COMPANY_WORDS[trade.give],
                "take": COMPANY_WORDS[trade.take],
                "count": trade.count,
            }
            for trade in reversed(view.trades)
        ],
        "swaps": view.swaps,
        "swaps_to_end": view.swaps_to_end,
    }
