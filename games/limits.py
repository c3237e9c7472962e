"""How often one person may make matches and invite others: an invitation is a mail to somebody who did not ask for it.

Counted in the cache by django-allauth, as attempts to log in are (`ACCOUNT_RATE_LIMITS`), for pages and programs
together. It is asked where a request comes in: the house itself is not limited.
"""

from allauth.core.ratelimit import consume
from django.http import HttpRequest

from games.refusals import Refusal


def count_new_match(request: HttpRequest, invites: bool) -> None:
    """A match is to be made. Raises Refusal: too-many-matches, too-many-invitations."""
    if not consume(request, action="new_match"):
        raise Refusal("too-many-matches")
    if invites:
        count_invitation(request)


def count_invitation(request: HttpRequest) -> None:
    """Somebody, or several at once, is to be invited. Raises Refusal: too-many-invitations."""
    if not consume(request, action="invite"):
        raise Refusal("too-many-invitations")
