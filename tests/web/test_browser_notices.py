"""The page of notice settings and the service worker in a real browser."""

import json
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.notifications]

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
PAGE = "/accounts/settings/notices/"


@pytest.fixture
def guest_page(new_page):
    """Opens the notice settings of a new guest."""

    def open_page(**options):
        page = new_page(**options)
        page.goto("/lobby/")
        token = (
            page.request.get("/accounts/signup/").text().split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        )
        page.request.post(
            "/accounts/guest/", form={"csrfmiddlewaretoken": token}, headers={"Referer": page.url, "X-CSRFToken": token}
        )
        page.goto(PAGE)
        return page

    return open_page


@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "desktop"])
def test_the_page_is_readable_by_everybody(guest_page, options):
    page = guest_page(**options)
    page.get_by_label("Address").fill("http://hooks.example.com/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".errorlist")).to_have_text("This address is not https.")
    violations = [each["id"] for each in Axe().run(page).response["violations"]]
    assert violations == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_choices_are_made_by_keyboard_and_kept(guest_page):
    page = guest_page()
    box = page.get_by_role("checkbox", name="Chat: Push")
    expect(box).to_be_checked()
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.locator(".message")).to_have_text("Your preferences have been saved.")
    expect(page.get_by_role("checkbox", name="Chat: Push")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Chat: Webhook")).to_be_checked()


def test_the_page_works_without_scripts(guest_page):
    page = guest_page(java_script_enabled=False)
    expect(page.get_by_text("scripts must be allowed")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me on this device")).to_be_hidden()
    page.get_by_role("checkbox", name="Match ended: Webhook").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("checkbox", name="Match ended: Webhook")).not_to_be_checked()


def test_a_browser_that_forbids_it_says_how_to_allow_it(guest_page):
    page = guest_page()
    set_permission(page, "denied")
    page.reload()
    expect(page.get_by_text("does not let this site tell you anything")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me on this device")).to_be_hidden()


def test_what_is_pushed_is_shown_once_a_tag(guest_page, embedded_site):
    page = guest_page()
    set_permission(page, "granted")
    page.reload()
    # No push service answers on this computer: the page says so, and the service worker is there all the same.
    page.get_by_role("button", name="Tell me on this device").click()
    expect(page.get_by_text("That did not work")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me on this device")).to_be_enabled()
    push = pusher(page, embedded_site)
    turn = {"title": "Your turn", "body": "Trans America", "url": f"{embedded_site}/m/a/", "tag": "branchline-turns"}
    push(turn)
    shown(page, ["Your turn"])
    push(turn | {"title": "2 matches wait for you", "url": f"{embedded_site}/next/"})
    shown(page, ["2 matches wait for you"])
    push({"title": "Bob wrote", "body": "Hi", "url": f"{embedded_site}/m/a/", "tag": "match-a"})
    shown(page, ["2 matches wait for you", "Bob wrote"])


def set_permission(page, setting):
    session = page.context.browser.new_browser_cdp_session()
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    context = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    permission = {"name": "notifications"}
    session.send(
        "Browser.setPermission",
        {"permission": permission, "setting": setting, "origin": origin, "browserContextId": context},
    )


def pusher(page, origin):
    """Hands a message to the service worker as a push service would."""
    registrations = []
    session = page.context.new_cdp_session(page)
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    for _try in range(50):
        mine = [each for each in registrations if each["scopeURL"] == f"{origin}/"]
        if mine:
            break
        page.wait_for_timeout(100)

    def push(told):
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": f"{origin}/", "registrationId": mine[-1]["registrationId"], "data": json.dumps(told)},
        )

    return push


def shown(page, titles):
    """Waits until exactly these notifications are shown."""
    page.wait_for_function(
        """async (titles) => {
          const registration = await navigator.serviceWorker.ready;
          const shown = (await registration.getNotifications()).map((each) => each.title).sort();
          return JSON.stringify(shown) === JSON.stringify(titles.sort());
        }""",
        arg=titles,
    )
