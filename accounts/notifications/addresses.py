"""Which addresses on the internet this site may be made to call: those of others, by https, and none inside of its own
network. Not for making the call (calls.py).

Whoever may name an address that a server calls can reach with it what only that server reaches: the database beside
it, the metadata of a cloud, the next machine's printer. So every address that a name leads to is looked at, each time,
and the call goes to the very address that was looked at: a name may lead elsewhere a moment later.
"""

import ipaddress
import socket
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST = 1000
"""Letters of an address at most."""
SECONDS_TO_RESOLVE = 5.0

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


class BadAddress(Exception):
    """An address that may not be called. `code` is stable, `sentence` is for people."""

    SENTENCES: dict[str, Any] = {
        "bad-address": _("This is not an address of a page on the internet."),
        "not-https": _("This address is not https."),
        "unknown-host": _("There is no host of that name."),
        "inside-address": _("This address leads to a computer inside of this network."),
        "own-address": _("This address leads to this site itself."),
    }

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def sentence(self) -> str:
        return str(self.SENTENCES[self.code])


@dataclass(frozen=True)
class Target:
    """Where a call goes: a checked address of `host`. `path` has the query with it."""

    secure: bool
    host: str
    port: int
    path: str
    address: str


def find_target(url: str) -> Target:
    """Reads, resolves and checks an address. Raises BadAddress.

    It asks the name server, so it may take up to SECONDS_TO_RESOLVE.
    """
    secure, host, port, path = _read(url)
    found = _resolve(host, port)
    for address in found:
        _check(address)
    if host in _own_hosts():
        raise BadAddress("own-address")
    if not secure and not all(address.is_loopback for address in found):
        raise BadAddress("not-https")
    # The version of the protocol that more computers have first, as no second one is tried.
    return Target(secure, host, port, path, str(min(found, key=lambda address: address.version)))


def _read(url: str) -> tuple[bool, str, int, str]:
    """Whether it is https, host in lower case and ASCII, port, path with query."""
    if not url.isprintable() or " " in url or "\\" in url or len(url) > LONGEST:
        raise BadAddress("bad-address")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
        if ":" not in host:
            host = host.encode("idna").decode().lower()
        path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        path.encode("ascii")
    except ValueError:  # a port that is no number, brackets that do not close, a label that is too long
        raise BadAddress("bad-address") from None
    if parts.scheme not in ("https", "http"):
        raise BadAddress("not-https" if "://" in url else "bad-address")
    if not host or port == 0 or parts.username is not None or parts.password is not None:
        raise BadAddress("bad-address")
    secure = parts.scheme == "https"
    if not secure and not settings.WEBHOOKS_TO_LOOPBACK:
        raise BadAddress("not-https")
    return secure, host, port or (443 if secure else 80), path if path.startswith("/") else f"/{path}"


def _own_hosts() -> set[str]:
    """The names of this site. Those of the embedded mode are loopback ones, which are refused as such."""
    if settings.WEBHOOKS_TO_LOOPBACK:
        return set()
    named = [urlsplit(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS]
    return {host.strip(".").lower() for host in named}


def _resolve(host: str, port: int) -> list[Address]:
    """All addresses of a host, in the order that the system would try them."""
    answers: list[Any] = []

    def ask() -> None:
        try:
            answers.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError:
            answers.clear()

    # The system's own limit is half a minute and more. A thread that it holds up for longer is of no further use.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(SECONDS_TO_RESOLVE)
    found = [ipaddress.ip_address(answer[4][0].partition("%")[0]) for answer in list(answers)]
    if not found:
        raise BadAddress("unknown-host")
    return list(dict.fromkeys(found))


def _check(address: Address) -> None:
    """Raises BadAddress unless `address` is one of the public internet and not of this computer."""
    if settings.WEBHOOKS_TO_LOOPBACK and address.is_loopback:
        return
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inner_address(address)
        if inner is not None:
            _check(inner)
            return
        if address not in _GLOBAL_UNICAST:
            raise BadAddress("inside-address")
    # `is_global` follows IANA's lists of special addresses: private, loopback, link-local, shared (100.64/10),
    # documentation, benchmarks. Multicast and reserved ones are partly global there.
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        raise BadAddress("inside-address")
    if _is_mine(address):
        raise BadAddress("own-address")


def _inner_address(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address of the older kind that one of the newer kind stands for: mapped, 6to4, or by NAT64 (RFC 6052)."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _is_mine(address: Address) -> bool:
    """Whether this computer itself has a public address: what is sent there would leave from there."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))  # chooses a way and sends nothing
            return ipaddress.ip_address(probe.getsockname()[0]) == address
    except OSError:
        return False
