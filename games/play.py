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

from games import nudges, record, rows
from games.models import Invitation, Match, Notice, Seat, Turn
from games.refusals import IllegalTurn, Refusal
from games.rules.chance import Chance, new_seed
from games.rules.contract import LEVELS, BadOption, Choices, Event, Game, IllegalMove, Result, complete_options, encode
from games.rules.registry import GAMES

HOUR = 60 * 60
PACES = (HOUR, 8 * HOUR, 24 * HOUR, 3 * 24 * HOUR, 7 * 24 * HOUR, 14 * 24 * HOUR)
"""Time for a turn that can be chosen, in seconds."""
DEFAULT_PACE = 3 * 24 * HOUR

OPPONENT_NAMES = ("Atlas", "Beacon", "Cinder", "Drover", "Ember", "Flint")
"""What computer opponents are called, by seat: so that a log can tell two of them apart."""
POSTPONED_BY = timedelta(minutes=5)
"""How long the sweep leaves a match alone in which a move of the house or an opponent failed."""
RESIGNED_LEVEL = "medium"
"""The opponent that plays on for who resigned."""


# -- before the start -------------------------------------------------------------------------------------------------


@transaction.atomic
def create_match(
    creator: Any,
    game: str,
    *,
    options: dict[str, Any] | None = None,
    seats: int,
    pace: int = DEFAULT_PACE,
    access: str = Match.Access.OPEN,
    rated: bool = False,
    opponents: Sequence[str] = (),
    invited: Iterable[Any] = (),
    rematch_of: Match | None = None,
) -> Match:
    """A new match with its creator in the first seat, `opponents` (levels) in the next ones, and `invited` asked.

    It starts at once when that fills it; with opponents or by a guest it is never rated. Refusals: unknown-game,
    bad-seats, bad-pace, bad-access, bad-level, too-many-opponents, no-seat-to-invite, nobody-invited, and those of
    options (unknown-option, bad-option-value).
    """
    if game not in GAMES:
        raise Refusal("unknown-game", game=str(game))
    rules = GAMES[game]
    if seats not in rules.seats:
        raise Refusal("bad-seats", least=rules.seats.start, most=rules.seats.stop - 1)
    if not PACES[0] <= pace <= PACES[-1]:
        raise Refusal("bad-pace")
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
        access=access,
        # Nobody wins rating from a computer: one decides before the start, so nobody is surprised after the end.
        rated=rated and not opponents and not creator.is_guest,
        creator=creator,
        rematch_of=rematch_of,
    )
    Seat.objects.create(match=match, index=0, user=creator, name=creator.username)
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

    Refusals: no-such-match, already-started, match-full, not-invited, guests-not-rated.
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
    taken = match.seats.count()
    if taken >= match.seats_wanted:
        raise Refusal("match-full")
    Seat.objects.create(match=match, index=taken, user=user, name=user.username)
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
    with transaction.atomic():
        match = _lock(key)
        _read_seats(match)
        seat = next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)
        if seat is None or user.pk is None:  # nobody who is logged in: a computer's seat has no user either
            raise Refusal("not-seated")
        if seat.resigned:
            raise Refusal("resigned")
        return _take_turn(match, seat, decision, moves)


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
    game = GAMES[match.game]
    view = game.view(record.load_state(match), index)
    moves = list(game.think(view, seat.level, Chance(bytes(match.seed), decision, f"opponent-{index}")))
    with transaction.atomic():
        match = _lock(key)
        _read_seats(match)
        seat = match.seats.all()[index]
        if match.status != Match.Status.RUNNING or not seat.level or seat.decision != decision:
            return None
        return _take_turn(match, seat, decision, msgspec.to_builtins(moves))


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
    seat = _own_seat(match, user)
    if seat.resigned:
        return match
    if match.status != Match.Status.RUNNING:
        raise Refusal("not-running")
    now = timezone.now()
    number = match.version + 1
    people_left = match.seats.filter(user__isnull=False, resigned=False).exclude(pk=seat.pk).exists()
    events = [Event("resigned" if people_left else "abandoned", {"seat": seat.index})]
    Turn.objects.create(
        match=match,
        number=number,
        kind=Turn.Kind.RESIGNATION,
        seat=seat.index,
        events=msgspec.to_builtins(events),
        created=now,
    )
    seat.resigned, seat.level, seat.deadline = True, RESIGNED_LEVEL, None
    if seat.waiting:
        seat.opponent_due = now + timedelta(seconds=settings.OPPONENT_PAUSE_SECONDS)
    seat.save()
    match.version = number
    if not people_left:
        _end(match, Match.Status.CANCELLED)
        match.seats.update(waiting=False, deadline=None, opponent_due=None)
    match.save()
    nudges.waiting_changed([user.pk])
    if seat.opponent_due and people_left:
        nudges.opponent_must_move(match, seat)
    nudges.match_changed(match)
    return match


def postpone(key: str) -> None:
    """Leaves a match alone for a while whose house or opponent fails, so that the sweep does not try it without end."""
    later = timezone.now() + POSTPONED_BY
    Match.objects.filter(key=key, house_due__isnull=False).update(house_due=later)
    Match.objects.filter(key=key, rating_due__isnull=False).update(rating_due=later)
    Seat.objects.filter(match__key=key, opponent_due__isnull=False).update(opponent_due=later)


def rename_player(user: Any, **_signal: Any) -> None:
    """Calls a person by a new name at all tables: a guest who keeps the account takes the matches along."""
    Seat.objects.filter(user=user).update(name=user.username)


# -- after the end ----------------------------------------------------------------------------------------------------


@transaction.atomic
def play_again(key: str, user: Any) -> Match:
    """The same match once more: the same game, options and pace, the same people invited, the same opponents seated.

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
        access=Match.Access.INVITED,
        rated=match.rated,
        opponents=[seat.level for seat in seats if seat.user_id is None],
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
    try:
        return match.seats.get(user=user)
    except Seat.DoesNotExist:
        raise Refusal("not-seated") from None


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


def _take_turn(match: Match, seat: Seat, decision: int, moves: Any) -> Turn:
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
    events: list[Event] = []
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
        events=msgspec.to_builtins(events),
    )
    _store(match, game, after, turn)
    return turn


def _store(match: Match, game: Game, state: Any, entry: Turn | None) -> None:
    """Writes a new state and what follows from it: version, who is waited for until when, notices, the end.

    entry: the turn or move of the house that led here, not yet saved; None for the start. `match` is locked.
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
        seat.deadline = now + timedelta(seconds=match.pace) if waits and not seat.level else None
        seat.opponent_due = now + timedelta(seconds=settings.OPPONENT_PAUSE_SECONDS) if waits and seat.level else None
        if waits:
            to_move.append(seat)
        changed.append(seat)
    match.house_due = now if not waiting and result is None else None

    people = [seat.user_id for seat in seats if seat.user_id is not None and not seat.resigned]
    seat_fields = ["waiting", "decision", "deadline", "opponent_due"]
    match_fields = ["snapshot", "version", "house_due"]
    if result is not None:
        _end(match, Match.Status.OVER)
        for seat, points, rank in zip(seats, result.points, final_ranks(seats, result), strict=True):
            seat.points, seat.rank = points, rank
        changed = seats
        seat_fields += ["points", "rank"]
        match_fields += ["status", "ended", "rating_due"]
    elif entry is None:
        match_fields += ["status", "started"]

    notices: list[Notice] = []
    if result is not None:
        notices += _notices(match, Notice.Kind.ENDED, people, match.version, now)
    elif entry is not None and any(event["code"] == "round-scored" for event in entry.events):
        notices += _notices(match, Notice.Kind.ROUND_SCORED, people, match.version, now)
    for seat in to_move:
        if not seat.level:
            notices += _notices(match, Notice.Kind.YOUR_TURN, [seat.user_id], seat.decision, now)

    batch = rows.Batch()
    for seat in changed:
        batch.update(seat, *seat_fields)
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
    match.status, match.ended, match.house_due = status, timezone.now(), None
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
