"""What a person may do with the whole account: take all data along, and go for good.

Here and not with the other settings, since accounts know no game and both are mostly about matches.
"""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.avatars import change_avatar
from accounts.models import User
from accounts.names import GONE_PREFIX
from accounts.signals import renamed
from games import nudges, play
from games.export import export_of
from games.models import Match, Seat


@login_required
@never_cache
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """All data of the person as one JSON file."""
    user: Any = request.user
    answer = JsonResponse(export_of(user), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="branchline-{user.username}.json"'
    return answer


@login_required
@never_cache
def delete(request: HttpRequest) -> HttpResponse:
    """GET says what is lost; POST with `sure` deletes the account. Who has a password shows it first."""
    user: Any = request.user
    return _delete(request) if user.is_guest else reauthentication_required(_delete)(request)


def _delete(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    if request.method == "POST" and request.POST.get("sure"):
        delete_account(user)
        logout(request)
        messages.success(request, _("Your account has been deleted."))
        return redirect("front")
    running = Seat.objects.filter(user=user, resigned=False, match__status=Match.Status.RUNNING).count()
    return render(request, "accounts/delete.html", {"running": running})


def delete_account(user: User) -> None:
    """Gives up the person's seats and removes the account with all that is only theirs.

    Others keep their matches: in those the seat stays, without a person and under a name that is nobody's. Every match
    is left in a transaction of its own, so that no two matches are ever locked together; one that was joined meanwhile
    is left in the next round.
    """
    while not _removed(user):
        for seat in _open_seats(user).select_related("match"):
            if seat.match.status == Match.Status.OPEN:
                play.leave_match(seat.match.key, user)
            else:
                play.resign(seat.match.key, user)


def _open_seats(user: User) -> Any:
    """The seats in which others still count on this person."""
    unfinished = [Match.Status.OPEN, Match.Status.RUNNING]
    return Seat.objects.filter(user=user, resigned=False, match__status__in=unfinished)


@transaction.atomic
def _removed(user: User) -> bool:
    """Removes the account unless it still has a seat to give up."""
    locked = get_user_model().objects.select_for_update().get(pk=user.pk)  # nobody sits down meanwhile
    if _open_seats(locked).exists():
        return False
    locked.username = f"{GONE_PREFIX}{locked.pk}"
    renamed.send(User, user=locked)
    change_avatar(locked, None)
    nudges.sessions_ended(locked)
    locked.delete()
    return True
