"""Who may sit down, bring opponents, start, leave and call off a match."""

import pytest
from django.urls import reverse

from games import play
from games.models import Invitation, Match, Notice
from games.refusals import Refusal, sentence
from tests.matches import GAME, new_match, play_out
from tests.people import person

pytestmark = pytest.mark.django_db


def refused(code, call, *args, **kwargs):
    """The call is refused for this reason, and the reason can be said."""
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    assert caught.value.code == code
    assert sentence(caught.value)


def names(match):
    return [seat.name for seat in match.seats.all()]


def test_the_creator_has_the_first_seat_and_the_match_waits_for_others(alice):
    match = play.create_match(alice, GAME, seats=3)
    assert names(match) == ["Alice"]
    assert match.status == Match.Status.OPEN
    assert match.options == {"board": "america", "barrier": False, "vexation": False}


def test_a_match_starts_at_once_when_its_seats_are_full(alice, bob):
    match = play.create_match(alice, GAME, seats=2)
    match = play.join_match(match.key, bob)
    assert match.status == Match.Status.RUNNING
    assert match.house_due is not None, "the house must deal"
    assert set(Notice.objects.filter(kind="started").values_list("user__username", flat=True)) == {"Alice", "Bob"}


def test_a_match_against_opponents_only_starts_when_it_is_created(alice):
    match = play.create_match(alice, GAME, seats=3, opponents=["easy", "hard"])
    assert match.status == Match.Status.RUNNING
    assert [seat.level for seat in match.seats.all()] == ["", "easy", "hard"]
    assert len(set(names(match))) == 3, "the log must be able to tell them apart"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"seats": 1}, "bad-seats"),
        ({"seats": 7}, "bad-seats"),
        ({"pace": 60}, "bad-pace"),
        ({"pace": 15 * 24 * 3600}, "bad-pace"),
        ({"access": "secret"}, "bad-access"),
        ({"options": {"fog": True}}, "unknown-option"),
        ({"options": {"board": "asia"}}, "bad-option-value"),
        ({"options": {"barrier": 1}}, "bad-option-value"),
        ({"opponents": ["godlike"]}, "bad-level"),
        ({"opponents": ["easy", "easy", "easy"]}, "too-many-opponents"),
    ],
)
def test_what_a_new_match_cannot_be(alice, fields, code):
    refused(code, play.create_match, alice, **({"game": GAME, "seats": 3} | fields))
    assert not Match.objects.exists()


def test_joining_twice_is_joining_once(alice, bob):
    match = play.create_match(alice, GAME, seats=3)
    play.join_match(match.key, bob)
    play.join_match(match.key, bob)
    assert names(match) == ["Alice", "Bob"]


def test_nobody_joins_a_match_that_runs(alice, bob, charlie):
    match = new_match(alice, bob)
    refused("already-started", play.join_match, match.key, charlie)


def test_a_match_for_invited_people_takes_only_them(alice, bob, charlie):
    match = play.create_match(alice, GAME, seats=3, access="invited", invited=[bob])
    assert Notice.objects.filter(user=bob, kind="invited").count() == 1
    refused("not-invited", play.join_match, match.key, charlie)
    play.join_match(match.key, bob)
    assert names(match) == ["Alice", "Bob"]
    assert not Invitation.objects.exists()


def test_who_is_invited_twice_is_invited_once(alice, bob):
    match = play.create_match(alice, GAME, seats=3, access="invited", invited=[bob, bob, alice])
    assert [invitation.user for invitation in match.invitations.all()] == [bob]


def test_people_are_invited_to_seats_that_are_free(alice, bob):
    refused("no-seat-to-invite", play.create_match, alice, GAME, seats=2, opponents=["easy"], invited=[bob])
    refused("nobody-invited", play.create_match, alice, GAME, seats=3, access="invited", invited=[alice])
    assert not Match.objects.exists()


def test_an_invitation_can_be_declined(alice, bob):
    match = play.create_match(alice, GAME, seats=3, access="invited", invited=[bob])
    play.decline_invitation(match.key, bob)
    refused("not-invited", play.join_match, match.key, bob)


def test_a_private_link_lets_in_who_has_its_code(alice, bob):
    match = play.create_match(alice, GAME, seats=3, access="link")
    refused("not-invited", play.join_match, match.key, bob)
    refused("not-invited", play.join_match, match.key, bob, "wrong")
    refused("not-invited", play.join_match, match.key, bob, "é")
    play.join_match(match.key, bob, match.link_code)
    assert names(match) == ["Alice", "Bob"]


def test_a_link_code_does_not_open_a_match_for_invited_people(alice, bob, charlie):
    match = play.create_match(alice, GAME, seats=3, access="invited", invited=[charlie])
    refused("not-invited", play.join_match, match.key, bob, match.link_code)


def test_who_leaves_frees_the_seat_and_the_next_person_becomes_creator(alice, bob, charlie):
    match = play.create_match(alice, GAME, seats=5, opponents=["easy"])
    play.join_match(match.key, bob)
    match = play.leave_match(match.key, alice)
    assert [(seat.index, seat.name) for seat in match.seats.all()] == [(0, "Atlas"), (1, "Bob")]
    assert Match.objects.get().creator == bob


def test_a_match_that_everybody_left_is_cancelled(alice):
    match = play.create_match(alice, GAME, seats=3, opponents=["easy"])
    play.leave_match(match.key, alice)
    assert Match.objects.get().status == Match.Status.CANCELLED


def test_only_the_creator_brings_opponents_starts_and_calls_off(alice, bob):
    match = play.create_match(alice, GAME, seats=4)
    play.join_match(match.key, bob)
    refused("not-creator", play.add_opponent, match.key, bob, "easy")
    refused("not-creator", play.start_match, match.key, bob)
    refused("not-creator", play.cancel_match, match.key, bob)


def test_an_opponent_can_be_seated_and_sent_away(alice):
    match = play.create_match(alice, GAME, seats=4, rated=True)
    play.add_opponent(match.key, alice, "hard")
    assert not Match.objects.get().rated, "nobody wins rating from a computer"
    refused("no-opponent-there", play.remove_opponent, match.key, alice, 0)
    play.remove_opponent(match.key, alice, 1)
    assert names(match) == ["Alice"]


def test_opponents_of_one_table_have_different_names_after_one_was_sent_away(alice):
    match = play.create_match(alice, GAME, seats=4, opponents=["easy", "easy"])
    play.remove_opponent(match.key, alice, 1)
    play.add_opponent(match.key, alice, "hard")
    assert len(set(names(match))) == 3


def test_the_creator_starts_with_who_is_there(alice, bob):
    match = play.create_match(alice, GAME, seats=6)
    refused("too-few", play.start_match, match.key, alice)
    play.join_match(match.key, bob)
    assert play.start_match(match.key, alice).status == Match.Status.RUNNING
    assert play.start_match(match.key, alice).status == Match.Status.RUNNING, "a second click changes nothing"


def test_a_match_is_called_off_only_before_it_starts(alice, bob):
    match = play.create_match(alice, GAME, seats=3)
    assert play.cancel_match(match.key, alice).status == Match.Status.CANCELLED
    assert play.cancel_match(match.key, alice).status == Match.Status.CANCELLED
    refused("already-over", play.join_match, match.key, bob)
    refused("already-started", play.cancel_match, new_match(alice, bob).key, alice)


def test_guests_play_but_not_for_rating(alice):
    guest = person("Guest-1", is_guest=True)
    assert not play.create_match(guest, GAME, seats=3, rated=True).rated
    match = play.create_match(alice, GAME, seats=3, rated=True)
    refused("guests-not-rated", play.join_match, match.key, guest)


def test_what_is_not_there_is_said(alice):
    for call in (play.join_match, play.leave_match, play.start_match, play.cancel_match, play.resign):
        refused("no-such-match", call, "nothing", alice)


def test_who_resigns_ranks_last_and_an_opponent_plays_on(alice, bob):
    match = new_match(alice, bob)
    match = play.resign(match.key, bob)
    seat = match.seats.get(user=bob)
    assert (seat.level, seat.resigned) == ("medium", True)
    version = match.version
    assert play.resign(match.key, bob).version == version, "a second click changes nothing"


def test_a_match_that_every_person_resigned_ends_without_a_result(alice):
    match = new_match(alice, opponents=["easy"])
    match = play.resign(match.key, alice)
    assert match.status == Match.Status.CANCELLED
    assert not match.seats.filter(waiting=True).exists()
    assert match.turns.last().events[0]["code"] == "abandoned"


def test_who_has_no_seat_cannot_resign_or_leave(alice, bob, charlie):
    refused("not-seated", play.resign, new_match(alice, bob).key, charlie)
    refused("not-seated", play.leave_match, play.create_match(alice, GAME, seats=3).key, charlie)


def test_whoever_asks_for_a_rematch_later_gets_the_one_that_was_made(alice, bob):
    match = new_match(alice, bob)
    refused("not-over-yet", play.play_again, match.key, alice)
    play_out(match)
    again = play.play_again(match.key, alice)
    assert again.options == match.options
    assert play.play_again(match.key, alice).pk == again.pk
    assert names(again) == ["Alice"]
    assert play.play_again(match.key, bob).pk == again.pk
    assert names(again) == ["Alice", "Bob"]
    assert play.play_again(match.key, bob).pk == again.pk, "also when it has started"


def test_a_rematch_that_was_called_off_leaves_room_for_another(alice, bob):
    match = play_out(new_match(alice, bob))
    again = play.play_again(match.key, alice)
    play.cancel_match(again.key, alice)
    assert play.play_again(match.key, bob).pk != again.pk


def test_a_match_that_was_never_played_has_no_rematch(alice):
    match = play.create_match(alice, GAME, seats=3)
    play.cancel_match(match.key, alice)
    refused("not-over-yet", play.play_again, match.key, alice)


def test_a_guest_who_keeps_the_account_takes_the_matches_along_under_the_new_name(client):
    guest = person("Guest-Larch-1", is_guest=True)
    match = play.create_match(guest, GAME, seats=2, opponents=["easy"])
    client.force_login(guest)
    kept = {"username": "Mira", "email": "mira@example.org", "password1": "tram-and-ferry"}
    assert client.post(reverse("keep_account"), kept).status_code == 302
    assert names(Match.objects.get(pk=match.pk)) == ["Mira", "Atlas"]
