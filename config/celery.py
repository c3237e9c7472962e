"""The Celery application. Workers of the production stack start with `celery -A config`."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_app() -> Celery:
    """An application with the site's settings and tasks. The embedded mode has one for each of its workers."""
    made = Celery("branchline", set_as_current=False)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    return made


BACKGROUND = {"notices", "timeouts", "opponents"}
"""Queues of work that takes the processor for long: mails with their boards, and opponents that think."""
NICENESS = 10


@celeryd_after_setup.connect
def step_back(instance: Any, **_signal: Any) -> None:
    """Lets a worker with such queues run behind web processes, database and the house's own workers."""
    if BACKGROUND & set(instance.app.amqp.queues.consume_from):
        os.nice(NICENESS)


app = make_app()
app.set_default()
