"""Which matches are rated, who in them, once and only once; and that all of it can be reckoned again."""

import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.celery import app
from games import play, ratings, tasks
from games.models import OVER_ALL, Match, RatedMatch, Rating, RatingChange, Seat
from tests.matches import GAME, new_match, play_out
from tests.people import person
from tests.play.test_at_once import all_at_once
from tests.ratings.ended import ended_match, leave

pytestmark = pytest.mark.django_db


def rated(match):
    """The new ratings in the match's game by name."""
    ratings.rate_match(match.key)
    return {row.user.username: row.after for row in match.rating_changes.filter(game=match.game)}


def numbers():
    """All that is stored of ratings, without the keys of rows."""
    changes = RatingChange.objects.order_by("match", "user", "game")
    return (
        list(changes.values_list("match", "user", "game", "before", "after", "matches", "against", "created")),
        list(Rating.objects.order_by("user", "game").values_list("user", "game", "value", "matches")),
    )


# -- what counts ------------------------------------------------------------------------------------------------------


def test_a_rated_match_that_was_played_to_its_end_changes_all_ratings_in_its_game_and_over_all(alice, bob):
    match = play_out(new_match(alice, bob, rated=True))
    assert match.rating_due == match.ended
    tasks.ratings.rate_match(match.key)
    won = {1500} if match.seats.filter(rank=1).count() == 2 else {1470, 1530}
    for game in (GAME, OVER_ALL):
        assert {(row.value, row.matches) for row in Rating.objects.filter(game=game)} == {(value, 1) for value in won}
    assert Match.objects.get(pk=match.pk).rating_due is None
    assert {row.created for row in RatingChange.objects.all()} == {match.ended}


def test_a_match_is_rated_once_however_often_that_is_asked(alice, bob):
    match = ended_match(alice, bob)
    assert ratings.rate_match(match.key)
    before = numbers()
    assert not ratings.rate_match(match.key)
    Match.objects.update(rating_due=timezone.now())  # as if an old message had come late
    assert not ratings.rate_match(match.key)
    assert numbers() == before
    assert Match.objects.get(pk=match.pk).rating_due is None


def test_ratings_of_one_game_leave_those_of_another_alone(alice, bob):
    assert rated(ended_match(alice, bob)) == {"Alice": 1530, "Bob": 1470}
    assert rated(ended_match(bob, alice, game="other")) == {"Bob": 1530, "Alice": 1470}
    over_all = dict(Rating.objects.filter(game=OVER_ALL).values_list("user__username", "value"))
    assert over_all["Bob"] == pytest.approx(1470 + 60 * (1 - ratings.expected_score(1470, 1530)))
    assert set(Rating.objects.exclude(game=OVER_ALL).values_list("matches", flat=True)) == {1}


@pytest.mark.parametrize(
    "fields", [{"rated": False}, {"status": Match.Status.CANCELLED}, {"status": Match.Status.RUNNING}]
)
def test_a_match_that_is_not_rated_or_not_over_changes_nothing(alice, bob, fields):
    assert rated(ended_match(alice, bob, **fields)) == {}
    assert not Rating.objects.exists()


def test_a_match_with_a_computer_opponent_from_the_start_does_not_count(alice, bob):
    match = ended_match(alice, bob)
    Seat.objects.create(match=match, index=2, level="easy", name="Atlas", rank=3)
    assert rated(match) == {}


def test_a_match_with_a_guest_does_not_count(alice):
    assert rated(ended_match(alice, person("Guest-Ash-1", is_guest=True))) == {}


def test_a_match_that_does_not_count_is_looked_at_once(alice, bob):
    match = ended_match(alice, bob, rated=False)
    ratings.rate_match(match.key)
    assert RatedMatch.objects.get().people == []
    assert not Match.objects.filter(rating_due__isnull=False).exists()


@pytest.mark.parametrize("level", ["", "easy"])
def test_matches_that_are_not_rated_do_not_wait_for_ratings(alice, bob, level):
    match = play_out(new_match(alice, opponents=[level], rated=True) if level else new_match(alice, bob))
    assert match.rating_due is None


# -- who left ---------------------------------------------------------------------------------------------------------


def test_who_was_replaced_ranks_last_though_the_opponent_won(alice, bob, charlie):
    match = ended_match(alice, bob, charlie, ranks=(1, 2, 3), gone=[0])
    assert rated(match) == {"Alice": 1460, "Bob": 1540, "Charlie": 1500}


def test_several_who_were_replaced_are_level_with_each_other(alice, bob, charlie):
    match = ended_match(alice, bob, charlie, ranks=(1, 2, 3), gone=[0, 1])
    assert rated(match) == {"Alice": 1480, "Bob": 1480, "Charlie": 1540}


def test_who_took_a_seat_over_is_not_rated_but_whoever_left_it_is(alice, bob, charlie):
    match = ended_match(alice, bob, ranks=(1, 2), gone=[0])
    taken = match.seats.get(index=0)
    taken.user, taken.name, taken.level, taken.resigned = charlie, "Charlie", "", False
    taken.save()
    leave(taken)  # and the newcomer left as well
    assert rated(match) == {"Alice": 1470, "Bob": 1530}
    assert ratings.names_at_start(match) == {0: "Alice", 1: "Bob"}


def test_a_resignation_at_the_table_counts_as_the_last_place(alice, bob, charlie):
    match = new_match(alice, bob, charlie, rated=True)
    play.resign(match.key, alice)
    match = play_out(Match.objects.get(pk=match.pk))
    assert rated(match)["Alice"] == 1460


def test_whose_account_is_gone_is_no_opponent_to_the_others(alice, bob, charlie):
    match = ended_match(alice, bob, charlie)
    charlie.delete()
    assert rated(match) == {"Alice": 1530, "Bob": 1470}


def test_a_single_person_left_is_not_rated(alice, bob):
    match = ended_match(alice, bob)
    bob.delete()
    assert rated(match) == {}


# -- lost and found ---------------------------------------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch):
    """What the sweep sends, instead of a broker."""
    messages = []
    monkeypatch.setattr(tasks.ratings, "send", lambda *message: messages.append(message))
    return messages


def test_the_sweep_finds_matches_whose_message_was_lost(alice, bob, sent):
    match = ended_match(alice, bob)
    tasks.ratings.sweep()
    assert sent == [("ratings.rate_match", match.key)]
    ratings.rate_match(match.key)
    sent.clear()
    tasks.ratings.sweep()
    assert sent == []


def test_a_fault_in_one_match_leaves_it_for_later(alice, bob, sent):
    match = ended_match(alice, bob)
    Match.objects.filter(pk=match.pk).update(ended=None)  # no match is over without a moment
    with pytest.raises(AssertionError):
        tasks.ratings.rate_match(match.key)
    tasks.ratings.sweep()
    assert sent == []
    assert not RatedMatch.objects.exists()
    assert Match.objects.get(pk=match.pk).rating_due > timezone.now()


# -- many at once -----------------------------------------------------------------------------------------------------


def people(count):
    return [person(f"P{number}") for number in range(count)]


def random_matches(players, count, seed):
    """Ended matches of two to six of the players, with ties, people who left, and two games."""
    draw = random.Random(seed)
    matches = []
    for _number in range(count):
        seated = draw.sample(players, draw.randint(2, 6))
        gone = [index for index in range(len(seated)) if draw.random() < 0.1]
        ranks = [draw.randint(1, len(seated)) for _seat in seated]
        matches.append(ended_match(*seated, ranks=ranks, gone=gone, game=draw.choice([GAME, "other"])))
    return matches


@pytest.mark.django_db(transaction=True)
def test_sixteen_workers_rate_a_match_once():
    match = ended_match(*people(4))
    answers = all_at_once([lambda: ratings.rate_match(match.key)] * 16)
    assert answers.count(True) == 1
    assert RatingChange.objects.count() == 8
    assert sorted(rated(match).values()) == [1455, 1485, 1515, 1545]


@pytest.mark.django_db(transaction=True)
def test_matches_rated_by_several_workers_at_once_rebuild_to_the_same_bits():
    matches = random_matches(people(8), 40, seed=5)
    order = random.Random(6)

    def worker(number):
        keys = [match.key for match in matches]
        order.shuffle(keys)
        for key in keys:
            ratings.rate_match(key)

    all_at_once([lambda number=number: worker(number) for number in range(4)])
    assert RatedMatch.objects.count() == len(matches)
    assert ratings.rebuild(store=False).differences == 0
    before = numbers()
    Rating.objects.all().delete()
    RatingChange.objects.all().delete()
    assert ratings.rebuild(store=True).differences == len(before[0]) + len(before[1])
    assert numbers() == before


# -- reckoned again ---------------------------------------------------------------------------------------------------


def rate_all(matches):
    for match in matches:
        ratings.rate_match(match.key)


def command(**options):
    out = StringIO()
    call_command("rebuild_ratings", stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_the_command_says_that_all_is_as_stored():
    rate_all(random_matches(people(6), 12, seed=1))
    before = numbers()
    assert command() == f"12 matches, {len(before[0])} changes, {len(before[1])} ratings.\nAll as stored.\n"
    assert numbers() == before


def test_the_command_without_any_match_has_nothing_to_do(db):
    assert command() == "0 matches, 0 changes, 0 ratings.\nAll as stored.\n"


def test_the_command_replaces_what_differs_and_nothing_when_it_only_checks():
    rate_all(random_matches(people(6), 12, seed=2))
    before = numbers()
    rating = Rating.objects.first()
    rating.value += 1e-9
    rating.save()
    with pytest.raises(CommandError, match="1 rows differ"):
        command(check=True)
    assert numbers() != before
    assert "1 rows differed and were replaced." in command()
    assert numbers() == before


def test_the_order_in_which_matches_were_rated_is_that_in_which_they_are_reckoned_again(alice, bob):
    first, second = ended_match(alice, bob), ended_match(bob, alice)
    rate_all([second, first])
    before = numbers()
    assert command().endswith("All as stored.\n")
    assert numbers() == before


def test_ratings_stay_when_the_account_of_an_opponent_goes(alice, bob, charlie):
    rate_all([ended_match(alice, bob, charlie), ended_match(charlie, alice), ended_match(bob, charlie, gone=[1])])
    kept = dict(Rating.objects.exclude(user=charlie).values_list("pk", "value"))
    charlie.delete()
    assert command().endswith("All as stored.\n")
    assert dict(Rating.objects.values_list("pk", "value")) == kept


def test_a_guest_who_keeps_the_account_later_does_not_change_the_past(alice):
    guest = person("Guest-Ash-1", is_guest=True)
    rate_all([ended_match(alice, guest)])
    guest.is_guest = False
    guest.save()
    assert command().startswith("1 matches, 0 changes")


@pytest.mark.parametrize("name", ["rate_match", "sweep"])
def test_what_is_sent_for_ratings_is_known_to_workers_and_goes_to_their_queue(name):
    task = f"games.tasks.ratings.{name}"
    assert task in app.tasks
    assert app.amqp.router.route({}, task)["queue"].name == "ratings"
