"""How the site is put together: settings, addresses, servers, background work. Nothing about games or people."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
