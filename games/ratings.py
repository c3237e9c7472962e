"""Ratings: Elo for several players, per game and over all games. The only writer of ratings.

Every player of a match is compared with every other one as if the two had played alone. A change is

    K * (2 / N) * sum over the other players of (S - E)

N players; S: 1 ahead of the other, 1/2 level with them, 0 behind; E = 1 / (1 + 10 ** ((theirs - mine) / 400)), from the
ratings before the match; K by `k_factor`. With two players this is plain Elo.

Rated are the people who sat at the table when the match began. Who was replaced or gave up ranks behind all who stayed,
and level with each other; whoever took such a seat over is not rated for it. A match counts when it was set up as rated
and played to its end, by at least two people, without guests and computer opponents (an opponent that plays on for
somebody who left is none). Somebody whose account was deleted before the match was rated has no rating any more: the
others are rated as if that seat had not been there.

Matches are rated one after the other, under one lock for all of them, because each needs the ratings that the one
before it left. `RatedMatch` keeps that order and who was rated; all else follows from the finished matches, and
`rebuild` reckons it again to the same numbers: sums are exactly rounded (`math.fsum`), so that no order of seats or
rows plays a part.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from games import nudges
from games.models import OVER_ALL, Match, RatedMatch, Rating, RatingChange, Replaced

START = 1500.0
SPREAD = 400
"""So many points more: ten times as likely to be ahead as to be behind."""
PROVISIONAL_UNTIL = 10
"""Rated matches before a rating says something."""
STEADY_FROM = 20
LOCK = 7_281_500_400
"""Of all the advisory locks in the database, the one that is held while ratings are reckoned."""
AT_ONCE = 500
"""Matches that are read at once when all ratings are reckoned again."""


# -- reckoning --------------------------------------------------------------------------------------------------------


def k_factor(matches: int) -> int:
    """How much a match can move a player who had so many rated ones before it."""
    if matches < PROVISIONAL_UNTIL:
        return 60
    return 40 if matches < STEADY_FROM else 20


def expected_score(mine: float, theirs: float) -> float:
    """The share of matches in which I should be ahead, a tie counting half; 0 to 1."""
    return 1 / (1 + 10 ** ((theirs - mine) / SPREAD))


@dataclass(frozen=True)
class Standing:
    """What a player is rated: `value` after so many rated matches."""

    value: float = START
    matches: int = 0


@dataclass(frozen=True)
class Player:
    """Somebody who is rated for a match. `place`: the smaller the better, equal when level; else without meaning."""

    seat: int
    user: int
    place: tuple[bool, int]


@dataclass(frozen=True)
class Change:
    """What a match does to one player's rating; `against`: to whom it is due, as `RatingChange` keeps it."""

    player: Player
    before: float
    after: float
    matches: int
    against: list[dict[str, Any]]


def reckon(players: Sequence[Player], standings: Mapping[int, Standing]) -> list[Change]:
    """The changes of one match in one game (or over all), from the players' `standings` before it, by user."""
    changes = []
    for mine in players:
        standing = standings[mine.user]
        factor = k_factor(standing.matches) * 2 / len(players)
        against = []
        for other in players:
            if other is mine:
                continue
            rating = standings[other.user].value
            score = 0.5 if mine.place == other.place else float(mine.place < other.place)
            expected = expected_score(standing.value, rating)
            against.append(
                {
                    "seat": other.seat,
                    "rating": rating,
                    "score": score,
                    "expected": expected,
                    "change": factor * (score - expected),
                }
            )
        after = standing.value + math.fsum(each["change"] for each in against)
        changes.append(Change(mine, standing.value, after, standing.matches + 1, against))
    return changes


# -- who is rated -----------------------------------------------------------------------------------------------------


def _first_left(match: Match) -> dict[int, Replaced]:
    """Who sat there at the start, of the seats whose person left."""
    first: dict[int, Replaced] = {}
    for each in sorted(match.replaced.all(), key=lambda each: each.pk):
        first.setdefault(each.index, each)
    return first


def _people(match: Match) -> list[int | None]:
    """The keys of the accounts to rate, by seat; empty when the match does not count."""
    if not match.rated or match.status != Match.Status.OVER:
        return []
    left = _first_left(match)
    people: list[int | None] = []
    for seat in match.seats.all():
        person = left.get(seat.index, seat)
        if person is seat and seat.user_id is None and seat.level and not seat.resigned:
            return []  # a computer opponent from the start
        if person.user is not None and person.user.is_guest:
            return []
        people.append(person.user_id)
    return people if len(people) - people.count(None) > 1 else []


def _players(match: Match, people: Sequence[int | None]) -> list[Player]:
    """Those people with their places at the end of the match."""
    left = _first_left(match)
    players = []
    for seat, user in zip(match.seats.all(), people, strict=True):
        if user is not None:
            gone = seat.resigned or seat.index in left
            players.append(Player(seat.index, user, (gone, 0 if gone else seat.rank or 0)))
    return players


def names_at_start(match: Match) -> dict[int, str]:
    """What the people who began the match are called, by seat."""
    left = _first_left(match)
    return {seat.index: left[seat.index].name if seat.index in left else seat.name for seat in match.seats.all()}


@dataclass
class Ledger:
    """Ratings by (user, game), changed match by match."""

    standings: dict[tuple[int, str], Standing] = field(default_factory=dict)

    def enter(self, match: Match, people: Sequence[int | None]) -> list[RatingChange]:
        """What the match changes; from then on the ledger holds what comes after it."""
        if not people:
            return []
        assert match.ended is not None  # it is over
        players = _players(match, people)
        rows = []
        for game in (match.game, OVER_ALL):
            before = {player.user: self.standings.get((player.user, game), Standing()) for player in players}
            for change in reckon(players, before):
                user = change.player.user
                self.standings[user, game] = Standing(change.after, change.matches)
                rows.append(
                    RatingChange(
                        match=match,
                        user_id=user,
                        game=game,
                        before=change.before,
                        after=change.after,
                        matches=change.matches,
                        against=change.against,
                        created=match.ended,
                    )
                )
        return rows


# -- reading ----------------------------------------------------------------------------------------------------------


def is_provisional(matches: int) -> bool:
    """Whether a rating after so many rated matches still says little."""
    return matches < PROVISIONAL_UNTIL


def leaderboard(game: str) -> QuerySet[Rating]:
    """Everybody with a rating in a game (or `OVER_ALL`), the best first."""
    return Rating.objects.filter(game=game, user__is_active=True).select_related("user").order_by("-value", "pk")


def position(row: Rating) -> int:
    """Which row of its leaderboard this is, from 1 on."""
    ahead = Q(value__gt=row.value) | Q(value=row.value, pk__lt=row.pk)
    return leaderboard(row.game).filter(ahead).count() + 1


def placed(rows: Sequence[Rating]) -> list[tuple[int, Rating]]:
    """Consecutive rows of a leaderboard with their places; equals share one."""
    if not rows:
        return []
    first = rows[0]
    start = position(first)
    place = leaderboard(first.game).filter(value__gt=first.value).count() + 1
    places = []
    for at, row in enumerate(rows):
        if row.value != first.value:
            first, place = row, start + at
        places.append((place, row))
    return places


@dataclass(frozen=True)
class Comparison:
    """One line of an explanation: what a player won or lost against one other."""

    name: str
    rating: float
    score: float
    expected: float
    change: float


@dataclass(frozen=True)
class Explanation:
    """Why a match changed a player's rating as it did."""

    row: RatingChange
    over_all: RatingChange
    name: str
    against: list[Comparison]

    @property
    def factor(self) -> int:
        """The K that counted."""
        return k_factor(self.row.matches - 1)

    @property
    def players(self) -> int:
        """How many were rated, this player included."""
        return len(self.against) + 1


def explained(match: Match) -> list[Explanation]:
    """What a match did to the rating of each of its players, the winner of most first."""
    rows = list(match.rating_changes.select_related("user"))
    if not rows:
        return []
    names = names_at_start(match)
    seat_of = {user: seat for seat, user in enumerate(match.rated_match.people)}
    over_all = {row.user_id: row for row in rows if row.game == OVER_ALL}
    explanations = []
    for row in rows:
        if row.game != OVER_ALL:
            against = [
                Comparison(names[each["seat"]], each["rating"], each["score"], each["expected"], each["change"])
                for each in row.against
            ]
            name = names[seat_of[row.user_id]]
            explanations.append(Explanation(row, over_all[row.user_id], name, against))
    return sorted(explanations, key=lambda each: (-each.row.gained, seat_of[each.row.user_id]))


# -- in the database --------------------------------------------------------------------------------------------------


def _lock() -> None:
    """One at a time, until the transaction ends. On SQLite the transaction itself is the lock (IMMEDIATE)."""
    if settings.POSTGRES:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


_WITH_PLAYERS = ("seats__user", "replaced__user")


@transaction.atomic
def rate_match(key: str) -> bool:
    """Rates a match that waits for it, once, whoever asks and how often. True when its players' ratings changed."""
    _lock()
    matches = Match.objects.defer("snapshot", "seed").prefetch_related(*_WITH_PLAYERS)
    match = matches.filter(key=key, rating_due__isnull=False).first()
    if match is None:
        return False
    Match.objects.filter(pk=match.pk).update(rating_due=None)
    if RatedMatch.objects.filter(match=match).exists():
        return False
    people = _people(match)
    RatedMatch.objects.create(match=match, people=people)
    stored = Rating.objects.filter(user__in=[user for user in people if user is not None], game__in=[match.game, ""])
    ledger = Ledger({(row.user_id, row.game): Standing(row.value, row.matches) for row in stored})
    changes = ledger.enter(match, people)
    RatingChange.objects.bulk_create(changes)
    Rating.objects.bulk_create(
        _ratings(ledger),
        update_conflicts=True,
        unique_fields=["user", "game"],
        update_fields=["value", "matches"],
    )
    nudges.match_changed(match)
    return bool(changes)


def _ratings(ledger: Ledger) -> list[Rating]:
    return [
        Rating(user_id=user, game=game, value=standing.value, matches=standing.matches)
        for (user, game), standing in ledger.standings.items()
    ]


@dataclass(frozen=True)
class Rebuilt:
    """What came of reckoning all ratings again."""

    matches: int
    changes: int
    ratings: int
    differences: int
    """Rows that were missing, too many or different."""


Watch = Callable[[Iterable[RatedMatch], int], Iterable[RatedMatch]]


@transaction.atomic
def rebuild(*, store: bool, watch: Watch = lambda rows, count: rows) -> Rebuilt:
    """Reckons all ratings again from the finished matches, in the order in which they were rated.

    store: whether to put what was reckoned in place of what is there, if that differs. watch: is given the matches and
    their number, and gives them back one by one while it shows how far they are. No match is rated meanwhile.
    """
    _lock()
    rated = RatedMatch.objects.order_by("pk").select_related("match").defer("match__snapshot", "match__seed")
    rated = rated.prefetch_related("match__seats", "match__replaced")
    count = rated.count()
    here = set(get_user_model().objects.values_list("pk", flat=True))
    ledger = Ledger()
    changes: list[RatingChange] = []
    for row in watch(rated.iterator(chunk_size=AT_ONCE), count):
        changes += [change for change in ledger.enter(row.match, row.people) if change.user_id in here]
    ratings = [rating for rating in _ratings(ledger) if rating.user_id in here]

    def facts(rows: Iterable[RatingChange | Rating]) -> dict[Any, Any]:
        return {(getattr(row, "match_id", None), row.user_id, row.game): (row.matches, _numbers(row)) for row in rows}

    differences = sum(
        _count_differences(facts(made), facts(model.objects.iterator()))
        for model, made in ((RatingChange, changes), (Rating, ratings))
    )
    if store and differences:
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        RatingChange.objects.bulk_create(changes, batch_size=AT_ONCE)
        Rating.objects.bulk_create(ratings, batch_size=AT_ONCE)
    return Rebuilt(count, len(changes), len(ratings), differences)


def _numbers(row: RatingChange | Rating) -> Any:
    return row.value if isinstance(row, Rating) else (row.before, row.after, row.against, row.created)


def _count_differences(made: dict[Any, Any], stored: dict[Any, Any]) -> int:
    return sum(made.get(name) != stored.get(name) for name in made.keys() | stored.keys())
