"""Paris Connection in a real browser: a whole match, and its turns by mouse, finger and keys."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import (
    OFFERED,
    PHONE,
    choose,
    choose_turn,
    my_turn,
    new_match,
    serious_faults,
    table,
    take_turn,
    take_turn_by_keys,
)

pytestmark = pytest.mark.browser
GAME = "paris-connection"
MOST_TURNS = 60


def begun(page):
    """A match of three with computers in which the person of the page is to move."""
    new_match(page, game=GAME, opponents=["easy", "easy"])
    my_turn(page)
    return page


def company(page, name):
    """Presses a company's sign in the switch."""
    page.locator(".switch label", has_text=name).click()


def chosen(page):
    return json.loads(table(page).get_attribute("data-moves"))


def test_a_whole_match_is_played_to_the_final_sums(page_of):
    page = page_of()
    page.goto("/matches/new/")
    page.get_by_role("link", name="Paris Connection").click()
    page.select_option("[name=seat-2]", "medium")
    page.select_option("[name=seat-3]", "easy")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/m/*/")
    for turn in range(MOST_TURNS):
        page.wait_for_selector("#trade, .result", state="attached")
        if page.locator(".result").count():
            break
        if turn == 1 or not page.locator("[data-move]").count():  # late in a match no company may be able to build
            trade(page)
            page.click("[data-confirm]")
            expect(page.locator("[data-confirm]")).to_have_count(0)
        elif turn == 2:
            take_turn_by_keys(page)
        else:
            take_turn(page, turn / MOST_TURNS)
    result = page.locator(".result")
    expect(result.locator("h2")).to_contain_text(re.compile("wins|share the win"))
    expect(result.locator("tbody tr")).to_have_count(3)
    # Everybody's shares lie open, and each company is a line of the sum.
    expect(page.locator(".companies thead th")).to_have_count(5)  # company, value, three players
    for name in ("red", "blue", "black", "brown", "yellow", "purple"):
        expect(result.locator("thead")).to_contain_text(re.compile(name, re.IGNORECASE))
    expect(page.locator(".trades li").first).to_be_attached()


def trade(page):
    """Gives a share by two presses."""
    page.locator("#trade").click()
    page.locator(".trades .take a").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()


def test_a_trade_is_two_presses_and_tells_what_it_does_before_it_is_confirmed(page_of):
    page = begun(page_of())
    trade(page)
    (move,) = chosen(page)
    assert move["type"] == "trade"
    expect(page.locator(".chosen")).to_contain_text(re.compile(f"{move['give']}.*{move['take'][0]}"))
    page.click("[data-undo]")
    expect(page.locator("[data-confirm]")).to_have_count(0)
    assert chosen(page) == []


def test_a_build_grows_hex_by_hex_with_its_gain_and_can_be_taken_back(page_of):
    page = begun(page_of())
    company(page, "purple")
    for built in (1, 2):
        choose(page, 0.5)
        expect(page.locator(".spent")).to_contain_text(f"{built} of 5 built, purple gains")
    assert {move["company"] for move in chosen(page)} == {"purple"}
    expect(page.locator(".switch")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".spent")).to_contain_text("1 of 5 built")
    page.get_by_role("link", name="Stop here").click()
    expect(page.locator("[data-confirm]")).to_be_visible()


def test_only_hexes_of_the_chosen_company_are_offered_and_a_press_beside_them_builds_nothing(page_of):
    page = begun(page_of())
    for name in ("blue", "yellow"):
        company(page, name)
        offered = page.locator(OFFERED).evaluate_all("shapes => shapes.map(shape => JSON.parse(shape.dataset.move))")
        assert {move["company"] for move in offered} == {name}
    boxes = [shape.bounding_box() for shape in page.locator(OFFERED).all()]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    across = boxes[0]["height"]
    x, y = max(middles)
    page.mouse.click(x + 2 * across, y)
    page.mouse.click(x + 0.8 * across, y - 0.45 * across)  # well within the next hex
    page.wait_for_timeout(300)
    assert chosen(page) == []
    page.mouse.click(x + 0.3 * across, y)
    expect(table(page)).not_to_have_attribute("data-moves", "[]")


def test_a_turn_by_finger_on_a_small_phone(page_of):
    page = begun(page_of(**PHONE))
    page.locator(".switch label", has_text="black").tap()
    page.locator("#trade").tap()
    edge = page.locator(".menu-box").bounding_box()
    assert edge["x"] >= 0
    assert edge["x"] + edge["width"] <= PHONE["width"]
    page.locator("#trade").tap()
    shape = page.locator(OFFERED).first
    for _tap in range(2):  # the first one may only make the board larger
        if table(page).get_attribute("data-moves") == "[]":
            box = shape.bounding_box()
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(600)
    assert [move["company"] for move in chosen(page)] == ["black"]
    page.get_by_role("link", name="Stop here").tap()
    page.wait_for_timeout(700)  # at once, it would be the second half of a double tap
    page.locator("[data-confirm]").tap()
    expect(page.locator("[data-confirm]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_a_turn_that_others_took_is_seen_without_reload(page_of):
    page, other, third = page_of(), page_of("Berta"), page_of("Carla")
    new_match(page, other, third, game=GAME)
    mover = next(each for each in (page, other, third) if "Your turn" in waited(each))
    watcher = next(each for each in (page, other, third) if each is not mover)
    choose_turn(mover)
    mover.click("[data-confirm]")
    expect(watcher.locator("#log")).to_contain_text("built")
    expect(watcher.locator(".gained").first).to_be_attached()


def waited(page):
    expect(page.locator("#asked")).to_contain_text(re.compile("Your turn|is to move"))
    return page.locator("#asked").inner_text()


@pytest.mark.parametrize("look", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone, night"])
def test_the_table_has_no_serious_faults_for_assistive_technology(page_of, look):
    page = begun(page_of(**look))
    assert serious_faults(page) == []
    page.locator("#trade").click()
    assert serious_faults(page) == []


def test_without_scripts_a_turn_is_taken_by_links_and_the_list(page_of):
    page = page_of()
    new_match(page, game=GAME, opponents=["easy", "easy"])
    my_turn(page)
    plain = page_of(java_script_enabled=False)
    plain.goto(page.url)
    plain.locator("#trade").click()
    plain.locator(".trades .take a").first.click()
    plain.get_by_role("button", name="Confirm").click()
    expect(plain.locator(".log-scroll")).to_contain_text("Alba returned a")
