"""The key by which push services know this site (VAPID, RFC 8292). Not for encrypting what is pushed.

It is BRANCHLINE_VAPID_PRIVATE_KEY, or else follows from the site's secret key, so that all its processes have the same
one without sharing a file. Browsers subscribe to this very key: with another one, all subscriptions are void.
"""

import functools
from email.utils import parseaddr
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256: private keys lie between 0 and this."""


@functools.cache
def _key(given: str, secret: str) -> Vapid02:
    if given:
        return Vapid02.from_string(given)
    # 16 bytes more than the key has: what the remainder of a division favours is then beyond notice.
    derived = HKDF(hashes.SHA256(), length=48, salt=None, info=b"branchline web push").derive(secret.encode())
    return Vapid02(ec.derive_private_key(int.from_bytes(derived) % (_ORDER - 1) + 1, ec.SECP256R1()))


def key_pair() -> Vapid02:
    return _key(settings.VAPID_PRIVATE_KEY, settings.SECRET_KEY)


def public_key() -> str:
    """What a browser is given when it subscribes: an uncompressed point in base64url, without padding."""
    point = key_pair().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return str(b64urlencode(point))


def headers(endpoint: str) -> dict[str, str]:
    """The proof for the push service of an endpoint, good for a day. Its contact is the sender of our mails."""
    service = urlsplit(endpoint)
    claims = {
        "aud": f"{service.scheme}://{service.netloc}",
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    return dict(key_pair().sign(claims))
