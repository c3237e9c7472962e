"""Reading the mails of an installation without a mail server."""

import base64
from dataclasses import replace

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection
from django.urls import reverse

from accounts.notifications import mail as notices_by_mail
from accounts.notifications import trial_message

pytestmark = pytest.mark.django_db


@pytest.fixture
def post(settings, tmp_path):
    """Sends mails as the embedded mode does: to files."""
    settings.EMAIL_FILE_PATH = tmp_path

    def send(*mails):
        get_connection("django.core.mail.backends.filebased.EmailBackend").send_messages(mails)

    return send


def mail(subject, text="", html="", attachment=""):
    message = EmailMultiAlternatives(subject, text, "branchline@localhost", ["ann@example.org"])
    if html:
        message.attach_alternative(html, "text/html")
    if attachment:
        message.attach(attachment, b"GIF89a", "image/gif")
    return message


def only_mail(client):
    """The page of the mail that the list shows first."""
    listed = client.get("/dev/mail").context["mails"]
    return client.get(reverse("dev-mail", args=[listed[0].file, listed[0].number]))


def test_mails_are_listed_newest_first(client, post):
    post(mail("Your turn in Trans America"), mail("Übrigens"))
    listed = client.get("/dev/mail").context["mails"]
    assert [each.message["subject"] for each in listed] == ["Übrigens", "Your turn in Trans America"]


def test_without_mails_the_page_says_so(client, settings, tmp_path):
    for place in (tmp_path, tmp_path / "not-made-yet", None):
        settings.EMAIL_FILE_PATH = place
        assert "Nothing has been sent yet" in client.get("/dev/mail").content.decode()


def test_addresses_in_the_text_are_links_and_markup_is_text(client, post):
    post(mail("Confirm", "Go to http://127.0.0.1:8000/confirm/abc/ <b>now</b>\nBye"))
    page = only_mail(client).content.decode()
    assert '<a href="http://127.0.0.1:8000/confirm/abc/"' in page
    assert "&lt;b&gt;now" in page


def test_attachments_are_listed(client, post):
    post(mail("Board", "See the picture", attachment="board.gif"))
    assert "board.gif" in only_mail(client).content.decode()


def test_html_is_shown_in_a_frame_without_rights(client, post):
    post(mail("Board", "plain", "<h1>Board</h1><script>alert(1)</script>"))
    page = only_mail(client)
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in page.content.decode()
    assert "alert(1)" not in page.content.decode()
    shown = client.get(reverse("dev-mail-html", args=[page.context["mail"].file, 0]))
    assert "default-src 'none'" in shown["Content-Security-Policy"]
    assert shown["X-Frame-Options"] == "SAMEORIGIN"


def test_the_board_of_a_notice_is_shown_where_a_mail_program_shows_it(client, post, settings, alice):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    picture = b"\x89PNG, as if"
    notices_by_mail.send(alice, [replace(trial_message("1"), picture=picture, alt="The board")])
    shown = client.get(reverse("dev-mail-html", args=[only_mail(client).context["mail"].file, 0]))
    assert f'src="data:image/png;base64,{base64.b64encode(picture).decode()}"' in shown.content.decode()
    assert "img-src data:" in shown["Content-Security-Policy"]


def test_only_mails_can_be_read(client, post, tmp_path):
    post(mail("Hello"))
    (tmp_path / "secret.txt").write_text("secret")
    assert client.get("/dev/mail/secret.txt/0").status_code == 404
    assert client.get("/dev/mail/..%2Fsecret-key/0").status_code == 404
