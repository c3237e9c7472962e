"""The pages of one match: its table, its moments, its log; and the forms on them that take a turn, resign, play again.

What is shown is `table.py`'s; what is done is `play.py`'s. A request with htmx's header gets the table alone, as the
page's own module puts it in; any other gets a whole page, so that everything works without scripts as well.
"""

import zlib
from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import limits, play
from games.models import Match, Seat
from games.refusals import IllegalTurn, Refusal, sentence
from games.rules.chance import commitment
from games.selectors import find_match
from games.web.requests import HtmxRequest
from games.web.table import Moment, Table, entry
from games.web.talk import talk_of

CONFLICT = 409


@never_cache
@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The match as it is now; `decision` and `moves` in the address hold a turn that is being chosen."""
    match = _match(key)
    context = _context(request, _begun_table(request, match, request.GET))
    return render(request, "match/page.html", context | {"talk": talk_of(match, request.user)})


@never_cache
@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The inner part of the page, for a turn that is being chosen. Nothing is stored and nothing hidden is told."""
    shown = _begun_table(request, _match(key), request.GET)
    if not shown.moves and not shown.notice and request.GET.get("moves", "[]") != "[]":
        shown.notice = _("That turn has been taken in the meantime. This is the board as it is now.")
    return _fragment(request, shown)


@never_cache
@require_safe
def version(request: HttpRequest, key: str) -> JsonResponse:
    """A short text that changes whenever the match does, for pages whose live line is down."""
    match = Match.objects.defer("snapshot", "seed").prefetch_related("seats").filter(key=key).first()
    if match is None:
        raise Http404
    return JsonResponse({"mark": _mark(match)})


@require_POST
def turn(request: HtmxRequest, key: str) -> HttpResponse:
    """Takes the turn of the form. A repeat is answered like the first time; a refusal says why and keeps the choice."""
    if not request.user.is_authenticated:
        if request.htmx:
            shown = Table(_match(key), request.user, notice=_("You are logged out. Log in again to continue."))
            shown.log_in_first = True
            return _fragment(request, shown, status=CONFLICT)
        return redirect_to_login(_match(key).get_absolute_url())
    notice = ""
    try:
        play.take_turn(key, request.user, *_decision_and_moves(request.POST))
    except Refusal as refusal:
        notice = _why(refusal, key)
    if not request.htmx:
        if notice:
            messages.error(request, notice)
        return redirect("match", key)
    shown = _begun_table(request, _match(key), request.POST)
    shown.notice = notice
    return _fragment(request, shown, status=CONFLICT if notice else 200)


@never_cache
@require_safe
def log(request: HttpRequest, key: str) -> HttpResponse:
    """All that happened, the last first."""
    shown = Table(_match(key), request.user)
    turns = shown.match.turns.order_by("-number")
    entries = [entry(shown.match, each, shown.names_then(each.number)) for each in turns]
    return render(request, "match/log.html", _context(request, shown) | {"entries": entries})


@never_cache
@require_safe
def moment(request: HtmxRequest, key: str, number: int) -> HttpResponse:
    """The board after a turn, as the viewer may know it; after the end with nothing hidden."""
    match = _match(key)
    if match.snapshot is None or number > match.version:
        raise Http404
    shown = Moment(match, request.user, number=number)
    template = "match/_moment.html" if request.htmx else "match/moment.html"
    return render(request, template, _context(request, shown))


@login_required
@require_POST
def resign(request: HttpRequest, key: str) -> HttpResponse:
    """Gives the viewer's seat to a computer opponent."""
    try:
        left = play.resign(key, request.user)
    except Refusal as refusal:
        messages.error(request, _why(refusal, key))
    else:
        plays_on = left.status == Match.Status.RUNNING
        done = _("You have resigned. A computer plays on for you.") if plays_on else _("You have resigned.")
        messages.success(request, done)
    return redirect("match", key)


@login_required
@require_POST
def rematch(request: HttpRequest, key: str) -> HttpResponse:
    """The same match once more, with the same people and opponents; who comes second joins the first."""
    try:
        limits.count_new_match(request, invites=True)
        return redirect(play.play_again(key, request.user))
    except Refusal as refusal:
        messages.error(request, _why(refusal, key))
        return redirect("match", key)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _match(key: str) -> Match:
    try:
        return find_match(key)
    except Match.DoesNotExist:
        raise Http404 from None


def _decision_and_moves(given: Any) -> tuple[int, Any]:
    """What a form or an address says. Raises Refusal."""
    try:
        moves = msgspec.json.decode(given.get("moves") or "[]")
        if add := given.get("add"):
            moves = [*moves, msgspec.json.decode(add)]
        return int(given.get("decision", "")), moves
    except (ValueError, TypeError, RecursionError, msgspec.DecodeError) as problem:
        raise Refusal("bad-moves", detail=str(problem)) from problem


def _begun_table(request: HttpRequest, match: Match, given: Any) -> Table:
    """The table with the turn that `given` begins, where that is a legal beginning of the viewer's turn now."""
    shown = Table(match, request.user)
    if not given.get("moves") and not given.get("add"):
        return shown
    try:
        decision, moves = _decision_and_moves(given)
        if not shown.my_turn or shown.mine is None or shown.mine.decision != decision or not moves:
            return shown
        begun = Table(match, request.user, moves=moves)
        _ = begun.preview
        return begun
    except Refusal as refusal:
        return Table(match, request.user, notice=_why(refusal, match.key, shown.names))


def _why(refusal: Refusal, key: str, names: list[str] | None = None) -> str:
    """The sentence of a refusal. Raises Http404 where there is no match."""
    if refusal.code == "no-such-match":
        raise Http404 from refusal
    if isinstance(refusal, IllegalTurn):
        refusal.told_with(names or list(Seat.objects.filter(match__key=key).values_list("name", flat=True)))
    return sentence(refusal)


def _mark(match: Match) -> str:
    seats = match.seats.all()
    clocks = [bool(match.paused), *((seat.wants_pause, seat.away_until, seat.user_id) for seat in seats)]
    facts = [bool(match.rating_due), clocks]
    return f"{match.status}-{match.version}-{len(seats)}-{zlib.crc32(repr(facts).encode()):x}"


def _context(request: HttpRequest, shown: Table) -> dict[str, Any]:
    return {
        "t": shown,
        "link": request.build_absolute_uri(shown.link),
        "match": shown.match,
        "mark": _mark(shown.match),
        "seed_sha256": commitment(bytes(shown.match.seed)),
        "seed": bytes(shown.match.seed).hex() if shown.revealed else "",
    }


def _fragment(request: HttpRequest, shown: Table, status: int = 200) -> HttpResponse:
    template = "match/_open.html" if shown.match.snapshot is None else "match/_table.html"
    return render(request, template, _context(request, shown), status=status)
