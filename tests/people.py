"""The people of the tests: Alice and Bob play, Charlie has no business here."""

from typing import Any

from django.contrib.auth import get_user_model

PASSWORD = "tram-and-ferry"


def person(name: str, **fields: Any) -> Any:
    return get_user_model().objects.create_user(username=name, password=PASSWORD, **fields)
