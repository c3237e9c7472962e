"""Ratings on pages and in the API: leaderboards, a player's page, beside names, and at the end of a match."""

import json
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import play, ratings
from games.models import OVER_ALL, Match, Rating, Replaced
from games.web import curves, leaderboards
from tests.matches import GAME, new_match, play_out, settled
from tests.people import person
from tests.ratings.ended import ended_match
from tests.web.test_pages import seen_by, text_of

pytestmark = pytest.mark.django_db


def rate(match):
    ratings.rate_match(match.key)
    return Match.objects.get(pk=match.pk)


def rated_people(count):
    """So many people with ratings: each has won over the next one."""
    people = [person(f"P{number:02}") for number in range(count)]
    for first, second in pairwise(people):
        rate(ended_match(first, second))
    return people


def board_of(response):
    return [(place, row.user.username) for place, row in response.context["rows"]]


# -- leaderboards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "args"), [("leaderboards", ()), ("leaderboard", (GAME,))])
def test_a_leaderboard_lists_everybody_with_a_rated_match_the_best_first(alice, bob, charlie, page, args):
    rate(ended_match(bob, alice))
    response = seen_by(None, page, *args)
    assert board_of(response) == [(1, "Bob"), (2, "Alice")]
    assert "1 Bob 1530 ? provisional 1 2 Alice 1470 ? provisional 1" in text_of(response)
    assert "Charlie" not in text_of(response)


def test_equals_share_a_place(alice, bob, charlie):
    rate(ended_match(alice, bob, charlie, ranks=[1, 1, 3]))
    assert [place for place, _name in board_of(seen_by(None, "leaderboards"))] == [1, 1, 3]


def test_ten_rated_matches_make_a_rating_that_is_no_longer_provisional(alice, bob):
    for _number in range(9):
        rate(ended_match(alice, bob))
    assert text_of(seen_by(None, "leaderboards")).count("? provisional") == 2
    rate(ended_match(alice, bob))
    assert text_of(seen_by(None, "leaderboards")).count("? provisional") == 0


def test_a_game_that_nobody_has_a_rating_in_says_so_and_one_that_is_not_here_has_no_leaderboard(alice):
    assert "Nobody has finished a rated match here yet." in text_of(seen_by(alice, "leaderboard", GAME))
    assert seen_by(None, "leaderboard", "chess").status_code == 404


@pytest.mark.parametrize("page", ["/players", "/api/v1/players"])
@pytest.mark.parametrize("name", ["%00", "a%00b", "a b", "x" * 25])
def test_what_cannot_be_a_name_is_not_looked_for(page, name, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get(f"{page}/{name}/").status_code == 404


def test_my_own_row_is_found_from_any_page(monkeypatch):
    monkeypatch.setattr(leaderboards, "PAGE", 2)
    people = rated_people(5)
    order = [name for page in (1, 2, 3) for _place, name in board_of(seen_by(None, "leaderboards", page=page))]
    assert sorted(order) == [user.username for user in people]
    me = people[0]
    number = order.index(me.username)
    own_page = number // 2 + 1
    assert seen_by(me, "leaderboards", page=own_page).context["mine"] is None
    assert 'id="me"' in seen_by(me, "leaderboards", page=own_page).content.decode()
    other = seen_by(me, "leaderboards", page=own_page % 3 + 1)
    assert (other.context["mine"]["place"], other.context["mine"]["page"]) == (number + 1, own_page)
    assert f'href="?page={own_page}#me"' in other.content.decode()


def test_places_go_on_from_page_to_page_also_for_equals(monkeypatch, alice, bob, charlie):
    monkeypatch.setattr(leaderboards, "PAGE", 1)
    rate(ended_match(alice, bob, charlie, ranks=[1, 1, 3]))
    assert [board_of(seen_by(None, "leaderboards", page=page))[0][0] for page in (1, 2, 3)] == [1, 1, 3]


def test_a_leaderboard_costs_the_same_for_few_and_for_many(alice, client, django_assert_num_queries):
    people = rated_people(3)
    client.force_login(people[0])
    client.get(reverse("about"))
    with django_assert_num_queries(7):
        client.get(reverse("leaderboards"))
    for user in people:
        rate(ended_match(alice, user))
    with django_assert_num_queries(7):
        client.get(reverse("leaderboards"))


# -- a player's page --------------------------------------------------------------------------------------------------


def test_a_players_page_tells_each_rating_its_place_and_its_way_in_words(alice, bob):
    rate(ended_match(bob, alice))
    rate(ended_match(alice, bob))
    page = seen_by(None, "player", "Alice")
    assert [way.rating.game for way in page.context["ways"]] == [GAME, OVER_ALL]
    words = text_of(page)
    assert "2 rated matches, provisional · place 1 · highest 1505" in words
    assert [round(row.gained) for row in page.context["ways"][0].changes] == [35, -30]
    assert page.content.decode().count('<svg xmlns="http://www.w3.org/2000/svg" class="curve"') == 2


def test_a_players_page_without_rated_matches_has_no_curves(alice):
    assert seen_by(None, "player", "Alice").context["ways"] == []


def test_who_left_a_match_that_another_finished_for_them_has_left_it_early(alice, bob, charlie):
    match = ended_match(alice, bob, gone=[0])
    match.seats.filter(index=0).update(user=charlie, name="Charlie", level="", resigned=False)
    rate(ended_match(alice, bob))
    [figures] = seen_by(None, "player", "Alice").context["record"].games
    assert (figures["played"], figures["left"]) == (1, 1)
    [figures] = seen_by(None, "player", "Charlie").context["record"].games
    assert (figures["played"], figures["left"]) == (1, 0)
    assert Replaced.objects.count() == 1


def test_a_players_page_tells_the_share_of_turns_in_time(alice, bob):
    match = ended_match(alice, bob)
    assert "of turns in time" not in text_of(seen_by(None, "player", "Alice"))
    match.seats.filter(user=alice).update(own_turns=20, late_turns=1)
    assert "95 % of turns in time" in text_of(seen_by(None, "player", "Alice"))


# -- curves -----------------------------------------------------------------------------------------------------------


def test_a_curve_is_lines_and_words_with_classes_for_their_looks():
    drawn = ElementTree.fromstring(curves.draw([1500, 1530, 1512.4]))
    assert {"curve-line", "curve-end", "curve-grid", "curve-base", "curve-now"} <= {
        element.get("class") for element in drawn.iter()
    }
    assert not [element for element in drawn.iter() if {"style", "id"} & set(element.attrib)]
    words = ["".join(element.itertext()) for element in drawn.iter(f"{curves.SVG}text")]
    assert "1512" in words
    assert "rated matches" in words


@pytest.mark.parametrize("count", [1, 2, 12, 2000])
def test_a_curve_of_any_length_is_a_small_picture(count):
    values = [1500.0] + [1500.0 + 40 * (number % 7) for number in range(count)]
    assert len(curves.draw(values)) < 60_000


def test_a_curve_is_drawn_again_when_the_rating_has_changed(alice, bob):
    rate(ended_match(alice, bob))
    first = seen_by(None, "player", "Alice").context["ways"][0].picture
    assert seen_by(None, "player", "Alice").context["ways"][0].picture == first
    rate(ended_match(alice, bob))
    assert seen_by(None, "player", "Alice").context["ways"][0].picture != first


# -- beside names -----------------------------------------------------------------------------------------------------


def test_the_lobby_shows_ratings_beside_names_by_one_query(alice, bob, charlie, client, django_assert_num_queries):
    rate(ended_match(alice, bob))
    match = play.create_match(alice, GAME, seats=4)
    play.join_match(match.key, bob)
    play.join_match(match.key, charlie)
    page = seen_by(None, "lobby")
    assert "Alice 1530 ? provisional , Bob 1470 ? provisional , Charlie 3 of 4" in text_of(page)
    with django_assert_num_queries(4):
        client.get(reverse("lobby"))


def test_the_players_of_a_match_have_their_ratings_of_its_game_beside_them(alice, bob):
    rate(ended_match(alice, bob))
    rate(ended_match(bob, alice, game="other"))
    match = new_match(alice, bob)
    words = text_of(seen_by(alice, "match", match.key))
    assert "Alice 1530 ? provisional" in words
    assert "Bob 1470 ? provisional" in words


def test_a_computer_that_plays_on_for_somebody_has_not_their_rating(alice, bob):
    rate(ended_match(alice, bob))
    match = new_match(alice, bob)
    play.resign(match.key, bob)
    assert "Bob 1470" not in text_of(seen_by(alice, "match", settled(match).key))


# -- the end of a match -----------------------------------------------------------------------------------------------


@pytest.fixture
def ended(alice, bob, charlie):
    """A rated match of three that was played to its end."""
    return play_out(new_match(alice, bob, charlie, rated=True))


def mark_of(match):
    return seen_by(None, "match-version", match.key).json()["mark"]


def test_until_the_ratings_are_there_the_page_says_so_and_its_mark_changes_with_them(alice, ended):
    assert "The ratings are being computed" in text_of(seen_by(alice, "match", ended.key))
    before = mark_of(ended)
    rate(ended)
    assert "The ratings are being computed" not in text_of(seen_by(alice, "match", ended.key))
    assert mark_of(ended) != before


def test_each_change_is_explained_against_each_opponent(alice, bob, ended):
    rate(ended)
    page = seen_by(bob, "match", ended.key)
    changes = page.context["t"].rating_changes
    assert {each.name for each in changes} == {"Alice", "Bob", "Charlie"}
    mine = next(each for each in changes if each.name == "Bob")
    words = text_of(page)
    assert f"Bob 1500 → {mine.row.after:.0f}" in words
    ranks = dict(ended.seats.values_list("name", "rank"))
    for one in mine.against:
        outcome = (
            "1 ahead" if ranks["Bob"] < ranks[one.name] else "0 behind" if ranks["Bob"] > ranks[one.name] else "½ level"
        )
        assert f"{one.name} 1500 0.50 {outcome}" in words
    assert "Rated match number 1 of this game, so K is 60. Each change is K × 2 / 3 players" in words
    assert f"Over all games: 1500 → {mine.row.after:.0f}" in words
    assert page.content.decode().count(" open><summary") + page.content.decode().count(" open>\n    <summary") == 1


def test_a_rated_match_that_did_not_count_says_why(alice, bob):
    match = play_out(new_match(alice, bob, rated=True))
    bob.is_guest = True
    bob.save()
    rate(match)
    assert "This match changed nobody’s rating" in text_of(seen_by(alice, "match", match.key))


def test_an_unrated_match_says_nothing_of_ratings(alice, bob):
    match = play_out(new_match(alice, bob))
    assert "rating-changes" not in seen_by(alice, "match", match.key).content.decode()


def test_whose_account_is_gone_is_still_named_as_an_opponent(alice, bob, charlie, ended):
    rate(ended)
    charlie.delete()
    [first, *_rest] = seen_by(alice, "match", ended.key).context["t"].rating_changes
    assert "Charlie" in {one.name for one in first.against}
    assert ratings.rebuild(store=False).differences == 0


# -- the API ----------------------------------------------------------------------------------------------------------

API = "/api/v1"


def asked(client, address, status=200):
    answer = client.get(f"{API}/{address}")
    assert answer.status_code == status, answer.content
    return json.loads(answer.content)


@pytest.mark.parametrize("board", ["all", GAME])
def test_the_api_gives_leaderboards_in_pages(client, board):
    rated_people(4)
    first = asked(client, f"leaderboards/{board}/?size=3")
    assert (first["count"], len(first["results"]), first["previous"]) == (4, 3, None)
    second = asked(client, f"leaderboards/{board}/?size=3&page=2")
    assert [row["place"] for row in first["results"] + second["results"]] == [1, 2, 3, 4]
    best = Rating.objects.filter(game="").order_by("-value").first()
    assert first["results"][0] == {
        "game": board,
        "place": 1,
        "player": best.user.username,
        "rating": best.value,
        "matches": best.matches,
        "provisional": True,
    }


@pytest.mark.parametrize("address", ["leaderboards/chess/", "leaderboards/all/?page=7", "players/Nobody/"])
def test_the_api_says_what_is_not_there_in_a_problem_document(client, db, address):
    assert asked(client, address, 404)["code"] == "not-found"


def test_the_api_gives_a_player_with_all_ratings(client, alice, bob):
    rate(ended_match(alice, bob))
    answer = asked(client, "players/alice/")
    assert (answer["name"], answer["url"], answer["reliability"]) == ("Alice", "/players/Alice/", None)
    assert [(row["game"], row["place"], row["rating"]) for row in answer["ratings"]] == [
        ("all", 1, 1530),
        (GAME, 1, 1530),
    ]


def test_the_api_explains_what_a_match_changed(client, alice, bob):
    match = ended_match(alice, bob)
    assert asked(client, f"matches/{match.key}/ratings/") == {"due": True, "changes": []}
    rate(match)
    answer = asked(client, f"matches/{match.key}/ratings/")
    assert answer["due"] is False
    assert answer["changes"][0] == {
        "player": "Alice",
        "before": 1500,
        "after": 1530,
        "k": 60,
        "matches": 1,
        "against": [{"name": "Bob", "rating": 1500, "score": 1, "expected": 0.5, "change": 30}],
        "before_over_all": 1500,
        "after_over_all": 1530,
    }
    assert match.ended < timezone.now()
