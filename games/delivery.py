"""Brings notices to people: from the outbox to open pages at once, and to mail, push and webhooks as deliveries.

A notice is written with what made it true (`play.py`, `chat.py`); `route` turns it into a `Delivery` for each channel
that its person wants, in one transaction that also marks it done: so that happens once, whatever is killed. `deliver`
sends one claim of deliveries. A claim is a lease: nothing is locked while a server is talked to, and whoever dies with
it leaves deliveries that are due again when it is over, with the same Message-ID, webhook-id and tag.

Not for what a notice says (`notices.py`) nor for how a channel sends it (`accounts/notifications`).
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import DateTimeField, F, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import PushSubscription, User, Webhook
from accounts.notifications import SendError, mail, push, webhook
from accounts.notifications.preferences import after_quiet_hours, next_time, wanted_channels
from games import nudges
from games.models import ChatMessage, Delivery, Invitation, Match, Notice, Seat
from games.notices import compose, headline
from games.selectors import who_is_looking

log = logging.getLogger(__name__)

BATCH = 200
"""Notices that are routed in one transaction."""
MOST_AT_ONCE = 50
"""Deliveries that may become one mail or one call to a push service."""
CANDIDATES = 20
"""People among whom a worker looks for one whose deliveries nobody else is claiming."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
"""How long a delivery waits after each failure that may pass; after the last of them, most of a day later, it is given
up."""
SERVER_PAUSE = timedelta(minutes=1)
"""How long a mail waits when the server takes none at all. That is nobody's failure, and is tried until it works."""
LOOK_AGAIN = timedelta(seconds=5)
"""After how long it is looked at again whether what must go out first has."""
SHOWN = frozenset(
    {Notice.Kind.YOUR_TURN, Notice.Kind.REMINDER, Notice.Kind.CHAT, Notice.Kind.STARTED, Notice.Kind.ROUND_SCORED}
)
"""Kinds that the page of the match tells by itself: who looks at it needs no mail or push. That time ran out is nothing
to miss, and that the match is over is something to keep."""
WEBHOOK = "webhook:"
"""How targets begin that are webhooks; the webhook's key follows."""

CHANNELS: dict[str, Q] = {
    "mail": Q(target="mail"),
    "push": Q(target="push"),
    "webhook": Q(target__startswith=WEBHOOK),
}
"""Which deliveries go over each channel."""


# -- from the outbox to deliveries ------------------------------------------------------------------------------------


@transaction.atomic
def route() -> int:
    """Routes the notices that are due, BATCH at most: tells open pages, and writes what is to be sent. Gives how many.

    Those that another worker routes at the same moment are passed over.
    """
    now = timezone.now()
    due = Notice.objects.filter(done__isnull=True, due__lte=now).order_by("due", "pk")
    notices = list(
        due.select_for_update(skip_locked=True, of=("self",))
        .select_related("match", "user__notice_preferences")
        .defer("match__snapshot", "match__seed")
        .prefetch_related("match__seats")[:BATCH]
    )
    true = still_true(notices)
    told = [notice for notice in true if not _is_muted(notice)]
    Delivery.objects.bulk_create(_deliveries(told), ignore_conflicts=True)
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(done=now)
    nudges.waiting_changed({notice.user_id for notice in true})
    nudges.notices_arrived(
        (
            notice.user_id,
            {
                "about": notice.kind,
                "match": notice.match.key,
                "url": notice.match.get_absolute_url(),
                "text": headline(notice),
            },
        )
        for notice in told
    )
    return len(notices)


def _deliveries(notices: Sequence[Notice]) -> list[Delivery]:
    """What goes out for these notices, and when. They come with match, person and preferences."""
    now = timezone.now()
    people = {notice.user_id for notice in notices}
    with_push = set(PushSubscription.objects.filter(user__in=people).values_list("user", flat=True))
    webhooks: dict[int, list[str]] = {}
    for pk, user in Webhook.objects.filter(user__in=people, paused__isnull=True).values_list("pk", "user"):
        webhooks.setdefault(user, []).append(f"{WEBHOOK}{pk}")
    shown = _shown(notices)
    made = []
    for notice in notices:
        targets = {
            "mail": ["mail"],
            "push": ["push"] if notice.user_id in with_push else [],
            # A program is not told any less because its owner looks at the page.
            "webhook": webhooks.get(notice.user_id, []),
        }
        for channel in wanted_channels(notice.user, notice.kind):
            if channel != "webhook" and notice in shown:
                continue
            due = next_time(notice.user, channel, now)
            made += [
                Delivery(notice=notice, user_id=notice.user_id, target=target, due=due) for target in targets[channel]
            ]
    return made


def _shown(notices: Iterable[Notice]) -> set[Notice]:
    """Those that their person has before their eyes just now. They come with their matches."""
    told = {notice: (notice.user_id, notice.match.key) for notice in notices if notice.kind in SHOWN}
    looking = who_is_looking(set(told.values()))
    return {notice for notice, pair in told.items() if pair in looking}


def still_true(notices: Sequence[Notice]) -> list[Notice]:
    """Those that are not about a turn which was taken, an invitation that was answered or withdrawn, or a message that
    was seen, meanwhile. A few queries for any number of them."""
    matches = {notice.match_id for notice in notices}
    seats = list(
        Seat.objects.filter(match__in=matches, user__isnull=False).values_list(
            "match", "user", "waiting", "level", "decision", "chat_seen", "match__status"
        )
    )
    to_move = {
        (match, user, decision)
        for match, user, waiting, level, decision, _seen, status in seats
        if waiting and not level and status == Match.Status.RUNNING
    }
    chat_seen = {(match, user): seen for match, user, _waiting, _level, _decision, seen, _status in seats}
    running = {match for match, *_rest, status in seats if status == Match.Status.RUNNING}
    of_kind = {kind: {notice.match_id for notice in notices if notice.kind == kind} for kind in Notice.Kind}
    invited = set(
        Invitation.objects.filter(match__in=of_kind[Notice.Kind.INVITED]).values_list("match", "user")
        if of_kind[Notice.Kind.INVITED]
        else []
    )
    said = set(
        ChatMessage.objects.filter(pk__in=[notice.decision for notice in notices]).values_list("pk", flat=True)
        if of_kind[Notice.Kind.CHAT]
        else []
    )

    def is_true(notice: Notice) -> bool:
        place = (notice.match_id, notice.user_id)
        match notice.kind:
            case Notice.Kind.YOUR_TURN | Notice.Kind.REMINDER:
                return (*place, notice.decision) in to_move
            case Notice.Kind.STARTED:
                return notice.match_id in running
            case Notice.Kind.INVITED:
                return place in invited
            case Notice.Kind.CHAT:
                return notice.decision in said and chat_seen.get(place, notice.decision) < notice.decision
        return True

    return [notice for notice in notices if is_true(notice)]


def _is_muted(notice: Notice) -> bool:
    """Whether its person wants nothing about its match. An invitation comes to who has no seat to mute."""
    return any(seat.muted for seat in notice.match.seats.all() if seat.user_id == notice.user_id)


# -- claims -----------------------------------------------------------------------------------------------------------


def due_channels(late: timedelta = timedelta()) -> set[str]:
    """The channels over which something is due, for at least so long."""
    due = Delivery.objects.filter(done__isnull=True, due__lte=timezone.now() - late)
    targets = set(due.order_by().values_list("target", flat=True).distinct())
    return {target.partition(":")[0] for target in targets}


@dataclass(frozen=True)
class Claim:
    """Deliveries of one person over one target that this worker, and no other, may send until the lease is over."""

    user: User
    target: str
    deliveries: list[Delivery]


@transaction.atomic
def claim(channel: str) -> Claim | None:
    """The next deliveries that are due over a channel; None where there are none that nobody else claims right now.

    Mails and pushes of one person that are due together are claimed together; of a webhook one, so that it gets all in
    order. What is due while something earlier to the same target is under way, or is to be tried again, waits for it
    and goes out together with it or after it.
    """
    now = timezone.now()
    undone = Delivery.objects.filter(CHANNELS[channel], done__isnull=True)
    found = undone.filter(due__lte=now).order_by("due", "pk").values_list("user", "target")[: CANDIDATES * 5]
    for pk, target in list(dict.fromkeys(found))[:CANDIDATES]:
        # The person's row is the lock on all that goes to them. Nobody waits for it.
        people = User.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
        user = people.select_related("notice_preferences").filter(pk=pk).first()
        if user is None:
            continue
        mine = list(undone.filter(user=pk, target=target).select_related("notice__match").order_by("pk"))
        ready = [delivery for delivery in mine if delivery.due <= now]
        under_way = [delivery.due for delivery in mine if delivery.due > now and delivery.attempts]
        if under_way:
            waits = undone.filter(pk__in=[delivery.pk for delivery in ready if not delivery.attempts])
            waits.update(due=min(max(under_way), now + LOOK_AGAIN))
            ready = [delivery for delivery in ready if delivery.attempts]
        if not ready:
            continue
        if (awake := after_quiet_hours(user, channel, now)) > now:
            # They were put off, or left over by a worker that died, and it has become night since.
            undone.filter(pk__in=[delivery.pk for delivery in ready]).update(due=awake, tried=None)
            continue
        claimed = ready[: 1 if channel == "webhook" else MOST_AT_ONCE]
        lease = now + timedelta(seconds=settings.DELIVERY_LEASE_SECONDS)
        Delivery.objects.filter(pk__in=[delivery.pk for delivery in claimed]).update(
            due=lease, attempts=F("attempts") + 1, tried=Coalesce("tried", Value(now), output_field=DateTimeField())
        )
        for delivery in claimed:
            delivery.notice.user = user
        return Claim(user, target, claimed)
    return None


def deliver(channel: str, until: Callable[[], bool]) -> bool:
    """Sends what is due over a channel, claim after claim. True when it stopped because `until` said so.

    It also stops, with nothing more to do for now, when the mail server takes nothing.
    """
    with _connection(channel) as connection:
        while claimed := claim(channel):
            try:
                _send(claimed, connection)
            except mail.ServerUnreachable:
                return False
            if until():
                return True
    return False


def _connection(channel: str) -> AbstractContextManager[BaseEmailBackend | None]:
    """The connection that all mails of a run go over. It is opened by the first of them."""
    return _Line() if channel == "mail" else nullcontext()


class _Line(AbstractContextManager[BaseEmailBackend]):
    """Django's connections open when they are entered, and say loudly that a server has hung up. This does neither."""

    def __enter__(self) -> BaseEmailBackend:
        self.connection: BaseEmailBackend = get_connection()
        return self.connection

    def __exit__(self, *_problem: object) -> None:
        try:
            self.connection.close()
        except OSError:
            log.info("The mail server ended the connection before we did", exc_info=True)


def _send(claimed: Claim, connection: BaseEmailBackend | None) -> None:
    """Sends what a claim holds as far as it is still true and wanted, and writes what came of it.

    Raises mail.ServerUnreachable, after that.
    """
    wanted = _still_wanted(claimed)
    _finish([delivery for delivery in claimed.deliveries if delivery not in wanted], Delivery.Outcome.DROPPED)
    if not wanted:
        return
    try:
        match claimed.target:
            case "mail":
                one_match = len({delivery.notice.match_id for delivery in wanted}) == 1
                messages = [
                    compose(delivery.notice, picture=one_match and at == 0) for at, delivery in enumerate(wanted)
                ]
                mail.send(claimed.user, messages, connection)
            case "push":
                push.send(claimed.user, [compose(delivery.notice) for delivery in wanted])
            case _:
                called = Webhook.objects.select_related("user").get(pk=claimed.target.removeprefix(WEBHOOK))
                webhook.send(called, compose(wanted[0].notice))
    except Exception as problem:
        # Whatever it is, a fault of ours included: one person's delivery must not keep a worker from the others'.
        _failed(claimed, wanted, problem)
        if isinstance(problem, mail.ServerUnreachable):
            raise
        return
    _finish(wanted, Delivery.Outcome.SENT)
    if claimed.target == "mail":
        mail.keep_result(claimed.user, mailed=timezone.now())


def _still_wanted(claimed: Claim) -> list[Delivery]:
    """Its deliveries that are still true, and wanted over this channel by their person as things are now."""
    notices = [delivery.notice for delivery in claimed.deliveries]
    channel = claimed.target.partition(":")[0]
    mutes = set(
        Seat.objects.filter(
            user=claimed.user, muted=True, match__in={notice.match_id for notice in notices}
        ).values_list("match", flat=True)
    )
    if (
        channel == "webhook"
        and not Webhook.objects.filter(pk=claimed.target.removeprefix(WEBHOOK), paused__isnull=True).exists()
    ):
        return []
    shown = _shown(notices) if channel != "webhook" else set()
    true = {
        notice.pk
        for notice in still_true(notices)
        if notice.match_id not in mutes
        and notice not in shown
        and channel in wanted_channels(claimed.user, notice.kind)
    }
    return [delivery for delivery in claimed.deliveries if delivery.notice_id in true]


def _finish(deliveries: Iterable[Delivery], outcome: str) -> None:
    keys = [delivery.pk for delivery in deliveries]
    if keys:
        Delivery.objects.filter(pk__in=keys).update(done=timezone.now(), outcome=outcome)


def _failed(claimed: Claim, deliveries: list[Delivery], problem: Exception) -> None:
    """Puts deliveries off, or gives them up. The row's attempts already count this one; the object's do not."""
    now = timezone.now()
    if isinstance(problem, SendError):
        temporary, sentence = problem.temporary, problem.sentence
        log.info("%s of user %s: %s", claimed.target, claimed.user.pk, sentence)
        if claimed.target == "mail":
            mail.keep_result(claimed.user, sentence)
    else:
        temporary = True
        log.error("%s of user %s could not be made", claimed.target, claimed.user.pk, exc_info=problem)
    for delivery in deliveries:
        row = Delivery.objects.filter(pk=delivery.pk)
        if isinstance(problem, mail.ServerUnreachable):
            row.update(due=now + SERVER_PAUSE, attempts=max(1, delivery.attempts))
        elif temporary and delivery.attempts < len(PAUSES):
            row.update(due=now + PAUSES[delivery.attempts])
        else:
            _finish([delivery], Delivery.Outcome.FAILED)
