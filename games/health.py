"""What is wrong with the site: rows that wait longer than any worker should let them. For whoever keeps it running.

It reads what is not done yet, by the indexes of that alone, so that it may be asked every few seconds. It says how
many and never which.
"""

import logging
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import Error, connection
from django.db.models import Q
from django.utils import timezone

from games.models import Delivery, Match, Notice, Seat

log = logging.getLogger(__name__)


def problems() -> list[tuple[str, int]]:
    """What is wrong, each as a stable code and a number of rows; empty when all is well.

    database-away, cache-away, deadlines-overdue, house-overdue, opponents-overdue, notices-overdue,
    deliveries-overdue, mails-refused, ratings-overdue.
    """
    found = []
    try:
        cache.set("health", True, 10)
    except Exception:  # whatever the cache is, and whatever it raises
        log.warning("The cache does not answer", exc_info=True)
        found.append(("cache-away", 1))
    try:
        connection.ensure_connection()
        counts = _overdue()
    except Error:
        log.warning("The database does not answer", exc_info=True)
        return [("database-away", 1), *found]
    return found + [(code, count) for code, count in counts.items() if count]


def _overdue() -> dict[str, int]:
    now = timezone.now()
    soon = timedelta(seconds=settings.OVERDUE_SECONDS)
    later = timedelta(seconds=settings.DELIVERIES_OVERDUE_SECONDS)

    def waits(field: str) -> Q:
        # What fails is put off by the sweep, far beyond the moment in which it is ever due by itself.
        return Q(**{f"{field}__lt": now - soon}) | Q(**{f"{field}__gt": now + soon})

    return {
        "deadlines-overdue": Seat.objects.filter(deadline__lt=now - soon).count(),
        "house-overdue": Match.objects.filter(waits("house_due")).count(),
        "opponents-overdue": Seat.objects.filter(waits("opponent_due")).count(),
        "notices-overdue": Notice.objects.filter(done=None, due__lt=now - later).count(),
        "deliveries-overdue": Delivery.objects.filter(done=None, due__lt=now - later).count(),
        # What fails is put off, and so never overdue. Other channels end at servers that are not the site's.
        "mails-refused": Delivery.objects.filter(done=None, target="mail", tried__lt=now - later).count(),
        "ratings-overdue": Match.objects.filter(rating_due__isnull=False, ended__lt=now - later).count(),
    }
