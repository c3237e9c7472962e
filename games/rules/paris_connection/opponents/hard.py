"""The hard opponent, which plays as medium does so far."""

from games.rules.paris_connection.opponents.medium import turn

__all__ = ["turn"]
