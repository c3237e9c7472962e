"""A mail server of one's own for each test, and the workers' part done by hand: `deliver()` routes and sends."""

import pytest

from games import delivery
from tests.mailbox import mailbox
from tests.people import person


@pytest.fixture
def box(settings):
    """The site's mails go to this server."""
    with mailbox() as box:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
        settings.EMAIL_TIMEOUT = 2
        yield box


@pytest.fixture
def bob(db):
    """Bob has an address here."""
    return person("Bob", email="bob@example.org")


@pytest.fixture
def deliver():
    """Does what the tasks of notices do, until nothing is due."""

    def deliver(*channels):
        while delivery.route():
            pass
        for channel in channels or delivery.CHANNELS:
            delivery.deliver(channel, until=lambda: False)

    return deliver
