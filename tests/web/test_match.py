"""The pages of a match: what each person sees of it, how a turn is chosen and sent, its moments and its end."""

import json
import re
import zoneinfo

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import play, record
from games.models import Invitation, Match, Turn
from games.rules.contract import encode
from games.rules.trans_america.board import COLOURS, board
from games.web.account import delete_account
from tests.matches import mover, new_match, play_out, settled, some_turn, take_some_turn
from tests.people import person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(alice, bob):
    """Dealt; nobody has set a marker yet."""
    return new_match(alice, bob)


@pytest.fixture
def laying(match):
    """Both markers are set, and rails can be laid."""
    return take_some_turn(take_some_turn(match))


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text(answer):
    """What a page says, in one line and without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def targets(answer):
    """The moves that can be chosen on the board of a page."""
    found = re.findall(r"data-move='([^']+)'", answer.content.decode())
    return [json.loads(move) for move in found]


def dealt_cities(answer):
    """The cities on the board of a page of which it says whose they are."""
    return re.findall(r"<title>([^<]+), \w+ city of \w+</title>", answer.content.decode())


def table_address(match, decision, moves):
    query = f"?decision={decision}&moves={json.dumps(moves, separators=(',', ':'))}"
    return reverse("match-table", args=[match.key]) + query


def send(client, match, decision, moves, **headers):
    data = {"decision": decision, "moves": json.dumps(moves)}
    return client.post(reverse("match-turn", args=[match.key]), data, headers=headers)


# -- what is asked, and of whom ---------------------------------------------------------------------------------------


def test_who_is_to_move_is_asked_and_can_choose_on_the_board(match):
    seat = mover(match)
    answer = browser(seat.user).get(match.get_absolute_url())
    assert "Your turn Set your start marker on any free junction." in text(answer)
    assert "<title>Your turn – Trans America" in answer.content.decode()
    assert len(targets(answer)) == 188
    assert "Your next move, by the nearest city" in text(answer)


def test_who_waits_reads_whose_turn_it_is_and_can_choose_nothing(match):
    seat = mover(match)
    for user in [other.user for other in match.seats.all() if other != seat] + [person("Charlie"), None]:
        answer = browser(user).get(match.get_absolute_url())
        assert f"{seat.name} is to move." in text(answer)
        assert targets(answer) == []
        assert "Your turn" not in text(answer)


def test_until_when_is_said_in_the_time_zone_of_the_reader(match):
    seat = mover(match)
    seat.user.timezone = "Pacific/Auckland"
    seat.user.save()
    answer = browser(seat.user).get(match.get_absolute_url())
    local = timezone.localtime(seat.deadline, zoneinfo.ZoneInfo("Pacific/Auckland"))
    assert f"until {local:%a} {local.day} {local:%b, %H:%M}" in text(answer)


def test_a_match_that_does_not_exist_is_not_found(client):
    for name in ("match", "match-table", "match-version", "match-log"):
        assert client.get(reverse(name, args=["nosuchkey2"])).status_code == 404


# -- choosing a turn --------------------------------------------------------------------------------------------------


def single_line(match, seat):
    """A legal move that lays a rail on a single line."""
    preview = play.preview_turn(match, seat, seat.decision, [])
    moves = zip(preview.choices.moves, preview.choices.costs, strict=True)
    return next(msgspec.to_builtins(move) for move, cost in moves if cost == 1)


def test_a_single_line_uses_one_of_two_points_and_leaves_the_choice_to_stop(laying):
    seat = mover(laying)
    move = single_line(laying, seat)
    answer = browser(seat.user).get(table_address(laying, seat.decision, [move]))
    assert "Lay one more single line, or stop." in text(answer)
    assert "1 of 2 points used" in text(answer)
    assert "Stop here" in text(answer)
    assert "Undo" in text(answer)
    assert "data-confirm" not in answer.content.decode()
    assert 'class="running"' in answer.content.decode()


def test_a_whole_turn_waits_for_its_confirmation(laying):
    seat = mover(laying)
    chosen = [single_line(laying, seat), {"type": "stop"}]
    answer = browser(seat.user).get(table_address(laying, seat.decision, chosen))
    assert "Your turn is complete. Confirm to send it." in text(answer)
    assert "data-confirm" in answer.content.decode()
    assert targets(answer) == []
    assert Match.objects.get(pk=laying.pk).version == laying.version


def test_choosing_works_without_scripts(laying):
    seat = mover(laying)
    client = browser(seat.user)
    page = laying.get_absolute_url()
    move = single_line(laying, seat)
    one = client.get(page, {"decision": seat.decision, "moves": "[]", "add": json.dumps(move)})
    assert "1 of 2 points used" in text(one)
    stop = re.search(r'id="move-1" href="([^"]+)"', one.content.decode()).group(1).replace("&amp;", "&")
    whole = client.get(page + stop)
    assert "Confirm to send it." in text(whole)
    moves = re.search(r'name="moves" value="([^"]+)"', whole.content.decode()).group(1).replace("&quot;", '"')
    sent = send(client, laying, seat.decision, json.loads(moves))
    assert sent.status_code == 302
    assert sent.url == page
    assert laying.turns.get(kind=Turn.Kind.TURN, seat=seat.index, decision=seat.decision).moves[1] == {"type": "stop"}


def test_undo_leads_to_the_turn_without_its_last_move(laying):
    seat = mover(laying)
    move = single_line(laying, seat)
    client = browser(seat.user)
    answer = client.get(table_address(laying, seat.decision, [move]))
    address = re.search(r'id="undo" href="([^"]+)"', answer.content.decode()).group(1)
    assert "points used" not in text(client.get(address))


def test_an_illegal_beginning_is_told_and_dropped(laying):
    seat = mover(laying)
    move = single_line(laying, seat)
    answer = browser(seat.user).get(table_address(laying, seat.decision, [move, move]))
    assert answer.status_code == 200
    assert "That line is already built" in text(answer)
    assert 'data-moves="[]"' in answer.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "?decision=0&moves=[",
        "?decision=abc&moves=[{}]",
        "?decision=0&moves={}",
        "?decision=0&moves=7&add=8",
        "?decision=0&moves=[]&add=x",
        "?decision=99999999999999999999&moves=[{}]",
        "?decision=0&moves=" + "[" * 3000,
    ],
)
def test_an_address_that_nobody_wrote_breaks_nothing(match, query):
    answer = browser(mover(match).user).get(match.get_absolute_url() + query)
    assert answer.status_code == 200
    assert 'data-moves="[]"' in answer.content.decode()


def test_an_old_address_shows_the_match_as_it_is(laying):
    seat = mover(laying)
    old = table_address(laying, seat.decision, [single_line(laying, seat)])
    take_some_turn(laying)
    client = browser(seat.user)
    assert "That turn has been taken in the meantime." in text(client.get(old))
    page = client.get(old.replace("table/", ""))
    assert page.status_code == 200
    assert 'role="alert"' not in page.content.decode()


def lit(answer):
    """How many rails lie on the light ground of what is new."""
    found = re.search(r'<path class="last"[^>]* d="([^"]+)"|<path d="([^"]+)" class="last"', answer.content.decode())
    return len(re.findall("M", found.group(1) or found.group(2))) if found else 0


def test_all_rails_since_my_last_turn_are_lit_for_me_and_the_last_turns_for_who_watches(alice, bob, charlie):
    match = new_match(alice, bob, charlie)
    while len(record.load_state(match).rails) < 8:
        match = take_some_turn(match)
    seat = mover(match)
    others = list(match.turns.filter(kind=Turn.Kind.TURN).order_by("-number")[:2])
    laid = [sum(move["type"] == "lay" for move in turn.moves) for turn in others]
    assert lit(browser(seat.user).get(match.get_absolute_url())) == sum(laid)
    assert lit(browser().get(match.get_absolute_url())) == laid[0]


def test_the_button_to_the_next_turn_does_not_count_the_match_that_is_open(laying, alice, bob):
    seat = mover(laying)
    client = browser(seat.user)
    hidden = r'class="next-turn"[^>]* data-next-turn hidden>'
    assert re.search(hidden, client.get(laying.get_absolute_url()).content.decode())
    assert not re.search(hidden, client.get(reverse("lobby")).content.decode())


# -- sending it -------------------------------------------------------------------------------------------------------


def test_a_turn_sent_twice_is_taken_once_and_answered_alike(laying):
    seat = mover(laying)
    client, moves = browser(seat.user), some_turn(laying, seat)
    first, second = (send(client, laying, seat.decision, moves, **HTMX) for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert 'role="alert"' not in second.content.decode()
    assert laying.turns.filter(kind=Turn.Kind.TURN, seat=seat.index, decision=seat.decision).count() == 1


def test_another_turn_for_the_same_decision_is_refused_with_the_board_as_it_is(laying):
    seat = mover(laying)
    client = browser(seat.user)
    send(client, laying, seat.decision, some_turn(laying, seat), **HTMX)
    answer = send(client, laying, seat.decision, [single_line(laying, seat), {"type": "stop"}], **HTMX)
    assert answer.status_code == 409
    assert "That turn has already been taken." in text(answer)
    assert f'data-version="{laying.version + 1}"' in answer.content.decode()


def test_an_illegal_turn_says_why_and_stores_nothing(laying):
    seat = mover(laying)
    far = next(
        line
        for line in ("0-0:0-1", "12-18:12-19")
        if {"type": "lay", "line": line, "own": False} not in legal(laying, seat)
    )
    answer = send(browser(seat.user), laying, seat.decision, [{"type": "lay", "line": far}], **HTMX)
    assert answer.status_code == 409
    assert "That line does not touch your network" in text(answer)
    assert Match.objects.get(pk=laying.pk).version == laying.version


def legal(match, seat):
    return msgspec.to_builtins(play.preview_turn(match, seat, seat.decision, []).choices.moves)


def test_an_unfinished_turn_is_refused_and_stays_chosen(laying):
    seat = mover(laying)
    answer = send(browser(seat.user), laying, seat.decision, [single_line(laying, seat)], **HTMX)
    assert answer.status_code == 409
    assert "Your turn is not finished yet." in text(answer)
    assert "1 of 2 points used" in text(answer)


def test_nobody_takes_the_turn_of_another(laying, charlie):
    seat = mover(laying)
    other = laying.seats.select_related("user").exclude(pk=seat.pk).get()
    moves = some_turn(laying, seat)
    assert "It is not your turn." in text(send(browser(other.user), laying, other.decision, moves, **HTMX))
    assert "You have no seat in this match." in text(send(browser(charlie), laying, 0, moves, **HTMX))
    logged_out = send(browser(), laying, seat.decision, moves, **HTMX)
    assert logged_out.status_code == 409
    assert "You are logged out." in text(logged_out)
    assert reverse("account_login") in send(browser(), laying, seat.decision, moves).url
    assert Match.objects.get(pk=laying.pk).version == laying.version


def test_a_turn_needs_the_token_of_the_page(laying):
    seat = mover(laying)
    client = Client(enforce_csrf_checks=True)
    client.force_login(seat.user)
    assert send(client, laying, seat.decision, some_turn(laying, seat), **HTMX).status_code == 403


# -- what is secret ---------------------------------------------------------------------------------------------------


def with_another_hand(match, index):
    """The same match, save that a seat was dealt other cities."""
    state = record.load_state(match)
    taken = {city for hand in state.hands for city in hand}
    map_ = board(state.board)
    other = tuple(next(c for c in map_.cities_of(colour, 2) if c not in taken) for colour in COLOURS)
    hands = tuple(other if seat == index else hand for seat, hand in enumerate(state.hands))
    Match.objects.filter(pk=match.pk).update(snapshot=encode(msgspec.structs.replace(state, hands=hands)))
    return Match.objects.get(pk=match.pk)


def shown_to(user, match):
    """All that the pages of a match show, save the tokens, which differ each time."""
    client = browser(user)
    addresses = [reverse(name, args=[match.key]) for name in ("match", "match-table", "match-log", "match-version")]
    addresses.append(reverse("match-moment", args=[match.key, match.version]))
    pages = [client.get(address).content.decode() for address in addresses]
    return [re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", page) for page in pages]


def test_nobody_sees_what_another_was_dealt(laying, alice, bob, charlie):
    seat = laying.seats.get(user=alice)
    before = {user: shown_to(user, laying) for user in (alice, bob, charlie, None)}
    changed = with_another_hand(laying, seat.index)
    for user in (bob, charlie, None):
        assert shown_to(user, changed) == before[user]
    assert shown_to(alice, changed) != before[alice]


def test_a_moment_shows_only_the_own_cities_while_the_match_runs(laying, alice, bob, charlie):
    state = record.load_state(laying)
    names = {
        user: {board("america").cities[city].name for city in state.hands[laying.seats.get(user=user).index]}
        for user in (alice, bob)
    }
    moment = reverse("match-moment", args=[laying.key, 1])
    for user in (alice, bob, charlie, None):
        page = browser(user).get(moment)
        assert set(re.findall(r'name-own"[^>]*>([^<]+)<', page.content.decode())) == names.get(user, set())
        assert dealt_cities(page) == []


def test_the_seed_is_shown_after_the_end_only(match, alice):
    seed = bytes(match.seed).hex()
    client = browser(alice)
    assert seed not in client.get(match.get_absolute_url()).content.decode()
    play_out(match)
    assert seed in client.get(match.get_absolute_url()).content.decode()


def test_names_are_text(match, alice):
    match.seats.update(name="<b>x</b>")
    page = browser(alice).get(match.get_absolute_url()).content.decode()
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


# -- rounds, moments, the end -----------------------------------------------------------------------------------------


def until_scored(match):
    """The match right after its first round was scored and the next one dealt."""
    while not record.load_state(match).rounds and match.status == Match.Status.RUNNING:
        match = take_some_turn(match, "medium")
    assert match.status == Match.Status.RUNNING
    return match


def test_a_scored_round_is_told_until_one_moves_on(match, alice):
    match = until_scored(match)
    client = browser(alice)
    page = client.get(match.get_absolute_url())
    assert "Round 1 is scored." in text(page)
    points = record.load_state(match).points[match.seats.get(user=alice).index]
    told = rf"You lose \d+ points? and have {points} left|lose nothing\. You have {points} points? left"
    assert re.search(told, text(page))
    while mover(match).user != alice:
        match = take_some_turn(match)
    assert "Round 1 is scored." in text(client.get(match.get_absolute_url()))
    match = take_some_turn(match)
    assert "See what was missing" not in text(client.get(match.get_absolute_url()))


def test_a_scored_round_tells_once_and_by_words_which_cities_each_player_lacked(match, alice, charlie):
    match = until_scored(match)
    scoring = next(t for t in match.turns.filter(kind="house") if t.events[0]["code"] == "round-scored")
    state, map_ = record.state_at(match, scoring.number), board("america")
    lacked = []
    for marker, hand in zip(state.markers, state.rounds[0].hands, strict=True):
        joined = map_.graph.reachable(marker, frozenset(state.rails))
        lacked += [city for city in hand if map_.cities[city].junction not in joined]
    assert lacked
    for user in (alice, charlie):
        page = browser(user).get(match.get_absolute_url())
        moment = browser(user).get(reverse("match-moment", args=[match.key, scoring.number]))
        assert page.content.decode().count('class="report"') <= 1
        assert text(moment).count("✗ missing") == len(lacked)
    assert text(browser(alice).get(match.get_absolute_url())).count("✗ missing") == len(lacked)


def test_the_moment_of_scoring_shows_all_cities_and_the_missing_lines(match, charlie):
    match = until_scored(match)
    scoring = next(t for t in match.turns.filter(kind="house") if t.events[0]["code"] == "round-scored")
    page = browser(charlie).get(reverse("match-moment", args=[match.key, scoring.number]))
    assert "Round 1 is scored." in text(page)
    assert len(dealt_cities(page)) == 10
    if any(record.load_state(match).rounds[0].penalties):
        assert re.search(r"What \w+ lacked: \d+ point", text(page))


def test_every_moment_has_its_address_and_its_line_of_the_log(laying, alice):
    client = browser(alice)
    for number in range(laying.version + 1):
        page = client.get(reverse("match-moment", args=[laying.key, number]))
        assert page.status_code == 200
        assert f"{number} of {laying.version}" in text(page)
    assert "starts from" in text(page)
    assert client.get(reverse("match-moment", args=[laying.key, laying.version + 1])).status_code == 404


def test_the_end_shows_places_points_and_everybodys_cities(match, charlie):
    match = play_out(match, "medium")
    page = browser(charlie).get(match.get_absolute_url())
    winners = [seat.name for seat in match.seats.filter(rank=1)]
    assert all(name in text(page) for name in winners)
    assert ("share the win" if len(winners) > 1 else f"{winners[0]} wins") in text(page)
    assert "Round 1" in text(page)
    assert "Download the record" in text(page)
    assert reverse("api-record", args=[match.key]) in page.content.decode()
    moment = browser(charlie).get(reverse("match-moment", args=[match.key, 3]))
    assert len(dealt_cities(moment)) == 10


def test_a_guest_is_offered_to_keep_the_account_at_the_end(match, alice, bob):
    alice.is_guest = True
    alice.save()
    match = play_out(match)
    offer = re.compile(r'class="button quiet" href="' + reverse("keep_account"))
    assert offer.search(browser(alice).get(match.get_absolute_url()).content.decode())
    assert not offer.search(browser(bob).get(match.get_absolute_url()).content.decode())


def test_a_legend_says_what_the_signs_on_the_board_mean(match, alice):
    page = text(browser(alice).get(match.get_absolute_url()))
    assert "A double line: costs 2 points." in page
    assert "A hollow city: out of play with two or three players." in page
    assert "A ring: one of your cities." in page
    assert "somebody has 0 points left, or fewer" in page


def test_the_log_has_every_turn(match, alice):
    match = play_out(match)
    page = browser(alice).get(reverse("match-log", args=[match.key])).content.decode()
    assert re.findall(r'<li class="log-line[^"]*" value="(\d+)"', page) == [str(n) for n in range(match.version, 0, -1)]


def test_a_rematch_is_one_match_whoever_asks_first_and_however_often(match, alice, bob, charlie):
    match = play_out(match)
    address = reverse("rematch", args=[match.key])
    first = browser(alice).post(address)
    again = browser(alice).post(address)
    other = browser(bob).post(address)
    assert first.url == again.url == other.url != match.get_absolute_url()
    new = Match.objects.get(key=first.url.split("/")[2])
    assert new.status == Match.Status.RUNNING
    assert new.pace == match.pace
    assert new.options == match.options
    assert browser(charlie).post(address).url == match.get_absolute_url()
    assert Match.objects.count() == 2


def test_in_a_rematch_a_computer_sits_for_whoever_deleted_their_account(match, alice, bob):
    match = play_out(match)
    delete_account(bob)
    new = Match.objects.get(key=browser(alice).post(reverse("rematch", args=[match.key])).url.split("/")[2])
    assert new.pk != match.pk
    assert [(seat.user, seat.level) for seat in new.seats.all()] == [(alice, ""), (None, "medium")]


def test_who_is_away_from_the_house_cannot_be_invited_without_end(settings, match, alice, bob):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"invite": "2/h/user"}
    client = browser(alice)
    form = {"seat-2": "person", "seat-3": "person", "pace": 259200, "access": "invited", "option-board": "america"}
    for times in range(3):
        answer = client.post(reverse("new-match"), form | {"invited": "Bob", "once": times})
    assert "You have invited people very often" in answer.content.decode()
    assert Invitation.objects.filter(user=bob).count() == 2

    match = play_out(match)
    client.post(reverse("rematch", args=[match.key]))
    assert not match.rematches.exists()
    assert browser(bob).post(reverse("rematch", args=[match.key])).status_code == 302
    assert match.rematches.exists()


def test_a_guest_who_makes_match_after_match_is_stopped(settings, client):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"new_match": "2/m/user"}
    client.post(reverse("guest"))
    for times in range(3):
        answer = client.post(reverse("quick"), {"once": times})
    assert answer.url == reverse("departures")
    assert Match.objects.count() == 2


def test_who_resigns_is_told_and_a_computer_plays_on(laying, alice, bob):
    client = browser(alice)
    assert reverse("resign-match", args=[laying.key]) in client.get(laying.get_absolute_url()).content.decode()
    answer = client.post(reverse("resign-match", args=[laying.key]), follow=True)
    assert "A computer plays on for you." in text(answer)
    assert "Alice resigns, and a computer plays on" in text(answer)
    assert reverse("resign-match", args=[laying.key]) not in answer.content.decode()
    assert "resigned, medium computer plays on" in text(browser(bob).get(laying.get_absolute_url()))


def test_who_resigned_ranks_behind_all_who_stayed_and_the_result_says_why(laying, alice, bob, charlie):
    assert "whatever the points" not in text(browser(bob).get(play_out(new_match(bob, charlie)).get_absolute_url()))
    play.resign(laying.key, alice)
    while laying.status == Match.Status.RUNNING:
        laying = take_some_turn(laying)
    for user in (alice, bob, None):
        words = text(browser(user).get(laying.get_absolute_url()))
        assert "Bob wins" in words
        assert "ranks behind everybody who stayed, whatever the points" in words


def test_only_who_played_with_people_is_offered_a_rematch_with_people(match, alice):
    alone = play_out(new_match(alice, opponents=["easy"]))
    assert "Rematch with the same people" in text(browser(alice).get(play_out(match).get_absolute_url()))
    words = text(browser(alice).get(alone.get_absolute_url()))
    assert "Rematch" in words
    assert "same people" not in words


def test_who_plays_here_but_is_logged_out_finds_the_way_in_beside_what_is_asked(laying, alice):
    page = browser().get(laying.get_absolute_url())
    assert "Do you play here? Log in" in text(page)
    asked = page.content.decode().partition('data-part="ask"')[2].partition("</section>")[0]
    assert f'href="{reverse("account_login")}?next={laying.get_absolute_url()}"' in asked
    assert "Do you play here?" not in text(browser(alice).get(laying.get_absolute_url()))


def test_a_match_that_everybody_has_left_says_so(laying, alice, bob):
    play.resign(laying.key, alice)
    said = text(browser(bob).post(reverse("resign-match", args=[laying.key]), follow=True))
    assert "You have resigned." in said
    assert "plays on for you" not in said
    for user in (alice, None):
        page = browser(user).get(laying.get_absolute_url())
        assert "Everybody has resigned" in text(page)
        assert "Your turn" not in text(page)
        assert bytes(laying.seed).hex() in page.content.decode()  # nothing is left to keep secret


# -- before the start -------------------------------------------------------------------------------------------------


def test_only_who_sits_there_sees_the_private_link(alice, charlie):
    match = play.create_match(alice, "trans-america", seats=3, access=Match.Access.LINK)
    assert match.link_code in browser(alice).get(match.get_absolute_url()).content.decode()
    for user in (charlie, None):
        page = browser(user).get(match.get_absolute_url())
        assert match.link_code not in page.content.decode()
        assert reverse("join-match", args=[match.key]) not in page.content.decode()


def test_an_open_match_offers_what_its_reader_may_do(alice, bob, charlie):
    match = play.create_match(alice, "trans-america", seats=4)
    play.join_match(match.key, bob)
    creators, members, others = (
        browser(user).get(match.get_absolute_url()).content.decode() for user in (alice, bob, charlie)
    )
    offers = {name: reverse(name, args=[match.key]) for name in ("start-match", "cancel-match", "add-opponent")}
    assert all(f'"{address}"' in creators for address in offers.values())
    assert not any(f'"{address}"' in members + others for address in offers.values())
    assert reverse("leave-match", args=[match.key]) in members
    assert f'"{reverse("join-match", args=[match.key])}"' in others
    assert "2 seats are free." in " ".join(re.sub("<[^>]+>", " ", others).split())


def test_an_invitation_says_who_invites_and_to_what(alice, bob, charlie):
    match = play.create_match(
        alice, "trans-america", seats=3, access=Match.Access.INVITED, invited=[bob], options={"board": "europa"}
    )
    words = text(browser(bob).get(match.get_absolute_url()))
    assert "Alice invites you." in words
    assert "Board: Europe 3 days a turn not rated" in words
    assert "Alice invites you · Board: Europe · not rated · 1 of 3 seats taken" in text(
        browser(bob).get(reverse("departures"))
    )
    assert "invites you" not in text(browser(charlie).get(match.get_absolute_url()))


def test_who_is_invited_can_join_or_decline_and_others_cannot(alice, bob, charlie):
    match = play.create_match(alice, "trans-america", seats=3, access=Match.Access.INVITED, invited=[bob])
    invited, other = (browser(user).get(match.get_absolute_url()).content.decode() for user in (bob, charlie))
    assert reverse("decline-invitation", args=[match.key]) in invited
    assert f'"{reverse("join-match", args=[match.key])}"' in invited
    assert f'"{reverse("join-match", args=[match.key])}"' not in other


def test_a_page_can_ask_whether_anything_has_changed(alice, bob):
    match = play.create_match(alice, "trans-america", seats=2)
    address = reverse("match-version", args=[match.key])
    marks = [browser().get(address).json()["mark"]]
    play.join_match(match.key, bob)
    marks.append(browser().get(address).json()["mark"])
    match = settled(match)
    marks.append(browser().get(address).json()["mark"])
    take_some_turn(match)
    marks.append(browser().get(address).json()["mark"])
    assert len(set(marks)) == len(marks)


# -- what it costs ----------------------------------------------------------------------------------------------------


def test_a_match_page_needs_at_most_twelve_queries(alice, bob, django_assert_max_num_queries):
    people = [alice, bob, *(person(name) for name in ("Chandra", "Dominique", "Esperanza", "Fyodor"))]
    match = new_match(*people)
    for _ in range(30):
        match = take_some_turn(match)
    client = browser(mover(match).user)
    with django_assert_max_num_queries(12):
        client.get(match.get_absolute_url())
    with django_assert_max_num_queries(8):
        client.get(reverse("match-table", args=[match.key]), headers=HTMX)
    with django_assert_max_num_queries(3):
        browser().get(reverse("match-version", args=[match.key]))
