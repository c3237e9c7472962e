"""The pages around matches: what they show to whom and what can be done there. Alice and Bob play, Charlie does not."""

import io
import re
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from games import play
from games.models import Match, Seat
from games.rules import paris_connection
from games.rules.contract import IllegalMove
from games.rules.registry import GAMES
from games.web import lists, rules_pages
from games.words import about, option_label, option_value, title
from tests.matches import GAME, mover, new_match, play_out, settled, take_some_turn
from tests.people import person

pytestmark = pytest.mark.django_db


def seen_by(user, address="departures", *args, **query):
    """The answer to a person who opens a page; None is somebody who is not logged in."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(reverse(address, args=args), query)


def text_of(response):
    """The words of a page, without its tags."""
    page = response.content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def done_by(user, address, *args, **fields):
    """The answer to a person who presses a button."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.post(reverse(address, args=args), fields)


def sentences(response):
    return [str(message) for message in get_messages(response.wsgi_request)]


def open_match(creator, seats=3, **fields):
    return play.create_match(creator, GAME, seats=seats, **fields)


def private_match(creator, other):
    """A running match that was joined by a link."""
    match = open_match(creator, seats=2, access=Match.Access.LINK)
    play.join_match(match.key, other, match.link_code)
    return settled(match)


def to_move(match, user):
    """The match, played on until this person is waited for."""
    while mover(match).user != user:
        match = take_some_turn(match)
    return match


# -- who may see what -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["front", "lobby", "rules", "about"])
def test_everybody_may_look_around_without_an_account(page):
    assert seen_by(None, page).status_code == 200


@pytest.mark.parametrize("page", ["departures", "new-match", "quick", "next-turn"])
def test_what_belongs_to_a_person_asks_for_a_log_in_and_comes_back(page):
    response = seen_by(None, page)
    assert response.url == f"{reverse('account_login')}?next={reverse(page)}"


def test_the_front_page_offers_a_match_at_once_and_a_sign_up():
    page = seen_by(None, "front").content.decode()
    assert f'action="{reverse("guest")}"' in page
    assert f'name="next" value="{reverse("quick")}"' in page
    assert reverse("account_signup") in page


@pytest.mark.parametrize("game", GAMES)
def test_the_front_page_offers_every_game_with_a_picture_its_rules_and_one_press_to_play(game):
    response = seen_by(None, "front")
    page = response.content.decode()
    assert f"{title(game)} {about(game)}" in text_of(response)
    assert f'src="{reverse("example", args=[game])}"' in page
    assert f'href="{reverse("rules", args=[game])}"' in page
    assert f'name="next" value="{reverse("quick", args=[game])}"' in page


@pytest.mark.parametrize("game", GAMES)
def test_a_games_picture_is_small_and_by_night_another_one(game):
    day, night = (seen_by(None, "example", game, **query) for query in ({}, {"theme": "night"}))
    for picture in (day, night):
        assert picture.headers["Content-Type"] == "image/webp"
        width, height = Image.open(io.BytesIO(picture.content)).size
        [shown] = [each["height"] for each in seen_by(None, "front").context["games"] if each["key"] == game]
        assert (width, height) == (288, pytest.approx(2 * shown, abs=1))
    assert day.content != night.content


def test_the_front_page_of_somebody_who_is_logged_in_is_the_departures(alice):
    assert seen_by(alice, "front").url == reverse("departures")


def test_the_front_page_shows_what_is_played_in_the_open_and_nothing_else(alice, bob, charlie):
    shown = new_match(alice, bob)
    hidden = private_match(alice, bob)
    page = seen_by(None, "front").content.decode()
    assert shown.get_absolute_url() in page
    assert hidden.get_absolute_url() not in page


def test_the_board_on_the_front_page_shows_nobodys_cities(alice, bob):
    match = new_match(alice, bob)
    while match.version < 8:
        match = take_some_turn(match)
    page = seen_by(None, "front")
    assert "as it is being played now" in text_of(page)
    assert "name-own" not in page.content.decode()


def test_the_front_page_shows_no_board_on_which_nothing_lies_yet(alice, bob):
    new_match(alice, bob)
    page = seen_by(None, "front")
    assert "as it is being played now" not in text_of(page)
    assert 'class="rail"' in page.content.decode()


# -- departures -------------------------------------------------------------------------------------------------------


def test_departures_sort_matches_by_what_they_ask(alice, bob, charlie):
    mine = to_move(new_match(alice, bob), alice)
    theirs = to_move(new_match(alice, bob), bob)
    gathering = open_match(alice)
    invited = open_match(bob, invited=[alice], access=Match.Access.INVITED)
    ended = play_out(new_match(alice, bob))
    board = seen_by(alice).context["board"]
    assert [row.match for row in board.my_turn] == [mine]
    assert [row.match for row in board.others_turn] == [theirs]
    assert [row.match for row in board.gathering] == [gathering]
    assert [row.match for row in board.invitations] == [invited]
    assert [row.match for row in board.finished] == [ended]


def test_departures_of_somebody_without_matches_have_one_thing_to_do(alice, bob, charlie):
    new_match(alice, bob)
    response = seen_by(charlie)
    assert response.context["board"].empty
    assert "Play now against the computer" in text_of(response)


def test_the_most_urgent_turn_is_on_top(alice, bob):
    slow, fast = (to_move(new_match(alice, bob, pace=pace), alice) for pace in (7 * 86400, 3600))
    assert [row.match for row in seen_by(alice).context["board"].my_turn] == [fast, slow]


def test_of_many_matches_the_most_urgent_are_shown_and_all_on_demand(alice, bob, monkeypatch):
    monkeypatch.setattr(lists, "MOST_SHOWN", 2)
    matches = [to_move(new_match(alice, bob, pace=days * 86400), alice) for days in (3, 1, 2)]
    page = seen_by(alice)
    assert [row.match for row in page.context["board"].my_turn] == [matches[1], matches[2]]
    assert "Show all 3" in text_of(page)
    everything = seen_by(alice, all="")
    assert [row.match for row in everything.context["board"].my_turn] == [matches[1], matches[2], matches[0]]
    assert "Show all" not in text_of(everything)


def test_a_match_that_was_given_up_is_not_on_the_departures(alice, bob):
    match = new_match(alice, bob)
    play.resign(match.key, alice)
    assert seen_by(alice).context["board"].empty


def test_a_match_that_ended_without_me_is_among_those_that_have_arrived(alice, bob):
    match = new_match(alice, bob)
    play.resign(match.key, alice)
    play_out(match)
    page = seen_by(alice)
    assert [row.match for row in page.context["board"].finished] == [match]
    assert "2nd of 2 you resigned" in text_of(page)
    assert "you resigned" not in text_of(seen_by(bob))


def test_matches_leave_the_departures_a_week_after_their_end(alice, bob):
    match = play_out(new_match(alice, bob))
    Match.objects.filter(pk=match.pk).update(ended=timezone.now() - lists.RECENTLY - timedelta(minutes=1))
    assert seen_by(alice).context["board"].finished == []


def test_a_place_is_one_among_those_who_sat_at_the_table(alice, bob):
    match = open_match(alice, seats=6)
    play.join_match(match.key, bob)
    play.start_match(match.key, alice)
    play_out(settled(match))
    assert re.search(r"\b(1st|2nd) of 2\b", text_of(seen_by(alice)))


@pytest.mark.parametrize("page", ["lobby", "rules", "account_login", "account_signup"])
def test_the_header_marks_the_page_that_one_is_on(page):
    html = seen_by(None, page).content.decode()
    assert re.findall(r'<a href="([^"]*)" aria-current="page"', html) == [reverse(page)]


def test_the_header_of_every_page_counts_my_waiting_turns(alice, bob):
    match = to_move(new_match(alice, bob), alice)
    for page in ("departures", "lobby", "rules", "about", "new-match"):
        assert '<b class="count" data-waiting-count>1</b>' in seen_by(alice, page).content.decode(), page
    assert seen_by(alice, "waiting-count").json() == {"waiting": 1}
    play.resign(match.key, bob)
    assert seen_by(bob, "waiting-count").json() == {"waiting": 0}


def test_next_turn_walks_through_the_matches_that_wait_for_me(alice, bob):
    first, second = (to_move(new_match(alice, bob, pace=pace), alice) for pace in (3600, 86400))
    to_move(new_match(alice, bob), bob)
    assert seen_by(alice, "next-turn").url == first.get_absolute_url()
    assert seen_by(alice, "next-turn", after=first.key).url == second.get_absolute_url()
    assert seen_by(alice, "next-turn", after=second.key).url == first.get_absolute_url()


def test_next_turn_without_one_says_so_on_the_departures(charlie):
    response = seen_by(charlie, "next-turn")
    assert response.url == reverse("departures")
    assert sentences(response) == ["No turn is waiting for you."]


# -- lobby ------------------------------------------------------------------------------------------------------------


def test_the_lobby_lists_open_matches_that_anybody_may_join(alice, bob):
    listed = open_match(alice)
    open_match(alice, access=Match.Access.INVITED, invited=[bob])
    open_match(alice, access=Match.Access.LINK)
    new_match(alice, bob)
    assert [row.match for row in seen_by(bob, "lobby").context["rows"]] == [listed]


def test_the_lobbys_filters_stay_in_the_address_of_the_next_page(alice):
    for _ in range(21):
        open_match(alice, pace=3600)
    slow = open_match(alice, seats=5)
    quick = seen_by(None, "lobby", pace=3600)
    assert quick.context["page"].paginator.count == 21
    assert 'href="?pace=3600&amp;page=2"' in quick.content.decode()
    assert len(seen_by(None, "lobby", pace=3600, page=2).context["rows"]) == 1
    assert [row.match for row in seen_by(None, "lobby", seats=5).context["rows"]] == [slow]


def test_a_filter_without_sense_filters_nothing(alice):
    match = open_match(alice)
    for query in ({"pace": "soon"}, {"game": "chess"}, {"seats": "99"}, {"rated": "perhaps"}):
        page = seen_by(None, "lobby", **query)
        assert [row.match for row in page.context["rows"]] == [match]
        assert "There is nothing like that to choose, so all matches are shown." in text_of(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_lobby_leads_to_the_rules_of_every_game(game):
    assert f'href="{reverse("rules", args=[game])}"' in seen_by(None, "lobby").content.decode()


def test_the_lobby_names_what_is_special_about_a_match(alice):
    open_match(alice, options={"board": "europa", "vexation": True})
    assert "Europe, Vexation" in text_of(seen_by(None, "lobby"))


# -- what is done before the start ------------------------------------------------------------------------------------


def test_joining_twice_takes_one_seat(alice, bob):
    match = open_match(alice)
    for _ in range(2):
        assert done_by(bob, "join-match", match.key).url == match.get_absolute_url()
    assert match.seats.filter(user=bob).count() == 1


def test_joining_without_a_log_in_leads_through_it_to_the_match(alice):
    match = open_match(alice)
    response = done_by(None, "join-match", match.key)
    assert response.url == f"{reverse('account_login')}?next={reverse('match', args=[match.key])}"
    assert match.seats.count() == 1


def test_logging_in_or_signing_up_from_a_match_leads_back_to_it(alice):
    match = open_match(alice)
    address = f"{reverse('account_login')}?next={match.get_absolute_url()}"
    assert f'href="{address}"' in seen_by(None, "match", match.key).content.decode()
    for page, other in [("account_login", "account_signup"), ("account_signup", "account_login")]:
        shown = seen_by(None, page, next=match.get_absolute_url()).content.decode()
        assert re.search(rf'href="{reverse(other)}\?next=[^"]*{match.key}', shown)


def test_who_is_not_invited_hears_it_and_takes_no_seat(alice, bob, charlie):
    match = open_match(alice, access=Match.Access.INVITED, invited=[bob])
    assert sentences(done_by(charlie, "join-match", match.key)) == ["This match is for invited players only."]
    assert not match.seats.filter(user=charlie).exists()
    done_by(bob, "join-match", match.key)
    assert match.seats.filter(user=bob).exists()


def test_a_full_match_says_that_it_has_begun(alice, bob, charlie):
    match = new_match(alice, bob)
    assert sentences(done_by(charlie, "join-match", match.key)) == ["This match has already started."]


def test_an_invitation_can_be_declined(alice, bob):
    match = open_match(alice, access=Match.Access.INVITED, invited=[bob])
    for _ in range(2):
        assert done_by(bob, "decline-invitation", match.key).url == reverse("departures")
    assert seen_by(bob).context["board"].invitations == []


def test_leaving_gives_the_seat_back(alice, bob):
    match = open_match(alice)
    done_by(bob, "join-match", match.key)
    done_by(bob, "leave-match", match.key)
    assert not match.seats.filter(user=bob).exists()


def test_only_the_creator_fills_starts_and_calls_off_a_match(alice, bob, charlie):
    match = open_match(alice, seats=4, opponents=["easy"])
    done_by(bob, "join-match", match.key)
    for user in (bob, charlie):
        for address, args in (
            ("add-opponent", ()),
            ("remove-opponent", (1,)),
            ("start-match", ()),
            ("cancel-match", ()),
        ):
            response = done_by(user, address, match.key, *args, level="hard")
            assert sentences(response) == ["Only the player who created this match can do that."], address
    match.refresh_from_db()
    assert match.status == Match.Status.OPEN
    assert match.seats.count() == 3

    done_by(alice, "remove-opponent", match.key, 1)
    done_by(alice, "add-opponent", match.key, level="hard")
    assert list(match.seats.values_list("name", "level")) == [("Alice", ""), ("Bob", ""), ("Atlas", "hard")]
    done_by(alice, "start-match", match.key)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_the_creator_calls_a_match_off(alice):
    match = open_match(alice)
    response = done_by(alice, "cancel-match", match.key)
    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    assert sentences(response) == ["The match has been called off."]


def test_a_form_leads_back_to_where_it_stood_but_never_off_the_site(alice, bob):
    match = open_match(alice, seats=6)
    lobby = reverse("lobby")
    assert done_by(bob, "join-match", match.key, next=lobby).url == lobby
    assert done_by(bob, "join-match", match.key, next="https://elsewhere.example/").url == match.get_absolute_url()


@pytest.mark.parametrize(
    "address", ["join-match", "leave-match", "add-opponent", "start-match", "cancel-match", "decline-invitation"]
)
def test_a_link_alone_changes_nothing(alice, bob, address):
    match = open_match(alice)
    assert seen_by(bob, address, match.key).status_code == 405


def test_a_form_of_another_site_changes_nothing(alice, bob):
    match = open_match(alice)
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    response = client.post(reverse("join-match", args=[match.key]))
    assert response.status_code == 403
    assert "No entry here." in text_of(response)
    assert match.seats.count() == 1


# -- private links ----------------------------------------------------------------------------------------------------


def test_a_private_link_shows_the_match_and_lets_one_in(alice, bob):
    match = open_match(alice, access=Match.Access.LINK)
    link = (match.key, match.link_code)
    assert "Alice invites you to a match of Trans America" in text_of(seen_by(bob, "join-by-link", *link))
    assert done_by(bob, "join-by-link", *link).url == match.get_absolute_url()
    assert match.seats.filter(user=bob).exists()
    assert seen_by(bob, "join-by-link", *link).url == match.get_absolute_url()


def test_a_private_link_lets_a_stranger_join_as_a_guest(alice):
    match = open_match(alice, access=Match.Access.LINK)
    address = reverse("join-by-link", args=[match.key, match.link_code])
    page = Client().get(address).content.decode()
    assert f'name="next" value="{address}"' in page
    assert reverse("account_login") in page


def test_a_wrong_code_or_a_match_without_links_has_no_such_page(alice, bob):
    linked = open_match(alice, access=Match.Access.LINK)
    invited = open_match(alice, access=Match.Access.INVITED, invited=[bob])
    assert seen_by(bob, "join-by-link", linked.key, invited.link_code).status_code == 404
    assert seen_by(bob, "join-by-link", invited.key, invited.link_code).status_code == 404


# -- a new match ------------------------------------------------------------------------------------------------------

DEFAULTS = {"seat-2": "person", "seat-3": "person", "pace": 259200, "access": "open", "option-board": "america"}


def test_the_form_of_a_new_match_can_be_sent_as_it_stands(alice):
    form = seen_by(alice, "new-match").context["form"]
    given = {field.name: field.value() for field in form if field.value() not in (None, False)}
    done_by(alice, "new-match", **given)
    match = Match.objects.get()
    assert (match.seats_wanted, match.access, match.status) == (3, Match.Access.OPEN, Match.Status.OPEN)
    assert match.options == {"board": "america", "barrier": False, "vexation": False}


def test_a_new_match_is_what_the_form_says(alice, bob):
    chosen = {"seat-4": "hard", "option-board": "europa", "option-vexation": "on", "pace": 3600, "access": "invited"}
    done_by(alice, "new-match", **DEFAULTS | chosen, invited="bob, ", rated="on")
    match = Match.objects.get()
    assert (match.seats_wanted, match.pace, match.access) == (4, 3600, Match.Access.INVITED)
    assert match.options == {"board": "europa", "barrier": False, "vexation": True}
    assert [(seat.name, seat.level) for seat in match.seats.all()] == [("Alice", ""), ("Atlas", "hard")]
    assert [invitation.user for invitation in match.invitations.all()] == [bob]
    assert not match.rated  # a computer sits there


def test_a_match_against_computers_only_starts_at_once(alice):
    response = done_by(alice, "new-match", **DEFAULTS | {"seat-2": "easy", "seat-3": "hard"})
    match = Match.objects.get()
    assert match.status == Match.Status.RUNNING
    assert response.url == match.get_absolute_url()


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"invited": "Bob, Nobody-Known"}, "invited", "Nobody here is called “Nobody-Known”."),
        ({"access": "invited"}, "invited", "Name at least one player, or let others join."),
        ({"access": "invited", "invited": "alice"}, "invited", "Name at least one player, or let others join."),
        ({"pace": 5}, "pace", "Select a valid choice. 5 is not one of the available choices."),
        ({"seat-2": ""}, "seat-2", "This field is required."),
    ],
)
def test_what_is_wrong_with_a_new_match_is_said_beside_its_field(alice, bob, fields, field, sentence):
    response = done_by(alice, "new-match", **DEFAULTS | fields)
    assert response.context["form"].errors[field] == [sentence]
    assert sentence in text_of(response).replace("&#x27;", "'")
    assert not Match.objects.exists()


def test_guests_are_not_asked_whether_a_match_is_rated(bob):
    guest = person("Guest-1", is_guest=True)
    assert "rated" not in seen_by(guest, "new-match").context["form"].fields
    assert "rated" in seen_by(bob, "new-match").context["form"].fields


def test_the_same_form_sent_twice_makes_one_match(alice):
    client = Client()
    client.force_login(alice)
    first, second = (client.post(reverse("new-match"), DEFAULTS) for _ in range(2))
    assert first.url == second.url == Match.objects.get().get_absolute_url()


def test_playing_now_starts_a_match_of_three_at_once(alice):
    response = done_by(alice, "quick")
    match = Match.objects.get()
    assert response.url == match.get_absolute_url()
    assert match.status == Match.Status.RUNNING
    assert [seat.level for seat in match.seats.all()] == ["", "medium", "medium"]


@pytest.mark.parametrize("game", GAMES)
def test_playing_now_plays_the_game_that_was_pressed(alice, game):
    done_by(alice, "quick", game)
    assert Match.objects.get().game == game


@pytest.mark.parametrize("address", ["quick", "example"])
def test_there_is_nothing_of_a_game_that_is_not_here(alice, address):
    assert seen_by(alice, address, "chess").status_code == 404


def test_a_guests_first_match_is_made_by_the_address_alone_and_no_other():
    guest = person("Guest-1", is_guest=True)
    assert seen_by(guest, "quick").url == Match.objects.get().get_absolute_url()
    assert seen_by(guest, "quick").status_code == 200
    assert Match.objects.count() == 1


def test_the_address_alone_makes_no_match_for_others(alice):
    assert seen_by(alice, "quick").status_code == 200
    assert not Match.objects.exists()


def test_from_the_front_page_to_a_running_match_by_one_press():
    client = Client()
    response = client.post(reverse("guest"), {"next": reverse("quick")}, follow=True)
    assert response.redirect_chain[-1][0] == Match.objects.get().get_absolute_url()
    assert response.status_code == 200


# -- players ----------------------------------------------------------------------------------------------------------


def ended_with(people, ranks):
    """A match that is over, with these places for these people."""
    match = play_out(new_match(*people))
    for user, rank in zip(people, ranks, strict=True):
        Seat.objects.filter(match=match, user=user).update(rank=rank)
    return match


def test_a_players_page_counts_matches_wins_and_places(alice, bob, charlie):
    ended_with([alice, bob, charlie], [1, 2, 3])
    ended_with([alice, bob], [2, 1])
    new_match(alice, bob)
    [figures] = seen_by(None, "player", "Alice").context["record"].games
    assert (figures["game"], figures["played"], figures["won"], figures["place"]) == (GAME, 2, 1, 1.5)


def test_head_to_head_compares_two_people_and_nobody_else_at_the_table(alice, bob, charlie):
    ended_with([alice, bob, charlie], [1, 3, 2])
    ended_with([alice, charlie, bob], [2, 1, 2])
    ended_with([alice, charlie], [1, 2])
    ended_with([bob, alice], [1, 2])
    both = seen_by(alice, "player", "Bob").context["both"]
    assert both == {"played": 3, "me": 1, "other": 1, "level": 1}
    assert seen_by(alice, "player", "Alice").context["both"] is None
    assert seen_by(None, "player", "Bob").context["both"] is None


def test_a_players_page_lists_private_matches_only_to_who_sits_there(alice, bob, charlie):
    match = private_match(alice, bob)
    assert [row.match for row in seen_by(bob, "player", "Alice").context["record"].running] == [match]
    assert seen_by(charlie, "player", "Alice").context["record"].running == []
    assert seen_by(None, "player", "Alice").context["record"].running == []


def test_a_name_in_other_letters_leads_to_the_same_player(alice):
    assert seen_by(None, "player", "ALICE").url == reverse("player", args=["Alice"])
    assert seen_by(None, "player", "Nobody").status_code == 404


# -- rules and pictures -----------------------------------------------------------------------------------------------


def test_the_rules_speak_of_the_position_in_their_picture():
    """The text says that Ben lacks three lines: New York, and two to Phoenix."""
    assert rules_pages.pictures(GAME)["rows"] == [("Ann", 0, 13), ("Ben", 3, 10), ("Cleo", 8, 5), ("Dov", 7, 6)]
    assert "2 Ben 3 10" in text_of(seen_by(None, "rules", GAME))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_of_rules_with_pictures_that_the_index_leads_to(game):
    page = seen_by(None, "rules", game)
    assert f"<h1>{title(game)}</h1>" in page.content.decode()
    assert page.content.decode().count('<svg xmlns="http://www.w3.org/2000/svg" class="board"') >= 4
    assert f'href="{reverse("rules", args=[game])}"' in seen_by(None, "rules").content.decode()


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_name_all_its_options(game):
    page = text_of(seen_by(None, "rules", game))
    for option in GAMES[game].options:
        others = [value for value in option.values if value != option.default]
        named = [option_label(game, option.key), *(option_value(game, option.key, value) for value in others)]
        assert any(words in page for words in named), option.key


@pytest.mark.parametrize("game", GAMES)
def test_boards_in_the_rules_are_pictures_with_ids_of_their_own(game):
    page = seen_by(None, "rules", game).content.decode()
    assert "data-move" not in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r' href="#([^"]+)"', page)) <= set(ids)


def test_the_rules_of_paris_connection_count_as_in_their_last_picture():
    """The text works Ann's sum out, and tells why Cleo is behind her and what the number of players changes."""
    facts = rules_pages.pictures("paris-connection")
    assert (facts["held"], facts["worth"]) == ([14, 14, 17, 11], [187, 163, 188, 110])
    assert (facts["penalties"], facts["points"]) == ((0, 0, -40, 0), (187, 163, 148, 110))
    words = [words for words, _ in facts["companies"]]
    assert words == [
        "Red, worth 17",
        "Blue, worth 4",
        "Black, worth 15",
        "Brown, worth 12",
        "Yellow, worth 1",
        *words[5:],
    ]
    assert facts["companies"][5] == ("Purple, worth 9", [2, 2, 5, 0])
    assert 6 * 17 + 2 * 15 + 3 * 12 + 1 * 1 + 2 * 9 == 187
    assert facts["deals"] == [(3, 10, 156, 20), (4, 8, 154, 15), (5, 6, 156, 12), (6, 5, 156, 10)]
    assert facts["cities"] == [(1, 31), (2, 8), (3, 9), (4, 1)]
    page = text_of(seen_by(None, "rules", "paris-connection"))
    assert "Red, worth 17 6 1 4 2" in page
    assert "For shares above 15 0 0 −40 0 Points 187 163 148 110" in page


def test_what_glows_in_the_rules_of_paris_connection_is_what_their_captions_say():
    def glowing(state):
        moves = paris_connection.game.choices(state, 0).moves
        return {move.hex for move in moves if isinstance(move, paris_connection.values.Build)}

    pages = rules_pages.paris_connection
    build = pages.position(pages.BEFORE_A_BUILD, pages.HANDS, pages.A_BUILD)
    assert glowing(build) == {"G1", "G2", "I2"}  # Le Havre, and not H3, where black and brown stand
    ban = pages.position(pages.BEFORE_A_BAN, pages.HANDS, pages.A_BAN)
    assert "K2" not in glowing(ban)
    with pytest.raises(IllegalMove) as refused:
        paris_connection.game.play(ban, 0, paris_connection.values.Build("red", "K2"))
    assert (refused.value.saying.code, refused.value.saying.params["victim"]) == ("cut-off", "purple")


def test_the_positions_in_the_rules_of_paris_connection_could_be_played():
    pages, map_ = rules_pages.paris_connection, paris_connection.board.board()
    for state in (
        pages.position(pages.BEFORE_A_BUILD, pages.HANDS, pages.A_BUILD),
        pages.position(pages.BEFORE_A_BAN, pages.HANDS, pages.A_BAN),
        pages.position(pages.LATE, pages.HELD_AT_THE_END, pages.LAST),
    ):
        assert min(state.supply) >= 0
        starts, held = set(map_.starts), {}
        for company, hex_ in state.locomotives:
            own = held.setdefault(company, [])
            assert hex_ in starts if not own else any(map_.around[hex_] >> other & 1 for other in own)
            own.append(hex_)
        placed = [hex_ for own in held.values() for hex_ in own]
        assert all(placed.count(hex_) <= max(1, map_.room(hex_)) for hex_ in placed)
        assert len({(company, hex_) for company, own in held.items() for hex_ in own}) == len(placed)


def test_there_are_no_rules_of_a_game_that_is_not_here():
    assert seen_by(None, "rules", "chess").status_code == 404


def test_thumbnails_show_my_cities_to_me_alone(alice, bob, charlie):
    match = new_match(alice, bob)
    mine, theirs, watching, passing = (
        seen_by(user, "thumbnail", match.key).content for user in (alice, bob, charlie, None)
    )
    assert mine.startswith(b"RIFF")
    assert reverse("thumbnail", args=[match.key]).endswith(".webp")
    assert len({mine, theirs, watching}) == 3
    assert watching == passing


def test_thumbnails_follow_the_match(alice, bob):
    match = settled(new_match(alice, bob))
    before = seen_by(None, "thumbnail", match.key).content
    take_some_turn(match)
    assert seen_by(None, "thumbnail", match.key).content != before


def test_a_match_that_has_not_started_has_no_thumbnail(alice):
    assert seen_by(alice, "thumbnail", open_match(alice).key).status_code == 404


# -- all pages --------------------------------------------------------------------------------------------------------


def test_pages_hold_nothing_that_their_own_policy_forbids(alice, bob):
    to_move(new_match(alice, bob), alice)
    open_match(bob)
    for page, args in (
        ("departures", ()),
        ("lobby", ()),
        ("new-match", ()),
        ("rules", (GAME,)),
        ("player", ("Bob",)),
        ("about", ()),
    ):
        html = seen_by(alice, page, *args).content.decode()
        assert not re.search(r"<[^>]+\s(style|on\w+)=", html), page
        assert "<script>" not in html, page


def test_a_page_that_is_not_there_says_so_and_leads_on(client):
    response = client.get("/no/such/page/")
    assert response.status_code == 404
    assert "This line ends here." in text_of(response)


def test_the_page_of_a_fault_of_ours_needs_no_database(django_assert_num_queries, rf):
    from django.views.defaults import server_error

    with django_assert_num_queries(0):
        response = server_error(rf.get("/"))
    assert "A signal has failed." in text_of(response)


# -- queries ----------------------------------------------------------------------------------------------------------


def many_matches(alice, bob):
    for _ in range(3):
        to_move(new_match(alice, bob, opponents=["easy"]), alice)
        new_match(bob, alice)
        open_match(alice)
        open_match(bob, invited=[alice])
        play_out(new_match(alice, bob))


@pytest.mark.parametrize(
    ("page", "args", "most"),
    [("departures", (), 8), ("lobby", (), 7), ("player", ("Bob",), 15)],
)
def test_lists_cost_the_same_for_few_matches_and_for_many(
    alice, bob, client, page, args, most, django_assert_max_num_queries, django_assert_num_queries
):
    client.force_login(alice)
    client.get(reverse("about"))  # the first visit for a while is noted
    address = reverse(page, args=args)
    many_matches(alice, bob)
    with django_assert_max_num_queries(most) as first:
        assert client.get(address).status_code == 200
    many_matches(alice, bob)
    with django_assert_num_queries(len(first)):
        client.get(address)
