"""What the tests in a real browser do again and again: signing up, matches, turns by mouse and by keys."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PASSWORD = "viaduct-and-valley"
OFFERED = "[data-move]:not(.not-offered)"


def sign_up(page, name):
    """A new account by the form, and so logged in."""
    page.goto("/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=email]", f"{name}@example.org")
    page.fill("[name=password1]", PASSWORD)
    page.press("[name=password1]", "Enter")
    page.wait_for_url("**/departures/")


def post(page, address, data):
    """A request to the API as the person of the page."""
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.post(address, data=data, headers={"X-CSRFToken": token})
    assert answer.ok, answer.text()
    return answer.json()


def new_match(page, *others, opponents=(), **fields):
    """The address of a running match of the people of some pages, opened by all of them."""
    data = {"game": "trans-america", "seats": 1 + len(others) + len(opponents), "opponents": list(opponents), **fields}
    match = post(page, "/api/v1/matches/", data)
    for other in others:
        post(other, f"/api/v1/matches/{match['key']}/join/", {})
    for each in (page, *others):
        each.goto(match["url"])
    return match["url"]


def table(page):
    return page.locator("#table")


def my_turn(page):
    """Waits until something can be chosen on the board."""
    expect(page.locator("[data-confirm]")).to_have_count(0)
    page.wait_for_selector("[data-move]", state="attached")  # a level line has no height and counts as hidden


def choose(page, place):
    """Presses the middle of a shape that can be chosen; `place` in 0..1 says which one."""
    shapes = page.locator(OFFERED)
    shape = shapes.nth(int(place * (shapes.count() - 1)))
    before = table(page).get_attribute("data-moves")
    shape.scroll_into_view_if_needed()
    box = shape.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(table(page)).not_to_have_attribute("data-moves", before)
    expect(table(page)).not_to_have_attribute("aria-busy", "true")


def choose_turn(page, place=0.5):
    """Chooses on the board until the turn is whole, or stops where nothing more is offered."""
    page.wait_for_selector("[data-move], [data-confirm]", state="attached")
    while not page.locator("[data-confirm]").count():
        if page.locator(OFFERED).count():
            choose(page, place)
        else:
            page.locator("#move-1").click()
            page.wait_for_selector("[data-confirm]")


def take_turn(page, place=0.5):
    choose_turn(page, place)
    page.click("[data-confirm]")
    expect(page.locator("[data-confirm]")).to_have_count(0)


def whose_turn(*pages):
    """The page of the person to move, and then the others."""
    expect(pages[0].locator("#asked")).to_contain_text(re.compile("Your turn|is to move"))
    return sorted(pages, key=lambda page: "Your turn" not in page.locator("#asked").inner_text())


def version(page):
    return int(table(page).get_attribute("data-version"))


def serious_faults(page):
    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]


def take_turn_by_keys(page):
    """Chooses the shape at which Tab stops, after a walk by arrows, until the turn can be confirmed by Enter."""
    my_turn(page)
    while not page.locator("[data-confirm]").count():
        page.locator(f'{OFFERED}[tabindex="0"]').focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        before = table(page).get_attribute("data-moves")
        page.keyboard.press("Enter")
        expect(table(page)).not_to_have_attribute("data-moves", before)
    expect(page.locator("[data-confirm]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-confirm]")).to_have_count(0)
