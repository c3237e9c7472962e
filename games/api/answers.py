"""How the API writes matches, seats, turns and sayings. Everything about a running match is made from a view."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.urls import reverse

from games import record
from games.models import Match, Seat, Turn
from games.rules.chance import commitment
from games.rules.contract import Choices, Game, Saying
from games.rules.registry import GAMES
from games.words import option_help, option_label, say, title


def saying(game: str, said: Saying, names: Sequence[str]) -> dict[str, Any]:
    return {"code": said.code, "params": said.params, "text": say(game, said, names)}


def game_row(game: Game) -> dict[str, Any]:
    return {
        "key": game.key,
        "title": title(game.key),
        "revision": game.revision,
        "least_seats": game.seats.start,
        "most_seats": game.seats.stop - 1,
        "options": [
            {
                "key": option.key,
                "label": option_label(game.key, option.key),
                "help": option_help(game.key, option.key),
                "default": option.default,
                "values": option.values,
            }
            for option in game.options
        ],
        "rules": reverse("rules", args=[game.key]),
    }


def seat(seat: Seat) -> dict[str, Any]:
    return {
        "index": seat.index,
        "name": seat.name,
        "player": seat.user.username if seat.user else None,
        "opponent": seat.level or None,
        "resigned": seat.resigned,
        "waiting": seat.waiting,
        "deadline": seat.deadline,
        "time_left": seat.time_left,
        "away_until": seat.away_until,
        "wants_pause": seat.wants_pause,
        "points": seat.points,
        "rank": seat.rank,
    }


def own_seat(seats: Sequence[Seat], user: Any) -> Seat | None:
    return next((seat for seat in seats if user.is_authenticated and seat.user_id == user.pk), None)


def match_row(match: Match, user: Any) -> dict[str, Any]:
    """`match` with its seats, their users and its creator prefetched."""
    seats = list(match.seats.all())
    mine = own_seat(seats, user)
    return {
        "key": match.key,
        "game": match.game,
        "options": match.options,
        "status": match.status,
        "access": match.access,
        "rated": match.rated,
        "pace": match.pace,
        "bank": match.bank,
        "min_reliability": match.min_reliability,
        "paused": match.paused,
        "seats_wanted": match.seats_wanted,
        "creator": match.creator.username if match.creator else None,
        "created": match.created,
        "started": match.started,
        "ended": match.ended,
        "version": match.version,
        "url": match.get_absolute_url(),
        "seats": [seat(each) for each in seats],
        "you": mine
        and {
            "seat": mine.index,
            "decision": mine.decision,
            "waiting": mine.waiting and not mine.level,
            "muted": mine.muted,
        },
    }


def match_answer(match: Match, user: Any) -> dict[str, Any]:
    """One match as this user may see it."""
    answer = match_row(match, user)
    mine = own_seat(list(match.seats.all()), user)
    answer["seed_sha256"] = commitment(bytes(match.seed))
    answer["link"] = (
        reverse("join-by-link", args=[match.key, match.link_code])
        if mine and match.access == Match.Access.LINK
        else None
    )
    answer["view"] = answer["result"] = None
    if match.snapshot is not None:
        game, state = GAMES[match.game], record.load_state(match)
        names = [each.name for each in match.seats.all()]
        answer["view"] = msgspec.to_builtins(game.view(state, mine.index if mine else None))
        result = game.result(state)
        if result is not None:
            answer["result"] = {
                "points": result.points,
                "ranks": [each.rank for each in match.seats.all()],
                "sheet": [
                    {"label": saying(match.game, line.label, names), "amounts": line.amounts} for line in result.sheet
                ],
            }
    return answer


def choices(match: Match, decision: int, choices: Choices, names: Sequence[str]) -> dict[str, Any]:
    return {
        "decision": decision,
        "asked": saying(match.game, choices.asked, names),
        "moves": msgspec.to_builtins(choices.moves),
        "costs": choices.costs,
    }


def log_entry(match: Match, turn: Turn, names: Sequence[str]) -> dict[str, Any]:
    """What everybody may read of a turn: its events, and not its moves, which some games keep secret for a while."""
    return {
        "number": turn.number,
        "kind": turn.kind,
        "seat": turn.seat,
        "in_time": turn.in_time,
        "created": turn.created,
        "events": [saying(match.game, msgspec.convert(event, Saying), names) for event in turn.events],
    }


def turn(match: Match, turn: Turn, names: Sequence[str]) -> dict[str, Any]:
    """A turn for who took it: always the same for the same turn, whatever came after it."""
    own = {"decision": turn.decision, "moves": turn.moves[: turn.played], "played": turn.played}
    return log_entry(match, turn, names) | own


def record_answer(match: Match) -> dict[str, Any]:
    """The whole record of a match that is over: enough to check every deal."""
    return {
        "key": match.key,
        "game": match.game,
        "revision": match.revision,
        "options": match.options,
        "players": [each.name for each in match.seats.all()],
        "seed": bytes(match.seed).hex(),
        "seed_sha256": commitment(bytes(match.seed)),
        "turns": [
            {
                "number": each.number,
                "kind": each.kind,
                "seat": each.seat,
                "decision": each.decision,
                "moves": each.moves,
                "played": each.played,
                "created": each.created,
            }
            for each in match.turns.all()
        ],
    }
