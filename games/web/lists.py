"""What the pages that list matches show. Reads only; a fixed number of queries whatever the number of matches."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet
from django.utils import timezone

from games.models import Match, Replaced, Seat
from games.selectors import with_seats
from games.templatetags.branchline import is_past, little_from

RECENTLY = timedelta(days=7)
MOST_FINISHED = 10
MOST_SHOWN = 20
"""Rows of a kind on the page of one's own matches, unless one asks for all."""
MOST_RUNNING = 8


def listed(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches with their seats and people, and without what only a move needs."""
    return with_seats(matches.defer("snapshot", "seed"))


def visible_to(user: Any) -> QuerySet[Match]:
    """The matches that a person may find in lists: those open to all, and the own ones."""
    if not user.is_authenticated:
        return Match.objects.filter(access=Match.Access.OPEN)
    own = Seat.objects.filter(user=user).values("match")
    return Match.objects.filter(Q(access=Match.Access.OPEN) | Q(pk__in=own))


@dataclass
class Row:
    """A match as one person sees it in a list; `mine` is None for who only watches.

    offered_index: of the seat that this person is invited to take over.
    """

    match: Match
    mine: Seat | None
    others: list[Seat]
    offered_index: int | None = None

    @property
    def seats_free(self) -> int:
        return self.match.seats_wanted - len(self.others) - (self.mine is not None)

    @property
    def offered(self) -> Seat | None:
        """The seat that is to be taken over, where that is what the match is listed for."""
        return next((seat for seat in self.others if seat.index == self.offered_index), None)

    @property
    def waited_for(self) -> list[Seat]:
        """Who must move now; empty while the house does."""
        return [seat for seat in self.others if seat.waiting]


def row(match: Match, user: Any) -> Row:
    """`match` with its seats prefetched."""
    mine, others = None, []
    for seat in match.seats.all():
        if user.is_authenticated and seat.user_id == user.pk:
            mine = seat
        else:
            others.append(seat)
    return Row(match, mine, others)


@dataclass
class Departures:
    """A person's matches by what they ask of them."""

    my_turn: list[Row] = field(default_factory=list)
    others_turn: list[Row] = field(default_factory=list)
    gathering: list[Row] = field(default_factory=list)
    invitations: list[Row] = field(default_factory=list)
    finished: list[Row] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)
    """How many there are of the kinds of which not all are shown."""

    @property
    def in_a_hurry(self) -> bool:
        """Little time is left for one of my turns."""
        return any(row.mine is not None and is_past(little_from(row.mine, row.match)) for row in self.my_turn)

    @property
    def empty(self) -> bool:
        return not (self.my_turn or self.others_turn or self.gathering or self.invitations)


def departures(user: Any, most: int | None = MOST_SHOWN) -> Departures:
    """All that concerns a person now, in a handful of queries; of each kind at most `most` rows (None: all)."""
    groups: dict[str, list[tuple[Any, int]]] = {
        name: [] for name in ("my_turn", "others_turn", "gathering", "finished")
    }
    far = timezone.now() + timedelta(days=365)
    own = Seat.objects.filter(user=user).filter(
        Q(match__status__in=[Match.Status.OPEN, Match.Status.RUNNING], resigned=False)
        | Q(match__started__isnull=False, match__ended__gte=timezone.now() - RECENTLY)
    )
    columns = ("match", "match__status", "waiting", "deadline", "match__created", "match__ended")
    for key, status, waiting, deadline, created, ended in own.values_list(*columns):
        if status == Match.Status.OPEN:
            groups["gathering"].append((-created.timestamp(), -key))
        elif status != Match.Status.RUNNING:
            groups["finished"].append((-(ended or far).timestamp(), -key))
        elif waiting:
            groups["my_turn"].append(((deadline or far).timestamp(), -key))
        else:
            groups["others_turn"].append((-created.timestamp(), -key))
    shown = {
        name: [-key for _order, key in sorted(rows)[: MOST_FINISHED if name == "finished" else most]]
        for name, rows in groups.items()
    }
    read = {
        match.pk: row(match, user)
        for match in listed(Match.objects.filter(pk__in=[key for keys in shown.values() for key in keys]))
    }
    rows = {name: [read[key] for key in keys if key in read] for name, keys in shown.items()}
    board = Departures(rows["my_turn"], rows["others_turn"], rows["gathering"], finished=rows["finished"])
    for name in ("my_turn", "others_turn", "gathering"):
        if len(groups[name]) > len(shown[name]):
            board.more[name] = len(groups[name])
    invited = Match.objects.filter(invitations__user=user).annotate(offered_index=F("invitations__index"))
    offers: QuerySet[Any] = listed(invited.select_related("creator")).order_by("-created", "-pk")
    for match in offers:
        offer = row(match, user)
        offer.offered_index = match.offered_index
        if match.status == (Match.Status.OPEN if offer.offered_index is None else Match.Status.RUNNING):
            board.invitations.append(offer)
    return board


def running_now(user: Any) -> list[Row]:
    """Public matches that are being played, the latest started first."""
    running = listed(Match.objects.filter(status=Match.Status.RUNNING, access=Match.Access.OPEN))
    return [row(match, user) for match in running.order_by("-started", "-pk")[:MOST_RUNNING]]


@dataclass
class Record:
    """What a player has done so far."""

    running: list[Row]
    finished: list[Row]
    games: list[dict[str, Any]]
    """For each game: `game`, `played`, `won` (shared wins count), `place` (mean of ranks), `left` (before the end)."""


def record_of(player: Any, viewer: Any) -> Record:
    """A player's figures, and those of the matches that the viewer may find in lists."""
    seats = Seat.objects.filter(user=player, match__status=Match.Status.OVER)
    games = (
        seats.values(game=F("match__game"))
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(rank=1)),
            place=Avg("rank"),
            left=Count("pk", filter=Q(resigned=True)),
        )
        .order_by("game")
    )
    # Others have taken these seats over: nothing of how they ended is this player's.
    left = Replaced.objects.filter(user=player, match__status=Match.Status.OVER).exclude(match__seats__user=player)
    left_of = Counter(game for game, _match in left.values_list("match__game", "match").distinct())
    visible = visible_to(viewer).filter(pk__in=Seat.objects.filter(user=player).values("match"))
    running = listed(visible.filter(status=Match.Status.RUNNING)).order_by("-started", "-pk")
    finished = listed(visible.filter(status=Match.Status.OVER)).order_by("-ended", "-pk")
    return Record(
        running=[row(match, player) for match in running[:20]],
        finished=[row(match, player) for match in finished[:20]],
        games=[game | {"left": game["left"] + left_of[game["game"]]} for game in games],
    )


def head_to_head(me: Any, other: Any) -> dict[str, int] | None:
    """How two people did in the matches that both played to the end: `me`, `other` ahead, `level`; None without any."""
    together = Seat.objects.filter(user=me, match__status=Match.Status.OVER, match__seats__user=other).aggregate(
        played=Count("pk"),
        me=Count("pk", filter=Q(rank__lt=F("match__seats__rank"))),
        other=Count("pk", filter=Q(rank__gt=F("match__seats__rank"))),
        level=Count("pk", filter=Q(rank=F("match__seats__rank"))),
    )
    return together if together["played"] else None
