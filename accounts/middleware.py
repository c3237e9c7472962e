"""Speaks to each person in their language, counts in their time zone and notes that they are here."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.presence import mark_seen
from accounts.zones import UTC, zone_or_utc


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the account's time zone and language hold for the request; else UTC and the browser's language.

    A request without a session cookie costs no look-up of a person.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language, zone = "", zone_or_utc(UTC)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            language, zone = request.user.language, request.user.zone
        language = language or translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


def last_seen(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: whoever opens a page or changes something is here now.

    What an open page fetches by itself says nothing about a person: it does so in a tab that nobody looks at as well.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if (
            settings.SESSION_COOKIE_NAME in request.COOKIES
            and (request.method == "POST" or request.headers.get("Sec-Fetch-Dest", "document") == "document")
            and request.user.is_authenticated
        ):
            mark_seen(request.user)
        return get_response(request)

    return middleware
