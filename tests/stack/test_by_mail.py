"""Two people who never look at the site but where a mail leads them: sign up, be asked, play a match to its end."""

import re
from html import unescape
from html.parser import HTMLParser

import requests

from config import processes
from tests.mailbox import link_in, mailbox

PASSWORD = "red-signal-at-night"
MOST_TURNS = 400


class Correspondent:
    """Somebody with a mailbox and a browser without scripts, who follows the links of mails in the order they come."""

    def __init__(self, name, site, box):
        self.name, self.site, self.box = name, site, box
        self.address = f"{name.lower()}@example.org"
        self.browser = requests.Session()
        self.read = 0

    def sign_up(self):
        form = {"username": self.name, "email": self.address, "password1": PASSWORD}
        self.submit(self.open(f"{self.site}/accounts/signup/"), "/accounts/signup/", form)
        confirm = link_in(self.next_mail(), "/email/confirm/")
        self.submit(self.open(confirm), "/accounts/email/confirm/", {})

    def open(self, address):
        answer = self.browser.get(address, timeout=20)
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        return answer.text

    def submit(self, page, path, form):
        """Sends the form of a page whose path begins so, with these fields filled in."""
        found = Form(page, path)
        answer = self.browser.post(f"{self.site}{found.action}", {**found.fields, **form}, timeout=20)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer.text

    def next_mail(self):
        self.box.wait_for(lambda box: len(box.to(self.address)) > self.read, seconds=40)
        self.read += 1
        return self.box.to(self.address)[self.read - 1]

    def unread(self):
        return len(self.box.to(self.address)) > self.read

    def take_turn(self, link):
        """Takes whatever turn the page behind the link offers; passes when it offers none. Gives the last page."""
        path = link.removeprefix(self.site)
        page = self.open(link)
        while 'name="decision"' in page and 'id="confirm"' not in page:
            if listed := Form(page, path).fields:  # all moves but a few, which are links
                page = self.browser.get(link, params=listed, timeout=20).text
            else:
                page = self.open(link + unescape(re.search(r'id="move-1" href="([^"]+)"', page).group(1)))
        if 'id="confirm"' in page:
            page = self.submit(page, f"{path}turn/", {})
        return page


def test_a_match_is_played_from_two_mailboxes_alone(site_data):
    with mailbox() as box, processes.embedded_site(site_data, {"EMAIL_URL": box.url}) as site:
        alba, bruno = (Correspondent(name, site.url, box) for name in ("Alba", "Bruno"))
        for person in (alba, bruno):
            person.sign_up()
        page = alba.open(f"{site.url}/matches/new/")
        alba.submit(page, "/matches/new/", {"seat-3": "", "access": "invited", "invited": "Bruno"})
        asked = link_in(bruno.next_mail(), "/m/")
        bruno.submit(bruno.open(asked), f"{asked.removeprefix(site.url)}join/", {})

        over, turns = set(), 0
        while over != {alba, bruno}:
            for person in (alba, bruno):
                if person in over or not person.unread():
                    continue
                mail = person.next_mail()
                last = person.take_turn(link_in(mail, "/m/"))
                turns += 1
                if "rematch" in last.lower():  # which the page of the end offers
                    over.add(person)
            assert turns < MOST_TURNS
            box.wait_for(lambda box: over == {alba, bruno} or alba.unread() or bruno.unread(), seconds=40)
        subjects = [mail["Subject"] for mail in box.to(bruno.address)]
        assert sum("your turn" in subject.lower() for subject in subjects) > 5
        ids = [mail["Message-ID"] for mail in box.mails]
        assert len(set(ids)) == len(ids), "no mail came twice"


class Form(HTMLParser):
    """What a browser would send from the form of a page whose path begins so, if nobody changed anything."""

    def __init__(self, page, path):
        super().__init__()
        self.path, self.action, self.inside, self.select, self.fields = path, "", False, "", {}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            action = given.get("action", self.path)
            self.inside = action.startswith(self.path)
            if self.inside:
                self.action = action
        elif self.inside and tag == "input":
            if given.get("type") not in ("radio", "checkbox") or "checked" in given:
                self.fields[given["name"]] = given.get("value", "")
        elif self.inside and tag == "select":
            self.select = given["name"]
        elif self.inside and tag == "option" and (self.select not in self.fields or "selected" in given):
            self.fields[self.select] = given.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = False
