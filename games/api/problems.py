"""Errors as problem documents (RFC 9457): a stable `code`, a sentence, and the fields that are wrong."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from accounts import vacations
from games.api.renderers import ProblemRenderer
from games.refusals import IllegalTurn, Refusal, sentence

STATUS_OF = {
    "no-such-match": 404,
    "unknown-game": 400,
    "bad-seats": 400,
    "bad-pace": 400,
    "bad-bank": 400,
    "bad-increment": 400,
    "bad-reliability": 400,
    "bad-access": 400,
    "bad-level": 400,
    "too-many-opponents": 400,
    "unknown-option": 400,
    "bad-option-value": 400,
    "unknown-player": 400,
    "no-seat-to-invite": 400,
    "nobody-invited": 400,
    "bad-moves": 400,
    "not-invited": 403,
    "guests-not-rated": 403,
    "not-reliable": 403,
    "not-seated": 403,
    "chat-empty": 400,
    "chat-too-long": 400,
    "note-too-long": 400,
    "chat-too-fast": 429,
    "too-many-matches": 429,
    "too-many-invitations": 429,
    "not-creator": 403,
}
"""HTTP status of a refusal; 409 where the state of the match is what stands against it."""


FIELD_OF = {
    "unknown-game": "game",
    "bad-seats": "seats",
    "bad-pace": "pace",
    "bad-bank": "bank",
    "bad-increment": "pace",
    "bad-reliability": "min_reliability",
    "bad-access": "access",
    "bad-level": "level",
    "too-many-opponents": "opponents",
    "unknown-option": "options",
    "bad-option-value": "options",
    "unknown-player": "invited",
    "no-seat-to-invite": "invited",
    "nobody-invited": "invited",
    "bad-moves": "moves",
    "chat-empty": "text",
    "chat-too-long": "text",
    "note-too-long": "text",
}
"""The field of the body that a refusal is about."""


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Turns what a view raised into an answer (DRF's EXCEPTION_HANDLER). None for faults of our own."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    headers: dict[str, str] = {}
    extra: dict[str, Any] = {}
    if isinstance(error, IllegalTurn):
        status, code, detail = 422, error.code, sentence(error)
        extra = {"title": _("Illegal move"), "move": error.at}
    elif isinstance(error, Refusal):
        status, code, detail = STATUS_OF.get(error.code, 409), error.code, sentence(error)
        extra = {"decision": error.params["decision"]} if "decision" in error.params else {}
        if "wait" in error.params:
            headers["Retry-After"] = str(error.params["wait"])
        if error.code in FIELD_OF:
            extra["errors"] = {FIELD_OF[error.code]: [detail]}
    elif isinstance(error, vacations.VacationRefusal):
        status, code, detail = 409, error.code, vacations.sentence(error)
        extra = {"errors": {"days": [detail]}}
    elif isinstance(error, exceptions.ValidationError):
        status, code, detail = 400, "invalid", _("Some fields are not right.")
        extra = {"errors": error.detail if isinstance(error.detail, dict) else {"body": error.detail}}
    elif isinstance(error, exceptions.APIException):
        status, code, detail = error.status_code, str(error.get_codes()).replace("_", "-"), str(error.detail)
        if (challenge := getattr(error, "auth_header", None)) is not None:
            headers["WWW-Authenticate"] = challenge
        if (wait := getattr(error, "wait", None)) is not None:
            headers["Retry-After"] = str(int(wait) + 1)
    else:
        return None
    set_rollback()
    return problem(context["request"], status, code, detail, headers, **extra)


def problem(
    request: Any, status: int, code: str, detail: str, headers: dict[str, str] | None = None, **extra: Any
) -> Response:
    """A problem document as the answer to `request`."""
    # The document is in its own media type whatever the client asked for: an error must always reach it.
    request.accepted_renderer = ProblemRenderer()
    request.accepted_media_type = ProblemRenderer.media_type
    body = {"type": "about:blank", "title": detail, "status": status, "code": code, "detail": detail} | extra
    return Response(body, status=status, headers=headers, content_type=ProblemRenderer.media_type)
