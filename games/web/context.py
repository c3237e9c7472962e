"""What the header of every page shows. Not for anything that only one page needs."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.selectors import seats_that_wait_for


def header(request: HttpRequest) -> dict[str, Any]:
    """`waiting_count`: how many turns wait for the person; counted by one query when a template asks, never before."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"waiting_count": 0}
    return {"waiting_count": SimpleLazyObject(seats_that_wait_for(user).count)}
