"""The link in mails that mutes one match, without logging in. The button on the page of a match is in clocks.py."""

from django.contrib.auth import get_user_model
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import play
from games.models import Match
from games.notices import read_mute_token
from games.refusals import Refusal
from games.selectors import find_match


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mute_by_mail(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, because programs that look through mails follow links as well, or says that it is muted; POST mutes."""
    try:
        pk, key = read_mute_token(token)
        person = get_user_model().objects.get(pk=pk)
        match = find_match(key)
    except (signing.BadSignature, ValueError, get_user_model().DoesNotExist, Match.DoesNotExist):
        raise Http404 from None
    if request.method == "POST":
        try:
            play.mute(key, person, True)
        except Refusal:
            raise Http404 from None
    muted = any(seat.muted for seat in match.seats.all() if seat.user_id == person.pk)
    context = {"person": person, "match": match, "done": request.method == "POST" or muted}
    return render(request, "notifications/mute.html", context)
