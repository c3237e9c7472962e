"""What the views of pages say about the requests they take, for type checkers."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request after django-htmx's middleware."""

    htmx: HtmxDetails
