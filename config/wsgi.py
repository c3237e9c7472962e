"""The site for WSGI servers: HTTP of the production stack."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# All views are loaded now and live as long as the process: the collector need not walk through them in the middle of a
# turn.
get_resolver().url_patterns  # noqa: B018 - the access loads them
gc.collect()
gc.freeze()
