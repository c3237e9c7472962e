"""JSON answers, written by msgspec: several times faster than the standard encoder on the size of a match."""

from typing import Any

import msgspec
from rest_framework import renderers


class JSONRenderer(renderers.BaseRenderer):
    """application/json in UTF-8."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else msgspec.json.encode(data, enc_hook=str)


class ProblemRenderer(JSONRenderer):
    """application/problem+json (RFC 9457)."""

    media_type = "application/problem+json"
