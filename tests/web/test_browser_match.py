"""The match page in a real browser: whole matches and single turns, by mouse, finger and keys, with what goes wrong."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import (
    PHONE,
    choose,
    choose_turn,
    my_turn,
    new_match,
    post,
    serious_faults,
    sign_up,
    table,
    take_turn,
    take_turn_by_keys,
    version,
    whose_turn,
)

pytestmark = pytest.mark.browser

MOST_TURNS = 120


# -- a whole match ----------------------------------------------------------------------------------------------------


def test_a_newcomer_plays_a_whole_match_from_sign_up_to_the_final_table(new_page):
    page, luck = new_page(), random.Random(7)
    sign_up(page, "Newcomer")
    page.goto("/matches/new/quick/")
    page.locator("main form button").first.click()
    page.wait_for_url("**/m/*/")
    for turn in range(MOST_TURNS):
        page.wait_for_selector("[data-move], .result", state="attached")
        if page.locator(".result").count():
            break
        expect(page).to_have_title(re.compile(r"^(\(\d+\) )?Your turn – Trans America"))
        if turn % 2:
            take_turn(page, luck.random())
        else:
            take_turn_by_keys(page)
    result = page.locator(".result")
    expect(result.locator("h2")).to_contain_text(re.compile("wins|share the win"))
    expect(result.locator("tbody tr")).to_have_count(3)
    expect(result.locator("tr.mine")).to_contain_text("Newcomer")
    # The shades that tell where the table goes on are behind it.
    assert (
        result.locator("table").first.evaluate("table => getComputedStyle(table).backgroundColor") == "rgba(0, 0, 0, 0)"
    )
    expect(page).to_have_title(re.compile(r"^(\(\d+\) )?Over – Trans America"))
    expect(page.locator(".board .missing, .done").first).to_be_attached()
    page.get_by_role("link", name="Watch it from the start").click()
    expect(page.locator(".asked")).to_contain_text("Round 1 is dealt")
    page.keyboard.press("End")
    expect(page.locator(".asked")).to_contain_text("is scored")
    page.go_back()
    page.get_by_role("button", name="Rematch", exact=True).click()
    expect(page.locator("#asked")).to_contain_text(re.compile("Your turn|is to move|dealing"))


# -- keys -------------------------------------------------------------------------------------------------------------


def test_the_board_is_one_stop_of_the_tab_key_and_arrows_walk_on_it(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    my_turn(page)
    assert page.locator('[data-move][tabindex="0"]').count() == 1
    page.locator('[data-move][tabindex="0"]').focus()
    places = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
        places.append(page.evaluate("document.activeElement.dataset.move"))
    assert len(set(places)) == 3
    assert places[0] == places[2]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.move") is None


def test_escape_takes_the_last_choice_back_and_the_focus_stays_on_the_board(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    take_turn(page)
    my_turn(page)
    page.locator("[data-move]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_be_visible()
    page.keyboard.press("Escape")
    expect(table(page)).to_have_attribute("data-moves", "[]")
    assert page.evaluate("document.activeElement.hasAttribute('data-move')")


def test_a_move_can_be_chosen_from_a_list(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    my_turn(page)
    page.get_by_text("Choose from a list instead").click()
    page.get_by_label("Your next move, by the nearest city").select_option(label="Denver")
    page.get_by_role("button", name="Choose", exact=True).click()
    expect(page.locator(".chosen")).to_contain_text("Denver")
    expect(page.locator("[data-confirm]")).to_be_focused()


def test_the_list_of_moves_comes_into_sight_with_the_focus_in_it(page_of):
    page = page_of(height=640)
    new_match(page, opponents=["easy"])
    my_turn(page)
    page.get_by_text("Choose from a list instead").click()
    expect(page.get_by_label("Your next move, by the nearest city")).to_be_focused()
    expect(page.get_by_label("Your next move, by the nearest city")).to_be_in_viewport()


@pytest.mark.parametrize("options", [{}, {"vexation": True}], ids=["plain", "vexation"])
def test_the_board_stays_where_it_is_while_a_turn_is_chosen_and_sent(page_of, options):
    page = page_of()
    new_match(page, opponents=["easy"], options=options)
    take_turn(page)
    my_turn(page)
    tops = {page.locator("[data-frame]").bounding_box()["y"]}
    while not page.locator("[data-confirm]").count():
        page.locator("[data-move]:visible").first.focus()
        before = table(page).get_attribute("data-moves")
        page.keyboard.press("Enter")
        expect(table(page)).not_to_have_attribute("data-moves", before)
        tops.add(page.locator("[data-frame]").bounding_box()["y"])
    page.click("[data-confirm]")
    my_turn(page)
    tops.add(page.locator("[data-frame]").bounding_box()["y"])
    assert len(tops) == 1


def test_nothing_is_sent_before_confirm_even_by_a_double_click_on_stop(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    take_turn(page)
    my_turn(page)
    before = version(page)
    single = page.locator('[data-move][data-cost="1"]').first
    single.focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Stop here").dblclick(delay=80)
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.wait_for_timeout(300)
    assert version(page) == before
    page.click("[data-confirm]")
    expect(page.locator("[data-confirm]")).to_have_count(0)


def test_own_rails_are_offered_by_a_switch(page_of):
    page = page_of()
    new_match(page, opponents=["easy"], options={"vexation": True})
    take_turn(page)
    my_turn(page)
    shown = page.locator("[data-move]:visible")
    expect(page.locator(".legal-own:visible")).to_have_count(0)
    page.get_by_label("my own rails").check()
    expect(page.locator(".legal:visible")).to_have_count(0)
    assert shown.count() > 0
    shown.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_contain_text("with your own rail")


def test_a_double_click_on_a_line_chooses_one(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    take_turn(page)
    my_turn(page)
    single = page.locator('[data-move][data-cost="1"]').first
    box = single.bounding_box()
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=80)
    expect(page.locator(".chosen")).to_contain_text("1 of 2 points used")
    page.wait_for_timeout(300)
    expect(page.locator(".chosen")).to_contain_text("1 of 2 points used")


# -- fingers ----------------------------------------------------------------------------------------------------------


def test_a_turn_by_finger_on_a_small_phone(page_of):
    page = page_of(**PHONE)
    new_match(page, opponents=["easy"])
    my_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    tap(page, 100)
    expect(page.locator(".chosen")).to_be_visible()
    confirm = page.locator("[data-confirm]")
    box = confirm.bounding_box()
    assert box["y"] + box["height"] <= 740
    assert box["height"] >= 44
    confirm.tap()
    expect(confirm).to_have_count(0)
    my_turn(page)
    while not confirm.count():
        tap(page, 0)
    confirm.tap()
    expect(confirm).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_opens_below_the_board_is_not_hidden_by_what_sticks_to_the_lower_edge(page_of):
    page = page_of(**PHONE)
    new_match(page, opponents=["easy"])
    my_turn(page)
    for name in ("Legend", "Choose from a list instead"):
        page.get_by_text(name, exact=True).tap()
        opened = page.locator("details", has=page.get_by_text(name, exact=True)).last
        page.wait_for_timeout(300)
        lower = opened.bounding_box()["y"] + opened.bounding_box()["height"]
        assert lower <= page.locator(".ask").bounding_box()["y"], name
        page.get_by_text(name, exact=True).tap()


def test_a_long_move_of_the_list_is_shown_whole_on_a_phone(page_of):
    page = page_of(**PHONE)
    new_match(page, opponents=["easy"])
    my_turn(page)
    page.get_by_text("Choose from a list instead").tap()
    page.get_by_label("Your next move").evaluate(
        """select => {
            select.style.width = "9rem";
            select.value = [...select.options].sort((a, b) => b.label.length - a.label.length)[0].value;
        }"""
    )
    one_line = 48
    assert page.get_by_label("Your next move").bounding_box()["height"] > one_line


def test_all_beside_the_board_can_be_reached_by_scrolling_the_page(page_of):
    page = page_of(width=1280, height=900)
    new_match(page, opponents=["easy"] * 5)
    my_turn(page)
    assert page.locator(".side").evaluate("side => side.scrollHeight - side.clientHeight") == 0
    page.mouse.move(10, 890)
    page.mouse.wheel(0, 5000)
    page.wait_for_timeout(300)
    for name in ("Resign", "Ask for a pause", "Check the deals"):
        expect(page.get_by_text(name, exact=True).first).to_be_in_viewport()


def tap(page, number):
    """Taps a shape; where several are too near, the first tap brings them nearer."""
    shape = page.locator("[data-move]").nth(number)
    before = table(page).get_attribute("data-moves")
    for _ in range(2):
        box = shape.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(400)
        if table(page).get_attribute("data-moves") != before:
            return
    raise AssertionError("two taps chose nothing")


def test_two_fingers_make_the_board_larger_and_it_stays_so(page_of):
    page = page_of(**PHONE)
    new_match(page, opponents=["easy"])
    my_turn(page)
    frame = page.locator("[data-frame]").bounding_box()
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    touch = page.context.new_cdp_session(page)

    def fingers(kind, *places):
        points = [{"x": x + dx, "y": y} for dx in places]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -30, 30)
    for far in (40, 60, 80):
        fingers("touchMove", -far, far)
    fingers("touchEnd")
    width = page.locator("[data-canvas]").bounding_box()["width"]
    assert 2.2 < width / 360 < 3
    tap(page, 100)
    assert page.locator("[data-canvas]").bounding_box()["width"] == width
    page.get_by_role("button", name="Whole board").tap()
    assert page.locator("[data-canvas]").bounding_box()["width"] == 360


# -- others -----------------------------------------------------------------------------------------------------------


def test_the_turn_of_somebody_else_appears_without_reload(page_of):
    pages = [page_of("Alba"), page_of("Bela")]
    new_match(*pages)
    first, second = whose_turn(*pages)
    expect(second.locator("#asked")).to_contain_text("is to move")
    expect(second).to_have_title(re.compile(r"^(\(\d+\) )?Trans America"))
    second.evaluate("window.sameLoad = true")
    take_turn(first)
    expect(second.locator("#asked")).to_contain_text("Your turn")
    expect(second).to_have_title(re.compile(r"^\(\d+\) Your turn – Trans America"))
    expect(second.locator(".log-line").first).to_contain_text("starts from")
    assert second.evaluate("window.sameLoad")


def test_every_open_page_counts_the_matches_that_wait_until_the_turn_is_taken(page_of):
    pages = [page_of("Paula"), page_of("Quirin")]
    new_match(*pages)
    first, second = whose_turn(*pages)
    lobby = second.context.new_page()
    lobby.goto("/lobby/")
    expect(lobby).to_have_title(re.compile(r"^Lobby"))
    expect(lobby.locator("[data-next-turn]")).to_be_hidden()
    lobby.evaluate("window.sameLoad = true")
    take_turn(first)
    expect(lobby).to_have_title(re.compile(r"^\(1\) Lobby"))
    expect(lobby.locator(".next-turn")).to_have_text(re.compile(r"1\s*Next turn"))
    take_turn(second)
    expect(lobby).to_have_title(re.compile(r"^Lobby"))
    expect(lobby.locator("[data-next-turn]")).to_be_hidden()
    assert lobby.evaluate("window.sameLoad")


def test_who_only_watches_sees_it_happen_too(page_of):
    pages = [page_of("Alba"), page_of("Bela")]
    address = new_match(pages[0], opponents=["easy"])
    pages[1].goto(address)
    my_turn(pages[0])
    take_turn(pages[0])
    expect(pages[1].locator(".log-line").filter(has_text="Alba starts from")).to_have_count(1)
    assert pages[1].locator("[data-move]").count() == 0


def test_an_open_match_fills_and_starts_before_ones_eyes(page_of):
    pages = [page_of("Alba"), page_of("Bela"), page_of("Cleo")]
    match = post(pages[0], "/api/v1/matches/", {"game": "trans-america", "seats": 3})
    pages[0].goto(match["url"])
    expect(pages[0].locator(".lead")).to_contain_text("2 seats are free.")
    pages[1].goto(match["url"])
    pages[1].get_by_role("button", name="Take a seat").click()
    expect(pages[0].locator(".lead")).to_contain_text("1 seat is free.")
    pages[2].goto(match["url"])
    pages[2].get_by_role("button", name="Take a seat").click()
    for page in pages:
        expect(page.locator("#asked")).to_contain_text(re.compile("Your turn|is to move"))


# -- what goes wrong --------------------------------------------------------------------------------------------------


def test_a_double_click_sends_one_turn_and_no_fault(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    choose_turn(page)
    page.locator("[data-confirm]").dblclick()
    my_turn(page)
    assert page.get_by_role("alert").count() == 0
    assert page.locator(".log-line").filter(has_text="Alba starts from").count() == 1


def test_of_two_tabs_the_later_one_learns_that_the_turn_is_taken(page_of):
    page = page_of()
    address = new_match(page, opponents=["easy"])
    choose_turn(page, 0.2)
    other = page.context.new_page()
    other.goto(address)
    choose_turn(other, 0.8)
    take_turn(page, 0.2)
    expect(other.get_by_role("alert")).to_contain_text("That turn has been taken in the meantime.")
    expect(other.locator("[data-confirm]")).to_have_count(0)


def test_a_tab_that_has_heard_nothing_is_told_when_it_sends(page_of):
    page = page_of()
    address = new_match(page, opponents=["easy"])
    choose_turn(page, 0.2)
    other = page.context.new_page()
    other.add_init_script("window.WebSocket = class { close() {} };")
    other.goto(address)
    choose_turn(other, 0.8)
    take_turn(page, 0.2)
    other.locator("[data-confirm]").click()
    expect(other.get_by_role("alert")).to_contain_text("That turn has already been taken.")
    expect(other.locator("[data-confirm]")).to_have_count(0)


def test_without_a_network_the_choice_is_kept_and_can_be_sent_later(page_of):
    page = page_of()
    new_match(page, opponents=["easy"])
    choose_turn(page)
    chosen = table(page).get_attribute("data-moves")
    page.context.set_offline(True)
    page.locator("[data-confirm]").click()
    expect(page.get_by_role("alert")).to_contain_text("What you have chosen is kept here")
    assert table(page).get_attribute("data-moves") == chosen
    page.context.set_offline(False)
    page.locator("[data-confirm]").click()
    expect(page.locator(".log-line").filter(has_text="Alba starts from")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_choice_outlives_a_reload_and_the_way_back_is_harmless(page_of):
    page = page_of()
    address = new_match(page, opponents=["easy"])
    choose_turn(page)
    page.reload()
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.locator("[data-confirm]").click()
    expect(page.locator("[data-confirm]")).to_have_count(0)
    page.goto("/lobby/")
    page.go_back()
    expect(page).to_have_url(re.compile(address))
    my_turn(page)
    assert page.get_by_role("alert").count() == 0


# -- for everybody ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone, night"])
def test_the_pages_of_a_match_have_no_serious_faults_for_assistive_technology(page_of, look):
    page = page_of(**look)
    address = new_match(page, opponents=["easy", "hard"])
    my_turn(page)
    faults = {"placing": serious_faults(page)}
    choose_turn(page)
    faults["whole"] = serious_faults(page)
    take_turn(page)
    my_turn(page)
    choose(page, 0.5)
    faults["laying"] = serious_faults(page)
    page.goto(f"{address}2/")
    faults["moment"] = serious_faults(page)
    page.goto(f"{address}log/")
    faults["log"] = serious_faults(page)
    assert {where: found for where, found in faults.items() if found} == {}
