"""The table: the only writer of matches. One transaction a turn, under the match's lock.

It knows who sits where and what is stored; it knows no rule of a game and nothing of HTTP. What cannot be done is a
`Refusal` with a stable code; `games/refusals.py` has the sentences. Whatever others must do or hear because of a
change is written into rows in the same transaction; the messages sent on commit (`games/nudges.py`) may be lost, the
rows are not.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import vacations
from games import clock, nudges, record, rows, selectors
from games.models import ChatMessage, Invitation, Match, Notice, Replaced, Seat, Turn
from games.refusals import IllegalTurn, Refusal
from games.rules.chance import Chance, new_seed
from games.rules.contract import LEVELS, BadOption, Choices, Event, Game, IllegalMove, Result, complete_options, encode
from games.rules.registry import GAMES

HOUR = 60 * 60
PACES = (HOUR, 8 * HOUR, 24 * HOUR, 3 * 24 * HOUR, 7 * 24 * HOUR, 14 * 24 * HOUR)
"""Time for a turn that can be chosen, in seconds."""
DEFAULT_PACE = 3 * 24 * HOUR
BANKS = (HOUR, 30 * 24 * HOUR)
"""The smallest and the largest bank of time, in seconds."""
MOST_INCREMENT = 3 * 24 * HOUR
"""The most that a turn may put back into a bank, in seconds; the least is nothing."""
TIMEOUTS_TO_REPLACE = 2
"""After so many turns in a row that were not taken in time, an opponent takes the seat for good."""
OPEN_FOR = timedelta(days=14)
"""How long a match waits for the next one who joins it."""

OPPONENT_NAMES = ("Atlas", "Beacon", "Cinder", "Drover", "Ember", "Flint")
"""What computer opponents are called, by seat: so that a log can tell two of them apart."""
POSTPONED_BY = timedelta(minutes=5)
"""How long the sweep leaves a match alone in which a move of the house or an opponent failed."""
RESIGNED_LEVEL = "medium"
"""The opponent that plays for whose time ran out, and plays on for who resigned or was replaced."""

# A seat is stored by what has changed and never whole: its person mutes the match and reads its chat without the lock.
_COUNTS = ("timeouts", "own_turns", "late_turns")
_AT_REST = ("away_until", "wants_pause", *clock.FIELDS)


# -- before the start -------------------------------------------------------------------------------------------------


@transaction.atomic
def create_match(
    creator: Any,
    game: str,
    *,
    options: dict[str, Any] | None = None,
    seats: int,
    pace: int = DEFAULT_PACE,
    bank: int = 0,
    min_reliability: int | None = None,
    access: str = Match.Access.OPEN,
    rated: bool = False,
    opponents: Sequence[str] = (),
    invited: Iterable[Any] = (),
    rematch_of: Match | None = None,
) -> Match:
    """A new match with its creator in the first seat, `opponents` (levels) in the next ones, and `invited` asked.

    pace: seconds for a turn; with a bank (seconds that each seat begins with), what each turn puts back into it.
    min_reliability: per cent of turns in time that whoever joins must have.

    It starts at once when that fills it; with opponents or by a guest it is never rated. Refusals: unknown-game,
    bad-seats, bad-pace, bad-bank, bad-increment, bad-reliability, bad-access, bad-level, too-many-opponents,
    no-seat-to-invite, nobody-invited, and those of options (unknown-option, bad-option-value).
    """
    if game not in GAMES:
        raise Refusal("unknown-game", game=str(game))
    rules = GAMES[game]
    if seats not in rules.seats:
        raise Refusal("bad-seats", least=rules.seats.start, most=rules.seats.stop - 1)
    if not bank and not PACES[0] <= pace <= PACES[-1]:
        raise Refusal("bad-pace")
    if bank and not BANKS[0] <= bank <= BANKS[1]:
        raise Refusal("bad-bank")
    if bank and not 0 <= pace <= MOST_INCREMENT:
        raise Refusal("bad-increment")
    if min_reliability is not None and not 1 <= min_reliability <= 100:
        raise Refusal("bad-reliability")
    if access not in Match.Access.values:
        raise Refusal("bad-access")
    if len(opponents) >= seats:
        raise Refusal("too-many-opponents", most=seats - 1)
    asked = list(dict.fromkeys(user for user in invited if user != creator))
    if asked and len(opponents) + 1 == seats:
        raise Refusal("no-seat-to-invite")
    if access == Match.Access.INVITED and not asked and len(opponents) + 1 < seats:
        raise Refusal("nobody-invited")
    try:
        chosen = complete_options(rules, options or {})
    except BadOption as problem:
        raise Refusal(problem.code, option=problem.key) from problem
    match = Match.objects.create(
        game=game,
        revision=rules.revision,
        options=chosen,
        seed=new_seed(),
        seats_wanted=seats,
        pace=pace,
        bank=bank,
        min_reliability=min_reliability,
        access=access,
        # Nobody wins rating from a computer: one decides before the start, so nobody is surprised after the end.
        rated=rated and not opponents and not creator.is_guest,
        creator=creator,
        rematch_of=rematch_of,
    )
    _seat_person(match, 0, creator)
    for level in opponents:
        _seat_opponent(match, level)
    _start_when_full(match)
    now = timezone.now()
    for user in asked:
        Invitation.objects.create(match=match, user=user, created=now)
    _write_notices(match, Notice.Kind.INVITED, [user.pk for user in asked], 0, now)
    return match


@transaction.atomic
def join_match(key: str, user: Any, code: str = "") -> Match:
    """Takes a seat. `code` is that of the private link. Joining twice is joining once.

    Refusals: no-such-match, already-started, match-full, not-invited, guests-not-rated, not-reliable.
    """
    match = _lock(key)
    if match.seats.filter(user=user).exists():
        return match
    _must_be_open(match)
    invitation = match.invitations.filter(user=user)
    allowed = (
        match.access == Match.Access.OPEN
        or invitation.exists()
        or (match.access == Match.Access.LINK and secrets.compare_digest(code.encode(), match.link_code.encode()))
    )
    if not allowed:
        raise Refusal("not-invited")
    if match.rated and user.is_guest:
        raise Refusal("guests-not-rated")
    _must_be_reliable(match, user)
    taken = match.seats.count()
    if taken >= match.seats_wanted:
        raise Refusal("match-full")
    _seat_person(match, taken, user)
    match.joined = timezone.now()
    match.save(update_fields=["joined"])
    invitation.delete()
    _start_when_full(match)
    nudges.match_changed(match)
    return match


@transaction.atomic
def leave_match(key: str, user: Any) -> Match:
    """Gives the seat back. When the creator leaves, the next person becomes it; when the last person leaves, the match
    is cancelled. Refusals: no-such-match, already-started, not-seated."""
    match = _lock(key)
    _must_be_open(match)
    _own_seat(match, user).delete()
    rest = list(match.seats.select_related("user"))
    people = [seat.user for seat in rest if seat.user is not None]
    if not people:
        _end(match, Match.Status.CANCELLED)
    else:
        if match.creator_id == user.pk:
            match.creator = people[0]
        _close_gaps(rest)
    match.save()
    nudges.match_changed(match)
    return match


@transaction.atomic
def decline_invitation(key: str, user: Any) -> None:
    """Says no to an invitation. Declining what is not there is no fault."""
    match = _lock(key)
    match.invitations.filter(user=user).delete()


@transaction.atomic
def add_opponent(key: str, user: Any, level: str) -> Match:
    """Seats a computer opponent; the match is unrated from then on. The creator's right.

    Refusals: no-such-match, already-started, not-creator, bad-level, match-full.
    """
    match = _lock(key)
    _must_be_open(match)
    _must_be_creator(match, user)
    if match.seats.count() >= match.seats_wanted:
        raise Refusal("match-full")
    _seat_opponent(match, level)
    match.rated = False
    match.save(update_fields=["rated"])
    _start_when_full(match)
    nudges.match_changed(match)
    return match


@transaction.atomic
def remove_opponent(key: str, user: Any, index: int) -> Match:
    """Frees the seat of a computer opponent.

    Refusals: no-such-match, already-started, not-creator, no-opponent-there.
    """
    match = _lock(key)
    _must_be_open(match)
    _must_be_creator(match, user)
    seats = list(match.seats.all())
    leaving = [seat for seat in seats if seat.index == index and seat.level and seat.user_id is None]
    if not leaving:
        raise Refusal("no-opponent-there")
    leaving[0].delete()
    _close_gaps([seat for seat in seats if seat is not leaving[0]])
    nudges.match_changed(match)
    return match


@transaction.atomic
def start_match(key: str, user: Any) -> Match:
    """Starts with who is there. The creator's right. Starting what already runs is no fault.

    Refusals: no-such-match, not-creator, too-few, already-over.
    """
    match = _lock(key)
    _must_be_creator(match, user)
    if match.status == Match.Status.RUNNING:
        return match
    _must_be_open(match)
    if match.seats.count() not in GAMES[match.game].seats:
        raise Refusal("too-few", least=GAMES[match.game].seats.start)
    _start(match)
    return match


@transaction.atomic
def close_unfilled_match(key: str) -> bool:
    """Calls off a match that nobody joined for long, and tells those who waited. False when it is not one."""
    match = _lock(key)
    now = timezone.now()
    if match.status != Match.Status.OPEN or match.joined > now - OPEN_FOR:
        return False
    _end(match, Match.Status.CANCELLED)
    match.save()
    _write_notices(match, Notice.Kind.ENDED, match.seats.values_list("user", flat=True), match.version, now)
    nudges.match_changed(match)
    return True


@transaction.atomic
def cancel_match(key: str, user: Any) -> Match:
    """Calls off a match that has not started. The creator's right; calling off twice is no fault.

    Refusals: no-such-match, not-creator, already-started.
    """
    match = _lock(key)
    _must_be_creator(match, user)
    if match.status == Match.Status.CANCELLED and match.started is None:
        return match
    _must_be_open(match)
    _end(match, Match.Status.CANCELLED)
    match.save()
    nudges.match_changed(match)
    return match


# -- a turn -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preview:
    """A turn begun but not taken: what the seat would see, what it could do next, and whether the turn is whole."""

    view: Any
    choices: Choices | None  # None: nothing more to choose, the turn is whole


def take_turn(key: str, user: Any, decision: int, moves: Any) -> Turn:
    """Takes a person's whole turn: `moves` as plain JSON values, `decision` the seat's turn number that it answers.

    Repeating a turn that was taken gives the same Turn back. Refusals: no-such-match, not-seated, resigned,
    not-running, not-your-turn, decision-past (another turn was taken for that decision), decision-ahead, bad-moves,
    turn-unfinished, turn-too-long, and IllegalTurn; nothing is stored then.
    """
    arrived = timezone.now()  # before the lock: to wait for it costs nobody the deadline
    with transaction.atomic():
        match = _lock(key)
        _read_seats(match)
        seat = _own_seat(match, user)
        if seat.resigned:
            raise Refusal("resigned")
        return _take_turn(match, seat, decision, moves, in_time=not clock.is_late(seat, arrived))


def preview_turn(match: Match, seat: Seat, decision: int, moves: Any) -> Preview:
    """What a legal beginning of a turn leads to, as far as the seat may know. Stores nothing, reveals nothing.

    Refusals as `take_turn`, save that an unfinished turn is what this is for.
    """
    if seat.resigned:
        raise Refusal("resigned")
    _must_be_decision(match, seat, decision)
    game = GAMES[match.game]
    state = game.blind(record.load_state(match), seat.index)
    begun = _decode(game, moves)
    state, made = _play_moves(match, game, state, seat.index, begun)
    if made < len(begun):
        raise Refusal("turn-too-long", most=made)
    more = seat.index in game.waiting_for(state)
    return Preview(game.view(state, seat.index), game.choices(state, seat.index) if more else None)


def move_opponent(key: str, index: int, decision: int) -> Turn | None:
    """Takes a computer opponent's turn if it is still to be taken; None when it is not.

    The opponent thinks before the lock is taken: a slow one delays nobody.
    """
    match = Match.objects.get(key=key)
    seat = match.seats.get(index=index)
    if match.status != Match.Status.RUNNING or not seat.waiting or not seat.level or seat.decision != decision:
        return None
    moves = _think(match, seat, seat.level)
    with transaction.atomic():
        match = _lock(key)
        _read_seats(match)
        seat = match.seats.all()[index]
        if match.status != Match.Status.RUNNING or not seat.level or seat.decision != decision:
            return None
        return _take_turn(match, seat, decision, moves)


def time_out(key: str, index: int, decision: int) -> Turn | None:
    """Ends a turn whose time ran out: an opponent takes it, or after another one in a row the seat for good.

    None when there is nothing to be done: the turn was taken, its clock stands, or somebody was faster. As in
    `move_opponent`, thinking comes before the lock.
    """
    match = Match.objects.get(key=key)
    seat = match.seats.get(index=index)
    if not _is_timed_out(match, seat, decision):
        return None
    for_good = seat.timeouts + 1 >= TIMEOUTS_TO_REPLACE  # it changes with the decision and not before
    moves = [] if for_good else _think(match, seat, RESIGNED_LEVEL)
    with transaction.atomic():
        match = _lock(key)
        _read_seats(match)
        seat = match.seats.all()[index]
        if not _is_timed_out(match, seat, decision):
            return None
        if for_good:
            return _give_seat_up(match, seat, Turn.Kind.REPLACEMENT)
        return _take_turn(match, seat, decision, moves, in_time=False, timed_out=True)


@transaction.atomic
def settle_match(key: str) -> bool:
    """Makes one move of the house if the match waits for it. True when it now waits for another one."""
    match = _lock(key)
    if match.status != Match.Status.RUNNING or match.house_due is None:
        return False
    game = GAMES[match.game]
    before = record.load_state(match)
    number = match.version + 1
    after = record.settle(game, before, bytes(match.seed), number)
    _read_seats(match)
    events = [*game.events(before, after, None, None), *_ending(match, game, after)]
    entry = Turn(match=match, number=number, kind=Turn.Kind.HOUSE, events=msgspec.to_builtins(events))
    _store(match, game, after, entry)
    return match.house_due is not None


@transaction.atomic
def resign(key: str, user: Any) -> Match:
    """Gives a running match up: a computer opponent plays the seat on, and its person ranks last.

    When no person is left the match ends without a result. Resigning twice is resigning once.
    Refusals: no-such-match, not-seated, not-running.
    """
    match = _lock(key)
    _read_seats(match)
    seat = _own_seat(match, user)
    if seat.resigned:
        return match
    if match.status != Match.Status.RUNNING:
        raise Refusal("not-running")
    _give_seat_up(match, seat, Turn.Kind.RESIGNATION)
    return match


@transaction.atomic
def invite_to_seat(key: str, user: Any, index: int, invitee: Any) -> Match:
    """Asks somebody to take over a seat that an opponent keeps for who is gone. Everybody at the table may.

    Refusals: no-such-match, not-seated, resigned, not-running, no-seat-to-take, and about the invitee already-seated,
    gave-up and guests-not-rated.
    """
    match = _lock(key)
    _read_seats(match)
    _must_be_at_the_table(match, user)
    _must_be_free(match, index)
    _must_be_new(match, invitee)
    invitation, made = Invitation.objects.get_or_create(match=match, user=invitee, defaults={"index": index})
    if not made:
        invitation.index = index
        invitation.save(update_fields=["index"])
    _write_notices(match, Notice.Kind.INVITED, [invitee.pk], match.version, timezone.now())
    nudges.match_changed(match)
    return match


@transaction.atomic
def take_over(key: str, user: Any) -> Match:
    """Sits down on the seat that one was invited to, and plays on from there. Doing so twice is doing it once.

    The clock begins anew. Refusals: no-such-match, not-running, not-invited, gave-up, guests-not-rated, not-reliable,
    no-seat-to-take.
    """
    match = _lock(key)
    _read_seats(match)
    if any(seat.user_id == user.pk and not seat.resigned for seat in match.seats.all()):
        return match
    if match.status != Match.Status.RUNNING:
        raise Refusal("not-running")
    _must_be_new(match, user)
    invitation = match.invitations.filter(user=user, index__isnull=False).first()
    if invitation is None:
        raise Refusal("not-invited")
    assert invitation.index is not None  # the query says so
    _must_be_reliable(match, user)
    seat = _must_be_free(match, invitation.index)
    now = timezone.now()
    entry = _entry(match, Turn.Kind.TAKE_OVER, seat, Event("taken-over", {"seat": seat.index}), now)
    seat.user, seat.name, seat.level, seat.resigned = user, user.username, "", False
    seat.opponent_due = None
    seat.away_until = vacations.until([user.pk]).get(user.pk)
    seat.timeouts = seat.own_turns = seat.late_turns = seat.chat_seen = 0
    seat.muted = seat.wants_pause = False
    if seat.waiting:
        clock.begin_turn(match, seat, now)
        _write_notices(match, Notice.Kind.YOUR_TURN, [user.pk], seat.decision, now)
    of_person = ("user", "name", "level", "resigned", "chat_seen", "muted")
    seat.save(update_fields=[*of_person, "opponent_due", *_COUNTS, *_AT_REST])
    match.invitations.filter(index=seat.index).delete()
    match.version = entry.number
    match.save(update_fields=["version"])
    entry.save()
    nudges.match_changed(match)
    return match


# -- clocks that stand ------------------------------------------------------------------------------------------------


@transaction.atomic
def ask_pause(key: str, user: Any) -> Match:
    """Wants all clocks to stand. They do as soon as everybody who plays wants it. Asking twice is asking once.

    Refusals: no-such-match, not-seated, resigned, not-running.
    """
    match = _lock(key)
    _read_seats(match)
    seat = _must_be_at_the_table(match, user)
    if not seat.wants_pause and match.paused is None:
        seat.wants_pause = True
        seat.save(update_fields=["wants_pause"])
        _pause_when_all_want(match)
        nudges.match_changed(match)
    return match


@transaction.atomic
def withdraw_pause(key: str, user: Any) -> Match:
    """Does not want a pause any more that has not begun. Refusals: no-such-match, not-seated, resigned, not-running."""
    match = _lock(key)
    _read_seats(match)
    seat = _must_be_at_the_table(match, user)
    if seat.wants_pause:
        seat.wants_pause = False
        seat.save(update_fields=["wants_pause"])
        nudges.match_changed(match)
    return match


@transaction.atomic
def resume(key: str, user: Any) -> Match:
    """Ends a pause: the clocks go on with what was left. Everybody at the table may; ending it twice is no fault.

    Refusals: no-such-match, not-seated, resigned, not-running.
    """
    match = _lock(key)
    _read_seats(match)
    _must_be_at_the_table(match, user)
    if match.paused is not None:
        match.paused = None
        match.save(update_fields=["paused"])
        now = timezone.now()
        for seat in match.seats.all():
            clock.go_on(match, seat, now)
            seat.save(update_fields=clock.FIELDS)
        nudges.match_changed(match)
    return match


def follow_vacation(user: Any, **_signal: Any) -> None:
    """Lets a person's clocks stand or go on at all tables, as their vacation says now. Each match by itself."""
    seats = Seat.objects.filter(user=user, match__status__in=[Match.Status.OPEN, Match.Status.RUNNING])
    for key in list(seats.filter(level="").values_list("match__key", flat=True)):
        _follow_vacation(key, user)


def mute(key: str, user: Any, on: bool) -> None:
    """Whether a person wants no notices about a match. Refusals: no-such-match, not-seated."""
    if not Seat.objects.filter(match__key=key, user=user).update(muted=on):
        raise Refusal("not-seated" if Match.objects.filter(key=key).exists() else "no-such-match")


# -- what befalls a match from outside --------------------------------------------------------------------------------


def postpone(key: str) -> None:
    """Leaves a match alone for a while whose house or opponent fails, so that the sweep does not try it without end."""
    later = timezone.now() + POSTPONED_BY
    Match.objects.filter(key=key, house_due__isnull=False).update(house_due=later)
    Match.objects.filter(key=key, rating_due__isnull=False).update(rating_due=later)
    Seat.objects.filter(match__key=key, opponent_due__isnull=False).update(opponent_due=later)


def rename_player(user: Any, **_signal: Any) -> None:
    """Calls a person by a new name at all tables: a guest who keeps the account takes the matches along."""
    for model in (Seat, Replaced, ChatMessage):
        model._default_manager.filter(user=user).update(name=user.username)


# -- after the end ----------------------------------------------------------------------------------------------------


@transaction.atomic
def play_again(key: str, user: Any) -> Match:
    """The same match once more: the same game, options and pace, the same people invited, the same opponents seated.

    For whoever has deleted their account since, a computer sits down.
    Reliability is not asked for again: these people know each other, and nobody else can join.
    Whoever asks later gets the match that the first one made. Refusals: no-such-match, not-seated, not-over-yet.
    """
    match = _lock(key)
    _own_seat(match, user)
    if match.ended is None or match.started is None:
        raise Refusal("not-over-yet")
    made = match.rematches.exclude(status=Match.Status.CANCELLED).first()
    if made is not None:
        return join_match(made.key, user) if made.status == Match.Status.OPEN else made
    seats = list(match.seats.select_related("user"))
    people = [seat.user for seat in seats if seat.user is not None and seat.user != user]
    return create_match(
        user,
        match.game,
        options=match.options,
        seats=len(seats),
        pace=match.pace,
        bank=match.bank,
        access=Match.Access.INVITED,
        rated=match.rated,
        opponents=[seat.level or RESIGNED_LEVEL for seat in seats if seat.user_id is None],
        invited=people,
        rematch_of=match,
    )


# -- inside the lock --------------------------------------------------------------------------------------------------


def _lock(key: str) -> Match:
    """The match, locked until the transaction ends. On SQLite the transaction itself is the lock (IMMEDIATE)."""
    found = rows.select(Match, "key = %s FOR UPDATE" if settings.POSTGRES else "key = %s", key)
    if not found:
        raise Refusal("no-such-match")
    return found[0]


def _read_seats(match: Match) -> None:
    """Reads all seats for whoever asks the match for them from now on."""
    seats: Any = match.seats.all()
    seats._result_cache = rows.select(Seat, 'match_id = %s ORDER BY "index"', match.pk)
    vars(match)["_prefetched_objects_cache"] = {"seats": seats}  # as Django's prefetch leaves it


def _own_seat(match: Match, user: Any) -> Seat:
    seat = next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)
    if seat is None or user.pk is None:  # nobody who is logged in: a computer's seat has no user either
        raise Refusal("not-seated")
    return seat


def _must_be_at_the_table(match: Match, user: Any) -> Seat:
    """The seat that a person plays in a match that runs."""
    seat = _own_seat(match, user)
    if seat.resigned:
        raise Refusal("resigned")
    if match.status != Match.Status.RUNNING:
        raise Refusal("not-running")
    return seat


def _must_be_free(match: Match, index: int) -> Seat:
    """A seat that somebody may take over."""
    seat = next((seat for seat in match.seats.all() if seat.index == index and seat.resigned), None)
    if seat is None:
        raise Refusal("no-seat-to-take")
    return seat


def _must_be_new(match: Match, user: Any) -> None:
    """Whoever takes a seat over must not have had one."""
    if any(seat.user_id == user.pk and not seat.resigned for seat in match.seats.all()):
        raise Refusal("already-seated", name=user.username)
    if match.replaced.filter(user=user).exists():
        raise Refusal("gave-up", name=user.username)
    if match.rated and user.is_guest:
        raise Refusal("guests-not-rated")


def _must_be_reliable(match: Match, user: Any) -> None:
    """As much as the match asks for. Of who has played little nobody can say it."""
    if match.min_reliability is not None:
        reliability = selectors.reliability(user.pk)
        if reliability is not None and reliability < match.min_reliability:
            raise Refusal("not-reliable", least=match.min_reliability, yours=reliability)


def _people(match: Match) -> list[Seat]:
    """The seats that are played by people."""
    return [seat for seat in match.seats.all() if seat.user_id is not None and not seat.level]


def _seat_person(match: Match, index: int, user: Any) -> None:
    away = vacations.until([user.pk]).get(user.pk)
    Seat.objects.create(match=match, index=index, user=user, name=user.username, away_until=away)


def _must_be_open(match: Match) -> None:
    if match.status == Match.Status.RUNNING:
        raise Refusal("already-started")
    if match.status != Match.Status.OPEN:
        raise Refusal("already-over")


def _must_be_creator(match: Match, user: Any) -> None:
    if match.creator_id != user.pk:
        raise Refusal("not-creator")


def _seat_opponent(match: Match, level: str) -> Seat:
    if level not in LEVELS:
        raise Refusal("bad-level", levels=", ".join(LEVELS))
    taken = list(match.seats.values_list("name", flat=True))
    name = next(name for name in OPPONENT_NAMES if name not in taken)
    return Seat.objects.create(match=match, index=len(taken), level=level, name=name)


def _close_gaps(seats: list[Seat]) -> None:
    """Seats are numbered without gaps. In rising order each index is free when it is given."""
    for index, seat in enumerate(seats):
        if seat.index != index:
            seat.index = index
            seat.save(update_fields=["index"])


def _start_when_full(match: Match) -> None:
    if match.seats.count() == match.seats_wanted:
        _start(match)


def _start(match: Match) -> None:
    now = timezone.now()
    match.status, match.started = Match.Status.RUNNING, now
    match.invitations.all().delete()
    game = GAMES[match.game]
    _read_seats(match)
    seats = list(match.seats.all())
    state = record.start_state(game, len(seats), match.options, bytes(match.seed))
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    _write_notices(match, Notice.Kind.STARTED, people, 0, now)
    _store(match, game, state, None)


def _decode(game: Game, moves: Any) -> list[Any]:
    try:
        return record.decode_moves(game, moves)
    except msgspec.ValidationError as problem:
        raise Refusal("bad-moves", detail=str(problem)) from problem


def _must_be_decision(match: Match, seat: Seat, decision: int) -> None:
    if match.status != Match.Status.RUNNING:
        raise Refusal("not-running")
    if decision < seat.decision:
        raise Refusal("decision-past", decision=seat.decision)
    if decision > seat.decision:
        raise Refusal("decision-ahead", decision=seat.decision)
    if not seat.waiting:
        raise Refusal("not-your-turn")


def _play_moves(match: Match, game: Game, state: Any, index: int, moves: list[Any]) -> tuple[Any, int]:
    """The state after the moves of one turn, and how many were made; the rest fell to the end of the turn."""
    for at, move in enumerate(moves):
        if index not in game.waiting_for(state):
            return state, at
        try:
            state = game.play(state, index, move)
        except IllegalMove as problem:
            raise IllegalTurn(match.game, problem.saying, at) from problem
    return state, len(moves)


def _think(match: Match, seat: Seat, level: str) -> list[Any]:
    """An opponent's whole turn for a seat, as a client would send it."""
    game = GAMES[match.game]
    view = game.view(record.load_state(match), seat.index)
    moves = list(game.think(view, level, Chance(bytes(match.seed), seat.decision, f"opponent-{seat.index}")))
    return msgspec.to_builtins(moves)


def _is_timed_out(match: Match, seat: Seat, decision: int) -> bool:
    running = match.status == Match.Status.RUNNING and seat.decision == decision
    return running and clock.is_out_of_time(match, seat, timezone.now())


def _take_turn(
    match: Match, seat: Seat, decision: int, moves: Any, *, in_time: bool = True, timed_out: bool = False
) -> Turn:
    """timed_out: an opponent takes it, for a person whose time ran out."""
    game = GAMES[match.game]
    played = _decode(game, moves)
    if decision < seat.decision:
        earlier = match.turns.filter(kind=Turn.Kind.TURN, seat=seat.index, decision=decision).first()
        if earlier is not None and _decode(game, earlier.moves) == played:
            return earlier
    _must_be_decision(match, seat, decision)
    if not played:
        raise Refusal("turn-unfinished")
    state = record.load_state(match)

    # As far as its player can know, a turn must be legal, whole and no longer than that ...
    blind, made = _play_moves(match, game, game.blind(state, seat.index), seat.index, played)
    if made < len(played):
        raise Refusal("turn-too-long", most=made)
    if seat.index in game.waiting_for(blind):
        raise Refusal("turn-unfinished")
    # ... and what hidden facts then cut short (a rail that joins another's cities) is cut short.
    after, made = state, 0
    events = [Event("timed-out", {"seat": seat.index})] if timed_out else []
    for move in played:
        if seat.index not in game.waiting_for(after):
            break
        before, after = after, game.play(after, seat.index, move)
        events += game.events(before, after, seat.index, move)
        made += 1
    events += _ending(match, game, after)

    turn = Turn(
        match=match,
        number=match.version + 1,
        kind=Turn.Kind.TURN,
        seat=seat.index,
        decision=decision,
        moves=moves,
        played=made,
        in_time=in_time,
        events=msgspec.to_builtins(events),
    )
    if not seat.level:
        seat.own_turns += 1
        seat.late_turns += not in_time
        seat.timeouts = seat.timeouts + 1 if timed_out else 0
    told = _notices(match, Notice.Kind.TIMED_OUT, [seat.user_id], decision, timezone.now()) if timed_out else []
    _store(match, game, after, turn, told)
    return turn


def _store(match: Match, game: Game, state: Any, entry: Turn | None, notices: Sequence[Notice] = ()) -> None:
    """Writes a new state and what follows from it: version, who is waited for until when, notices, the end.

    entry: the turn or move of the house that led here, not yet saved; None for the start. notices: further ones.
    `match` is locked.
    """
    now = timezone.now()
    match.snapshot = encode(state)
    mover = None
    if entry is not None:
        match.version, mover = entry.number, entry.seat
    waiting, result = game.waiting_for(state), game.result(state)
    seats = list(match.seats.all())
    changed, to_move = [], []
    for seat in seats:
        waits = seat.index in waiting and result is None
        if seat.index == mover and not waits:
            seat.decision += 1
        elif waits == seat.waiting:
            continue
        seat.waiting = waits
        seat.opponent_due = now + timedelta(seconds=settings.OPPONENT_PAUSE_SECONDS) if waits and seat.level else None
        if waits:
            clock.begin_turn(match, seat, now)
            to_move.append(seat)
        else:
            clock.end_turn(match, seat, now)
        changed.append(seat)
    match.house_due = now if not waiting and result is None else None

    people = [seat.user_id for seat in seats if seat.user_id is not None and not seat.resigned]
    seat_fields = ["waiting", "decision", "opponent_due", *clock.FIELDS]
    mover_fields = [*seat_fields, *_COUNTS]
    match_fields = ["snapshot", "version", "house_due"]
    if result is not None:
        _end(match, Match.Status.OVER)
        for seat, points, rank in zip(seats, result.points, final_ranks(seats, result), strict=True):
            seat.points, seat.rank = points, rank
            _let_rest(seat)
        changed = seats
        seat_fields = mover_fields = [*mover_fields, "points", "rank", "away_until", "wants_pause"]
        match_fields += ["status", "ended", "paused", "rating_due"]
    elif entry is None:
        match_fields += ["status", "started"]

    notices = list(notices)
    if result is not None:
        notices += _notices(match, Notice.Kind.ENDED, people, match.version, now)
    elif entry is not None and any(event["code"] == "round-scored" for event in entry.events):
        notices += _notices(match, Notice.Kind.ROUND_SCORED, people, match.version, now)
    for seat in to_move:
        if not seat.level:
            notices += _notices(match, Notice.Kind.YOUR_TURN, [seat.user_id], seat.decision, now)

    batch = rows.Batch()
    for seat in changed:
        batch.update(seat, *(mover_fields if seat.index == mover else seat_fields))
    batch.update(match, *match_fields)
    # The unique constraint holds "one notice a person, match and decision" also for a repeated transaction.
    batch.insert(*notices, ignore_conflicts=True)
    if entry is not None:
        batch.insert(entry)
    batch.write()
    if notices:
        nudges.notices_are_due()
    # Whom the match waits for now is told with the notice.
    nudges.waiting_changed(
        seat.user_id for seat in changed if seat.user_id is not None and not seat.level and not seat.waiting
    )
    if match.house_due is not None:
        nudges.house_must_move(match)
    if match.rating_due is not None:
        nudges.ratings_are_due(match)
    for seat in to_move:
        if seat.level:
            nudges.opponent_must_move(match, seat)
    nudges.match_changed(match)


def _entry(match: Match, kind: str, seat: Seat, event: Event, now: datetime) -> Turn:
    """An entry of the record by which another plays a seat from now on, not yet saved."""
    events = msgspec.to_builtins([event])
    return Turn(match=match, number=match.version + 1, kind=kind, seat=seat.index, events=events, created=now)


def _give_seat_up(match: Match, seat: Seat, kind: str) -> Turn:
    """An opponent plays a seat on from now on, because its person resigned or let the time run out twice.

    When no person is left at the table the match ends without a result. `match` is locked, its seats are read.
    """
    now = timezone.now()
    timed_out = kind == Turn.Kind.REPLACEMENT
    people_left = any(other is not seat for other in _people(match))
    code = {
        (False, True): "resigned",
        (False, False): "abandoned",
        (True, True): "replaced",
        (True, False): "deserted",
    }[timed_out, people_left]
    entry = _entry(match, kind, seat, Event(code, {"seat": seat.index}), now)
    entry.in_time = not timed_out
    if timed_out:
        seat.own_turns += 1
        seat.late_turns += 1
        seat.timeouts += 1
    Replaced.objects.create(
        match=match,
        index=seat.index,
        user_id=seat.user_id,
        name=seat.name,
        own_turns=seat.own_turns,
        late_turns=seat.late_turns,
        created=now,
    )
    _let_rest(seat)
    seat.resigned, seat.level, seat.own_turns, seat.late_turns = True, RESIGNED_LEVEL, 0, 0
    if seat.waiting and people_left:
        seat.opponent_due = now + timedelta(seconds=settings.OPPONENT_PAUSE_SECONDS)
    seat.save(update_fields=["resigned", "level", "opponent_due", *_COUNTS, *_AT_REST])
    entry.save()
    match.version = entry.number
    changed = ["version"]
    if not people_left:
        _end(match, Match.Status.CANCELLED)
        changed += ["status", "ended", "house_due", "paused", "rating_due"]
        for other in match.seats.all():
            _let_rest(other)
            other.waiting, other.opponent_due = False, None
            other.save(update_fields=["waiting", "opponent_due", *_AT_REST])
    match.save(update_fields=changed)
    if timed_out:
        _write_notices(match, Notice.Kind.TIMED_OUT, [seat.user_id], seat.decision, now)
    if people_left:
        _pause_when_all_want(match)
    nudges.waiting_changed([seat.user_id] if seat.user_id is not None else [])
    if seat.opponent_due is not None:
        nudges.opponent_must_move(match, seat)
    nudges.match_changed(match)
    return entry


def _let_rest(seat: Seat) -> None:
    """Puts away a seat's clock and what its person wished about it."""
    seat.deadline = seat.time_left = seat.remind_at = seat.away_until = None
    seat.wants_pause = False


def _pause_when_all_want(match: Match) -> None:
    """All clocks stand once everybody wants it. The wishes are spent with that."""
    people = _people(match)
    if match.paused is not None or not all(seat.wants_pause for seat in people):
        return
    now = timezone.now()
    match.paused = now
    match.save(update_fields=["paused"])
    for seat in match.seats.all():
        seat.wants_pause = False
        clock.stop(seat, now)
        seat.save(update_fields=["wants_pause", *clock.FIELDS])


@transaction.atomic
def _follow_vacation(key: str, user: Any) -> None:
    match = _lock(key)
    _read_seats(match)
    seat = next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)
    if seat is None or seat.level or match.status not in (Match.Status.OPEN, Match.Status.RUNNING):
        return
    away = vacations.until([user.pk]).get(user.pk)
    if away == seat.away_until:
        return
    now = timezone.now()
    seat.away_until = away
    if away is None:
        clock.go_on(match, seat, now)
    else:
        clock.stop(seat, now)
    seat.save(update_fields=["away_until", *clock.FIELDS])
    nudges.match_changed(match)


def final_ranks(seats: Sequence[Seat], result: Result) -> list[int]:
    """Ranks by the rules, with the seats whose person resigned behind all others."""
    order = [(seat.resigned, rank) for seat, rank in zip(seats, result.ranks, strict=True)]
    return [1 + sum(other < mine for other in order) for mine in order]


def _ending(match: Match, game: Game, state: Any) -> list[Event]:
    """The event that the match is over, with its winners, if it is."""
    result = game.result(state)
    if result is None:
        return []
    winners = [seat for seat, rank in enumerate(final_ranks(list(match.seats.all()), result)) if rank == 1]
    return [Event("match-over", {"seats": winners, "points": result.points[winners[0]]})]


def _end(match: Match, status: str) -> None:
    match.status, match.ended, match.house_due, match.paused = status, timezone.now(), None, None
    match.rating_due = match.ended if match.rated and status == Match.Status.OVER else None
    match.invitations.all().delete()


def _notices(match: Match, kind: str, users: Iterable[int | None], decision: int, now: datetime) -> list[Notice]:
    return [
        Notice(match=match, user_id=user, kind=kind, decision=decision, created=now, due=now)
        for user in users
        if user is not None  # whose account is gone needs no notice
    ]


def _write_notices(match: Match, kind: str, users: Iterable[int | None], decision: int, now: datetime) -> None:
    Notice.objects.bulk_create(_notices(match, kind, users, decision, now), ignore_conflicts=True)
    nudges.notices_are_due()
