"""What cannot be done at the table: errors with stable codes, and their sentences.

What a move does wrong is said by its game's catalogue (`games/words`).
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.rules.contract import Saying
from games.words import say


class Refusal(Exception):
    """Something cannot be done at the table. `code` is stable; `params` are facts for the sentence."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code, self.params = code, params


class IllegalTurn(Refusal):
    """A move of the turn is against the rules. `saying` is the game's reason; `at` the index of the move."""

    def __init__(self, game: str, saying: Saying, at: int) -> None:
        super().__init__(saying.code, **saying.params)
        self.game, self.saying, self.at = game, saying, at
        self.names: Sequence[str] = ()

    def told_with(self, names: Sequence[str]) -> "IllegalTurn":
        """The same, with the players' names by seat for a reason that names somebody."""
        self.names = names
        return self


def sentence(refusal: Refusal) -> str:
    """Why not, in the language of the request."""
    if isinstance(refusal, IllegalTurn):
        return say(refusal.game, refusal.saying, refusal.names)
    return _sentences()[refusal.code] % refusal.params


def _sentences() -> dict[str, str]:
    return {
        "unknown-game": _("There is no game called “%(game)s” here."),
        "bad-seats": _("This game is for %(least)s to %(most)s players."),
        "bad-pace": _("The time for a turn must be between one hour and fourteen days."),
        "bad-bank": _("A bank of time must hold between one hour and thirty days."),
        "bad-increment": _("What a turn puts back into the bank must be between nothing and three days."),
        "bad-reliability": _("The share of turns in time must be between 1 and 100 per cent."),
        "not-reliable": _(
            "This match asks for at least %(least)s%% of turns taken in time. You have taken %(yours)s%% of yours so."
        ),
        "no-seat-to-take": _("That seat is not to be taken over."),
        "already-seated": _("%(name)s has a seat in this match already."),
        "gave-up": _("%(name)s had a seat in this match and gave it up."),
        "bad-access": _("A match is open, for invited players, or joined by a private link."),
        "bad-level": _("A computer opponent is one of these: %(levels)s."),
        "too-many-opponents": _("Leave a seat for yourself: at most %(most)s computer opponents fit here."),
        "unknown-option": _("This game has no option called “%(option)s”."),
        "bad-option-value": _("That is not a value of the option “%(option)s”."),
        "no-such-match": _("There is no such match."),
        "already-started": _("This match has already started."),
        "already-over": _("This match is over."),
        "too-many-matches": _("You have made very many matches in a short time. Please make the next one later."),
        "too-many-invitations": _("You have invited people very often in a short time. Please wait a while."),
        "match-full": _("All seats of this match are taken."),
        "not-invited": _("This match is for invited players only."),
        "guests-not-rated": _("Rated matches are for full accounts. Keep your guest account to join."),
        "not-seated": _("You have no seat in this match."),
        "resigned": _("You have resigned from this match; a computer opponent plays on for you."),
        "not-creator": _("Only the player who created this match can do that."),
        "unknown-player": _("There is no player called “%(name)s”."),
        "not-over": _("The record is shown when the match is over."),
        "no-opponent-there": _("There is no computer opponent in that seat."),
        "too-few": _("This game needs at least %(least)s players."),
        "not-running": _("This match is not running."),
        "not-over-yet": _("This match has not been played to its end yet."),
        "no-seat-to-invite": _("There is no seat left for the people you invite."),
        "nobody-invited": _("Nobody could join this match: invite somebody, or let others join."),
        "not-your-turn": _("It is not your turn."),
        "decision-past": _("That turn has already been taken. Yours is now number %(decision)s."),
        "decision-ahead": _("That turn is not due yet. Yours is now number %(decision)s."),
        "bad-moves": _("The moves are not written as this game writes them: %(detail)s"),
        "turn-unfinished": _("Your turn is not finished yet."),
        "chat-empty": _("Write something first."),
        "chat-too-long": _("A message has at most %(most)s characters; yours has %(length)s."),
        "chat-too-fast": _("You are writing very fast. Wait a little, then send it again."),
        "chat-closed": _("The talk at this table closed %(days)s days after the end of the match."),
        "note-too-long": _("A note has at most %(most)s characters; yours has %(length)s."),
        "turn-too-long": _("Your turn is over after %(most)s of these moves."),
    }
