"""Calls to people's own addresses: where they may go, what they say, and what becomes of those that fail."""

import json
import socket
import time
from datetime import timedelta

import pytest
import standardwebhooks
import time_machine
from django.core import mail
from django.utils import timezone

from accounts.models import Webhook
from accounts.notifications import Message, SendError, calls, webhook
from accounts.notifications.addresses import BadAddress, find_target
from tests.notices.listener import certificate, listening, names_lead_to

MESSAGE = Message(
    id="notice-7",
    kind="your-turn",
    title="Your turn against *Bob* & <@everyone>",
    url="https://branchline.example/m/abc/",
    button="Take your turn",
    tag="match-abc",
    topic="Trans America with Bob",
    lines=("Bob laid _two_ rails.", "You have until Friday."),
    data={"kind": "your-turn", "match": "abc", "decision": 4},
)


@pytest.fixture
def loopback(settings):
    """Webhooks may lie on this computer."""
    settings.WEBHOOKS_TO_LOOPBACK = True


@pytest.fixture
def listener(loopback):
    with listening() as listener:
        yield listener


def new_webhook(user, url, format="json"):
    return webhook.add(user, f"{url}/hook?key=1", format)


def refusal(url):
    with pytest.raises(BadAddress) as refused:
        find_target(url)
    assert refused.value.sentence
    return refused.value.code


# -- where a call may go ----------------------------------------------------------------------------------------------

INSIDE = """
    127.0.0.1 127.1.2.3 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.254 192.168.1.1 169.254.169.254 100.64.0.1
    100.127.255.254 192.0.0.1 192.0.2.5 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255
    [::1] [::] [fe80::1] [fc00::1] [fd12:3456:789a::1] [ff02::1] [fec0::1] [2001:db8::1] [2001::1] [100::1]
    [::ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.1.2.3]
    [64:ff9b:1::1] [2002:7f00:1::1] [2002:c0a8:101::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2]
    2130706433 0x7f000001 0x7f.1 127.1 017700000001 0177.0.0.1 0 192.168.257
""".split()  # noqa: SIM905 - a table to be read


@pytest.mark.parametrize("host", INSIDE)
def test_addresses_inside_of_the_network_are_refused_however_they_are_written(host):
    assert refusal(f"https://{host}/hook") == "inside-address"


def test_a_name_is_refused_for_a_single_bad_address_among_good_ones(monkeypatch):
    names_lead_to(monkeypatch, ["1.1.1.1", "10.0.0.1"])
    assert refusal("https://hooks.example.com/") == "inside-address"


def test_public_addresses_are_taken_and_the_older_kind_goes_first(monkeypatch):
    names_lead_to(monkeypatch, ["2606:4700::1111", "1.1.1.1"])
    target = find_target("https://Hooks.Example.com:8443/a/b?c=d#e")
    assert (target.host, target.port, target.path, target.address) == ("hooks.example.com", 8443, "/a/b?c=d", "1.1.1.1")
    names_lead_to(monkeypatch, ["64:ff9b::1.1.1.1"])
    assert find_target("https://hooks.example.com").path == "/"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.com/", "not-https"),
        ("ftp://hooks.example.com/", "not-https"),
        ("file:///etc/passwd", "not-https"),
        ("gopher://127.0.0.1:6379/_FLUSHALL", "not-https"),
        ("javascript:alert(1)", "bad-address"),
        ("hooks.example.com/hook", "bad-address"),
        ("", "bad-address"),
        ("https://", "bad-address"),
        ("https:///hook", "bad-address"),
        ("https://user:secret@hooks.example.com/", "bad-address"),
        ("https://hooks.example.com@127.0.0.1/", "bad-address"),
        ("https://hooks.example.com:0/", "bad-address"),
        ("https://hooks.example.com:99999/", "bad-address"),
        ("https://hooks.example.com:port/", "bad-address"),
        ("https://[::1/", "bad-address"),
        ("https://hooks.example.com/a b", "bad-address"),
        ("https://hooks.example.com/a\r\nX-Evil: 1", "bad-address"),
        ("https://hooks.example.com\\@127.0.0.1/", "bad-address"),
        ("https://hooks..example.com/", "bad-address"),
        (f"https://{'a' * 64}.example.com/", "bad-address"),
        (f"https://hooks.example.com/{'a' * 1000}", "bad-address"),
    ],
)
def test_what_is_no_https_address_is_refused(monkeypatch, url, code):
    names_lead_to(monkeypatch, ["1.1.1.1"])
    assert refusal(url) == code


def test_a_name_that_does_not_exist_is_refused(monkeypatch):
    names_lead_to(monkeypatch, [])
    assert refusal("https://nowhere.example.com/") == "unknown-host"


def test_the_site_does_not_call_itself(settings, monkeypatch):
    names_lead_to(monkeypatch, ["1.1.1.1"])
    settings.SITE_URL = "https://branchline.example"
    settings.ALLOWED_HOSTS = ["www.branchline.example"]
    for host in ("branchline.example", "BRANCHLINE.example.", "www.branchline.example:8443"):
        assert refusal(f"https://{host}/accounts/") == "own-address"


def test_loopback_is_refused_unless_a_setting_allows_it(settings):
    assert refusal("http://127.0.0.1:8000/") == "not-https"
    assert refusal("https://localhost:8000/") == "inside-address"
    settings.WEBHOOKS_TO_LOOPBACK = True
    assert find_target("http://127.0.0.1:8000/").address == "127.0.0.1"
    assert refusal("http://10.0.0.1/") == "inside-address"
    assert refusal("https://10.0.0.1/") == "inside-address"


def test_a_name_that_leads_elsewhere_later_is_refused_then(alice, listener, monkeypatch, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    names_lead_to(monkeypatch, ["1.1.1.1"], ["127.0.0.1"])
    url = listener.url.replace("http://127.0.0.1", "https://rebinding.example.com")
    assert find_target(url).address == "1.1.1.1"
    with pytest.raises(SendError, match="inside of this network") as failed:
        webhook.send(new_webhook(alice, url), MESSAGE)
    assert not failed.value.temporary
    assert listener.connections == 0


def test_a_call_asks_for_a_name_once_and_goes_to_what_was_checked(alice, loopback, monkeypatch, tmp_path):
    tls = certificate(tmp_path, "hooks.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))
    with listening(tls, name="hooks.example.com") as listener:
        names_lead_to(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
        webhook.send(new_webhook(alice, listener.url), MESSAGE)
        (call,) = listener.calls
        assert call.headers["Host"] == listener.url.removeprefix("https://")
        assert call.path == "/hook?key=1"


def test_a_certificate_for_another_name_is_not_enough(alice, loopback, monkeypatch, tmp_path):
    tls = certificate(tmp_path, "hooks.example.com")
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))
    with listening(tls, name="localhost") as listener:
        with pytest.raises(SendError, match="certificate"):
            webhook.send(new_webhook(alice, listener.url), MESSAGE)
        assert listener.calls == []


def test_a_certificate_that_nobody_vouches_for_is_not_enough(alice, loopback, tmp_path):
    with listening(certificate(tmp_path, "localhost"), name="localhost") as listener:
        with pytest.raises(SendError, match="certificate"):
            webhook.send(new_webhook(alice, listener.url), MESSAGE)
        assert listener.calls == []


# -- how long and how far ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(alice, listener, status):
    with listening() as other:
        listener.status, listener.headers = status, {"Location": f"{other.url}/secret"}
        hook = new_webhook(alice, listener.url)
        with pytest.raises(SendError, match="not followed") as failed:
            webhook.send(hook, MESSAGE)
        assert not failed.value.temporary
        assert other.connections == 0


def drip(connection):
    """Sends a header a letter at a time, for as long as anybody listens."""
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            connection.sendall(b".")
            time.sleep(0.05)
    except OSError:
        pass


@pytest.mark.parametrize("hold", [drip, lambda connection: time.sleep(3)], ids=["drips", "is silent"])
def test_who_answers_slowly_is_cut_off(alice, listener, monkeypatch, hold):
    monkeypatch.setattr(calls, "SECONDS", 0.5)
    listener.hold = hold
    hook = new_webhook(alice, listener.url)
    began = time.monotonic()
    with pytest.raises(SendError, match="in time") as failed:
        webhook.send(hook, MESSAGE)
    assert failed.value.temporary
    assert time.monotonic() - began < 2
    hook.refresh_from_db()
    assert hook.result == "The other side did not answer in time."


def test_a_slow_answer_over_tls_is_cut_off_too(alice, loopback, monkeypatch, tmp_path):
    monkeypatch.setattr(calls, "SECONDS", 0.5)
    tls = certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))
    with listening(tls, name="localhost") as listener:
        listener.hold = drip
        began = time.monotonic()
        with pytest.raises(SendError, match="in time"):
            webhook.send(new_webhook(alice, listener.url), MESSAGE)
        assert time.monotonic() - began < 2


def test_who_never_shakes_hands_is_cut_off(alice, loopback, monkeypatch):
    monkeypatch.setattr(calls, "SECONDS_TO_CONNECT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(SendError, match="in time"):
        webhook.send(new_webhook(alice, f"https://127.0.0.1:{silent.getsockname()[1]}"), MESSAGE)


def test_only_the_beginning_of_an_answer_is_read(listener):
    listener.body = b"x" * 1_000_000
    assert len(calls.post(listener.url, b"{}", {}).text) == calls.LONGEST_ANSWER


def test_a_port_where_nobody_listens_is_said_to_be_unreachable(alice, loopback):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(SendError, match="could not be reached") as failed:
        webhook.send(new_webhook(alice, f"http://127.0.0.1:{port}"), MESSAGE)
    assert failed.value.temporary


@pytest.mark.parametrize(("status", "temporary"), [(400, False), (404, False), (429, True), (500, True), (503, True)])
def test_an_error_says_whether_another_try_may_help(alice, listener, status, temporary):
    listener.status = status
    hook = new_webhook(alice, listener.url)
    with pytest.raises(SendError, match=str(status)) as failed:
        webhook.send(hook, MESSAGE)
    assert failed.value.temporary is temporary
    hook.refresh_from_db()
    assert hook.result == f"The other side answered with error {status}."
    assert hook.failing_since


# -- what a call says -------------------------------------------------------------------------------------------------


def test_a_program_can_check_the_signature(alice, listener):
    hook = new_webhook(alice, listener.url)
    assert hook.secret.startswith("whsec_")
    webhook.send(hook, MESSAGE)
    webhook.send(hook, MESSAGE)
    first, second = listener.calls
    for call in (first, second):
        body = standardwebhooks.Webhook(hook.secret).verify(call.body, call.headers)
        assert set(body) == {"type", "timestamp", "data"}
        assert body["type"] == "notice.your-turn"
        assert body["data"] == {
            "kind": "your-turn",
            "match": "abc",
            "decision": 4,
            "title": MESSAGE.title,
            "text": "Bob laid _two_ rails.\nYou have until Friday.",
            "url": MESSAGE.url,
        }
    headers = {name.lower(): value for name, value in first.headers.items()}
    assert headers["webhook-id"] == "notice-7" == {k.lower(): v for k, v in second.headers.items()}["webhook-id"]
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"].startswith("Branchline")
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(webhook.new_secret()).verify(first.body, first.headers)
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(hook.secret).verify(first.body.replace(b"abc", b"abd"), first.headers)


def test_discord_is_told_without_markup_and_without_calling_anybody(alice, listener):
    webhook.send(new_webhook(alice, listener.url, "discord"), MESSAGE)
    body = json.loads(listener.calls[0].body)
    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"] == r"Your turn against \*Bob\* & \<\@everyone\>"
    (embed,) = body["embeds"]
    assert embed["url"] == MESSAGE.url
    assert r"\_two\_ rails" in embed["description"]


def test_slack_is_told_without_markup_but_for_the_link(alice, listener):
    webhook.send(new_webhook(alice, listener.url, "slack"), MESSAGE)
    body = json.loads(listener.calls[0].body)
    assert body["text"] == "Your turn against *Bob* &amp; &lt;@everyone&gt;"
    title, lines, link = (block["text"] for block in body["blocks"])
    assert (title["type"], title["text"]) == ("plain_text", body["text"])
    assert lines == {"type": "plain_text", "text": "Bob laid _two_ rails.\nYou have until Friday."}
    assert link == {"type": "mrkdwn", "text": f"<{MESSAGE.url}|Take your turn>"}


# -- what becomes of those that fail ----------------------------------------------------------------------------------


def test_an_address_that_fails_for_a_day_is_paused_and_its_owner_told_once(alice, listener):
    hook = new_webhook(alice, listener.url)
    listener.status = 500
    start = timezone.now()
    for hours in (0, 12, 23.9):
        with time_machine.travel(start + timedelta(hours=hours), tick=False), pytest.raises(SendError):
            webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().paused is None
    assert mail.outbox == []
    with time_machine.travel(start + timedelta(hours=24), tick=False), pytest.raises(SendError):
        webhook.send(Webhook.objects.get(), MESSAGE)
    with time_machine.travel(start + timedelta(hours=25), tick=False), pytest.raises(SendError, match="paused"):
        webhook.send(Webhook.objects.get(), MESSAGE)
    assert len(listener.calls) == 4
    assert Webhook.objects.get().paused
    (told,) = mail.outbox
    assert told.to == ["alice@example.org"]
    assert hook.url in told.body
    assert "error 500" in told.body
    assert "/accounts/settings/notices/" in told.body


def test_a_single_success_begins_the_day_anew(alice, listener):
    new_webhook(alice, listener.url)
    start = timezone.now()
    for hours, status in ((0, 500), (20, 200), (30, 500)):
        listener.status = status
        with time_machine.travel(start + timedelta(hours=hours), tick=False):
            try:
                webhook.send(Webhook.objects.get(), MESSAGE)
            except SendError:
                assert status == 500
    assert Webhook.objects.get().paused is None
    assert Webhook.objects.get().failing_since == start + timedelta(hours=30)


def test_an_address_that_says_it_is_gone_is_paused_at_once(alice, listener):
    new_webhook(alice, listener.url)
    listener.status = 410
    with pytest.raises(SendError):
        webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().paused
    assert len(mail.outbox) == 1


def test_a_pause_waits_until_its_owner_can_be_told(alice, listener, settings):
    new_webhook(alice, listener.url)
    listener.status = 410
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with settings_of_mail(settings, "django.core.mail.backends.smtp.EmailBackend", port), pytest.raises(SendError):
        webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().paused is None
    with pytest.raises(SendError):
        webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().paused
    assert len(mail.outbox) == 1


class settings_of_mail:
    """For a while, mails go to a server."""

    def __init__(self, settings, backend, port):
        self.settings, self.backend, self.port = settings, backend, port

    def __enter__(self):
        self.before = self.settings.EMAIL_BACKEND
        self.settings.EMAIL_BACKEND = self.backend
        self.settings.EMAIL_HOST, self.settings.EMAIL_PORT = "127.0.0.1", self.port

    def __exit__(self, *problem):
        self.settings.EMAIL_BACKEND = self.before


def test_a_webhook_that_was_switched_on_again_is_called(alice, listener):
    hook = new_webhook(alice, listener.url)
    long_ago = timezone.now() - timedelta(days=9)
    Webhook.objects.update(paused=long_ago, failing_since=long_ago)
    webhook.resume(hook)
    webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().result == "It arrived."
    assert len(listener.calls) == 1
    listener.status = 500
    with pytest.raises(SendError):
        webhook.send(Webhook.objects.get(), MESSAGE)
    assert Webhook.objects.get().paused is None


def test_nobody_has_more_than_five(alice, loopback):
    for number in range(webhook.MOST):
        new_webhook(alice, f"http://127.0.0.1:{9000 + number}")
    with pytest.raises(webhook.TooManyWebhooks):
        new_webhook(alice, "http://127.0.0.1:9009")
    assert alice.webhooks.count() == webhook.MOST == 5
