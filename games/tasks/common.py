"""What all tasks share: how they are tried again, and how one faulty match is kept from the others."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import OperationalError

from config.celery import app
from games import play

GRACE = timedelta(seconds=2)
"""How long a sweep leaves what is due to those who were nudged."""

# A database that is away for a moment; whatever outlasts this a sweep finds.
retried = shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)


@contextmanager
def postponed_if_it_fails(key: str) -> Iterator[None]:
    """A fault of ours in one match must not keep the workers from the others."""
    try:
        yield
    except OperationalError:
        raise
    except Exception:
        play.postpone(key)
        raise


def send(task: str, *arguments: Any) -> None:
    """Starts a task (`house.move_house`) that a sweep found to be due.

    It expires before the next sweep, so that a backlog does not grow by being looked at.
    """
    app.send_task(f"games.tasks.{task}", arguments, expires=settings.SWEEP_SECONDS)
