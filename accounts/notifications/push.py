"""Web push: messages to the browsers that a person has asked to be told on (RFC 8030, 8291, 8292).

Turns that wait share one notification on a device: with more than one it says how many there are and opens the next.
Every other message has its own. What a browser does with them is in frontend/static/js/sw.js.
"""

import base64
import hashlib
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pywebpush import WebPusher

from accounts.models import PushSubscription, User
from accounts.notifications import Message, SendError, absolute, calls, vapid

MOST = 20
"""Devices of one person; a new one takes the place of the oldest."""
TURNS = frozenset({"your-turn", "reminder"})
"""Kinds that say that a match waits."""
TURNS_TAG = "branchline-turns"
SECONDS_TO_KEEP = 24 * 60 * 60
"""How long a push service keeps what it cannot deliver: who comes back later sees it on the site."""
DEAD = frozenset({404, 410})
"""The statuses by which a push service says that a subscription is no more."""
SECONDS = 30.0
"""For all devices of a person. A push service that is slow must not make a worker's claim on its work run out."""
LONGEST_TITLE, LONGEST_BODY = 120, 600
"""Letters. A push service takes 4096 bytes, encrypted."""


@dataclass(frozen=True)
class Payload:
    """What a browser is sent: one notification. `count` is how many matches wait, 0 when it is about something else.

    A notification replaces the one with its tag.
    """

    title: str
    body: str
    url: str
    tag: str
    count: int = 0


# -- devices ----------------------------------------------------------------------------------------------------------


def check_key(p256dh: str) -> None:
    """Raises ValueError unless a browser's key is a point on the curve P-256, in base64url."""
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh, 65))


def check_secret(auth: str) -> None:
    """Raises ValueError unless a browser's secret is 16 bytes, in base64url."""
    _decoded(auth, 16)


def _decoded(text: str, length: int) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]+={0,2}", text):
        raise ValueError("not base64url")
    found = base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    if len(found) != length:
        raise ValueError(f"{len(found)} bytes instead of {length}")
    return found


def subscribe(user: User, endpoint: str, p256dh: str, auth: str, device: str, replaces: str = "") -> PushSubscription:
    """Stores what a browser subscribed to, checked by the form. A browser belongs to who subscribed with it last.

    replaces: the endpoint that this browser had before.
    """
    with transaction.atomic():
        if replaces and replaces != endpoint:
            user.push_subscriptions.filter(endpoint=replaces).delete()
        subscription, _created = PushSubscription.objects.update_or_create(
            endpoint=endpoint,
            defaults={
                "user": user,
                "p256dh": p256dh.rstrip("="),
                "auth": auth.rstrip("="),
                "device": device,
                "created": timezone.now(),
                "result": "",
                "result_at": None,
            },
        )
        kept = user.push_subscriptions.order_by("-created", "-pk").values_list("pk", flat=True)[:MOST]
        user.push_subscriptions.exclude(pk__in=list(kept)).delete()
    return subscription


# -- sending ----------------------------------------------------------------------------------------------------------


def send(user: User, messages: Sequence[Message]) -> None:
    """Sends messages to all devices of a person, and stores with each device what came of it.

    A device that its push service does not know any more is forgotten. Raises SendError when not a single device was
    reached, which is temporary when trying again may help one.
    """
    with translation.override(user.language or settings.LANGUAGE_CODE):
        _send(user, stack(messages))


def _send(user: User, payloads: Sequence[Payload]) -> None:
    problems: list[SendError] = []
    reached = False
    ends = time.monotonic() + SECONDS
    for subscription in user.push_subscriptions.order_by("pk"):
        try:
            for payload in payloads:
                if time.monotonic() >= ends:
                    raise SendError(True, _("The devices before this one took too long."))
                _push(subscription, payload)
        except SendError as problem:
            problems.append(problem)
        else:
            reached = True
    if reached or not payloads:
        return
    if not problems:
        raise SendError(False, _("There is no device to tell you on."))
    raise max(problems, key=lambda problem: problem.temporary)


def send_to(subscription: PushSubscription, message: Message) -> None:
    """Sends a message to one device, and stores what came of it. Raises SendError."""
    for payload in stack([message]):
        _push(subscription, payload)


def stack(messages: Iterable[Message]) -> list[Payload]:
    """The notifications that tell of some messages: one for all turns that wait, one for each other message.

    How many turns wait is known to who wrote the messages (`data["waiting"]`); it is at least as many as are told of.
    """
    turns = [message for message in messages if message.kind in TURNS]
    payloads = [_payload(message, message.tag or message.id) for message in messages if message.kind not in TURNS]
    if turns:
        told = len({message.tag for message in turns})
        waiting = max([told, *(int(message.data.get("waiting", 0)) for message in turns)])
        payloads.append(_stacked(turns, waiting) if waiting > 1 else _payload(turns[-1], TURNS_TAG, count=1))
    return payloads


def _stacked(turns: Sequence[Message], waiting: int) -> Payload:
    title = ngettext("%(count)s match waits for you", "%(count)s matches wait for you", waiting) % {"count": waiting}
    topics = list(dict.fromkeys(message.topic or message.title for message in turns))
    return Payload(title, _short("\n".join(topics), LONGEST_BODY), absolute(reverse("next-turn")), TURNS_TAG, waiting)


def _payload(message: Message, tag: str, count: int = 0) -> Payload:
    body = "\n".join(filter(None, [message.topic, *message.lines]))
    return Payload(_short(message.title, LONGEST_TITLE), _short(body, LONGEST_BODY), message.url, tag, count)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _push(subscription: PushSubscription, payload: Payload) -> None:
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    body = pusher.encode(json.dumps(asdict(payload), ensure_ascii=False).encode())["body"]
    # What waits at the push service under the same topic is replaced, as on the device: 32 letters at most (RFC 8030).
    topic = base64.urlsafe_b64encode(hashlib.sha256(payload.tag.encode()).digest()[:24]).decode()
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(SECONDS_TO_KEEP),
        "Urgency": "high" if payload.count else "normal",
        "Topic": topic,
        **vapid.headers(subscription.endpoint),
    }
    try:
        answer = calls.post(subscription.endpoint, body, headers)
        if answer.status in DEAD:
            subscription.delete()
            raise SendError(False, _("This device does not want to be told any more."))
        answer.raise_if_refused()
    except SendError as problem:
        _store(subscription, problem.sentence)
        raise
    _store(subscription, _("It arrived."))


def _store(subscription: PushSubscription, result: str) -> None:
    """By update: the device may have been removed meanwhile."""
    PushSubscription.objects.filter(pk=subscription.pk).update(result=result[:200], result_at=timezone.now())
