"""Mails about notices: one message with its picture, or several at once; in the language and zone of who gets them.

Sending a message again gives the same Message-ID, so that a mail program shows it once. Not for mails of log-in and
sign-up (django-allauth) nor for when a mail is due and tried again (games/delivery.py).
"""

import contextlib
import hashlib
import secrets
import smtplib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from email.mime.image import MIMEImage
from typing import Any
from urllib.parse import urlsplit

import css_inline
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import NoticePreferences, User
from accounts.notifications import KINDS, Message, SendError, absolute, trial_message
from accounts.notifications.unsubscribe import unsubscribe_path

TRY_LATER = 421
"""The reply by which a mail server says that it closes the connection, whatever it was asked."""
URGENT = ("your-turn", "reminder")
"""Kinds that ask for something to be done: their button is in signal red, and several of them are counted."""

_inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


class ServerUnreachable(SendError):
    """The mail server takes nothing from anybody just now; it is not this mail's fault."""

    def __init__(self) -> None:
        super().__init__(True, _("The mail server does not take mails just now. We go on trying."))


def send(user: User, messages: Sequence[Message], connection: BaseEmailBackend | None = None) -> None:
    """Sends one mail with these messages, and comes back when the server has taken it. Raises SendError.

    connection: one that its owner keeps for several mails (`get_connection`) and closes; it is closed here only after
    a failure, and opened again by the next mail.
    """
    with _in_words_of(user):
        if not user.email:
            raise SendError(False, _("You have no confirmed e-mail address."))
        line = connection or get_connection()
        try:
            mail = _written(user, messages)
            line.open()  # or Django would end the connection after this mail
            line.send_messages([mail])
        except Exception as problem:
            with contextlib.suppress(OSError):
                line.close()
            raise _why(problem, user.email) from problem
        if connection is None:
            with contextlib.suppress(OSError):
                line.close()


def send_test_mail(user: User) -> None:
    """Sends the mail of the test button and stores what came of it. Raises SendError."""
    with _in_words_of(user):
        message = trial_message(secrets.token_hex(8))
    try:
        send(user, [message])
    except SendError as problem:
        keep_result(user, problem.sentence)
        raise
    keep_result(user)


def keep_result(user: User, problem: str = "", mailed: datetime | None = None) -> None:
    """Stores what came of the last mail, for the settings page. problem: empty when it went out.

    mailed: when a mail about notices went out; the next may have to wait until its person is back.
    """
    with _in_words_of(user):
        sentence = problem or _("Sent to %(address)s.") % {"address": user.email}
    fields: dict[str, Any] = {"mail_result": sentence[:200], "mail_result_at": timezone.now()}
    if mailed is not None:
        fields["last_mail"] = mailed
    if not NoticePreferences.objects.filter(user=user).update(**fields):
        NoticePreferences.objects.update_or_create(user=user, defaults=fields)


# -- the mail ---------------------------------------------------------------------------------------------------------


def _in_words_of(user: User) -> contextlib.ExitStack:
    stack = contextlib.ExitStack()
    stack.enter_context(translation.override(user.language or settings.LANGUAGE_CODE))
    stack.enter_context(timezone.override(user.zone))
    return stack


def _written(user: User, messages: Sequence[Message]) -> EmailMultiAlternatives:
    """The mail of one message or of several; several about the same thing are told as one."""
    tags = {message.tag for message in messages}
    # The most pressing first, as the kinds are ordered; of the same kind in the order in which they were written.
    ranks = {kind: rank for rank, kind in enumerate(KINDS)}
    ordered = sorted(messages, key=lambda message: ranks.get(message.kind, len(ranks)))
    first = ordered[0]
    kinds = {message.kind for message in messages}
    pictured = next((message for message in ordered if message.picture), None) if len(tags) == 1 else None
    unsubscribe = absolute(unsubscribe_path(user, first.kind if len(kinds) == 1 else ""))
    url, button = first.url, first.button
    if len(tags) > 1:
        url, button = absolute(reverse(settings.LOGIN_REDIRECT_URL)), _("See all your matches")
    title = first.title if len(tags) == 1 else _subject_of_several(ordered)
    context = {
        "name": user.username,
        "title": title,
        "several": len(tags) > 1,
        "messages": [replace(message, lines=tuple(map(_indented, message.lines))) for message in ordered],
        "lines": [_indented(line) for message in ordered for line in _told_together(message, first)],
        "url": url,
        "button": button,
        "urgent": bool(kinds & set(URGENT)),
        "picture": pictured and f"board-{pictured.id}",
        "alt": pictured.alt if pictured else "",
        "mute_url": first.mute_url if len(tags) == 1 else "",
        "unsubscribe_url": unsubscribe,
        "settings_url": absolute(reverse("notices")),
        "site_url": absolute("/"),
        "language": translation.get_language(),
    }
    mail = EmailMultiAlternatives(
        subject=title,
        body=render_to_string("notifications/mail.txt", context),
        to=[user.email],
        headers=_headers(messages, first, unsubscribe),
    )
    mail.attach_alternative(_inliner.inline(render_to_string("notifications/mail.html", context)), "text/html")
    if pictured and pictured.picture:
        # The picture belongs to the HTML and is no attachment of its own.
        mail.mixed_subtype = "related"  # type: ignore[attr-defined]  # which the stubs do not know
        image = MIMEImage(pictured.picture, "png")
        image["Content-ID"] = f"<board-{pictured.id}>"
        image["Content-Disposition"] = 'inline; filename="board.png"'
        mail.attach(image)
    return mail


def _indented(text: str) -> str:
    """What a person wrote may have lines of its own: in the plain text none of them passes for one of the house's."""
    return text.replace("\n", "\n  ")


def _told_together(message: Message, first: Message) -> list[str]:
    """What a message adds to a mail whose title is another one's: its own title as well, but no line twice."""
    if message is first:
        return list(message.lines)
    return [message.title, *(line for line in message.lines if line not in first.lines)]


def _subject_of_several(messages: Sequence[Message]) -> str:
    waiting = len({message.tag for message in messages if message.kind in URGENT})
    if waiting:
        return ngettext(
            "%(number)d match waits for you, and other news", "%(number)d matches wait for you", waiting
        ) % {"number": waiting}
    number = len({message.tag for message in messages})
    return ngettext("News from %(number)d match", "News from %(number)d matches", number) % {"number": number}


def _headers(messages: Sequence[Message], first: Message, unsubscribe: str) -> dict[str, str]:
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    ids = sorted(message.id for message in messages)
    name = ids[0] if len(ids) == 1 else f"several-{hashlib.sha256(' '.join(ids).encode()).hexdigest()[:24]}"
    ways = [f"<{unsubscribe}>"]
    if settings.UNSUBSCRIBE_ADDRESS:
        ways.append(f"<mailto:{settings.UNSUBSCRIBE_ADDRESS}?subject=unsubscribe>")
    headers = {
        "Message-ID": f"<{name}@{host}>",
        "Auto-Submitted": "auto-generated",
        "List-Id": f"<{first.kind}.notices.{host}>",
        "List-Unsubscribe": ", ".join(ways),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if first.tag and len({message.tag for message in messages}) == 1:
        # A mail that was never sent is the root of all mails about the same match: programs put them together.
        headers["In-Reply-To"] = headers["References"] = f"<{first.tag}@{host}>"
    return headers


# -- what went wrong --------------------------------------------------------------------------------------------------


def _why(problem: Exception, address: str) -> SendError:
    """What a failure means: for this mail alone, or for all."""
    code, reason = _reply(problem)
    match problem:
        case SendError():
            return problem
        case smtplib.SMTPRecipientsRefused() | smtplib.SMTPDataError() if code != TRY_LATER:
            words = {"address": address, "reason": reason}
            if 400 <= code < 500:
                return SendError(True, _("The mail to %(address)s was put off: %(reason)s") % words)
            return SendError(False, _("The mail to %(address)s was refused: %(reason)s") % words)
        case OSError():  # all of smtplib's errors are; a sender or a password that is refused is nobody's but ours
            return ServerUnreachable()
        case ValueError():
            return SendError(False, _("No mail can be sent to %(address)s.") % {"address": address})
    raise problem


def _reply(problem: Exception) -> tuple[int, str]:
    """The mail server's code and words; 0 where it said nothing."""
    code, said = 0, b""
    if isinstance(problem, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(problem.recipients.values()))
    elif isinstance(problem, smtplib.SMTPResponseException):
        code, said = problem.smtp_code, problem.smtp_error  # type: ignore[assignment]
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return code, f"{code} {' '.join(words.split())}"
