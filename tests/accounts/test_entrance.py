"""Sign-up, confirmation, log-in, log-out, reset, change: what people can do, and what nobody learns from it."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from rest_framework.authtoken.models import Token

from games.play import OPPONENT_NAMES
from tests.people import PASSWORD, person

pytestmark = pytest.mark.django_db

ALICE = {"username": "Alice", "email": "Alice@Example.org", "password1": PASSWORD}


def sign_up(client, **changes):
    return client.post(reverse("account_signup"), ALICE | changes)


def log_in(client, login, password=PASSWORD, **more):
    return client.post(reverse("account_login"), {"login": login, "password": password, **more})


def user(name="Alice"):
    return get_user_model().objects.get(username=name)


def who(client):
    """The name of the person whom this browser is logged in as, or None."""
    number = client.session.get("_auth_user_id")
    return number and get_user_model().objects.get(pk=number).username


def link_in(message):
    return re.search(r"http://testserver(/\S+)", message.body).group(1)


def errors(response):
    return {field: list(told) for field, told in response.context["form"].errors.items()}


# -- sign-up and confirmation


def test_a_newcomer_is_in_at_once_and_confirms_the_address_later(client):
    response = sign_up(client)
    assert response.status_code == 302
    assert response.url == reverse("departures")
    assert who(client) == "Alice"
    assert not user().is_guest
    assert user().email == ""  # a claim, nothing more

    [message] = mail.outbox
    assert message.to == ["alice@example.org"]
    assert message.subject == "Welcome aboard: confirm your address for Branchline"
    assert "“Alice”" in message.body
    confirm = link_in(message)
    assert "alice@example.org" in client.get(confirm).content.decode()
    assert user().email == ""  # a program that follows links confirms nothing
    client.post(confirm)
    assert user().email == "alice@example.org"
    assert EmailAddress.objects.get(user=user()).verified

    assert "no longer works" in client.get(confirm).content.decode()


def test_the_browser_tells_its_time_zone_at_sign_up(client):
    sign_up(client, timezone="America/Denver")
    assert user().timezone == "America/Denver"


@pytest.mark.parametrize("nonsense", ["Mars/Olympus", "../../etc/passwd", "x" * 60, ""])
def test_a_time_zone_that_is_none_is_utc_at_sign_up(client, nonsense):
    sign_up(client, timezone=nonsense)
    assert user().timezone == "UTC"


def test_sign_up_goes_on_to_where_the_person_was_heading(client):
    assert sign_up(client, next="/lobby/").url == "/lobby/"


def test_sign_up_does_not_lead_to_another_site(client):
    assert sign_up(client, next="https://elsewhere.example/").url == reverse("departures")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("A", "A name has at least 2 characters."),
        ("Alice@home", "A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),
        ("Alice＠home", "A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),
        ("Аlice", "A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),  # a Cyrillic А
        ("Ali ce", "A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),
        (".Alice", "A name is made of letters from a to z, digits, and “-”, “_” or “.” between them."),
        ("Gone-15", "This name is reserved. Please choose another one."),
        ("G0ne.7", "This name is reserved. Please choose another one."),
        ("admin", "This name is reserved. Please choose another one."),
        ("Adm1n", "This name is reserved. Please choose another one."),
        ("spec-tator", "This name is reserved. Please choose another one."),
        ("Computer-2", "This name is reserved. Please choose another one."),
        ("C0mputer", "This name is reserved. Please choose another one."),
        ("Guest-Larch-4821", "This name is reserved. Please choose another one."),
    ],
)
def test_a_name_that_could_mislead_is_refused_with_a_sentence(client, name, sentence):
    response = sign_up(client, username=name)
    assert errors(response)["username"] == [sentence]
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("name", OPPONENT_NAMES)
def test_nobody_is_called_like_a_computer_opponent(client, name):
    for written in (name, name.upper()):
        assert errors(sign_up(client, username=written))["username"] == [
            "This name is reserved. Please choose another one."
        ]


@pytest.mark.parametrize("name", ["Al", "alice.b", "Alice_B-2", "4711", "Hostess", "A" * 24])
def test_plain_names_are_taken(client, name):
    assert sign_up(client, username=name).status_code == 302
    assert who(client) == name


def test_a_name_has_at_most_24_characters(client):
    assert "username" in errors(sign_up(client, username="A" * 25))


def test_names_that_differ_only_in_case_are_one_name(client):
    person("ALICE")
    assert errors(sign_up(client))["username"] == ["Somebody already has this name. Please choose another one."]


@pytest.mark.usefixtures("rival")
def test_a_name_that_somebody_takes_at_the_same_moment_is_refused_like_any_other(client):
    response = sign_up(client)
    assert response.status_code == 200
    assert errors(response)["username"] == ["Somebody already has this name. Please choose another one."]
    assert [each.username for each in get_user_model().objects.all()] == ["aLiCe"]
    assert who(client) is None
    assert not mail.outbox


@pytest.mark.parametrize("password", ["short", "password", "1234567890", "alice@example.org", "example.org"])
def test_weak_passwords_are_refused(client, password):
    assert "password1" in errors(sign_up(client, password1=password))
    assert not get_user_model().objects.exists()


def test_forms_from_other_sites_are_refused(db):
    client = Client(enforce_csrf_checks=True)
    for name in ["account_signup", "account_login", "account_logout", "account_reset_password", "guest"]:
        assert client.post(reverse(name), ALICE).status_code == 403
    assert not get_user_model().objects.exists()
    form = client.get(reverse("account_signup"))
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.content.decode()).group(1)
    assert client.post(reverse("account_signup"), ALICE | {"csrfmiddlewaretoken": token}).status_code == 302


# -- nobody learns who has an account


def without_secrets(response):
    """A page without what differs from one request to the next: tokens, nonces and the typed values."""
    text = re.sub(r'(value|nonce|content)="[^"]*"', "", response.content.decode())
    return response.status_code, response.headers.get("Location"), text


def test_sign_up_with_a_used_address_looks_the_same_and_only_its_owner_is_told():
    person("Bob", email="bob@example.org")
    fresh, used = Client(), Client()
    answers = [
        sign_up(fresh, username="Alice", email="new@example.org"),
        sign_up(used, username="Alicf", email="BOB@example.org"),
    ]
    assert without_secrets(answers[0]) == without_secrets(answers[1])
    assert who(fresh) == "Alice"
    assert who(used) == "Alicf"
    pages = [
        re.sub("Alic[ef]|new@example.org|bob@example.org", "X", without_secrets(c.get(reverse(page)))[2])
        for page in ["settings", "account_email"]
        for c in [fresh, used]
    ]
    drawing = re.compile(r"/accounts/avatars/\d+-")
    assert drawing.sub("", pages[0]) == drawing.sub("", pages[1])
    assert drawing.sub("", pages[2]) == drawing.sub("", pages[3])

    welcome, hint = mail.outbox
    assert welcome.to == ["new@example.org"]
    assert hint.to == ["bob@example.org"]
    assert hint.subject == "You already have an account on Branchline"
    assert "confirm" not in hint.body
    assert user("Bob").email == "bob@example.org"
    assert user("Alicf").email == ""


def test_of_two_accounts_that_claim_an_address_only_the_first_to_confirm_has_it():
    first, second = Client(), Client()
    sign_up(first, username="Alice", email="shared@example.org")
    [to_alice] = mail.outbox
    cache.clear()  # the second mail to one address within three minutes would not be sent
    sign_up(second, username="Charlie", email="shared@example.org")
    to_charlie = mail.outbox[-1]
    second.post(link_in(to_charlie))
    first.post(link_in(to_alice))
    assert user("Charlie").email == "shared@example.org"
    assert user("Alice").email == ""


def test_reset_looks_the_same_for_an_address_that_nobody_has():
    person("Bob", email="bob@example.org")
    asked = [
        Client().post(reverse("account_reset_password"), {"email": e}, follow=True)
        for e in ("bob@example.org", "no@example.org")
    ]
    assert without_secrets(asked[0]) == without_secrets(asked[1])
    assert [message.to for message in mail.outbox] == [["bob@example.org"], ["no@example.org"]]
    assert mail.outbox[1].subject == "No account on Branchline with this address"


def test_a_wrong_password_and_an_unknown_person_get_the_same_answer():
    person("Bob", email="bob@example.org")
    told = [
        errors(log_in(Client(), login, "wrong-wrong"))
        for login in ["Bob", "Nobody-Here", "bob@example.org", "no@example.org"]
    ]
    assert told == [{"__all__": ["The name or e-mail address and the password do not match."]}] * 4


def test_a_changed_address_may_be_one_that_is_used_and_nobody_is_told_but_its_owner(client):
    person("Bob", email="bob@example.org")
    alice = person("Alice", email="alice@example.org")
    log_in(client, "Alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answers = [
        client.post(reverse("account_email"), {"email": e, "action_add": ""})
        for e in ("new@example.org", "bob@example.org")
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert mail.outbox[0].subject == "Confirm your address for Branchline"
    assert mail.outbox[1].subject == "You already have an account on Branchline"
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


# -- log-in and log-out


@pytest.mark.parametrize("login", ["Alice", "aLICE", "alice@example.org", "Alice@EXAMPLE.org", " Alice "])
def test_log_in_by_name_or_address_in_any_case(client, login):
    person("Alice", email="alice@example.org")
    assert log_in(client, login).status_code == 302
    assert who(client) == "Alice"


def test_log_in_by_an_address_that_is_not_confirmed_yet(client):
    sign_up(client)
    other = Client()
    log_in(other, "alice@example.org")
    assert who(other) == "Alice"


def test_log_in_by_an_address_means_the_account_that_has_it_confirmed():
    person("Bob", email="bob@example.org")
    sign_up(Client(), username="Charlie", email="bob@example.org", password1="charlies-own-secret")
    client = Client()
    log_in(client, "bob@example.org", "charlies-own-secret")
    assert who(client) is None
    log_in(client, "bob@example.org")
    assert who(client) == "Bob"


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(client):
    person("Alice")
    for _guess in range(5):
        log_in(client, "Alice", "wrong-wrong")
    assert errors(log_in(client, "alice"))["__all__"] == [
        "Too many failed attempts. Please wait a few minutes and try again."
    ]
    assert who(client) is None


def test_a_flood_of_log_ins_gets_a_page_of_the_site(client):
    for _guess in range(30):
        response = log_in(client, "")
    response = log_in(client, "")
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()


def test_a_closed_account_cannot_log_in(client):
    person("Alice", is_active=False)
    assert log_in(client, "Alice").url == reverse("account_inactive")
    assert "closed" in client.get(reverse("account_inactive")).content.decode()
    assert who(client) is None


def test_log_out_needs_a_post(client):
    client.force_login(person("Alice"))
    assert client.get(reverse("account_logout")).status_code == 200
    assert who(client) == "Alice"
    assert client.post(reverse("account_logout")).url == reverse("front")
    assert who(client) is None


def test_log_in_does_not_lead_to_another_site(client):
    person("Alice")
    assert log_in(client, "Alice", next="https://elsewhere.example/").url == reverse("departures")


def test_an_address_that_cannot_be_read_is_no_way_on(client):
    assert client.get(reverse("account_login"), {"next": "http://["}).status_code == 200


# -- reset and change


def test_a_lost_password_is_replaced_by_a_link_in_a_mail(client):
    person("Alice", email="alice@example.org")
    client.post(reverse("account_reset_password"), {"email": "ALICE@example.org"})
    [message] = mail.outbox
    assert "“Alice”" in message.body
    link = link_in(message)
    form = client.get(link, follow=True)
    action = form.redirect_chain[-1][0]
    new = {"password1": "narrow-gauge-9", "password2": "narrow-gauge-9"}
    assert client.post(action, new).url == reverse("account_reset_password_from_key_done")
    log_in(client, "Alice", "narrow-gauge-9")
    assert who(client) == "Alice"
    assert mail.outbox[-1].subject == "Your password on Branchline was changed"

    again = Client().get(link, follow=True)
    assert "no longer works" in again.content.decode()


def test_a_reset_link_is_for_one_person_only(client):
    person("Alice", email="alice@example.org")
    bob = person("Bob", email="bob@example.org")
    client.post(reverse("account_reset_password"), {"email": "alice@example.org"})
    forged = re.sub(r"/reset/\w+-", f"/reset/{bob.pk}-", link_in(mail.outbox[0]))
    assert "no longer works" in client.get(forged, follow=True).content.decode()


def test_a_password_is_changed_by_who_knows_the_old_one(client):
    person("Alice", email="alice@example.org")
    log_in(client, "Alice")
    change = {"password1": "narrow-gauge-9", "password2": "narrow-gauge-9"}
    page = reverse("account_change_password")
    assert errors(client.post(page, change | {"oldpassword": "wrong"}))["oldpassword"] == ["This is not your password."]
    client.post(page, change | {"oldpassword": PASSWORD})
    assert user().check_password("narrow-gauge-9")
    assert who(client) == "Alice"
    assert [message.to for message in mail.outbox] == [["alice@example.org"]]


def test_a_new_password_locks_out_whoever_got_a_token_by_the_old_one(client):
    alice = person("Alice", email="alice@example.org")
    kept = Token.objects.create(user=person("Bob"))
    new = {"password1": "narrow-gauge-9", "password2": "narrow-gauge-9"}

    Token.objects.create(user=alice)
    log_in(client, "Alice")
    client.post(reverse("account_change_password"), new | {"oldpassword": PASSWORD})
    assert list(Token.objects.all()) == [kept]

    Token.objects.create(user=alice)
    mail.outbox.clear()
    client.post(reverse("account_reset_password"), {"email": "alice@example.org"})
    form = Client().get(link_in(mail.outbox[0]), follow=True)
    form.client.post(form.redirect_chain[-1][0], {"password1": "broad-gauge-9", "password2": "broad-gauge-9"})
    assert user().check_password("broad-gauge-9")
    assert list(Token.objects.all()) == [kept]


def test_a_new_address_asks_for_the_password_and_counts_once_confirmed(client):
    person("Alice", email="old@example.org")
    log_in(client, "Alice")
    asked = client.post(reverse("account_email"), {"email": "New@example.org", "action_add": ""})
    assert asked.url.startswith(reverse("account_reauthenticate"))
    assert not mail.outbox
    client.post(asked.url, {"password": PASSWORD})
    assert user().email == "old@example.org"
    client.post(link_in(mail.outbox[0]))
    assert user().email == "new@example.org"
    told = mail.outbox[-1]
    assert told.to == ["old@example.org"]
    assert "new@example.org" in told.body
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("new@example.org", True)]


def test_the_confirmed_address_cannot_be_removed_but_a_claim_can(client):
    alice = person("Alice", email="alice@example.org")
    EmailAddress.objects.create(user=alice, email="other@example.org")
    log_in(client, "Alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for address in ["alice@example.org", "other@example.org"]:
        client.post(reverse("account_email"), {"email": address, "action_remove": ""})
    assert [a.email for a in EmailAddress.objects.all()] == ["alice@example.org"]
    assert user().email == "alice@example.org"


# -- the pages


@pytest.mark.parametrize(
    "page",
    ["account_login", "account_signup", "account_reset_password", "account_reset_password_done",
     "account_reset_password_from_key_done", "account_inactive"],
)  # fmt: skip
def test_the_pages_before_log_in_are_the_sites_own(client, page):
    text = client.get(reverse(page)).content.decode()
    assert "<title>" in text
    assert "· Branchline</title>" in text
    assert 'class="wordmark"' in text
    assert "placeholder" not in text


@pytest.mark.parametrize(
    "page", ["account_email", "account_change_password", "account_reauthenticate", "account_logout", "settings"]
)
def test_the_pages_after_log_in_are_the_sites_own_and_for_people_only(client, page):
    if page != "account_logout":
        assert client.get(reverse(page)).url.startswith(reverse("account_login"))
    client.force_login(person("Alice"))
    response = client.get(reverse(page))
    assert response.status_code == 200
    assert "· Branchline</title>" in response.content.decode()


@pytest.mark.parametrize(
    "path", ["login/code/", "login/code/confirm/", "reauthenticate/code/", "phone/verify/", "confirm-email/"]
)
def test_ways_in_that_we_do_not_use_have_no_address(client, path):
    client.force_login(person("Alice"))
    assert client.get(f"/accounts/{path}").status_code == 404
