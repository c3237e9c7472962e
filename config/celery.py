"""The Celery application. Workers of the production stack start with `celery -A config`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_app() -> Celery:
    """An application with the site's settings and tasks. The embedded mode has one for each of its workers."""
    made = Celery("branchline", set_as_current=False)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    return made


app = make_app()
app.set_default()
