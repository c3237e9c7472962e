"""The site's settings for tests: nothing of the person who runs them is read or touched, and passwords are cheap.

Which services the tests run on says `manage.py test` (BRANCHLINE_TEST_PASS); without it, SQLite and no service.
"""

import atexit
import os
import shutil
import tempfile

PASS = os.environ.get("BRANCHLINE_TEST_PASS", "")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

if not WORKER:
    # Workers of a parallel run have all this from the process that started them.
    for name in list(os.environ):
        if name.startswith("BRANCHLINE_") and not name.startswith("BRANCHLINE_TEST_") and name != "BRANCHLINE_CHROMIUM":
            del os.environ[name]
    for name in (
        ("SECRET_KEY", "EMAIL_URL") if PASS == "services" else ("SECRET_KEY", "EMAIL_URL", "DATABASE_URL", "REDIS_URL")
    ):
        os.environ.pop(name, None)
    os.environ["BRANCHLINE_DATA_DIR"] = tempfile.mkdtemp(prefix="branchline-tests-")
    atexit.register(shutil.rmtree, os.environ["BRANCHLINE_DATA_DIR"], ignore_errors=True)
    os.environ["DATABASE_POOL"] = "24"  # tests press with more threads than a web process has
elif PASS == "services":
    # A Redis database for each worker; 0 is for a run without workers, from 8 on for the production stack.
    os.environ["REDIS_URL"] = f"{os.environ['REDIS_URL'].rstrip('/')}/{int(WORKER.removeprefix('gw')) + 1}"

from config.settings import *  # noqa: E402, F403
from config.settings import DATA_DIR, DATABASES, POSTGRES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = False  # every test client would go through all static files, and none asks for one
DATA_DIR.joinpath("static").mkdir(exist_ok=True)  # an empty place for collected files; its absence is worth a warning
if not POSTGRES:
    # A file as in the embedded mode: SQLite in memory locks otherwise.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
