"""Where sessions are kept: in the cache and the database, as Django does it."""

from django.contrib.sessions.backends import cached_db


class SessionStore(cached_db.SessionStore):
    """A cookie may hold anything, and PostgreSQL does not even look for what holds a NUL."""

    def _validate_session_key(self, key: str) -> bool:
        kept = super()._validate_session_key(key)  # type: ignore[misc]  # which the stubs do not know
        return bool(kept) and key.isascii() and key.isalnum()
