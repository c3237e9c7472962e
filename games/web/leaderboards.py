"""The pages about how good people are: leaderboards, and a player's own page. They read only."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.vacations import current_vacation
from games import ratings, selectors
from games.models import OVER_ALL, Rating, RatingChange
from games.rules.registry import GAMES
from games.web import lists
from games.web.curves import curve

PAGE = 50
CHANGES_IN_WORDS = 20
"""How many of the latest changes stand below a curve as a table."""


@require_safe
def over_all(request: HttpRequest) -> HttpResponse:
    """Everybody by their rating over all games."""
    return _leaderboard(request, OVER_ALL)


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """Everybody by their rating in one game."""
    if game not in GAMES:
        raise Http404
    return _leaderboard(request, game)


def _leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    board = ratings.leaderboard(game)
    page = Paginator(board, PAGE).get_page(request.GET.get("page"))
    rows = ratings.placed(list(page))
    user = request.user
    mine = board.filter(user=user).first() if user.is_authenticated else None
    elsewhere = None
    if mine is not None and mine not in page:
        [(place, _row)] = ratings.placed([mine])
        elsewhere = {"place": place, "row": mine, "page": (ratings.position(mine) - 1) // PAGE + 1}
    return render(
        request,
        "pages/leaderboard.html",
        {"here": "leaderboards", "game": game, "games": list(GAMES), "page": page, "rows": rows, "mine": elsewhere},
    )


@dataclass(frozen=True)
class Way:
    """How a player's rating in one game, or over all, came to be what it is."""

    rating: Rating
    place: int
    picture: SafeString
    highest: float
    changes: list[RatingChange]
    """The latest ones, the last first."""

    @property
    def address(self) -> str:
        game = self.rating.game
        return reverse("leaderboard", args=[game]) if game else reverse("leaderboards")


def _ways(player: Any) -> list[Way]:
    """All of a player's ratings, that over all games last."""
    rated = sorted(player.ratings.all(), key=lambda rating: (rating.game == OVER_ALL, rating.game))
    changes: dict[str, list[RatingChange]] = {}
    for change in player.rating_changes.defer("against").order_by("matches"):
        changes.setdefault(change.game, []).append(change)
    ways = []
    for rating in rated:
        own = changes[rating.game]
        [(place, _rating)] = ratings.placed([rating])
        ways.append(
            Way(
                rating,
                place,
                curve(rating, [own[0].before, *(change.after for change in own)]),
                max(change.after for change in own),
                own[: -CHANGES_IN_WORDS - 1 : -1],
            )
        )
    return ways


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """What a player has done so far, how their ratings went, and how I did against them."""
    shown: Any = get_object_or_404(get_user_model(), username__iexact=username, is_active=True)
    if shown.username != username:
        return redirect(shown)
    me = request.user
    return render(
        request,
        "pages/player.html",
        {
            "player": shown,
            "record": lists.record_of(shown, me),
            "vacation": current_vacation(shown),
            "reliability": selectors.reliability(shown.pk),
            "ways": _ways(shown),
            "both": lists.head_to_head(me, shown) if me.is_authenticated and me != shown else None,
        },
    )
