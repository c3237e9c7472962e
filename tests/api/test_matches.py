"""The API as a stranger's client uses it."""

import json
from base64 import b64encode
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.urls import reverse
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from games import pictures, play, record, selectors
from games.models import Match
from games.rules.registry import GAMES
from tests.matches import GAME, laying_match, mover, new_match, play_out, some_turn, take_some_turn
from tests.people import PASSWORD

pytestmark = pytest.mark.django_db
API = "/api/v1"


def client_of(user=None):
    client = APIClient()
    if user is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.get_or_create(user=user)[0].key}")
    return client


@pytest.fixture
def match(alice, bob):
    return laying_match(alice, bob)


def problem(answer, status, code):
    """The answer is a problem document with this status and code."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    body = json.loads(answer.content)
    assert body["code"] == code
    assert body["status"] == status
    assert body["detail"]
    return body


def test_a_name_or_an_address_and_the_password_give_a_token(alice):
    for login in ("Alice", "alice", "alice@example.org"):
        answer = client_of().post(f"{API}/token/", {"login": login, "password": PASSWORD}, format="json")
        assert answer.status_code == 200, answer.content
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {answer.json()['token']}")
        assert client.get(f"{API}/matches/?waiting=true").status_code == 200


def test_a_wrong_password_and_an_unknown_name_look_the_same(alice):
    wrong = client_of().post(f"{API}/token/", {"login": "Alice", "password": "no"}, format="json")
    unknown = client_of().post(f"{API}/token/", {"login": "Zed", "password": "no"}, format="json")
    assert problem(wrong, 403, "wrong-login") == problem(unknown, 403, "wrong-login")


def test_who_guesses_a_password_is_stopped_as_on_the_page(alice):
    client = client_of()
    codes = set()
    for attempt in range(8):
        # Another address each time: the account itself is guarded.
        body = {"login": "Alice", "password": f"guess-{attempt}"}
        answer = client.post(f"{API}/token/", body, format="json", REMOTE_ADDR=f"127.0.0.{attempt + 1}")
        codes.add(answer.json()["code"])
    assert codes == {"wrong-login", "throttled"}
    right = {"login": "Alice", "password": PASSWORD}
    problem(client.post(f"{API}/token/", right, format="json", REMOTE_ADDR="127.0.0.99"), 429, "throttled")


def test_an_invitation_is_declined_and_a_match_played_again_over_the_api(alice, bob, match):
    key = play.create_match(alice, GAME, seats=3, access="invited", invited=[bob]).key
    assert client_of(bob).post(f"{API}/matches/{key}/decline/").status_code == 200
    problem(client_of(bob).post(f"{API}/matches/{key}/join/", {}, format="json"), 403, "not-invited")
    problem(client_of(alice).post(f"{API}/matches/{match.key}/rematch/"), 409, "not-over-yet")
    play_out(match)
    again = client_of(alice).post(f"{API}/matches/{match.key}/rematch/").json()
    assert again["key"] != match.key
    assert client_of(bob).post(f"{API}/matches/{match.key}/rematch/").json()["key"] == again["key"]


def test_a_token_that_is_none_is_refused():
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Token nonsense")
    problem(client.get(f"{API}/matches/"), 401, "authentication-failed")


def test_games_tell_their_options_boards_and_moves():
    row = client_of().get(f"{API}/games/").json()[0]
    assert row["key"] == GAME
    assert (row["least_seats"], row["most_seats"]) == (2, 6)
    assert {option["key"] for option in row["options"]} == {"board", "barrier", "vexation"}
    game = client_of().get(f"{API}/games/{GAME}/").json()
    board = game["boards"]["america"]
    assert (len(board["junctions"]), len(board["lines"]), len(board["cities"])) == (188, 509, 35)
    assert sum(line["cost"] == 2 for line in board["lines"]) == 109
    assert "lay" in json.dumps(game["moves"])
    problem(client_of().get(f"{API}/games/chess/"), 404, "not-found")


def test_a_match_is_created_joined_and_started_over_the_api(alice, bob):
    body = {"game": GAME, "seats": 3, "options": {"barrier": True}, "pace": 86400}
    answer = client_of(alice).post(f"{API}/matches/", body, format="json")
    assert answer.status_code == 201, answer.content
    match = answer.json()
    assert (match["status"], match["options"]["barrier"], match["pace"]) == ("open", True, 86400)
    assert match["you"] == {"seat": 0, "decision": 0, "waiting": False, "muted": False}
    assert match["view"] is None
    joined = client_of(bob).post(f"{API}/matches/{match['key']}/join/", {}, format="json").json()
    assert [seat["name"] for seat in joined["seats"]] == ["Alice", "Bob"]
    started = client_of(alice).post(f"{API}/matches/{match['key']}/start/").json()
    assert started["status"] == "running"


def test_opponents_are_seated_and_sent_away_over_the_api(alice):
    key = client_of(alice).post(f"{API}/matches/", {"game": GAME, "seats": 4}, format="json").json()["key"]
    seated = client_of(alice).post(f"{API}/matches/{key}/opponents/", {"level": "hard"}, format="json").json()
    assert seated["seats"][1]["opponent"] == "hard"
    left = client_of(alice).delete(f"{API}/matches/{key}/opponents/1/").json()
    assert len(left["seats"]) == 1
    assert client_of(alice).post(f"{API}/matches/{key}/cancel/").json()["status"] == "cancelled"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "game"),
        ({"game": GAME}, "seats"),
        ({"game": GAME, "seats": "many"}, "seats"),
        ({"game": GAME, "seats": 3, "pace": 5}, "pace"),
        ({"game": GAME, "seats": 3, "access": "secret"}, "access"),
        ({"game": GAME, "seats": 3, "opponents": ["godlike"]}, "opponents"),
        ({"game": GAME, "seats": 3, "colour": "red"}, "colour"),
        ({"game": GAME, "seats": 3, "options": [1]}, "options"),
        ({"game": GAME, "seats": 7}, "seats"),
        ({"game": "chess", "seats": 3}, "game"),
        ({"game": GAME, "seats": 3, "options": {"fog": True}}, "options"),
        ({"game": GAME, "seats": 3, "options": {"barrier": 1}}, "options"),
        ({"game": GAME, "seats": 3, "invited": ["Zed"]}, "invited"),
        ({"game": GAME, "seats": 2, "opponents": ["easy", "easy"]}, "opponents"),
    ],
)
def test_a_bad_body_names_the_field(alice, body, field):
    answer = client_of(alice).post(f"{API}/matches/", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][field]
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "position",
    ["", "abc", "2020", "NaN", "1e5", "2020-13-45 99:99", "\x00", "0001-01-01 00:00+14:00", "9999-12-31 23:59-14:00"],
)
def test_a_cursor_that_is_none_is_not_found(match, alice, position):
    cursor = b64encode(urlencode({"p": position}).encode()).decode()
    for address in (f"{API}/matches/", f"{API}/matches/{match.key}/log/"):
        answer = client_of(alice).get(address, {"cursor": cursor})
        assert answer.status_code in (200, 404), answer.content
        if answer.status_code == 404:
            problem(answer, 404, "not-found")


@pytest.mark.parametrize(
    "raw",
    [
        "[" * 100_000,
        "[" * 50_000 + "]" * 50_000,
        '{"a":' * 50_000,
        '{"\\ud800": 1}',
        '{"decision": 1, "moves": [{"type": "\\ud800"}]}',
        b"\xff\xfe{}",
    ],
)
def test_a_body_that_no_parser_likes_is_refused(match, raw):
    seat = mover(match)
    for address in (f"{API}/matches/{match.key}/turns/", f"{API}/matches/", f"{API}/token/"):
        answer = client_of(seat.user).post(address, raw, content_type="application/json")
        assert problem(answer, answer.status_code, answer.json()["code"])["status"] in (400, 413)


def test_a_body_has_a_size(match):
    seat = mover(match)
    body = {"decision": seat.decision, "moves": [{"type": "place", "junction": "x" * 70_000}]}
    answer = client_of(seat.user).post(f"{API}/matches/{match.key}/turns/", body, format="json")
    problem(answer, 413, "body-too-large")


@pytest.mark.parametrize("raw", ["", "{", "[]", "7", '"text"', "null", '{"decision": 1e400}'])
def test_a_body_that_is_no_json_object_is_refused(match, raw):
    seat = mover(match)
    answer = client_of(seat.user).post(f"{API}/matches/{match.key}/turns/", raw, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_other_content_types_are_refused(match):
    seat = mover(match)
    answer = client_of(seat.user).post(f"{API}/matches/{match.key}/turns/", "x", content_type="text/plain")
    problem(answer, 415, "unsupported-media-type")


def test_programs_and_pages_invite_at_most_so_often_together(settings, alice, bob):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"invite": "2/h/user"}
    body = {"game": "trans-america", "seats": 2, "access": "invited", "invited": ["Bob"]}
    for _time in range(2):
        assert client_of(alice).post(f"{API}/matches/", body, format="json").status_code == 201
    problem(client_of(alice).post(f"{API}/matches/", body, format="json"), 429, "too-many-invitations")
    assert Match.objects.count() == 2
    assert client_of(bob).post(f"{API}/matches/", body | {"invited": ["Alice"]}, format="json").status_code == 201


def test_options_and_players_that_do_not_exist_are_refused(alice):
    client = client_of(alice)
    body = {"game": GAME, "seats": 3}
    problem(client.post(f"{API}/matches/", body | {"options": {"fog": 1}}, format="json"), 400, "unknown-option")
    problem(client.post(f"{API}/matches/", body | {"options": {"barrier": 1}}, format="json"), 400, "bad-option-value")
    problem(client.post(f"{API}/matches/", body | {"invited": ["Zed"]}, format="json"), 400, "unknown-player")
    problem(client.post(f"{API}/matches/", body | {"game": "chess"}, format="json"), 400, "unknown-game")


def test_who_is_nobody_cannot_do_anything(match):
    client = client_of()
    problem(client.post(f"{API}/matches/", {"game": GAME, "seats": 3}, format="json"), 401, "not-authenticated")
    for action in ("join", "leave", "start", "cancel", "resign", "turns", "opponents"):
        problem(client.post(f"{API}/matches/{match.key}/{action}/", {}, format="json"), 401, "not-authenticated")
    assert client.get(f"{API}/matches/{match.key}/").status_code == 200, "anybody may watch"


def test_choices_lead_to_a_turn_and_the_turn_to_the_log(match):
    seat = mover(match)
    client = client_of(seat.user)
    choices = client.get(f"{API}/matches/{match.key}/choices/").json()
    assert choices["decision"] == seat.decision
    assert choices["asked"]["text"]
    assert len(choices["moves"]) == len(choices["costs"]) > 0
    single = choices["moves"][choices["costs"].index(1)]
    tried = client.post(
        f"{API}/matches/{match.key}/turns/",
        {"decision": seat.decision, "moves": [single], "dry_run": True},
        format="json",
    )
    assert tried.status_code == 200, tried.content
    assert tried.json()["view"]["turn"] == [single["line"]]
    body = {"decision": seat.decision, "moves": [single, {"type": "stop"}]}
    taken = client.post(f"{API}/matches/{match.key}/turns/", body, format="json")
    assert taken.status_code == 201, taken.content
    again = client.post(f"{API}/matches/{match.key}/turns/", body, format="json")
    assert again.json() == taken.json()
    log = client.get(f"{API}/matches/{match.key}/log/").json()["results"]
    assert log[0]["number"] == taken.json()["number"]
    assert seat.name in log[0]["events"][0]["text"]


def test_whose_seat_is_read_after_a_turn_and_the_board_before_it_has_nothing_to_choose_yet(match, monkeypatch):
    first = mover(match)
    second = match.seats.select_related("user").get(waiting=False)
    read = selectors.find_match

    def slow(key):
        found = read(key)
        take_some_turn(match)
        seats = list(match.seats.select_related("user"))
        found._prefetched_objects_cache["seats"]._result_cache[:] = seats
        return found

    monkeypatch.setattr(selectors, "find_match", slow)
    problem(client_of(second.user).get(f"{API}/matches/{match.key}/choices/"), 409, "not-your-turn")
    assert mover(match).pk == second.pk != first.pk


def test_an_illegal_move_says_why_and_stores_nothing(match):
    seat = mover(match)
    client = client_of(seat.user)
    single = next(
        m
        for m, cost in zip(
            *[client.get(f"{API}/matches/{match.key}/choices/").json()[k] for k in ("moves", "costs")], strict=True
        )
        if cost == 1
    )
    body = {"decision": seat.decision, "moves": [single, single]}
    answer = problem(client.post(f"{API}/matches/{match.key}/turns/", body, format="json"), 422, "line-taken")
    assert answer["move"] == 1
    assert Match.objects.get(pk=match.pk).version == match.version


def test_conflicts_say_what_is_due(match):
    seat = mover(match)
    other = match.seats.exclude(pk=seat.pk).get()
    url = f"{API}/matches/{match.key}/turns/"
    turn = some_turn(match, seat)
    late = {"decision": seat.decision - 1, "moves": turn}
    assert (
        problem(client_of(seat.user).post(url, late, format="json"), 409, "decision-past")["decision"] == seat.decision
    )
    mine = {"decision": other.decision, "moves": turn}
    problem(client_of(other.user).post(url, mine, format="json"), 409, "not-your-turn")


def test_a_stranger_cannot_move(match, charlie):
    seat = mover(match)
    body = {"decision": seat.decision, "moves": some_turn(match, seat)}
    problem(client_of(charlie).post(f"{API}/matches/{match.key}/turns/", body, format="json"), 403, "not-seated")
    problem(client_of(charlie).get(f"{API}/matches/{match.key}/choices/"), 403, "not-seated")


def test_nobody_reads_anothers_cities(match, alice, bob, charlie):
    """No answer about a running match differs by more than the reader's own hand."""
    own = {user: client_of(user).get(f"{API}/matches/{match.key}/").json()["view"] for user in (alice, bob)}
    hands = {user: {city["name"] for city in view["hand"]} for user, view in own.items()}
    assert all(len(hand) == 5 for hand in hands.values())
    for reader in (None, charlie):
        view = client_of(reader).get(f"{API}/matches/{match.key}/").json()["view"]
        assert view["hand"] == []
        assert view["hands"] == []
    seed = bytes(match.seed).hex()
    for user in (alice, bob):
        for address in ("", "log/"):
            assert seed not in client_of(user).get(f"{API}/matches/{match.key}/{address}").content.decode()


def test_the_list_holds_open_matches_and_ones_own(alice, bob, charlie):
    new_match(alice, bob)
    hidden = play.create_match(alice, GAME, seats=3, access="invited", invited=[bob])
    keys = {row["key"] for row in client_of(bob).get(f"{API}/matches/").json()["results"]}
    assert hidden.key in keys
    keys = {row["key"] for row in client_of(charlie).get(f"{API}/matches/").json()["results"]}
    assert hidden.key not in keys
    assert len(keys) == 1


def test_the_list_is_filtered_and_paged(alice, bob):
    for _ in range(5):
        play.create_match(alice, GAME, seats=3)
    running = new_match(alice, bob)
    seat = mover(running)
    client = client_of(seat.user)
    waiting = client.get(f"{API}/matches/?waiting=true").json()["results"]
    assert [row["key"] for row in waiting] == [running.key]
    assert waiting[0]["you"]["waiting"] is True
    assert len(client.get(f"{API}/matches/?status=open").json()["results"]) == 5
    assert client.get(f"{API}/matches/?player=bob").json()["results"][0]["key"] == running.key
    seen, url = [], f"{API}/matches/?size=2"
    while url:
        page = client.get(url).json()
        seen += [row["key"] for row in page["results"]]
        url = page["next"]
    assert len(seen) == len(set(seen)) == 6
    problem(client.get(f"{API}/matches/?status=lost"), 400, "invalid")


def test_the_list_costs_the_same_number_of_queries_for_any_number_of_matches(alice, django_assert_max_num_queries):
    for _ in range(8):
        play.create_match(alice, GAME, seats=4, opponents=["easy", "easy"])
    with django_assert_max_num_queries(7):
        client_of(alice).get(f"{API}/matches/")


def test_a_private_link_is_shown_only_to_who_sits_there(alice, bob):
    match = play.create_match(alice, GAME, seats=3, access="link")
    assert client_of(alice).get(f"{API}/matches/{match.key}/").json()["link"].endswith(f"{match.link_code}/")
    assert match.link_code not in client_of(bob).get(f"{API}/matches/{match.key}/").content.decode()


def test_the_record_is_shown_after_the_end_and_proves_the_deals(match, alice):
    url = f"{API}/matches/{match.key}/record/"
    problem(client_of(alice).get(url), 409, "not-over")
    match = play_out(match)
    record = client_of().get(url).json()
    assert record["seed"] == bytes(match.seed).hex()
    assert record["seed_sha256"] == client_of().get(f"{API}/matches/{match.key}/").json()["seed_sha256"]
    assert len(record["turns"]) == match.version
    result = client_of().get(f"{API}/matches/{match.key}/").json()["result"]
    assert len(result["points"]) == 2
    assert all(sum(line["amounts"][seat] for line in result["sheet"]) == result["points"][seat] for seat in (0, 1))


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_the_board_comes_as_a_picture(match, alice, kind, start):
    answer = client_of(alice).get(f"{API}/matches/{match.key}/picture.{kind}?theme=night")
    assert answer.status_code == 200
    assert answer.content.startswith(start)


def test_there_is_no_picture_before_the_start(alice):
    match = play.create_match(alice, GAME, seats=3)
    problem(client_of(alice).get(f"{API}/matches/{match.key}/picture.svg"), 409, "not-running")


def drawn_for(match, seat, theme):
    """What the rules let this seat see, drawn anew."""
    return pictures.png(match.game, GAMES[match.game].view(record.load_state(match), seat), theme=theme)


def kept_pictures():
    """{place in the cache: (what it was drawn for, bytes)}"""
    return cache.get_many([f"picture:{place}" for place in range(pictures.KEPT_AT_ONCE)])


def test_a_picture_is_drawn_once_and_again_for_a_new_version(match, alice):
    url = f"{API}/matches/{match.key}/picture.png"
    seat = match.seats.get(user=alice).index
    assert client_of(alice).get(url).content == drawn_for(match, seat, "day")
    ((place, (drawn, _picture)),) = kept_pictures().items()
    cache.set(place, (drawn, b"kept"))
    assert client_of(alice).get(url).content == b"kept"
    match = take_some_turn(match)
    assert client_of(alice).get(url).content == drawn_for(match, seat, "day")
    assert list(kept_pictures()) == [place], "the new one is kept in place of the old one"


@pytest.mark.parametrize("places", [1, pictures.KEPT_AT_ONCE])
def test_nobody_gets_a_picture_that_was_drawn_for_other_eyes(match, alice, bob, charlie, monkeypatch, places):
    monkeypatch.setattr(pictures, "KEPT_AT_ONCE", places)
    sights = {user: match.seats.get(user=user).index for user in (alice, bob)} | {charlie: None, None: None}
    expected = {(seat, theme): drawn_for(match, seat, theme) for seat in (0, 1, None) for theme in ("day", "night")}
    assert len(set(expected.values())) == 6
    for theme in ("day", "night"):
        for user, seat in sights.items():
            answer = client_of(user).get(f"{API}/matches/{match.key}/picture.png?theme={theme}")
            assert answer.content == expected[seat, theme], f"{user} by {theme}"
            assert answer["Cache-Control"] == "private, no-cache"
    assert 1 <= len(kept_pictures()) <= places


def test_who_has_given_a_seat_to_another_sees_no_more_of_it(match, alice, bob, charlie):
    url = f"{API}/matches/{match.key}/picture.png"
    seat = match.seats.get(user=bob).index
    assert client_of(bob).get(url).content == drawn_for(match, seat, "day")
    play.resign(match.key, bob)
    play.invite_to_seat(match.key, alice, seat, charlie)
    play.take_over(match.key, charlie)
    match.refresh_from_db()
    assert client_of(charlie).get(url).content == drawn_for(match, seat, "day")
    assert client_of(bob).get(url).content == drawn_for(match, None, "day")


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_that_one_has_is_not_sent_again(match, alice, bob, kind):
    url = f"{API}/matches/{match.key}/picture.{kind}"
    tag = client_of(alice).get(url)["ETag"]
    same = client_of(alice).get(url, HTTP_IF_NONE_MATCH=tag)
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", tag)
    assert client_of(bob).get(url, HTTP_IF_NONE_MATCH=tag).status_code == 200
    take_some_turn(match)
    assert client_of(alice).get(url, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_every_answer_is_described_by_the_schema(client):
    schema = client.get(reverse("api-schema"), HTTP_ACCEPT="application/vnd.oai.openapi+json").content.decode()
    for operation in ("matches_take_turn", "matches_retrieve", "games_retrieve", "matches_record", "token_create"):
        assert operation in schema
    assert client.get(reverse("api-docs")).status_code == 200


def test_what_is_not_there_is_a_problem_document(alice):
    problem(client_of(alice).get(f"{API}/matches/zzzzzzzzzz/"), 404, "no-such-match")
    problem(client_of(alice).get(f"{API}/nonsense/"), 404, "not-found")
    problem(client_of(alice).get(f"{API}/players/%00/"), 404, "not-found")
    problem(client_of(alice).delete(f"{API}/matches/"), 405, "method-not-allowed")
