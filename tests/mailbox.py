"""A real mail server on the loopback address: it keeps the mails that it takes, and may be told to refuse or stall."""

import email
import email.policy
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from config.processes import HOST, free_port


class Mailbox:
    """`mails` are those that were taken, in that order; `url` is the EMAIL_URL of a site that sends here.

    refusal: what the server answers to everybody instead of taking a mail ("451 later"); None: it takes it.
    refused: answers by address, to those alone.
    on_data: called with each mail before it is taken, in a thread of its own: while it lasts, the sender waits.
    """

    def __init__(self, port: int) -> None:
        self.url = f"smtp://{HOST}:{port}"
        self.port = port
        self.mails: list[EmailMessage] = []
        self.refusal: str | None = None
        self.refused: dict[str, str] = {}
        self.on_data: Callable[[EmailMessage], object] | None = None
        self.attempts = 0
        self.connections = 0
        self._changed = threading.Condition()

    # -- what tests ask ------------------------------------------------------------------------------------------------

    def to(self, address: str) -> list[EmailMessage]:
        """The mails that this address got."""
        return [mail for mail in self.mails if mail["To"] == address]

    def wait_for(self, enough: Callable[["Mailbox"], bool], seconds: float = 20) -> None:
        """Waits until the mails satisfy `enough`."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not enough(self):
                left = deadline - time.monotonic()
                assert left > 0, f"waited in vain; {len(self.mails)} mails, {self.attempts} attempts"
                self._changed.wait(min(left, 0.2))

    # -- what aiosmtpd calls -------------------------------------------------------------------------------------------

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]) -> Any:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        self.attempts += 1
        if self.refusal:
            return self.refusal
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        if self.on_data is not None:
            await server.loop.run_in_executor(None, self.on_data, mail)
            if server.transport is None or server.transport.is_closing():
                return "451 nobody is there any more"
        with self._changed:
            self.mails.append(mail)
            self._changed.notify_all()
        return "250 OK"


@contextmanager
def mailbox(port: int = 0) -> Iterator[Mailbox]:
    """The server, from its start to its end; without a port, on a free one."""
    port = port or free_port()
    box = Mailbox(port)
    controller = Controller(box, hostname=HOST, port=port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def link_in(mail: EmailMessage, part: str) -> str:
    """The first address in the text of a mail that has this part."""
    return next(word for word in text_of(mail).split() if word.startswith("http") and part in word)
