"""What protects people, looked at in processes of their own: production's settings, and who is counted."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from config.processes import embedded_site

ROOT = Path(__file__).resolve().parents[2]
LOOK = """
import json, django
from django.conf import settings
django.setup()
names = '''SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS SESSION_COOKIE_HTTPONLY
    DEBUG X_FRAME_OPTIONS ALLAUTH_TRUSTED_PROXY_COUNT ACCOUNT_PREVENT_ENUMERATION'''.split()
print(json.dumps({name: getattr(settings, name) for name in names}))
"""


@pytest.fixture
def production(tmp_path):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    data = {"BRANCHLINE_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    secret = {"BRANCHLINE_HOSTS": "play.example.org", "SECRET_KEY": "for-this-test-" + "q7Zr1!kd" * 8}
    return kept | data | secret


def run(arguments, environment):
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )


def test_production_passes_djangos_own_checks(production):
    done = run(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], production)
    assert done.returncode == 0, done.stderr


def test_static_files_are_collected_under_names_that_hold_their_hash(production, tmp_path):
    done = run(["manage.py", "collectstatic", "--noinput"], production)
    assert done.returncode == 0, done.stderr
    names = json.loads((tmp_path / "static" / "staticfiles.json").read_text())["paths"]
    site = (tmp_path / "static" / names["js/site.js"]).read_text()
    assert names["js/live.js"].removeprefix("js/") in site, "modules import each other by their new names"


def test_cookies_are_secure_and_only_for_this_site(production):
    done = run(["-c", LOOK], production)
    assert json.loads(done.stdout) == {
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "SESSION_COOKIE_HTTPONLY": True,
        "DEBUG": False,
        "X_FRAME_OPTIONS": "DENY",
        "ALLAUTH_TRUSTED_PROXY_COUNT": 1,
        "ACCOUNT_PREVENT_ENUMERATION": "strict",
    }


def test_production_does_not_start_without_a_secret_of_its_own(production):
    del production["SECRET_KEY"]
    done = run(["-c", LOOK], production)
    assert done.returncode != 0
    assert "SECRET_KEY" in done.stderr


def test_who_makes_an_address_up_is_counted_all_the_same(site_data):
    def log_in(number):
        body = json.dumps({"login": f"Nobody{number}", "password": "wrong"}).encode()
        headers = {"Content-Type": "application/json", "X-Forwarded-For": f"192.0.2.{number}"}
        try:
            urllib.request.urlopen(urllib.request.Request(f"{site.url}/api/v1/token/", body, headers), timeout=20)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code

    with embedded_site(site_data) as site:
        assert {log_in(number) for number in range(12)} == {403, 429}
