"""Webhooks: calls to a person's own address, for Discord, for Slack, or for a program. Not for which notices they get.

The calls for programs are signed after Standard Webhooks (https://www.standardwebhooks.com): `webhook-id` is the same
whenever the same notice is sent again, so a receiver can tell a repetition. The other two formats are those that
Discord and Slack read on their incoming webhooks.
"""

import base64
import json
import logging
import re
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import standardwebhooks
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User, Webhook
from accounts.notifications import Message, SendError, absolute, calls

log = logging.getLogger(__name__)

MOST = 5
"""Webhooks of one person."""
PATIENCE = timedelta(hours=24)
"""How long a webhook may fail before it is paused."""
GONE = 410
"""The status by which the other side says that nobody is to call it any more."""


class TooManyWebhooks(Exception):
    """A person has MOST webhooks already."""


def add(user: User, url: str, format: str) -> Webhook:
    """A new webhook with a secret of its own. The address has been checked by the form. Raises TooManyWebhooks."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two at once count one after the other
        if user.webhooks.count() >= MOST:
            raise TooManyWebhooks
        return user.webhooks.create(url=url, format=format, secret=new_secret())


def new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


def send(webhook: Webhook, message: Message) -> None:
    """Calls a webhook once and stores what came of it. Raises SendError when it did not work.

    A webhook that fails for PATIENCE, or says that it is gone, is paused and its owner told. A paused one is not
    called.
    """
    with translation.override(webhook.user.language or settings.LANGUAGE_CODE):
        _send(webhook, message)


def _send(webhook: Webhook, message: Message) -> None:
    if webhook.paused:
        raise SendError(False, _("This webhook is paused."))
    text, headers = _FORMATS[webhook.format](webhook, message)
    gone = False
    try:
        answer = calls.post(webhook.url, text.encode(), {"Content-Type": "application/json", **headers})
        gone = answer.status == GONE
        answer.raise_if_refused()
    except SendError as problem:
        since = webhook.failing_since or timezone.now()
        _store(webhook, problem.sentence, since)
        if gone or timezone.now() - since >= PATIENCE:
            _pause(webhook)
        raise
    _store(webhook, _("It arrived."), None)


def resume(webhook: Webhook) -> None:
    """Switches a paused webhook on again; its patience begins anew."""
    Webhook.objects.filter(pk=webhook.pk).update(paused=None, failing_since=None)


def _store(webhook: Webhook, result: str, failing_since: datetime | None) -> None:
    webhook.result, webhook.result_at, webhook.failing_since = result[:200], timezone.now(), failing_since
    # By update: somebody may have removed the webhook meanwhile.
    Webhook.objects.filter(pk=webhook.pk).update(
        result=webhook.result, result_at=webhook.result_at, failing_since=failing_since
    )


def _pause(webhook: Webhook) -> None:
    """Pauses a webhook and tells its owner once. Where the mail cannot be sent, the next failure does both again."""
    webhook.paused = timezone.now()
    if not Webhook.objects.filter(pk=webhook.pk, paused__isnull=True).update(paused=webhook.paused):
        return
    try:
        _tell_owner(webhook)
    except OSError:  # the mail server refuses or is away; SMTPException is one
        log.warning("The owner of webhook %s could not be told that it is paused", webhook.pk, exc_info=True)
        webhook.paused = None
        Webhook.objects.filter(pk=webhook.pk).update(paused=None)


def _tell_owner(webhook: Webhook) -> None:
    """By mail, which a guest without an address does not get: the settings say the same."""
    user = webhook.user
    if not user.email:
        return
    context = {"user": user, "webhook": webhook, "link": absolute(f"{reverse('notices')}#webhooks")}
    subject = render_to_string("accounts/email/webhook_paused_subject.txt", context).strip()
    text = render_to_string("accounts/email/webhook_paused_message.txt", context).strip()
    send_mail(subject, text, None, [user.email])


# -- formats ----------------------------------------------------------------------------------------------------------

_Call = tuple[str, dict[str, str]]


def _for_programs(webhook: Webhook, message: Message) -> _Call:
    """Standard Webhooks: body `{type, timestamp, data}`; `data` has the codes and the words."""
    now = datetime.now(UTC)
    words = {"title": message.title, "text": "\n".join(message.lines), "url": message.url}
    text = _json(
        {
            "type": f"notice.{message.kind}",
            "timestamp": now.isoformat(timespec="seconds"),
            "data": {**message.data, **words},
        }
    )
    return text, {
        "webhook-id": message.id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": standardwebhooks.Webhook(webhook.secret).sign(message.id, now, text),
    }


def _for_discord(webhook: Webhook, message: Message) -> _Call:
    """Nothing of what people write can call for attention there, nor change how it looks."""
    embed: dict[str, Any] = {"title": _unmarked(message.button)[:250], "url": message.url}
    if message.lines:
        embed["description"] = _unmarked("\n".join(message.lines))[:4000]
    content = {
        "content": _unmarked(message.title)[:1900],
        "embeds": [embed],
        "allowed_mentions": {"parse": []},
    }
    return _json(content), {}


def _unmarked(text: str) -> str:
    """Text as Discord shows it literally: with a backslash before every sign of its markup."""
    return re.sub(r"([\\`*_~|>#\[\]()<@:-])", r"\\\1", text)


def _for_slack(webhook: Webhook, message: Message) -> _Call:
    """What happened is plain text there; only the link is markup."""
    blocks: list[dict[str, Any]] = [_slack_text("plain_text", message.title)]
    if message.lines:
        blocks.append(_slack_text("plain_text", "\n".join(message.lines)))
    blocks.append(_slack_text("mrkdwn", f"<{_escaped(message.url)}|{_escaped(message.button)}>", escape=False))
    return _json({"text": _escaped(message.title), "blocks": blocks}), {}


def _slack_text(type: str, text: str, escape: bool = True) -> dict[str, Any]:
    return {"type": "section", "text": {"type": type, "text": _escaped(text[:2500]) if escape else text}}


def _escaped(text: str) -> str:
    """Slack's three control signs."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_FORMATS: dict[str, Callable[[Webhook, Message], _Call]] = {
    Webhook.Format.JSON: _for_programs,
    Webhook.Format.DISCORD: _for_discord,
    Webhook.Format.SLACK: _for_slack,
}
