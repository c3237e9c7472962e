"""What a notice says to its person: in their language and zone, with the board as their own seat sees it.

Everything here is made from events, which are public, and from `view` of that very person. Not for whether and when a
notice goes out, nor over which channel (games/delivery.py).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.notifications import Message, absolute
from games import pictures, record
from games.models import ChatMessage, Match, Notice, Replaced, Seat, Turn
from games.rules.contract import Saying
from games.rules.registry import GAMES
from games.selectors import find_match, names_then, seats_that_wait_for
from games.words import say_all, terms, title
from games.words.catalogue import figure, listed

PICTURE_WIDTH = 640
MOST_LINES = 12
"""Turns that a message tells of; how many there were before is said as well."""
TIMED_OUT_EVENT = "timed-out"

OF_A_DECISION = (Notice.Kind.YOUR_TURN, Notice.Kind.REMINDER, Notice.Kind.TIMED_OUT)
"""Kinds whose `Notice.decision` is a seat's turn number."""


@contextmanager
def speaking_to(user: Any) -> Iterator[None]:
    """What is said in this block is said in the person's language, and times are those of their zone."""
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(user.zone):
        yield


def headline(notice: Notice) -> str:
    """The notice in one sentence. It reads the match's seats, which are best read with it, and nothing else."""
    with speaking_to(notice.user):
        return _headline(notice, notice.match)


def compose(notice: Notice, picture: bool = False) -> Message:
    """The whole message. picture: with the board, where there is one."""
    match = find_match(notice.match.key)
    mine = next((seat for seat in match.seats.all() if seat.user_id == notice.user_id), None)
    with speaking_to(notice.user):
        url = absolute(match.get_absolute_url())
        waiting = {"waiting": seats_that_wait_for(notice.user).count()} if notice.kind in OF_A_DECISION else {}
        view = _view(match, mine) if picture and notice.kind != Notice.Kind.CHAT else None
        return Message(
            id=f"notice-{notice.pk}",
            kind=notice.kind,
            title=_headline(notice, match),
            topic=_topic(notice, match),
            lines=tuple(_LINES[notice.kind](notice, match, mine)),
            url=url,
            button=_button(notice),
            tag=match.key,
            picture=None if view is None else pictures.small_png(match.game, view, PICTURE_WIDTH),
            alt="" if view is None else pictures.words(match.game, view, _names(match)),
            mute_url=absolute(reverse("mute-by-mail", args=[mute_token(notice)])) if mine else "",
            data={
                "kind": notice.kind,
                "match": match.key,
                "game": match.game,
                "decision": notice.decision if notice.kind in OF_A_DECISION else None,
                "deadline": mine.deadline.isoformat() if mine and mine.deadline and mine.waiting else None,
                "url": url,
                **waiting,
            },
        )


# -- the link that mutes a match --------------------------------------------------------------------------------------

_signer = signing.Signer(salt="games.mute-by-mail")


def mute_token(notice: Notice) -> str:
    """What lets whoever has the mail mute this match for this person, without logging in; it does not expire."""
    return _signer.sign_object([notice.user_id, notice.match.key])


def read_mute_token(token: str) -> tuple[int, str]:
    """The person's and the match's key. Raises django.core.signing.BadSignature."""
    user, key = _signer.unsign_object(token)
    return user, key


# -- words ------------------------------------------------------------------------------------------------------------


def _names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.all()]


def _topic(notice: Notice, match: Match) -> str:
    """The match by its game and the others at the table: "Trans America with Bob and Cem"."""
    others = [seat.name for seat in match.seats.all() if seat.user_id != notice.user_id]
    game = title(match.game)
    if not others:
        return game
    return _("%(game)s with %(names)s") % {"game": game, "names": listed(others)}


def _headline(notice: Notice, match: Match) -> str:
    # Translators: in these sentences the match is "Trans America with Bob and Cem".
    match notice.kind:
        case Notice.Kind.YOUR_TURN:
            sentence = _("It is your turn in %(match)s")
        case Notice.Kind.REMINDER:
            sentence = _("Your time is running out in %(match)s")
        case Notice.Kind.TIMED_OUT:
            sentence = _("Your time ran out in %(match)s")
        case Notice.Kind.INVITED if match.started:
            sentence = _("You are asked to take a seat over in %(match)s")
        case Notice.Kind.INVITED if host := _host(match):
            return _("%(name)s invites you to play %(game)s") % {"name": host, "game": title(match.game)}
        case Notice.Kind.INVITED:
            sentence = _("You are invited to play %(match)s")
        case Notice.Kind.STARTED:
            sentence = _("The match has started: %(match)s")
        case Notice.Kind.ROUND_SCORED:
            sentence = _("A round is scored in %(match)s")
        case Notice.Kind.ENDED if match.started:
            sentence = _("The match is over: %(match)s")
        case Notice.Kind.ENDED:
            sentence = _("The match was called off: %(match)s")
        case _:
            sentence = _("Something was said in %(match)s")
    return sentence % {"match": _topic(notice, match)}


def _host(match: Match) -> str:
    """Who made the match, while they sit there."""
    return next((seat.name for seat in match.seats.all() if seat.user_id and seat.user_id == match.creator_id), "")


def _button(notice: Notice) -> str:
    match notice.kind:
        case Notice.Kind.YOUR_TURN | Notice.Kind.REMINDER:
            return _("Take your turn")
        case Notice.Kind.INVITED:
            return _("Look at the invitation")
        case Notice.Kind.CHAT:
            return _("Answer")
        case _:
            return _("Look at the match")


def _told(match: Match, turns: QuerySet[Turn]) -> list[str]:
    """The events of these turns in words, a line a turn; of many, the last ones."""
    names = names_then(match)
    last = list(turns.order_by("-number")[: MOST_LINES + 1])[::-1]
    lines = [
        say_all(match.game, [Saying(event["code"], event["params"]) for event in turn.events], names(turn.number))
        for turn in last[-MOST_LINES:]
        if turn.events
    ]
    if len(last) > MOST_LINES:
        earlier = turns.count() - MOST_LINES
        sentence = ngettext("%(number)d turn before these.", "%(number)d turns before these.", earlier)
        lines.insert(0, sentence % {"number": earlier})
    return lines


def _since_own_turn(match: Match, mine: Seat | None, before: int | None = None) -> QuerySet[Turn]:
    """The turns after the person's own last one; `before`: after the last of those that answered earlier decisions.

    A turn that a computer took because time was over is none of their own.
    """
    if mine is None:
        return match.turns.none()
    taken = match.turns.filter(seat=mine.index, kind__in=[Turn.Kind.TURN, Turn.Kind.TAKE_OVER])
    if before is not None:
        taken = taken.exclude(decision__gte=before)
    own = (turn for turn in taken.order_by("-number")[:5] if not _was_timed_out(turn))
    last = next(own, None)
    return match.turns.filter(number__gt=last.number) if last else match.turns.all()


def _was_timed_out(turn: Turn) -> bool:
    return any(event["code"] == TIMED_OUT_EVENT for event in turn.events)


def _deadline_line(mine: Seat | None) -> list[str]:
    if mine is None or mine.deadline is None or not mine.waiting:
        return []
    local = timezone.localtime(mine.deadline)
    moment = {"moment": date_format(local, "l j F Y, H:i"), "zone": timezone.get_current_timezone_name()}
    # Translators: a time with its zone, as in "Friday 4 December 2026, 14:30 (Europe/Berlin)".
    return [_("You have until %(moment)s (%(zone)s).") % moment]


def _turn_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    return [*_told(match, _since_own_turn(match, mine)), *_deadline_line(mine)]


def _timed_out_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    if Replaced.objects.filter(match=match, user=notice.user_id).exists():
        consequence = _("A computer plays on in your seat, and you rank last.")
    else:
        consequence = _("A computer took this turn for you. When it happens twice in a row, it keeps your seat.")
    return [consequence, *_told(match, _since_own_turn(match, mine, notice.decision)), *_deadline_line(mine)]


def _invited_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    if match.started:
        return [_("A computer plays that seat until somebody takes it over.")]
    seats = ngettext("The match has %(number)d seat.", "The match has %(number)d seats.", match.seats_wanted)
    return [
        seats % {"number": match.seats_wanted},
        _("At the table: %(names)s.") % {"names": listed(_names(match))},
        # Translators: how fast the match goes, as in "Pace: 3 days a turn."
        _("Pace: %(pace)s.") % {"pace": terms.pace(match.pace, match.bank)},
        # Translators: what was chosen for a match, as in "Board: Europe, Vexation."
        _("%(options)s.") % {"options": terms.all_options(match.game, match.options)},
        _("The match is rated.") if match.rated else _("The match is not rated."),
    ]


def _round_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    return _told(match, match.turns.filter(number=notice.decision))


def _started_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    lines = _told(match, match.turns.filter(number=1))
    if mine is not None and mine.waiting:
        lines += [_("You are to move."), *_deadline_line(mine)]
    return lines


def _ended_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    if match.status != Match.Status.OVER:
        return [_("It has ended without a result.")]
    lines = _told(match, _since_own_turn(match, mine))
    for seat in sorted(match.seats.all(), key=lambda seat: (seat.rank or 0, seat.index)):
        points = seat.points or 0
        # Translators: a line of the final ranking, as in "2. Bob, 5 points".
        sentence = ngettext("%(rank)d. %(name)s, %(points)s point", "%(rank)d. %(name)s, %(points)s points", points)
        lines.append(sentence % {"rank": seat.rank or 0, "name": seat.name, "points": figure(points)})
    return lines


def _chat_lines(notice: Notice, match: Match, mine: Seat | None) -> list[str]:
    unseen = ChatMessage.objects.filter(match=match, pk__gt=mine.chat_seen if mine else notice.decision - 1)
    last = list(unseen.exclude(user=notice.user_id).order_by("-pk")[:MOST_LINES])[::-1]
    # Translators: what somebody wrote in the chat.
    return [_("%(name)s: %(text)s") % {"name": message.name, "text": message.text} for message in last]


_LINES: dict[str, Callable[[Notice, Match, Seat | None], list[str]]] = {
    Notice.Kind.YOUR_TURN: _turn_lines,
    Notice.Kind.REMINDER: _turn_lines,
    Notice.Kind.TIMED_OUT: _timed_out_lines,
    Notice.Kind.INVITED: _invited_lines,
    Notice.Kind.STARTED: _started_lines,
    Notice.Kind.ROUND_SCORED: _round_lines,
    Notice.Kind.ENDED: _ended_lines,
    Notice.Kind.CHAT: _chat_lines,
}


def _view(match: Match, mine: Seat | None) -> Any:
    """What this person may know of the board now; None before the start."""
    if match.snapshot is None:
        return None
    game, state = GAMES[match.game], record.load_state(match)
    return game.unveil(state) if match.ended is not None else game.view(state, mine.index if mine else None)
