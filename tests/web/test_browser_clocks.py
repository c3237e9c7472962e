"""Clocks in a real browser: they tick and move nothing, people pause and go on, a form shows what it asks."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

HOUR = 60 * 60


def sign_up(page, name):
    page.goto("/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=email]", f"{name}@example.org")
    page.fill("[name=password1]", "viaduct-and-valley")
    page.press("[name=password1]", "Enter")
    page.wait_for_url("**/departures/")


def serious_faults(page):
    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]


def table_of_two(creator, other):
    """A running match that two people have made and joined by the pages, open in both windows."""
    creator.goto("/matches/new/")
    creator.select_option("[name=seat-3]", "")
    creator.select_option("[name=pace]", str(HOUR))
    creator.get_by_role("button", name="Create the match").click()
    creator.wait_for_url("**/m/*/")
    other.goto(creator.url)
    other.get_by_role("button", name="Take a seat").click()
    for page in (creator, other):
        expect(page.locator("#asked")).to_contain_text(re.compile("Your turn|is to move"))


def test_clocks_tick_without_moving_anything_and_two_people_pause_and_go_on(new_page):
    iris, jon = new_page(), new_page(width=360, height=740)
    sign_up(iris, "Iris-at-the-clock")
    sign_up(jon, "Jon-at-the-clock")
    table_of_two(iris, jon)

    clock = iris.locator(".until .clock-time")
    before, box = clock.inner_text(), clock.bounding_box()
    expect(clock).not_to_have_text(before)
    expect(clock).to_have_text(re.compile(r"^59 minutes \d\d seconds$"))
    widths = set()
    for _second in range(3):
        widths.add(round(clock.bounding_box()["width"], 1))
        iris.wait_for_timeout(1000)
    assert len(widths) == 1
    assert clock.bounding_box()["y"] == box["y"]
    assert clock.get_attribute("aria-live") is None
    assert clock.evaluate("each => each.closest('[role=status], [aria-live], [role=timer]')") is None

    iris.get_by_text("Ask for a pause").first.click()
    iris.get_by_role("button", name="Ask for a pause").click()
    expect(jon.locator(".clock-news")).to_contain_text("Iris-at-the-clock asks for a pause. 1 of 2 agree.")
    jon.get_by_role("button", name="Agree", exact=True).click()
    for page in (iris, jon):
        expect(page.locator(".clock-news")).to_contain_text("The match is paused: all clocks stand.")
        expect(page.locator(".until")).to_contain_text("The match is paused.")
        assert serious_faults(page) == []
    iris.get_by_role("button", name="Go on", exact=True).click()
    for page in (iris, jon):
        expect(page.locator(".until .clock-time")).to_have_text(re.compile(r"^5\d minutes \d\d seconds$"))
        expect(page.locator(".clock-news")).to_have_count(0)


def test_the_form_shows_only_what_belongs_to_the_chosen_clock(new_page):
    page = new_page()
    sign_up(page, "Kit-at-the-clock")
    page.goto("/matches/new/")
    expect(page.get_by_label("Time for a turn")).to_be_visible()
    expect(page.get_by_label("Bank of each player")).to_be_hidden()
    page.get_by_label("A bank of time for the whole match").check()
    expect(page.get_by_label("Time for a turn")).to_be_hidden()
    page.get_by_label("Bank of each player").select_option(label="14 days")
    page.get_by_label("More for each turn").select_option(label="nothing")
    page.get_by_role("button", name="Create the match").click()
    expect(page.locator(".match-facts")).to_contain_text("bank of 14 days")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_time_and_of_leaving_can_be_used_by_everybody(new_page, scheme):
    page = new_page(width=360, height=740, color_scheme=scheme)
    sign_up(page, f"Lou-{scheme}")
    for address in ("/matches/new/", "/accounts/settings/", "/my-data/delete/"):
        page.goto(address)
        assert serious_faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto("/accounts/settings/")
    page.get_by_label("Days").fill("3")
    page.get_by_role("button", name="Start now").click()
    expect(page.locator(".messages")).to_contain_text("You are on vacation until")
    page.goto("/departures/")
    expect(page.locator(".clock-news")).to_contain_text("your clocks stand")
    assert serious_faults(page) == []
    page.get_by_role("button", name="End it now").click()
    expect(page.locator(".clock-news")).to_have_count(0)
