"""The pages that list, make and explain matches. A match's own page is in `match.py`; every change is `play.py`'s."""

import functools
import hashlib
import io
from collections.abc import Callable
from typing import Any

import msgspec
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from PIL import Image

from accounts import vacations
from accounts.forms import VACATION_DAYS
from games import limits, play, record
from games.models import Match, Seat
from games.refusals import Refusal, sentence
from games.rules.registry import GAMES
from games.rules.shapes import Text
from games.scenes.png import png
from games.selectors import seats_that_wait_for
from games.web import lists, rules_pages
from games.web.boards import board
from games.web.forms import FIELDS_OF_REFUSALS, LobbyFilter, NewMatchForm

LOBBY_PAGE = 20
QUICK_GAME = "trans-america"
QUICK_OPPONENTS = ("medium", "medium")
ONCE_SECONDS = 10 * 60
"""How long a form that makes something new is recognised when it comes again."""

TURNS_SHOWN = 3
"""How many turns everybody has taken, about, before a board is shown on the front page."""

THUMBNAIL_WIDTH = 288
"""Pixels; pages show it at half the size, for dense screens."""

# -- pages ------------------------------------------------------------------------------------------------------------


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """For who is not logged in: what this is, and one press to play."""
    if request.user.is_authenticated:
        return redirect("departures")
    running = lists.running_now(request.user)
    # The match that has gone on longest shows the most. A board on which hardly anything lies invites nobody.
    begun = [row.match for row in running if row.match.version >= TURNS_SHOWN * len(row.others)]
    show = max(begun, key=lambda match: match.version, default=None)
    if show is None:
        picture = rules_pages.example(QUICK_GAME)
    else:
        view = GAMES[show.game].view(record.load_state(show), None)
        picture = board(show.game, view, [seat.name for seat in show.seats.all()])
    return render(
        request,
        "pages/front.html",
        {"running": running, "show": show, "picture": picture, "games": _games()},
    )


@login_required
@never_cache
@require_safe
def departures(request: HttpRequest) -> HttpResponse:
    """All matches of a person, by what they ask of them."""
    board_of_mine = lists.departures(request.user, None if "all" in request.GET else lists.MOST_SHOWN)
    vacation = vacations.current_vacation(request.user)
    offer = board_of_mine.in_a_hurry and vacation is None
    days = min(VACATION_DAYS, vacations.days_left(request.user)) if offer else 0
    return render(
        request,
        "pages/departures.html",
        {"here": "departures", "board": board_of_mine, "vacation": vacation, "days": days},
    )


@never_cache
@require_safe
def waiting_count(request: HttpRequest) -> JsonResponse:
    """How many turns wait, for pages whose socket is down."""
    user = request.user
    return JsonResponse({"waiting": seats_that_wait_for(user).count() if user.is_authenticated else 0})


@login_required
@never_cache
@require_safe
def next_turn(request: HttpRequest) -> HttpResponse:
    """Goes to the match that waits for me most urgently; with `after`, to the one that follows that match."""
    keys = list(seats_that_wait_for(request.user).values_list("match__key", flat=True))
    if not keys:
        messages.info(request, _("No turn is waiting for you."))
        return redirect("departures")
    after = request.GET.get("after", "")
    place = keys.index(after) + 1 if after in keys else 0
    return redirect("match", key=keys[place % len(keys)])


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Matches that anybody may join."""
    open_matches = Match.objects.filter(status=Match.Status.OPEN, access=Match.Access.OPEN).order_by("-created", "-pk")
    filters = LobbyFilter(request.GET, open_matches, request=request)
    found = lists.listed(filters.found).prefetch_related("seats__user__ratings")
    page = Paginator(found, LOBBY_PAGE).get_page(request.GET.get("page"))
    kept = {name: str(value) for name, value in request.GET.items() if name in filters.filters and value}
    return render(
        request,
        "pages/lobby.html",
        {
            "here": "lobby",
            "games": list(GAMES),
            "filters": filters,
            "page": page,
            "rows": [lists.row(match, request.user) for match in page],
            "kept": f"{urlencode(kept)}&" if kept else "",
        },
    )


@login_required
def new_match(request: HttpRequest) -> HttpResponse:
    """The form of a new match, and the new match."""
    game = GAMES.get(request.GET.get("game", ""), next(iter(GAMES.values())))
    form = NewMatchForm(game, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        facts = form.facts()

        def create() -> Match:
            limits.count_new_match(request, bool(facts["invited"]))
            return play.create_match(request.user, game.key, **facts)

        try:
            return redirect(_only_once(request, create))
        except Refusal as refusal:
            form.add_error(FIELDS_OF_REFUSALS.get(refusal.code), sentence(refusal))
    return render(
        request,
        "pages/new_match.html",
        {
            "here": "new-match",
            "form": form,
            "game": game.key,
            "games": list(GAMES),
        },
    )


@login_required
@never_cache
def quick(request: HttpRequest, game: str = QUICK_GAME) -> HttpResponse:
    """A match against two computer opponents that starts at once.

    A guest's first match is made by the address alone: the guest has pressed "Play now" a moment ago, and the log-in
    on the way cannot carry a POST. Everybody else presses a button.
    """
    if game not in GAMES:
        raise Http404
    user: Any = request.user
    first = user.is_guest and not Seat.objects.filter(user=user).exists()
    if request.method == "POST" or first:
        try:
            return redirect(_only_once(request, lambda: _create_quick(request, game), "first" if first else ""))
        except Refusal as refusal:
            messages.error(request, sentence(refusal))
            return redirect("departures")
    return render(request, "pages/quick.html", {"game": game})


def _create_quick(request: HttpRequest, game: str) -> Match:
    limits.count_new_match(request, invites=False)
    return play.create_match(request.user, game, seats=1 + len(QUICK_OPPONENTS), opponents=QUICK_OPPONENTS)


def _only_once(request: HttpRequest, create: Callable[[], Match], token: str = "") -> str:
    """Where to go after a new match. The same form sent twice makes one match; the second goes where the first went.

    What was sent tells whether it is the same form: the CSRF token in it is another one whenever a page is shown.
    """
    token = token or hashlib.sha256(request.POST.urlencode().encode()).hexdigest()
    name = f"once:{request.user.pk}:{token}"
    if not cache.add(name, "", ONCE_SECONDS):
        return cache.get(name) or reverse("departures")
    try:
        address = create().get_absolute_url()
    except Refusal:
        cache.delete(name)
        raise
    cache.set(name, address, ONCE_SECONDS)
    return address


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """The games of the house."""
    return render(request, "pages/rules_index.html", {"here": "rules", "games": _games()})


@functools.cache
def _games() -> list[dict[str, Any]]:
    """The games of the house for lists: how many play, and how high their example is beside a thumbnail's width."""
    games = []
    for game in GAMES.values():
        _, _, width, height = game.scene(rules_pages.example_view(game.key)).box
        high = round(THUMBNAIL_WIDTH / 2 * height / width)
        games.append({"key": game.key, "least": game.seats.start, "most": game.seats.stop - 1, "height": high})
    return games


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a game for who has never seen it."""
    if game not in GAMES:
        raise Http404
    return render(
        request,
        f"pages/rules/{game}.html",
        {"here": "rules", "game": game, "pictures": rules_pages.pictures(game)},
    )


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, whose the names are, and under which licence it may be used."""
    return render(request, "pages/about.html", {"source_url": settings.SOURCE_URL})


@require_safe
def thumbnail(request: HttpRequest, key: str) -> HttpResponse:
    """The board as I may see it, small and without lettering. The address names the version, so it never changes."""
    match = get_object_or_404(Match, key=key, snapshot__isnull=False)
    user, theme = request.user, "night" if request.GET.get("theme") == "night" else "day"
    mine = match.seats.filter(user=user).first() if user.is_authenticated else None
    name = f"thumbnail:{key}:{match.version}:{mine.index if mine else ''}:{theme}"
    picture = cache.get(name)
    if picture is None:
        view = GAMES[match.game].view(record.load_state(match), mine.index if mine else None)
        picture = _small(match.game, view, theme)
        cache.set(name, picture, 24 * 60 * 60)
    return HttpResponse(
        picture, content_type="image/webp", headers={"Cache-Control": "private, max-age=31536000, immutable"}
    )


TOO_FINE_FOR_THUMBNAILS = {"map-line", "map-double", "map-double-core", "map-grid", "map-state"}


@require_safe
def example(request: HttpRequest, game: str) -> HttpResponse:
    """The board of a game in the middle of a match, as small as a thumbnail."""
    if game not in GAMES:
        raise Http404
    theme = "night" if request.GET.get("theme") == "night" else "day"
    picture = _small_example(game, theme)
    return HttpResponse(picture, content_type="image/webp", headers={"Cache-Control": "public, max-age=86400"})


@functools.cache
def _small_example(game: str, theme: str) -> bytes:
    return _small(game, rules_pages.example_view(game), theme)


def _small(game: str, view: Any, theme: str) -> bytes:
    """The view without lettering, as WebP."""
    scene = GAMES[game].scene(view)
    plain = tuple(
        shape for shape in scene.shapes if not isinstance(shape, Text) and shape.kind not in TOO_FINE_FOR_THUMBNAILS
    )
    out = io.BytesIO()
    drawn = png(msgspec.structs.replace(scene, shapes=plain), THUMBNAIL_WIDTH, theme=theme)
    Image.open(io.BytesIO(drawn)).save(out, "WEBP", quality=80)
    return out.getvalue()


# -- what is done to a match before it starts -------------------------------------------------------------------------


@require_POST
def join(request: HttpRequest, key: str) -> HttpResponse:
    return _change(request, key, lambda: play.join_match(key, request.user))


def join_by_link(request: HttpRequest, key: str, code: str) -> HttpResponse:
    """The page behind a private link, with one button."""
    linked = Match.objects.filter(access=Match.Access.LINK).select_related("creator")
    match = get_object_or_404(lists.listed(linked), key=key, link_code=code)
    if request.method == "POST":
        return _change(request, key, lambda: play.join_match(key, request.user, code), entrance=request.path)
    row = lists.row(match, request.user)
    if row.mine is not None or match.status != Match.Status.OPEN:
        return redirect(match)
    return render(request, "pages/join.html", {"row": row, "match": match})


@require_POST
def leave(request: HttpRequest, key: str) -> HttpResponse:
    return _change(request, key, lambda: play.leave_match(key, request.user), _("You have left the match."), "lobby")


@require_POST
def add_opponent(request: HttpRequest, key: str) -> HttpResponse:
    return _change(request, key, lambda: play.add_opponent(key, request.user, request.POST.get("level", "")))


@require_POST
def remove_opponent(request: HttpRequest, key: str, index: int) -> HttpResponse:
    return _change(request, key, lambda: play.remove_opponent(key, request.user, index))


@require_POST
def start(request: HttpRequest, key: str) -> HttpResponse:
    return _change(request, key, lambda: play.start_match(key, request.user))


@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    done = _("The match has been called off.")
    return _change(request, key, lambda: play.cancel_match(key, request.user), done, "departures")


@require_POST
def decline(request: HttpRequest, key: str) -> HttpResponse:
    done = _("You have declined the invitation.")
    return _change(request, key, lambda: play.decline_invitation(key, request.user), done, "departures")


def _change(
    request: HttpRequest, key: str, act: Callable[[], object], done: str = "", after: str = "", entrance: str = ""
) -> HttpResponse:
    """Does one thing at the table and goes on: to `next` of the form, else to the page `after`, else to the match.

    What the table refuses is said in its sentence on the page that one came from. Who is not logged in comes back from
    the log-in to the address `entrance`, else to the match.
    """
    came_from = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure()):
        came_from = ""
    match_page = reverse("match", args=[key])
    if not request.user.is_authenticated:
        # The action itself is not repeated after the log-in: one sees the match first, with the same button.
        return redirect_to_login(entrance or match_page)
    try:
        act()
    except Refusal as refusal:
        if refusal.code == "no-such-match":
            raise Http404 from refusal
        messages.error(request, sentence(refusal))
        return redirect(came_from or match_page)
    if done:
        messages.success(request, done)
    return redirect(came_from or (after and reverse(after)) or match_page)
