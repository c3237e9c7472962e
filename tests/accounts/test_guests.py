"""Playing without an account, and keeping the account that came of it."""

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.urls import reverse

from accounts.names import form_validators
from tests.people import PASSWORD, person

pytestmark = pytest.mark.django_db

KEEP = {"username": "Alice", "email": "alice@example.org", "password1": PASSWORD}


def only_user():
    return get_user_model().objects.get()


@pytest.fixture
def guest(client):
    client.post(reverse("guest"))
    return only_user()


def test_a_guest_is_in_with_one_press(client):
    response = client.post(reverse("guest"), {"next": "/lobby/", "timezone": "Europe/Vienna"})
    assert response.url == "/lobby/"
    guest = only_user()
    assert client.session["_auth_user_id"] == str(guest.pk)
    assert guest.is_guest
    assert guest.email == ""
    assert not guest.has_usable_password()
    assert guest.timezone == "Europe/Vienna"


def test_guests_have_pleasant_names_that_keep_the_rules():
    names = {get_user_model().objects.create_guest().username for _ in range(30)}
    assert len(names) == 30
    for name in names:
        assert name.startswith("Guest-")
        for validator in form_validators:
            validator(name)


def test_nonsense_time_zones_of_guests_are_utc(client):
    client.post(reverse("guest"), {"timezone": "Nowhere/Land"})
    assert only_user().timezone == "UTC"


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_a_guest_is_not_led_to_another_site(client, elsewhere):
    assert client.post(reverse("guest"), {"next": elsewhere}).url == reverse("departures")


def test_a_guest_account_needs_a_post(client):
    assert client.get(reverse("guest")).status_code == 405
    assert not get_user_model().objects.exists()


def test_who_is_in_stays_who_they_are(client):
    alice = person("Alice")
    client.force_login(alice)
    client.post(reverse("guest"))
    assert only_user() == alice


def test_guest_accounts_are_limited_per_address(client):
    for _guest in range(20):
        client.logout()
        assert client.post(reverse("guest")).status_code == 302
    client.logout()
    assert client.post(reverse("guest")).status_code == 429
    assert client.post(reverse("guest"), REMOTE_ADDR="192.0.2.7").status_code == 302


def test_a_kept_account_is_the_same_account(client, guest):
    assert "Keep this account" in client.get(reverse("keep_account")).content.decode()
    response = client.post(reverse("keep_account"), KEEP)
    assert response.url == reverse("departures")
    kept = only_user()
    assert kept.pk == guest.pk
    assert kept.username == "Alice"
    assert not kept.is_guest
    assert kept.check_password(PASSWORD)
    assert client.session["_auth_user_id"] == str(kept.pk)
    [message] = mail.outbox
    assert message.to == ["alice@example.org"]


def test_a_refused_form_changes_nothing(client, guest):
    response = client.post(reverse("keep_account"), KEEP | {"password1": "short"})
    assert response.context["form"].errors
    assert only_user().is_guest
    assert only_user().username == guest.username


def test_a_kept_account_needs_a_name_of_its_own(client, guest):
    assert (
        "username" in client.post(reverse("keep_account"), KEEP | {"username": guest.username}).context["form"].errors
    )


@pytest.mark.usefixtures("rival")
def test_a_name_that_somebody_takes_at_the_same_moment_leaves_the_guest_as_it_was(client, guest):
    response = client.post(reverse("keep_account"), KEEP)
    assert response.status_code == 200
    assert response.context["form"].errors["username"] == ["Somebody already has this name. Please choose another one."]
    assert guest.username in response.content.decode()
    before = guest.password
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.password == before
    assert not mail.outbox


def test_keeping_with_a_used_address_looks_the_same(client, guest):
    person("Bob", email="alice@example.org")
    assert client.post(reverse("keep_account"), KEEP).url == reverse("departures")
    assert mail.outbox[0].subject == "You already have an account on Branchline"


def test_only_guests_can_keep(client):
    client.force_login(person("Alice"))
    assert client.get(reverse("keep_account")).url == reverse("settings")


@pytest.mark.parametrize("page", ["account_email", "account_change_password", "account_reauthenticate"])
def test_a_guest_has_nothing_to_change_before_keeping(client, guest, page):
    assert client.get(reverse(page)).url == reverse("keep_account")


def test_a_guest_is_asked_before_leaving_for_good(client, guest):
    assert "no way back" in client.post(reverse("account_logout")).content.decode()
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"), {"sure": "yes"})
    assert "_auth_user_id" not in client.session


def test_guests_cannot_log_in_from_elsewhere(client, guest):
    client.logout()
    for password in ["", "!", guest.password]:
        client.post(reverse("account_login"), {"login": guest.username, "password": password})
        assert "_auth_user_id" not in client.session
