"""The live sockets of people whose session ends: who has logged out hears no more of what is theirs."""

import json
import re
import secrets
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from games.consumers import LOGGED_OUT
from tests.people import PASSWORD

ANOTHER = "narrow-gauge-only"
"""A password to change to."""


class Browser:
    """A browser without scripts: it keeps cookies, fills in forms, and opens the live socket."""

    def __init__(self, url, live_url):
        self.url, self.live_url = url, live_url
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def send(self, path, **fields):
        """Fills in the form of a page. Gives the page that follows."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self._open(path))[1]
        return self._open(path, urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode())

    def socket(self):
        """The live socket, with this browser's cookies."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        address = f"{self.live_url.replace('http', 'ws', 1)}/ws/"
        return connect(address, origin=self.live_url, additional_headers={"Cookie": cookies})

    def _open(self, path, body=None):
        request = urllib.request.Request(f"{self.url}{path}", body, {"Referer": self.url})
        with self.opener.open(request, timeout=20) as answer:
            return answer.read().decode()


@pytest.fixture(params=["embedded", pytest.param("stack", marks=pytest.mark.stack)])
def new_browser(request):
    """Opens a browser that knows nobody."""
    site = request.getfixturevalue(f"{request.param}_site")
    urls = (site, site) if request.param == "embedded" else (site.url, site.live_url)
    return lambda: Browser(*urls)


@pytest.fixture
def home_and_work(new_browser):
    """Two browsers in which the same new person is logged in."""
    home, work = new_browser(), new_browser()
    name = f"Ida{secrets.token_hex(4)}"
    home.send("/accounts/signup/", username=name, email=f"{name}@example.org", password1=PASSWORD)
    work.send("/accounts/login/", login=name, password=PASSWORD)
    return home, work


def hears(socket):
    """What comes next on a socket; None: nothing within a second."""
    try:
        return json.loads(socket.recv(timeout=1))
    except TimeoutError:
        return None


def ends(socket):
    """The code with which a socket is closed."""
    try:
        while True:  # what was on its way when the session ended comes before
            socket.recv(timeout=10)
    except ConnectionClosedError as closed:
        return closed.rcvd.code


COUNT = {"kind": "count", "waiting": 0}
"""What a person is told at the beginning, and nobody else."""


def test_who_logs_out_is_told_no_more_on_any_page_of_that_browser_and_goes_on_in_the_other(home_and_work):
    home, work = home_and_work
    with home.socket() as page, home.socket() as tab, work.socket() as elsewhere:
        assert hears(page) == hears(tab) == hears(elsewhere) == COUNT
        home.send("/accounts/logout/")
        assert ends(page) == ends(tab) == LOGGED_OUT
        assert hears(elsewhere) is None
        elsewhere.ping().wait(5)
    with home.socket() as looker, work.socket() as elsewhere:
        assert hears(looker) is None
        assert hears(elsewhere) == COUNT


def test_another_password_ends_the_sockets_of_other_browsers_and_their_sessions(home_and_work):
    home, work = home_and_work
    with work.socket() as elsewhere:
        assert hears(elsewhere) == COUNT
        home.send("/accounts/password/", oldpassword=PASSWORD, password1=ANOTHER, password2=ANOTHER)
        assert ends(elsewhere) == LOGGED_OUT
    with home.socket() as page, work.socket() as looker:
        assert hears(page) == COUNT
        assert hears(looker) is None


def test_an_account_that_is_deleted_leaves_no_socket_open(home_and_work):
    home, work = home_and_work
    with home.socket() as page, work.socket() as elsewhere:
        assert hears(page) == hears(elsewhere) == COUNT
        home.send("/accounts/password-again/", password=PASSWORD)
        home.send("/my-data/delete/", sure="yes")
        assert ends(page) == ends(elsewhere) == LOGGED_OUT
