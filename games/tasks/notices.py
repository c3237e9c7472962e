"""The delivery of notices: to open pages and the outboxes of the channels, from there out, and the sweep of both."""

import time

from django.utils import timezone

from games import delivery
from games.models import Notice
from games.tasks.common import GRACE, retried, send

RUN_SECONDS = 1.0
"""How long one task goes on sending before it makes room for others in the queues of its worker."""
TASKS = {"mail": "notices.deliver_mail", "push": "notices.deliver_push", "webhook": "notices.deliver_webhooks"}
"""The task that sends what is due over each channel."""


@retried
def deliver_notices() -> None:
    """Routes whatever is due, in batches: a task that comes after a busy one finds its work done."""
    while delivery.route() == delivery.BATCH:
        pass
    for channel in delivery.due_channels():
        send(TASKS[channel])


@retried
def deliver_mail() -> None:
    """Sends the mails that are due."""
    _deliver("mail")


@retried
def deliver_push() -> None:
    """Sends the pushes that are due."""
    _deliver("push")


@retried
def deliver_webhooks() -> None:
    """Calls the webhooks that are due."""
    _deliver("webhook")


def _deliver(channel: str) -> None:
    stop = time.monotonic() + RUN_SECONDS
    if delivery.deliver(channel, until=lambda: time.monotonic() > stop):
        send(TASKS[channel])


@retried
def sweep() -> None:
    """Goes on with what a process left that died, with what is tried again, and with what waited for its hour."""
    if Notice.objects.filter(done__isnull=True, due__lt=timezone.now() - GRACE).exists():
        send("notices.deliver_notices")
    for channel in delivery.due_channels(GRACE):
        send(TASKS[channel])
