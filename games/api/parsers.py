"""JSON bodies, read by msgspec: as strict as the standard asks, and unmoved by what is nested without end."""

from typing import Any

import msgspec
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

LARGEST_BODY = 64 * 1024
"""Bytes. The longest turn of any game has a hundredth of it."""


class BodyTooLarge(APIException):
    status_code = 413
    default_code = "body-too-large"
    default_detail = _("The body is larger than 64 KiB.")


class JSONParser(BaseParser):
    """application/json in UTF-8. Raises ParseError, which says where the body is none, and BodyTooLarge."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        body = stream.read(LARGEST_BODY + 1)
        if len(body) > LARGEST_BODY:
            raise BodyTooLarge
        try:
            return msgspec.json.decode(body)
        except msgspec.DecodeError as problem:
            raise ParseError(str(problem)) from problem
        except RecursionError:
            raise ParseError("The body is nested too deeply.") from None
