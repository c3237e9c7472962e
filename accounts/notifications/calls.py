"""Calls to addresses that people have named: one POST to a checked address, with limits. Not for what it says."""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.notifications import SendError
from accounts.notifications.addresses import BadAddress, find_target

SECONDS_TO_CONNECT = 5.0
SECONDS = 10.0
"""For the whole call, however slowly the other side answers."""
LONGEST_ANSWER = 4096
"""Bytes that are read of an answer's body."""


TRY_AGAIN = frozenset({408, 425, 429})
"""Statuses below 500 with which the other side asks for another try."""


@dataclass(frozen=True)
class Answer:
    """What came back. `text` is the beginning of the body."""

    status: int
    text: str

    def raise_if_refused(self) -> None:
        """Raises SendError unless the status says that all is well."""
        if 200 <= self.status < 300:
            return
        if 300 <= self.status < 400:
            raise SendError(False, _("It leads on to another address, which is not followed."))
        temporary = self.status >= 500 or self.status in TRY_AGAIN
        raise SendError(temporary, _("The other side answered with error %(status)s.") % {"status": self.status})


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Calls an address once. Redirects are answers like others: following one would lead past the check.

    Raises SendError when the address may not be called, or when no answer comes within SECONDS.
    """
    ends = time.monotonic() + SECONDS
    try:
        target = find_target(url)
    except BadAddress as problem:
        raise SendError(problem.code == "unknown-host", problem.sentence) from None
    connection = http.client.HTTPConnection(target.host, target.port)
    cut_off = None
    try:
        line = socket.socket(socket.AF_INET6 if ":" in target.address else socket.AF_INET)
        connection.sock = line
        line.settimeout(SECONDS_TO_CONNECT)
        line.connect((target.address, target.port))
        if target.secure:
            # The certificate is asked for the name, although the call goes to the address that was checked.
            line = ssl.create_default_context().wrap_socket(line, server_hostname=target.host)
            connection.sock = line
            connection.default_port = 443  # so that the Host header names no port that need not be named
        # A socket's own limit begins anew with each byte.
        cut_off = threading.Timer(ends - time.monotonic(), _cut, [line])
        cut_off.daemon = True
        cut_off.start()
        line.settimeout(SECONDS)
        connection.request("POST", target.path, body, {"User-Agent": user_agent(), "Connection": "close", **headers})
        answer = connection.getresponse()
        text = answer.read(LONGEST_ANSWER).decode("utf-8", "replace")
        if time.monotonic() >= ends:  # an answer that was cut off looks like a short one
            raise TimeoutError
        return Answer(answer.status, text)
    except ssl.SSLCertVerificationError:
        raise SendError(True, _("The certificate of the other side is not good for its name.")) from None
    except (http.client.HTTPException, OSError) as problem:
        if isinstance(problem, TimeoutError) or time.monotonic() >= ends:
            raise SendError(True, _("The other side did not answer in time.")) from None
        if isinstance(problem, http.client.HTTPException):
            raise SendError(True, _("The other side does not speak HTTP.")) from None
        raise SendError(True, _("The other side could not be reached.")) from None
    finally:
        if cut_off is not None:
            cut_off.cancel()
        connection.close()


def _cut(line: socket.socket) -> None:
    """Ends a connection under the one who reads from it. TLS is not asked: it would say good-bye first."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(line, socket.SHUT_RDWR)


def user_agent() -> str:
    return f"Branchline (+{settings.SITE_URL})"
