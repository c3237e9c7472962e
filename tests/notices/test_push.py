"""Web push: what a browser may hand in, what it is sent and by whom, and what becomes of devices that are gone."""

import base64
import json
import time
from urllib.parse import urlsplit

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.staticfiles import finders
from django.urls import reverse
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from accounts.models import PushSubscription
from accounts.notifications import Message, SendError, push, vapid
from tests.notices.listener import listening


class Browser:
    """The keys of one browser, and how it reads what is pushed to it."""

    def __init__(self, endpoint):
        self.endpoint, self.key, self.secret = endpoint, ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"

    def keys(self):
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"p256dh": encoded(point), "auth": encoded(self.secret)}

    def read(self, call):
        text = http_ece.decrypt(call.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return json.loads(text)


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def turn(match, title=None, **data):
    return Message(
        id=f"turn-{match}",
        kind="your-turn",
        title=title or f"Your turn in {match}",
        url=f"http://testserver/m/{match}/",
        button="Take your turn",
        tag=f"match-{match}",
        topic=f"Trans America with {match}",
        lines=("Bob laid two rails.",),
        data=data,
    )


CHAT = Message(
    id="chat-1",
    kind="chat",
    title="Bob wrote",
    url="http://testserver/m/a/",
    button="Answer",
    tag="match-a",
    lines=("Hi",),
)


@pytest.fixture
def listener(settings):
    settings.WEBHOOKS_TO_LOOPBACK = True
    with listening() as listener:
        listener.status = 201
        yield listener


@pytest.fixture
def browser(listener, alice):
    browser = Browser(f"{listener.url}/push/one")
    push.subscribe(alice, browser.endpoint, **browser.keys(), device="Firefox on Linux")
    return browser


# -- subscribing ------------------------------------------------------------------------------------------------------


def hand_in(client, **fields):
    return client.post(reverse("push_subscription"), fields, headers={"User-Agent": FIREFOX})


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


def test_a_browser_learns_the_key_and_hands_its_subscription_in(client, alice, listener):
    client.force_login(alice)
    told = client.get(reverse("push_subscription")).json()
    point = b64urldecode(told["key"].encode())
    assert (len(point), point[0]) == (65, 4)
    browser = Browser(f"{listener.url}/push/new")
    assert hand_in(client, endpoint=browser.endpoint, **browser.keys()).status_code == 201
    stored = alice.push_subscriptions.get()
    assert (stored.endpoint, stored.device) == (browser.endpoint, "Firefox on Linux")
    assert listener.connections == 0


GOOD = Browser("").keys()
NOT_ON_THE_CURVE = encoded(b"\x04" + b"\x01" * 64)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"endpoint": "http://push.example.com/x"}, "endpoint"),
        ({"endpoint": "https://127.0.0.2:9/x"}, "endpoint"),
        ({"endpoint": "https://10.1.1.1/x"}, "endpoint"),
        ({"endpoint": "https://[::ffff:192.168.0.1]/x"}, "endpoint"),
        ({"endpoint": "not an address"}, "endpoint"),
        ({"endpoint": ""}, "endpoint"),
        ({"p256dh": ""}, "p256dh"),
        ({"auth": ""}, "auth"),
        ({"p256dh": NOT_ON_THE_CURVE}, "p256dh"),
        ({"p256dh": encoded(b"\x04" + b"\x01" * 63)}, "p256dh"),
        ({"p256dh": GOOD["p256dh"][:-2] + "!!"}, "p256dh"),
        ({"auth": encoded(b"short")}, "auth"),
        ({"auth": encoded(b"x" * 17)}, "auth"),
        ({"auth": "ÄÄÄÄ"}, "auth"),
    ],
)
def test_what_is_no_subscription_is_refused_with_a_sentence(client, alice, settings, fields, wrong):
    client.force_login(alice)
    settings.WEBHOOKS_TO_LOOPBACK = "127.0.0.2" not in fields.get("endpoint", "")
    answer = hand_in(client, **({"endpoint": "http://127.0.0.1:9/push"} | GOOD | fields))
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [wrong]
    assert all(error["message"] and error["code"] for error in answer.json()["errors"][wrong])
    assert not PushSubscription.objects.exists()


def test_only_who_is_logged_in_may_subscribe(client, db, listener):
    browser = Browser(f"{listener.url}/push/new")
    assert hand_in(client, endpoint=browser.endpoint, **browser.keys()).status_code == 302
    assert not PushSubscription.objects.exists()


def test_a_browser_belongs_to_who_subscribed_with_it_last(client, alice, bob, browser):
    push.subscribe(bob, browser.endpoint, **browser.keys(), device="Chrome on Android")
    assert not alice.push_subscriptions.exists()
    assert bob.push_subscriptions.get().device == "Chrome on Android"


def test_a_new_address_of_a_browser_takes_the_place_of_the_old_one(client, alice, browser, listener):
    client.force_login(alice)
    renewed = Browser(f"{listener.url}/push/renewed")
    answer = hand_in(client, endpoint=renewed.endpoint, **renewed.keys(), replaces=browser.endpoint)
    assert answer.status_code == 201
    assert alice.push_subscriptions.get().endpoint == renewed.endpoint


def test_nobody_takes_away_the_device_of_somebody_else_by_naming_it(client, alice, bob, browser, listener):
    client.force_login(bob)
    mine = Browser(f"{listener.url}/push/bob")
    hand_in(client, endpoint=mine.endpoint, **mine.keys(), replaces=browser.endpoint)
    assert alice.push_subscriptions.get().endpoint == browser.endpoint


def test_the_oldest_device_makes_room(alice, listener):
    for number in range(push.MOST + 2):
        browser = Browser(f"{listener.url}/push/{number}")
        push.subscribe(alice, browser.endpoint, **browser.keys(), device="")
    assert alice.push_subscriptions.count() == push.MOST
    assert not alice.push_subscriptions.filter(endpoint__endswith="/push/0").exists()


# -- sending ----------------------------------------------------------------------------------------------------------


def headers_of(call):
    return {name.lower(): value for name, value in call.headers.items()}


def test_a_browser_can_read_what_it_is_sent_and_opens_the_match(alice, browser, listener):
    push.send(alice, [turn("a")])
    (call,) = listener.calls
    assert call.path == "/push/one"
    assert browser.read(call) == {
        "title": "Your turn in a",
        "body": "Trans America with a\nBob laid two rails.",
        "url": "http://testserver/m/a/",
        "tag": "branchline-turns",
        "count": 1,
    }
    headers = headers_of(call)
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 3600
    assert headers["urgency"] == "high"
    assert len(headers["topic"]) == 32
    assert b"Your turn" not in call.body


def test_the_push_service_can_check_who_sends(alice, browser, listener, settings):
    settings.DEFAULT_FROM_EMAIL = "Branchline <house@branchline.example>"
    push.send(alice, [turn("a")])
    authorization = headers_of(listener.calls[0])["authorization"]
    assert Vapid02.verify(authorization)
    scheme, parts = authorization.split(" ")
    token, key = (part.split("=", 1)[1] for part in parts.split(","))
    assert (scheme, key) == ("vapid", vapid.public_key())
    claims = json.loads(b64urldecode(token.split(".")[1].encode()))
    assert claims["aud"] == listener.url
    assert claims["sub"] == "mailto:house@branchline.example"
    assert time.time() < claims["exp"] <= time.time() + 24 * 60 * 60


def test_the_key_follows_from_the_secret_key_or_is_the_one_that_is_set(settings):
    first = vapid.public_key()
    assert vapid.public_key() == first
    settings.SECRET_KEY = "another"
    assert vapid.public_key() != first
    given = ec.derive_private_key(7, ec.SECP256R1())
    settings.VAPID_PRIVATE_KEY = encoded((7).to_bytes(32))
    point = given.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    assert vapid.public_key() == encoded(point)


def test_several_matches_that_wait_stack_into_one_notification(alice, browser, listener):
    push.send(alice, [turn("a"), turn("b"), turn("c")])
    (call,) = listener.calls
    told = browser.read(call)
    assert told["title"] == "3 matches wait for you"
    assert told["count"] == 3
    assert told["url"].endswith(reverse("next-turn"))
    assert told["body"] == "Trans America with a\nTrans America with b\nTrans America with c"


def test_matches_that_waited_before_are_counted_and_take_the_same_place(alice, browser, listener):
    push.send(alice, [turn("a", waiting=1)])
    push.send(alice, [turn("b", waiting=2)])
    first, second = listener.calls
    assert browser.read(first)["tag"] == browser.read(second)["tag"] == "branchline-turns"
    assert headers_of(first)["topic"] == headers_of(second)["topic"]
    assert browser.read(second)["title"] == "2 matches wait for you"


def test_a_turn_and_its_reminder_are_one_match(alice, browser, listener):
    reminder = Message(**{**vars(turn("a")), "kind": "reminder", "id": "reminder-a", "title": "Hurry"})
    push.send(alice, [turn("a"), reminder])
    (call,) = listener.calls
    assert browser.read(call)["title"] == "Hurry"
    assert browser.read(call)["url"] == "http://testserver/m/a/"


def test_other_news_keep_a_notification_of_their_own(alice, browser, listener):
    push.send(alice, [CHAT, turn("b"), turn("c")])
    chat, turns = (browser.read(call) for call in listener.calls)
    assert (chat["title"], chat["tag"], chat["count"]) == ("Bob wrote", "match-a", 0)
    assert turns["count"] == 2
    assert headers_of(listener.calls[0])["urgency"] == "normal"


def test_a_long_message_fits_what_a_push_service_takes(alice, browser, listener):
    push.send(alice, [turn("a", title="Ü" * 5000)])
    (call,) = listener.calls
    assert len(call.body) < 4096
    assert browser.read(call)["title"].endswith("…")


def test_all_devices_are_told_and_each_keeps_what_came_of_it(alice, browser, listener):
    with listening() as other:
        other.status = 503
        second = Browser(f"{other.url}/push/two")
        push.subscribe(alice, second.endpoint, **second.keys(), device="")
        push.send(alice, [turn("a")])
        assert len(listener.calls) == len(other.calls) == 1
    results = dict(alice.push_subscriptions.values_list("endpoint", "result"))
    assert results == {browser.endpoint: "It arrived.", second.endpoint: "The other side answered with error 503."}
    assert all(alice.push_subscriptions.values_list("result_at", flat=True))


def test_slow_devices_do_not_hold_a_worker_for_long(alice, browser, listener, monkeypatch):
    monkeypatch.setattr(push, "SECONDS", 0.2)
    second = Browser(f"{listener.url}/push/two")
    push.subscribe(alice, second.endpoint, **second.keys(), device="")
    listener.hold = lambda connection: time.sleep(0.4)
    push.send(alice, [turn("a")])
    assert [call.path for call in listener.calls] == ["/push/one"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(alice, browser, listener, status):
    listener.status = status
    with pytest.raises(SendError) as failed:
        push.send(alice, [turn("a"), CHAT])
    assert not failed.value.temporary
    assert not PushSubscription.objects.exists()
    assert len(listener.calls) == 1


@pytest.mark.parametrize(("status", "temporary"), [(400, False), (403, False), (413, False), (429, True), (500, True)])
def test_other_failures_leave_the_device_and_say_why(alice, browser, listener, status, temporary):
    listener.status = status
    with pytest.raises(SendError) as failed:
        push.send(alice, [turn("a")])
    assert failed.value.temporary is temporary
    assert str(status) in alice.push_subscriptions.get().result


def test_who_has_no_device_is_told_nothing(alice):
    with pytest.raises(SendError) as failed:
        push.send(alice, [turn("a")])
    assert not failed.value.temporary


def test_a_push_service_that_moved_inside_is_not_called(alice, browser, listener, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    with pytest.raises(SendError):
        push.send(alice, [turn("a")])
    assert listener.connections == 0
    assert urlsplit(alice.push_subscriptions.get().endpoint).path == "/push/one"


# -- the service worker -----------------------------------------------------------------------------------------------


def test_the_service_worker_serves_the_whole_site_and_is_a_plain_file(client):
    answer = client.get("/sw.js")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]
    script = answer.content.decode()
    assert not any(line.startswith(("import", "export")) for line in script.splitlines())
    for event in ("push", "notificationclick", "pushsubscriptionchange"):
        assert f'addEventListener("{event}"' in script


def test_a_phone_can_keep_the_site_like_a_program(client):
    told = client.get("/manifest.webmanifest")
    assert told["Content-Type"] == "application/manifest+json"
    assert told.json()["start_url"] == "/departures/"
    for icon in told.json()["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
    assert 'rel="manifest" href="/manifest.webmanifest"' in client.get("/rules/").content.decode()
