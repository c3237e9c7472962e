"""Speaks to each person in their language and counts in their time zone. Not for storing either."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

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
