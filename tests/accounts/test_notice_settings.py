"""The page on which people choose how they are told, and the same by the API."""

import json
import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import NoticePreferences, PushSubscription, Webhook
from accounts.notifications import KINDS, webhook
from accounts.notifications.preferences import chosen_channels
from tests.notices.listener import listening, names_lead_to
from tests.people import person

pytestmark = pytest.mark.django_db

API = "/api/v1/me"


@pytest.fixture
def page(client, alice):
    """Alice's browser."""
    client.force_login(alice)
    return client


@pytest.fixture
def listener(settings):
    settings.WEBHOOKS_TO_LOOPBACK = True
    with listening() as listener:
        yield listener


def content(client):
    return client.get(reverse("notices")).content.decode()


def post(client, part, **fields):
    return client.post(reverse("notices"), {"part": part} | fields)


def said(response):
    return [str(message) for message in response.context["messages"]]


def follow(client, part, **fields):
    """What the page says after a part was done."""
    return said(client.post(reverse("notices"), {"part": part} | fields, follow=True))


CHOICES = {"mail_mode": "at-once", "daily_hour": "8", "quiet_from": "", "quiet_to": ""}


# -- what and when ----------------------------------------------------------------------------------------------------


def test_the_page_is_linked_from_the_settings_and_needs_log_in(page):
    assert reverse("notices") in page.get(reverse("settings")).content.decode()
    assert Client().get(reverse("notices")).status_code == 302


def test_every_kind_has_a_named_box_for_every_channel(page):
    text = content(page)
    for kind in KINDS.values():
        for channel in ("E-mail", "Push", "Webhook"):
            assert f"{kind.label}: {channel}" in text


def test_choices_are_stored_and_shown(page, alice):
    chosen = {"your-turn": ["mail"], "chat": ["mail", "push", "webhook"]}
    times = {"mail_mode": "daily", "daily_hour": "19", "quiet_from": "22", "quiet_to": "7"}
    assert post(page, "preferences", **chosen, **times).url == reverse("notices")
    stored = NoticePreferences.objects.get(user=alice)
    assert (stored.mail_mode, stored.daily_hour, stored.quiet_from, stored.quiet_to) == ("daily", 19, 22, 7)
    assert chosen_channels(stored.user, "your-turn") == ("mail",)
    assert chosen_channels(stored.user, "chat") == ("mail", "push", "webhook")
    assert chosen_channels(stored.user, "ended") == ()
    ticked = re.findall(r'<input type="checkbox" name="([\w-]+)" value="(\w+)"[^>]* checked', content(page))
    assert ticked == [("your-turn", "mail"), ("chat", "mail"), ("chat", "push"), ("chat", "webhook")]


def test_saving_leaves_alone_what_was_sent_last(page, alice):
    sent = timezone.now()
    NoticePreferences.objects.create(user=alice, mail_result="Sent.", mail_result_at=sent, last_mail=sent)
    post(page, "preferences", **CHOICES)
    stored = NoticePreferences.objects.get(user=alice)
    assert (stored.mail_result, stored.last_mail) == ("Sent.", sent)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"mail_mode": "never"}, "mail_mode"),
        ({"mail_mode": ""}, "mail_mode"),
        ({"daily_hour": "24"}, "daily_hour"),
        ({"daily_hour": "-1"}, "daily_hour"),
        ({"daily_hour": "noon"}, "daily_hour"),
        ({"quiet_from": "22"}, "quiet_to"),
        ({"quiet_to": "7"}, "quiet_from"),
        ({"quiet_from": "7", "quiet_to": "7"}, "quiet_to"),
        ({"quiet_from": "25", "quiet_to": "7"}, "quiet_from"),
        ({"your-turn": ["pigeon"]}, "your-turn"),
    ],
)
def test_nonsense_is_refused_at_its_field_and_nothing_stored(page, fields, wrong):
    response = post(page, "preferences", **(CHOICES | fields))
    assert list(response.context["form"].errors) == [wrong]
    sentence = response.context["form"].errors[wrong][0]
    assert sentence.replace("'", "&#x27;") in response.content.decode()
    assert not NoticePreferences.objects.exists()


def test_a_guest_reads_that_mails_need_an_address(client):
    client.post(reverse("guest"))
    text = content(client)
    assert "Mails need an address" in text
    assert reverse("keep_account") in text
    assert "test-mail" not in text


def test_who_has_no_confirmed_address_reads_that_mails_need_one(client):
    client.force_login(person("Dora"))
    assert "Mails need a confirmed address." in content(client)


# -- the test mail ----------------------------------------------------------------------------------------------------


def test_a_test_mail_goes_out_and_its_result_is_shown(page, alice):
    assert follow(page, "test-mail") == ["A mail is on its way to alice@example.org."]
    (sent,) = mail.outbox
    assert sent.to == ["alice@example.org"]
    text = content(page)
    assert "Sent to alice@example.org." in text


# -- devices ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def device(alice, listener):
    from tests.notices.test_push import Browser

    browser = Browser(f"{listener.url}/push")
    return alice.push_subscriptions.create(endpoint=browser.endpoint, device="Firefox on Linux", **browser.keys())


def test_a_device_is_listed_tried_and_removed(page, device, listener):
    assert "Firefox on Linux" in content(page)
    assert follow(page, "test-device", number=device.pk) == ["The push service took the test."]
    assert len(listener.calls) == 1
    assert "It arrived." in content(page)
    follow(page, "remove-device", number=device.pk)
    assert not PushSubscription.objects.exists()


def test_a_device_that_is_gone_says_so_at_the_test(page, device, listener):
    listener.status = 410
    (sentence,) = follow(page, "test-device", number=device.pk)
    assert "does not want to be told any more" in sentence
    assert not PushSubscription.objects.exists()


# -- webhooks ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def hook(alice, listener):
    return webhook.add(alice, f"{listener.url}/hook", "json")


def test_a_new_webhook_shows_its_secret_once_and_then_only_when_asked(page, alice, listener):
    response = post(page, "add-webhook", url=f"{listener.url}/hook", format="json")
    added = alice.webhooks.get()
    assert response.url == reverse("notices") + "#webhooks"
    assert added.secret in content(page)
    assert added.secret not in content(page)
    post(page, "show-secret", number=added.pk)
    assert added.secret in content(page)
    assert added.secret not in content(page)


def test_a_secret_can_be_renewed(page, alice, hook):
    post(page, "renew-secret", number=hook.pk)
    renewed = alice.webhooks.get().secret
    assert renewed != hook.secret
    text = content(page)
    assert renewed in text
    assert hook.secret not in text


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://hooks.example.com/", "This address is not https."),
        ("https://127.0.0.1/", "This address leads to a computer inside of this network."),
        ("https://localhost:8000/", "This address leads to a computer inside of this network."),
        ("https://[::ffff:10.0.0.1]/", "This address leads to a computer inside of this network."),
        ("https://nowhere.invalid/", "There is no host of that name."),
        ("nonsense", "This is not an address of a page on the internet."),
    ],
)
def test_a_bad_address_is_refused_at_the_field_and_nothing_stored(page, monkeypatch, url, sentence):
    if "nowhere" in url:
        names_lead_to(monkeypatch, [])
    response = post(page, "add-webhook", url=url, format="slack")
    assert response.context["webhook_form"].errors == {"url": [sentence]}
    assert sentence in response.content.decode()
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("fields", [{"url": "", "format": "json"}, {"url": "https://1.1.1.1/", "format": "fax"}])
def test_a_webhook_needs_an_address_and_a_known_format(page, fields):
    assert post(page, "add-webhook", **fields).context["webhook_form"].errors
    assert not Webhook.objects.exists()


def test_the_sixth_webhook_is_refused(page, alice, listener):
    for number in range(webhook.MOST):
        webhook.add(alice, f"{listener.url}/{number}", "json")
    assert "more are not possible" in content(page)
    response = post(page, "add-webhook", url=f"{listener.url}/6", format="json")
    assert response.context["webhook_form"].non_field_errors()
    assert alice.webhooks.count() == webhook.MOST


def test_a_webhook_is_tried_at_once_and_keeps_the_result(page, hook, listener):
    assert follow(page, "test-webhook", number=hook.pk) == ["The test has arrived."]
    assert json.loads(listener.calls[0].body)["type"] == "notice.test"
    listener.status = 500
    (sentence,) = follow(page, "test-webhook", number=hook.pk)
    assert "error 500" in sentence
    assert "The other side answered with error 500." in content(page)


def test_a_paused_webhook_says_so_and_one_button_switches_it_on(page, hook):
    long_ago = timezone.now() - timedelta(days=2)
    Webhook.objects.update(paused=timezone.now(), failing_since=long_ago)
    text = content(page)
    assert "Paused on" in text
    assert 'value="resume-webhook"' in text
    follow(page, "resume-webhook", number=hook.pk)
    resumed = Webhook.objects.get()
    assert (resumed.paused, resumed.failing_since) == (None, None)


def test_a_webhook_is_removed(page, hook):
    follow(page, "remove-webhook", number=hook.pk)
    assert not Webhook.objects.exists()


WITH_NUMBER = ["test-webhook", "show-secret", "renew-secret", "resume-webhook", "remove-webhook"]


@pytest.mark.parametrize("part", [*WITH_NUMBER, "test-device", "remove-device"])
def test_nobody_reaches_what_belongs_to_somebody_else(client, charlie, hook, device, listener, part):
    client.force_login(charlie)
    number = device.pk if part.endswith("device") else hook.pk
    assert post(client, part, number=number).status_code == 404
    assert post(client, part, number="x").status_code == 404
    assert post(client, part).status_code == 404
    assert Webhook.objects.get().secret == hook.secret
    assert PushSubscription.objects.exists()
    assert listener.calls == []


def test_calls_from_the_page_are_limited(page, hook, listener):
    answers = [post(page, "test-webhook", number=hook.pk).status_code for _try in range(12)]
    assert answers[:10] == [302] * 10
    assert answers[10:] == [429, 429]
    assert len(listener.calls) == 10


# -- the API ----------------------------------------------------------------------------------------------------------

BODY = {"wanted": {}, "mail_mode": "at-once", "daily_hour": 8, "quiet_from": None, "quiet_to": None}


def put(client, **fields):
    return client.put(f"{API}/notices/", json.dumps(BODY | fields), content_type="application/json")


def test_a_program_reads_and_changes_preferences(page, alice):
    before = page.get(f"{API}/notices/").json()
    assert set(before["wanted"]) == set(KINDS)
    assert (before["mail_mode"], before["quiet_from"]) == ("at-once", None)
    answer = put(page, wanted={"chat": ["mail"], "ended": []}, mail_mode="until-back", quiet_from=23, quiet_to=6)
    assert answer.status_code == 200
    expected = before | {"mail_mode": "until-back", "quiet_from": 23, "quiet_to": 6}
    expected["wanted"] |= {"chat": ["mail"], "ended": []}
    assert answer.json() == page.get(f"{API}/notices/").json() == expected


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"wanted": {"birthday": ["mail"]}}, "wanted"),
        ({"wanted": {"chat": ["pigeon"]}}, "wanted"),
        ({"wanted": "all"}, "wanted"),
        ({"mail_mode": "hourly"}, "mail_mode"),
        ({"daily_hour": 24}, "daily_hour"),
        ({"quiet_from": 5}, "quiet_to"),
        ({"volume": 11}, "volume"),
    ],
)
def test_a_program_is_told_what_is_wrong(page, fields, wrong):
    answer = put(page, **fields)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == [wrong]
    assert not NoticePreferences.objects.exists()


def new(client, **body):
    return client.post(f"{API}/webhooks/", json.dumps(body), content_type="application/json")


def test_a_program_makes_lists_and_removes_webhooks(page, alice, charlie, listener):
    answer = new(page, url=f"{listener.url}/hook", format="json")
    assert answer.status_code == 201
    made = answer.json()
    assert made.pop("secret") == alice.webhooks.get().secret
    assert page.get(f"{API}/webhooks/").json() == [made]
    other = Client()
    other.force_login(charlie)
    assert other.get(f"{API}/webhooks/").json() == []
    assert other.delete(f"{API}/webhooks/{made['id']}/").status_code == 404
    assert page.delete(f"{API}/webhooks/{made['id']}/").status_code == 204
    assert page.delete(f"{API}/webhooks/{2**70}/").status_code == 404
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.com/", "not-https"),
        ("https://169.254.169.254/latest/meta-data/", "inside-address"),
        ("https://nowhere.invalid/", "unknown-host"),
        ("nonsense", "bad-address"),
    ],
)
def test_a_program_is_told_by_a_code_what_is_wrong_with_an_address(page, monkeypatch, url, code):
    if "nowhere" in url:
        names_lead_to(monkeypatch, [])
    answer = new(page, url=url)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["errors"] == {"url": [answer.json()["detail"]]}
    assert not Webhook.objects.exists()


def test_a_program_makes_no_sixth_webhook(page, alice, listener):
    for number in range(webhook.MOST):
        webhook.add(alice, f"{listener.url}/{number}", "json")
    answer = new(page, url=f"{listener.url}/6")
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-webhooks")


def test_nobody_else_asks(client):
    assert client.get(f"{API}/notices/").status_code == 401
    assert client.get(f"{API}/webhooks/").status_code == 401
    assert new(client, url="https://1.1.1.1/").status_code == 401
