"""Log-in by token, read in one plain statement: it stands before every turn."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from rest_framework import authentication, exceptions

from games import rows


class TokenAuthentication(authentication.TokenAuthentication):
    """`Authorization: Token <token>`."""

    def authenticate_credentials(self, key: str) -> tuple[Any, str]:
        found = rows.select(get_user_model(), "id = (SELECT user_id FROM authtoken_token WHERE key = %s)", key)
        if not found or not found[0].is_active:
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        return found[0], key
