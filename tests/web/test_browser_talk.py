"""Coming back and talking in a real browser: live, on any page, by keys, on a phone, without scripts."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.web.browser import (
    PHONE,
    choose,
    my_turn,
    new_match,
    post,
    serious_faults,
    table,
    take_turn,
    version,
    whose_turn,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def page_of(page_of):
    """Opens the departures of one of the people of these tests."""

    def open_page(name="Greta", **options):
        page = page_of(name, **options)
        page.goto("/departures/")
        return page

    return open_page


def say(page, text):
    page.get_by_label("Say something to the table").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".chat-text").last).to_have_text(text)


def key_of(address):
    return re.search(r"/m/(\w+)/", address)[1]


# -- chat -------------------------------------------------------------------------------------------------------------


def test_a_message_appears_live_and_who_has_seen_it(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    new_match(greta, hugo)
    greta.locator("#chat").scroll_into_view_if_needed()
    say(greta, "Good luck, Hugo")
    expect(greta.get_by_label("Say something to the table")).to_have_value("")
    expect(hugo.locator(".chat-text")).to_have_text("Good luck, Hugo")
    hugo.bring_to_front()
    expect(hugo.locator("[data-chat-unread]").first).to_have_text("1 new")
    expect(greta.locator(".chat-seen")).to_have_count(0)
    hugo.get_by_role("link", name="Chat").click()
    expect(greta.locator(".chat-seen")).to_have_text("seen by Hugo")
    expect(hugo.locator("[data-chat-unread]:visible")).to_have_count(0)
    say(hugo, "And you")
    expect(greta.locator(".chat-text").last).to_have_text("And you")


def test_a_toast_on_another_page_leads_to_the_match(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    address = new_match(greta, hugo)
    hugo.goto("/lobby/")
    hugo.wait_for_timeout(300)  # until the live line of the new page stands
    say(greta, "Are you there?")
    toast = hugo.locator(".toast", has=hugo.locator(f'a[href*="{key_of(address)}"]')).last
    expect(toast).to_contain_text("Greta")
    expect(hugo.locator("[data-toasts]")).to_have_attribute("aria-live", "polite")
    toast.get_by_role("link").click()
    hugo.wait_for_url(f"**{address}*")
    expect(hugo.locator(".chat-text").last).to_have_text("Are you there?")


def test_a_toast_goes_when_it_is_dismissed_and_none_comes_for_the_match_that_is_looked_at(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    new_match(greta, hugo)
    greta.bring_to_front()
    say(hugo, "Look at this")
    expect(greta.locator(".chat-text").last).to_have_text("Look at this")
    notice = {"about": "your-turn", "match": "zzzzzzzzzz", "url": "/m/zzzzzzzzzz/", "text": "Elsewhere it is your turn"}
    greta.evaluate(
        "detail => document.body.dispatchEvent(new CustomEvent('branchline:notice', { detail }))",
        notice | {"match": table(greta).get_attribute("data-key")},
    )
    expect(greta.locator(".toast")).to_have_count(0)
    greta.evaluate("detail => document.body.dispatchEvent(new CustomEvent('branchline:notice', { detail }))", notice)
    expect(greta.locator(".toast")).to_have_text(re.compile("Elsewhere it is your turn"))
    assert serious_faults(greta) == []
    greta.get_by_role("button", name="Dismiss").press("Enter")
    expect(greta.locator(".toast")).to_have_count(0)


def test_a_toast_stays_eight_seconds_and_longer_while_it_is_touched(page_of):
    page = page_of()
    page.clock.install(time=0)
    page.goto("/lobby/")
    page.clock.pause_at(3_600_000)  # the page's time goes on only when it is told to
    notice = {"match": "zzzzzzzzzz", "url": "/m/zzzzzzzzzz/", "text": "It is your turn"}
    page.evaluate("detail => document.body.dispatchEvent(new CustomEvent('branchline:notice', { detail }))", notice)
    page.clock.run_for(7500)
    expect(page.locator(".toast")).to_have_count(1)
    box = page.locator(".toast").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.clock.run_for(20_000)
    expect(page.locator(".toast")).to_have_count(1)
    page.mouse.move(10, 400)
    page.clock.run_for(8100)
    expect(page.locator(".toast")).to_have_count(0)


def test_what_cannot_be_sent_is_kept_with_the_reason(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    new_match(greta, hugo)
    box = greta.get_by_label("Say something to the table")
    box.fill("Not lost")
    greta.context.set_offline(True)
    greta.get_by_role("button", name="Send").click()
    expect(greta.locator("#chat-problem")).to_contain_text("cannot be reached")
    expect(box).to_have_value("Not lost")
    greta.context.set_offline(False)
    greta.get_by_role("button", name="Send").click()
    expect(greta.locator(".chat-text").last).to_have_text("Not lost")
    expect(greta.locator("#chat-problem")).to_be_empty()


def test_one_talks_and_notes_without_scripts(page_of, new_page):
    greta, hugo = page_of(), page_of("Hugo")
    address = new_match(greta, hugo)
    plain = page_of("Greta", java_script_enabled=False)
    plain.goto(address)
    plain.get_by_label("Say something to the table").fill("By a form")
    plain.get_by_role("button", name="Send").click()
    expect(plain.locator(".chat-text").last).to_have_text("By a form")
    plain.get_by_label("Only you can read this").fill("By a form, too")
    plain.get_by_role("button", name="Save").click()
    expect(plain.get_by_label("Only you can read this")).to_have_value("By a form, too")
    expect(hugo.locator(".chat-text").last).to_have_text("By a form")


# -- notes ------------------------------------------------------------------------------------------------------------


def test_a_note_is_saved_by_itself(page_of):
    page = page_of()
    address = new_match(page, opponents=["easy"])
    page.get_by_label("Only you can read this").fill("The computer goes north")
    expect(page.locator("#note-state")).to_have_text("Saved.")
    page.goto(address)
    box = page.get_by_label("Only you can read this")
    expect(box).to_have_value("The computer goes north")
    box.fill("Or did it?")
    page.goto("/departures/")
    # What is sent on the way out may come after the next page was asked for: that is read again until it has.
    deadline = time.monotonic() + 15
    page.goto(address)
    while box.input_value() != "Or did it?" and time.monotonic() < deadline:
        page.goto(address)
    expect(box).to_have_value("Or did it?")


# -- since your last turn ---------------------------------------------------------------------------------------------


@pytest.fixture
def back(page_of):
    """Greta comes back to a match in which computers have moved since her turn, and it is her turn again."""

    def come_back(**options):
        page = page_of(**options)
        address = new_match(page, opponents=["easy", "easy"])
        take_turn(page)
        my_turn(page)
        page.goto(address)
        my_turn(page)
        expect(page.locator("[data-since-turn]")).to_have_count(2)
        return page

    return come_back


def test_a_tap_shows_that_moment_on_the_board_and_now_leads_back_to_my_choices(back):
    page = back()
    choose(page, 0.5)
    chosen, offered = table(page).get_attribute("data-moves"), page.locator("[data-move]").count()
    first = page.locator("[data-since-turn]").first
    first.click()
    expect(page.locator(".ask .turn-number")).to_have_text(first.get_attribute("data-since-turn"))
    expect(first).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-move]")).to_have_count(0)
    expect(page.locator("[data-announce]")).to_contain_text("Turn")
    assert serious_faults(page) == []
    page.get_by_role("button", name="Now").click()
    expect(page.locator("[data-move]")).to_have_count(offered)
    assert table(page).get_attribute("data-moves") == chosen
    expect(page.locator("[aria-current=step]")).to_have_count(0)


def test_the_walk_goes_step_by_step_by_keys(back):
    page = back()
    numbers = [each.get_attribute("data-since-turn") for each in page.locator("[data-since-turn]").all()]
    shown = page.locator(".ask .turn-number")
    page.get_by_role("link", name="Step by step").focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_text(numbers[0])
    expect(page.get_by_role("button", name="Next turn", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="Previous turn")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_text(numbers[1])
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text(numbers[0])
    page.keyboard.press("Escape")
    expect(page.locator("#asked")).to_be_focused()
    expect(shown).to_have_count(0)
    page.get_by_role("link", name="Step by step").focus()
    page.keyboard.press("Enter")
    for _ in numbers:
        expect(page.get_by_role("button", name="Next turn", exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_timeout(150)
    expect(page.locator("#asked")).to_be_focused()
    my_turn(page)


def test_the_past_stays_in_sight_when_somebody_moves(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    address = new_match(greta, hugo, opponents=["easy"])
    first, other = whose_turn(greta, hugo)
    take_turn(first)
    take_turn(other)
    my_turn(first)
    first.goto(address)
    expect(first.locator("[data-since-turn]").first).to_be_visible()
    first.locator("[data-since-turn]").first.click()
    number = first.locator(".ask .turn-number").inner_text()
    again = first.context.new_page()
    again.goto(address)
    before = version(first)
    choose(again, 0.5)
    again.get_by_label("Say something to the table").fill("Look at turn " + number)
    again.keyboard.press("Enter")
    expect(first.locator(".chat-text").last).to_have_text("Look at turn " + number)
    expect(first.locator(".ask .turn-number")).to_have_text(number)
    take_turn(again)
    # My own turn, taken on another page, leaves nothing to look back at: the table is as it is now.
    expect(first.locator(".ask .turn-number")).to_have_count(0)
    expect(first.locator("#asked")).to_be_visible()
    assert version(first) > before


def test_the_strip_does_not_move_the_board_of_who_watches(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    new_match(greta, hugo)
    first, other = whose_turn(greta, hugo)
    first.reload()
    strip = first.locator("[data-since]:visible")
    expect(strip).to_have_count(0)
    top = first.locator("[data-frame]").bounding_box()["y"]
    take_turn(first)
    take_turn(other)
    my_turn(first)
    expect(strip).to_have_count(0)
    assert first.locator("[data-frame]").bounding_box()["y"] == top
    # Out of sight it may come: who returns finds it.
    take_turn(first)
    first.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    take_turn(other)
    expect(strip).to_have_count(1)


def test_where_the_strip_was_stands_what_has_been_sent(page_of):
    greta, hugo = page_of(), page_of("Hugo")
    address = new_match(greta, hugo)
    first, other = whose_turn(greta, hugo)
    take_turn(first)
    take_turn(other)
    first.goto(address)
    expect(first.locator("[data-since]:visible")).to_have_count(1)
    top = first.locator("[data-frame]").bounding_box()["y"]
    take_turn(first)
    expect(first.locator("[data-since]")).to_have_count(0)
    words = first.locator("[data-part=log] .log-text > span").first.inner_text()
    expect(first.locator("[data-part=since]")).to_have_text(f"Your turn is sent. {words}")
    assert first.locator("[data-frame]").bounding_box()["y"] == top


def test_nothing_slides_where_people_want_no_motion(back):
    page = back(reduced_motion="reduce")
    page.locator("[data-since-turn]").last.click()
    expect(page.locator(".ask .turn-number")).to_be_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.board .last') ?? document.body).animationName")
        == "none"
    )


def test_without_scripts_the_strip_leads_to_the_moments(back, page_of):
    page = back()
    plain = page_of("Greta", java_script_enabled=False)
    plain.goto(page.url)
    number = plain.locator("[data-since-turn]").first.get_attribute("data-since-turn")
    plain.locator("[data-since-turn]").first.click()
    plain.wait_for_url(f"**/{number}/")
    expect(plain.locator(".turn-number")).to_have_text(number)


# -- on a phone -------------------------------------------------------------------------------------------------------


def test_on_a_phone_the_parts_slide_up_and_go_back_to_their_place(page_of):
    greta, hugo = page_of(**PHONE), page_of("Hugo")
    new_match(greta, hugo)
    greta.get_by_role("link", name="Chat").tap()
    sheet = greta.get_by_role("dialog", name="Chat")
    expect(sheet.get_by_label("Say something to the table")).to_be_in_viewport()
    assert serious_faults(greta) == []
    sheet.get_by_label("Say something to the table").fill("From below")
    sheet.get_by_role("button", name="Send").tap()
    expect(hugo.locator(".chat-text").last).to_have_text("From below")
    say(hugo, "I see")
    expect(sheet.locator(".chat-text").last).to_have_text("I see")
    greta.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(greta.get_by_role("link", name="Chat")).to_be_focused()
    expect(greta.locator(".talk > .chat")).to_have_count(1)
    for name in ("Players", "Log", "My notes"):
        greta.get_by_role("link", name=name, exact=True).tap()
        expect(greta.get_by_role("dialog", name=name)).to_be_visible()
        greta.get_by_role("button", name="Close").tap()
    assert greta.evaluate("document.documentElement.scrollWidth") == 360


def test_the_strip_and_its_steps_fit_a_phone(back):
    page = back(**PHONE)
    page.get_by_role("link", name="Step by step").tap()
    expect(page.get_by_role("button", name="Now")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for button in page.locator(".since-steps button").all():
        assert button.evaluate("button => button.offsetHeight") >= 44
    assert serious_faults(page) == []
    page.get_by_role("button", name="Now").tap()
    my_turn(page)


# -- next turn --------------------------------------------------------------------------------------------------------


def test_after_a_turn_the_next_one_is_one_press_away(page_of):
    greta, hugo = page_of("Ingrid"), page_of("Hugo")
    keys = set()
    while len(keys) < 2:
        data = {"game": "trans-america", "seats": 2}
        match = post(greta, "/api/v1/matches/", data)
        post(hugo, f"/api/v1/matches/{match['key']}/join/", {})
        greta.goto(match["url"])
        whose_turn(greta)
        if "Your turn" in greta.locator("#asked").inner_text():
            keys.add(match["key"])
    take_turn(greta)
    keys.discard(table(greta).get_attribute("data-key"))
    on = greta.locator(".ask [data-next-turn]")
    expect(on).to_have_text(re.compile(r"Next turn \([1-9]\d*\)"))
    on.click()
    expect(greta.locator("#asked")).to_contain_text("Your turn")
    assert table(greta).get_attribute("data-key") in keys


def test_who_only_watches_hears_of_no_word(page_of):
    greta, hugo, ida = page_of(), page_of("Hugo"), page_of("Ida")
    address = new_match(greta, hugo)
    frames = []
    ida.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(frame)))
    ida.goto(address)
    say(greta, "Between us")
    expect(hugo.locator(".chat-text")).to_have_text("Between us")
    first, _other = whose_turn(greta, hugo)
    before = version(ida)
    take_turn(first)
    expect(table(ida)).not_to_have_attribute("data-version", str(before))
    assert any('"match"' in frame for frame in frames)
    assert not any('"chat"' in frame for frame in frames)
    expect(ida.locator(".talk")).to_have_count(0)
