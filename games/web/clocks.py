"""What people do about the clocks of a match: pauses, seats that are taken over, notices that are not wanted.

Each answers a form of the match's page and goes back there. What may be done is `play.py`'s to say.
"""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import limits, play
from games.refusals import Refusal, sentence
from games.web.forms import SeatInvitationForm


@login_required
@require_POST
def pause(request: HttpRequest, key: str) -> HttpResponse:
    """Asks for a pause, or agrees to one."""
    return _do(request, key, lambda: play.ask_pause(key, request.user))


@login_required
@require_POST
def withdraw_pause(request: HttpRequest, key: str) -> HttpResponse:
    return _do(request, key, lambda: play.withdraw_pause(key, request.user))


@login_required
@require_POST
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """Ends a pause."""
    return _do(request, key, lambda: play.resume(key, request.user))


@login_required
@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """POST `muted`: not empty for silence, empty for notices."""
    return _do(request, key, lambda: play.mute(key, request.user, bool(request.POST.get("muted"))))


@login_required
@require_POST
def invite_to_seat(request: HttpRequest, key: str, index: int) -> HttpResponse:
    """Asks the person that POST `name` names to take a seat over."""
    form = SeatInvitationForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["name"][0]))
        return redirect("match", key)
    invited = form.cleaned_data["name"]
    done = _("%(name)s has been invited.") % {"name": invited.username}

    def invite() -> None:
        limits.count_invitation(request)
        play.invite_to_seat(key, request.user, index, invited)

    return _do(request, key, invite, done)


@login_required
@require_POST
def take_over(request: HttpRequest, key: str) -> HttpResponse:
    """Takes the seat that one was invited to."""
    done = _("The seat is yours. Play on from the board as it is.")
    return _do(request, key, lambda: play.take_over(key, request.user), done)


def _do(request: HttpRequest, key: str, act: Callable[[], object], done: str = "") -> HttpResponse:
    try:
        act()
    except Refusal as refusal:
        if refusal.code == "no-such-match":
            raise Http404 from refusal
        messages.error(request, sentence(refusal))
    else:
        if done:
            messages.success(request, done)
    return redirect("match", key)
