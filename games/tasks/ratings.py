"""Ratings of matches that are over, and the sweep that finds those which were left."""

from django.utils import timezone

from games import ratings
from games.models import Match
from games.tasks.common import GRACE, postponed_if_it_fails, retried, send


@retried
def rate_match(key: str) -> None:
    """Rates a match, if that is still to be done."""
    with postponed_if_it_fails(key):
        ratings.rate_match(key)


@retried
def sweep() -> None:
    """Rates what a lost message or a killed worker left, the longest waiting first."""
    waiting = Match.objects.filter(rating_due__lt=timezone.now() - GRACE).order_by("rating_due", "pk")
    for key in waiting.values_list("key", flat=True)[:1000]:
        send("ratings.rate_match", key)
