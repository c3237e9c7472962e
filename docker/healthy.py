"""Whether the server at a port of this container answers: `python docker/healthy.py PORT`; exits 1 when not.

It asks for /healthz as the reverse proxy does. A 503 is an answer: it says that something in the site waits too long,
which another start of this server would not change. That is for whoever watches /healthz (docs/operations.md).
"""

import os
import sys
import urllib.error
import urllib.request

ANSWERS = (200, 503)


def status(port: int) -> int:
    """What the server answers; 0 when it does not."""
    host = os.environ.get("BRANCHLINE_HOSTS", "localhost").split(",")[0].strip()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/healthz", headers={"Host": host, "X-Forwarded-Proto": "https"}
    )
    try:
        with urllib.request.urlopen(request, timeout=8) as answer:  # noqa: S310 - the address is this container's
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(status(int(sys.argv[1])) not in ANSWERS)
