"""The link in every mail that switches mails off, without logging in. Not for other channels: settings do those.

RFC 8058: a mail program posts `List-Unsubscribe=One-Click` to the link itself. A person who follows it sees a page
first, because programs that look through mails follow links as well.
"""

from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.notifications import KINDS
from accounts.notifications.preferences import choose_channel, chosen_channels

_SALT = "accounts.unsubscribe"
OF_TURNS = ("your-turn", "reminder")
"""Kinds without which a clock may run out unseen."""


def unsubscribe_path(user: User, kind: str) -> str:
    """The page on which this person switches off mails of a kind, or of all kinds when it is empty. No expiry."""
    token = signing.Signer(salt=_SALT).sign_object([user.pk, kind if kind in KINDS else ""])
    return reverse("unsubscribe", args=[token])


@csrf_exempt  # the token is the authority, and a mail program has no other
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, or says that it is off already; POST switches off.

    `all`: mails of every kind, whatever the link is for.
    """
    try:
        pk, kind = signing.Signer(salt=_SALT).unsign_object(token)
        user = User.objects.get(pk=pk)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        raise Http404 from None
    done = request.method == "POST"
    everything = not kind or "all" in request.POST
    if done:
        with transaction.atomic():
            for each in KINDS if everything else [kind]:
                choose_channel(user, each, "mail", wanted=False)
    on = [each for each in KINDS if "mail" in chosen_channels(user, each)]
    context = {
        "person": user,
        "kind": KINDS.get(kind),
        "everything": everything,
        "done": done,
        "off": not on if everything else kind not in on,
        "others_on": on,
        "of_turns": everything or kind in OF_TURNS,
    }
    return render(request, "notifications/unsubscribe.html", context)
