"""All that the house keeps about one person, as plain values for one JSON file. Not for what others know or hid.

Moments are in UTC. Of matches there are the turns of the person's own seat; of the talk, their own messages. Secrets
that open something (password, token, keys of devices and webhooks) stay where they are.
"""

from typing import Any

from accounts.models import NoticePreferences
from games.models import ChatMessage, Note, Rating, RatingChange, Seat, Turn
from games.words import title


def export_of(user: Any) -> dict[str, Any]:
    """The person's data by subject; the keys are stable."""
    return {
        "account": _account(user),
        "preferences": _preferences(user),
        "vacations": list(user.vacations.order_by("pk").values("started", "until", "ended")),
        "matches": [_match(seat) for seat in Seat.objects.filter(user=user).select_related("match").order_by("match")],
        "left_matches": list(user.replaced.order_by("pk").values("match__key", "name", "created")),
        "messages": list(ChatMessage.objects.filter(user=user).values("match__key", "text", "created")),
        "notes": list(Note.objects.filter(user=user).order_by("match").values("match__key", "text", "changed")),
        "ratings": list(Rating.objects.filter(user=user).order_by("game").values("game", "value", "matches")),
        "rating_changes": list(
            RatingChange.objects.filter(user=user)
            .order_by("created", "pk")
            .values("match__key", "game", "before", "after", "created")
        ),
    }


def _account(user: Any) -> dict[str, Any]:
    return {
        "name": user.username,
        "email_addresses": list(user.emailaddress_set.order_by("pk").values("email", "verified", "primary")),
        "guest": user.is_guest,
        "picture": user.avatar.url if user.avatar else None,
        "created": user.created,
        "last_seen": user.last_seen,
        "last_login": user.last_login,
    }


def _preferences(user: Any) -> dict[str, Any]:
    fields = ("wanted", "mail_mode", "daily_hour", "quiet_from", "quiet_to")
    return {
        "timezone": user.timezone,
        "language": user.language,
        "theme": user.theme,
        "notices": NoticePreferences.objects.filter(user=user).values(*fields).first(),
        "devices": list(user.push_subscriptions.order_by("pk").values("device", "created")),
        "webhooks": list(user.webhooks.order_by("pk").values("url", "format", "created")),
    }


def _match(seat: Seat) -> dict[str, Any]:
    match = seat.match
    turns = match.turns.filter(kind=Turn.Kind.TURN, seat=seat.index)
    taken_over = match.turns.filter(kind=Turn.Kind.TAKE_OVER, seat=seat.index).last()
    if taken_over is not None:
        turns = turns.filter(number__gt=taken_over.number)
    return {
        "key": match.key,
        "game": match.game,
        "title": title(match.game),
        "options": match.options,
        "status": match.status,
        "created": match.created,
        "started": match.started,
        "ended": match.ended,
        "rated": match.rated,
        "seat": seat.index + 1,
        "name": seat.name,
        "resigned": seat.resigned,
        "points": seat.points,
        "rank": seat.rank,
        "turns": list(turns.values("number", "moves", "in_time", "created")),
    }
