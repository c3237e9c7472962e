"""Speaks to each person in their language and counts in their time zone. Not for storing either."""

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the account's time zone and language hold for the request; else UTC and the browser's language.

    A request without a session cookie costs no look-up of a person.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        person = request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else None
        language, zone = "", "UTC"
        if person is not None and person.is_authenticated:
            language, zone = person.language, person.timezone
        language = language or translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zoneinfo.ZoneInfo(zone)):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware
