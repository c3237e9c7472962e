"""What people at a table say to each other and note for themselves, beside the page of their match.

All of it is for those who sit there; for anybody else the pages of a match are as if there were none. What is stored
is `games/chat.py`'s. A request with htmx's header gets the part of the page that changed; any other a whole page.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import chat as table_talk
from games.models import Match, Seat
from games.refusals import Refusal, sentence
from games.selectors import find_match
from games.web.requests import HtmxRequest

LARGEST_KEY = 2**63 - 1


@dataclass
class Talk:
    """What the page of a match shows of it to one of its people."""

    conversation: table_talk.Conversation
    note: str
    draft: str = ""
    """What could not be sent."""
    problem: str = ""
    """Why it could not."""

    @property
    def has_chat(self) -> bool:
        """There is somebody to talk with, or something that was said."""
        return bool(self.conversation.lines) or not self.conversation.alone

    most_letters = table_talk.MOST_LETTERS
    most_note_letters = table_talk.MOST_NOTE_LETTERS


def talk_of(match: Match, user: Any) -> Talk | None:
    """The talk of a match for one of its people; None for anybody else."""
    mine = _own_seat(match, user)
    if mine is None:
        return None
    return Talk(table_talk.conversation(match, mine), table_talk.note_of(match, user))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: HtmxRequest, key: str) -> HttpResponse:
    """All that was said; POST says something more. With htmx: the latest, or all with `all` in the address."""
    match, mine = _match_and_seat(request, key)
    draft, problem = "", ""
    if request.method == "POST":
        try:
            table_talk.say(key, request.user, request.POST.get("text", ""))
        except Refusal as refusal:
            draft, problem = request.POST.get("text", ""), sentence(refusal)
        if not request.htmx and not problem:
            return redirect(f"{match.get_absolute_url()}#chat")
    if request.htmx:
        latest = None if "all" in request.GET else table_talk.LATEST
        shown = Talk(table_talk.conversation(match, _fresh(mine), latest), "", draft, problem)
        return render(request, "match/_chat.html", {"match": match, "talk": shown}, status=400 if problem else 200)
    shown = Talk(table_talk.conversation(match, mine, latest=None), "", draft, problem)
    if shown.conversation.unread:
        table_talk.mark_seen(key, request.user, shown.conversation.last)
    return render(request, "match/chat.html", {"match": match, "talk": shown}, status=400 if problem else 200)


@login_required
@require_POST
def seen(request: HttpRequest, key: str) -> HttpResponse:
    """The person has had the messages up to `message` before their eyes."""
    given = request.POST.get("message", "")
    if not given.isascii() or not given.isdigit() or len(given) > len(str(LARGEST_KEY)):
        return HttpResponse(status=400)
    try:
        table_talk.mark_seen(key, request.user, min(int(given), LARGEST_KEY))
    except Refusal as refusal:
        raise Http404(sentence(refusal)) from refusal
    return HttpResponse(status=204)


@login_required
@require_POST
def note(request: HtmxRequest, key: str) -> HttpResponse:
    """Keeps what the person noted for themselves."""
    match, _mine = _match_and_seat(request, key)
    try:
        table_talk.write_note(key, request.user, request.POST.get("text", ""))
    except Refusal as refusal:
        if request.htmx:
            return HttpResponse(sentence(refusal), content_type="text/plain; charset=utf-8")
        messages.error(request, sentence(refusal))
        return redirect(f"{match.get_absolute_url()}#note")
    if request.htmx:
        return HttpResponse(_("Saved."), content_type="text/plain; charset=utf-8")
    messages.success(request, _("Your note is saved."))
    return redirect(f"{match.get_absolute_url()}#note")


# -- helpers ----------------------------------------------------------------------------------------------------------


def _own_seat(match: Match, user: Any) -> Seat | None:
    return next((seat for seat in match.seats.all() if user.is_authenticated and seat.user_id == user.pk), None)


def _match_and_seat(request: HttpRequest, key: str) -> tuple[Match, Seat]:
    """The match and the seat of who asks. Raises Http404 for anybody who does not sit there."""
    try:
        match = find_match(key)
    except Match.DoesNotExist:
        raise Http404 from None
    mine = _own_seat(match, request.user)
    if mine is None:
        raise Http404
    return match, mine


def _fresh(mine: Seat) -> Seat:
    """The seat with what its person has seen by now: they have just seen what they said themselves."""
    mine.refresh_from_db(fields=["chat_seen"])
    return mine
