"""Talk at a match: what its people say to each other, how far each has read it, and what one notes for oneself alone.

The only writer of chat messages, notes and `Seat.chat_seen`. Words are plain text everywhere. Not for what happens in
the match (that is the log), and not for the delivery of the notices that are written here.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games import nudges
from games.models import ChatMessage, Delivery, Match, Note, Notice, Seat
from games.refusals import Refusal
from games.selectors import is_looking

MOST_LETTERS = 500
MOST_NOTE_LETTERS = 5000
FAR_TOO_LONG = 10
"""So many times as long as may be, a text is refused unread: what tidying leaves of it cannot matter any more."""
LIMITS = ((5, timedelta(seconds=30)), (60, timedelta(hours=1)))
"""Messages that one person may write within a time, over all matches."""
OPEN_AFTER_END = timedelta(days=30)
"""How long people may go on talking after a match has ended. Reading has no end."""
LATEST = 50
"""Messages that the page of a match shows."""


# -- writing ----------------------------------------------------------------------------------------------------------


def say(key: str, user: Any, text: str) -> ChatMessage:
    """Says something to the others at the table. Who does not look at the match gets a notice, one until they have
    seen it. Refusals: no-such-match, not-seated, chat-closed, chat-empty, chat-too-long, chat-too-fast.
    """
    _must_be_readable("chat-too-long", MOST_LETTERS, text)
    return _say(key, user, text)


@transaction.atomic
def _say(key: str, user: Any, text: str) -> ChatMessage:
    # The match's lock puts messages of one table in order; the person's makes the count of their messages exact.
    match = Match.objects.select_for_update().defer("snapshot").filter(key=key).first()
    if match is None:
        raise Refusal("no-such-match")
    seats = list(match.seats.all())
    mine = _own(seats, user)
    now = timezone.now()
    if is_closed(match, now):
        raise Refusal("chat-closed", days=OPEN_AFTER_END.days)
    words = tidy(text)
    if not words:
        raise Refusal("chat-empty")
    if len(words) > MOST_LETTERS:
        raise Refusal("chat-too-long", most=MOST_LETTERS, length=len(words))
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))
    _must_not_be_too_fast(user, now)
    message = ChatMessage.objects.create(match=match, user=user, name=mine.name, text=words, created=now)
    Seat.objects.filter(pk=mine.pk).update(chat_seen=message.pk)
    _write_notices(match, [seat for seat in seats if seat is not mine], message)
    nudges.chat_changed(match.key, [seat.user_id for seat in seats if seat.user_id], message.pk)
    return message


def mark_seen(key: str, user: Any, message: int) -> None:
    """This person has seen the messages up to the one with this key. Going back is not possible.

    Refusals: no-such-match, not-seated.
    """
    mine = seat_of(key, user)
    messages = ChatMessage.objects.filter(match=mine.match_id, pk__lte=message).order_by("-pk")
    last = messages.values_list("pk", flat=True).first() or 0
    if Seat.objects.filter(pk=mine.pk, chat_seen__lt=last).update(chat_seen=last):
        others = Seat.objects.filter(match=mine.match_id, user__isnull=False).exclude(pk=mine.pk)
        nudges.chat_changed(key, [user for user in others.values_list("user", flat=True) if user], last)


def write_note(key: str, user: Any, text: str) -> Note:
    """Keeps what somebody notes about a match, in place of what they noted before.

    Refusals: no-such-match, not-seated, note-too-long.
    """
    _must_be_readable("note-too-long", MOST_NOTE_LETTERS, text)
    mine = seat_of(key, user)
    words = _printable(text)
    if len(words) > MOST_NOTE_LETTERS:
        raise Refusal("note-too-long", most=MOST_NOTE_LETTERS, length=len(words))
    note, _created = Note.objects.update_or_create(match_id=mine.match_id, user=user, defaults={"text": words})
    return note


def rename_writer(user: Any, **_signal: Any) -> None:
    """Puts a person's new name to what they have said."""
    ChatMessage.objects.filter(user=user).update(name=user.username)


# -- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A message as one person at the table sees it."""

    message: ChatMessage
    mine: bool
    new: bool
    seen_by: list[str]
    """Who has seen this message and none after it; not its writer, and not who looks."""


@dataclass(frozen=True)
class Conversation:
    """Messages in the order in which they were said. `more`: there are earlier ones than these."""

    lines: list[Line]
    unread: int
    last: int
    """The key of the last message; 0 where nothing has been said."""
    more: bool
    closed: bool
    alone: bool
    """Nobody else sits here to talk to."""


def seat_of(key: str, user: Any) -> Seat:
    """The seat of a person, whom alone a match's talk is for. Refusals: no-such-match, not-seated."""
    seats = list(Seat.objects.filter(match__key=key))
    if not seats and not Match.objects.filter(key=key).exists():
        raise Refusal("no-such-match")
    return _own(seats, user)


def conversation(match: Match, mine: Seat, latest: int | None = LATEST) -> Conversation:
    """What the person on the seat `mine` of this match may read: the latest messages; None: all of them."""
    said = match.chat.order_by("-pk")
    messages = list(said if latest is None else said[: latest + 1])
    more = latest is not None and len(messages) > latest
    messages = messages[:latest][::-1]
    others = [seat for seat in match.seats.all() if seat.user_id and seat.user_id != mine.user_id]
    seen: dict[int, list[str]] = {}
    for seat in others:
        last = next((each for each in reversed(messages) if each.pk <= seat.chat_seen), None)
        if last is not None and last.user_id != seat.user_id:
            seen.setdefault(last.pk, []).append(seat.name)
    lines = [
        Line(each, own := each.user_id == mine.user_id, not own and each.pk > mine.chat_seen, seen.get(each.pk, []))
        for each in messages
    ]
    return Conversation(
        lines,
        unread=sum(line.new for line in lines),
        last=messages[-1].pk if messages else 0,
        more=more,
        closed=is_closed(match, timezone.now()),
        alone=not others,
    )


def note_of(match: Match, user: Any) -> str:
    """What a person has noted about a match."""
    return match.notes.filter(user=user).values_list("text", flat=True).first() or ""


def is_closed(match: Match, now: datetime) -> bool:
    """Nothing more can be said here."""
    return match.ended is not None and now > match.ended + OPEN_AFTER_END


def tidy(text: str) -> str:
    """A message as it is stored: without what cannot be seen around it, and without gaps of several empty lines.

    Empty where there is nothing in it that anybody could read.
    """
    lines = [" ".join(line.split()) for line in _printable(text).split("\n")]
    words = "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1])).strip()
    return words if any(unicodedata.category(letter)[0] not in "ZC" for letter in words) else ""


# -- helpers ----------------------------------------------------------------------------------------------------------


def _printable(text: str) -> str:
    """Text without control characters and halves of characters, which no database and no page can do anything with."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cs"))


def _must_be_readable(code: str, most: int, text: str) -> None:
    """Before anything is asked or locked for it: megabytes of text must not keep others waiting."""
    if len(text) > FAR_TOO_LONG * most:
        raise Refusal(code, most=most, length=len(text))


def _own(seats: list[Seat], user: Any) -> Seat:
    mine = next((seat for seat in seats if user.is_authenticated and seat.user_id == user.pk), None)
    if mine is None:
        raise Refusal("not-seated")
    return mine


def _must_not_be_too_fast(user: Any, now: datetime) -> None:
    """Raises chat-too-fast with the seconds to wait."""
    for most, span in LIMITS:
        written = ChatMessage.objects.filter(user=user, created__gt=now - span).order_by("-pk")
        times = list(written.values_list("created", flat=True)[:most])
        if len(times) == most:
            raise Refusal("chat-too-fast", wait=int((times[-1] + span - now).total_seconds()) + 1)


def _write_notices(match: Match, others: list[Seat], message: ChatMessage) -> None:
    ways = Delivery.objects.filter(notice=OuterRef("pk"))
    # One that was dropped or given up on all its ways has told nobody; one that had none was shown by open pages.
    told = Notice.objects.filter(
        ~Exists(ways) | Exists(ways.filter(outcome__in=["", Delivery.Outcome.SENT])), match=match, kind=Notice.Kind.CHAT
    )
    last = dict(told.order_by("decision").values_list("user", "decision"))
    due = [
        Notice(user_id=seat.user_id, match=match, kind=Notice.Kind.CHAT, decision=message.pk)
        for seat in others
        if seat.user_id
        and not seat.muted
        and last.get(seat.user_id, 0) <= seat.chat_seen  # else one that they have not followed yet says the same
        and not is_looking(seat.user_id, match.key)
    ]
    if due:
        Notice.objects.bulk_create(due)
        nudges.notices_are_due()
