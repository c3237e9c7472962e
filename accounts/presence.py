"""When a person was last here. Not for whether they look at a certain page just now: the live socket knows that."""

from datetime import timedelta

from django.db.models import Q
from django.utils.timezone import now

from accounts.models import User

SEEN_EVERY = timedelta(minutes=1)
"""How exactly `User.last_seen` is kept: each page would be one write more otherwise."""


def mark_seen(user: User) -> None:
    """Remembers that this person is here now. It writes only when it would change something by a minute."""
    moment = now()
    if user.last_seen is None or moment - user.last_seen >= SEEN_EVERY:
        User.objects.filter(Q(last_seen__isnull=True) | Q(last_seen__lt=moment), pk=user.pk).update(last_seen=moment)
        user.last_seen = moment
