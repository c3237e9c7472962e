"""The page on which one reads and tries the API's schema, in a browser."""

import re

import pytest

pytestmark = pytest.mark.browser


def test_the_readable_page_of_the_schema_can_be_read(new_page):
    page = new_page()
    page.goto("/api/v1/docs/")
    page.get_by_text("/api/v1/matches/{key}/turns/").first.click()
    page.get_by_text("Takes your turn.").first.wait_for()
    page.get_by_role("link", name="Branchline").click()
    page.wait_for_url("**/")
    assert page.get_by_role("link", name="For programs: the API").is_visible()


def test_the_readable_page_of_the_schema_is_dark_by_night(new_page):
    looks = []
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        page.goto("/api/v1/docs/")
        words = page.get_by_text("/api/v1/matches/{key}/turns/").first
        words.wait_for()
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        looks.append((ground, words.evaluate("words => getComputedStyle(words).color")))
    (day, ink_by_day), (night, ink_by_night) = looks
    assert brightness(day) > 200 > 100 > brightness(night)
    assert brightness(ink_by_day) < 100 < 150 < brightness(ink_by_night)


def brightness(colour):
    """Of a colour as styles tell it, 0 to 255."""
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 3
