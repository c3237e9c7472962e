"""What the header of every page shows. Not for anything that only one page needs."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.selectors import seats_that_wait_for


def header(request: HttpRequest) -> dict[str, Any]:
    """`waiting_count`: how many turns wait for the person, without the one on the page of a match itself.

    Counted by one query when a template asks, never before.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"waiting_count": 0}
    waiting = seats_that_wait_for(user)
    page = request.resolver_match
    if page is not None and page.url_name == "match":
        waiting = waiting.exclude(match__key=page.kwargs["key"])
    return {"waiting_count": SimpleLazyObject(waiting.count)}
