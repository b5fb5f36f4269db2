"""The review of a game in the browser: one click, the curve, the mistakes, and another try."""

from playwright.sync_api import expect

from tests.web.browser.hand import PATIENCE, Hand

BLUNDER = "game=breakthrough,rows=5,columns=4&second=human&line=b2-b3 c4-c3 a2-a3 d4-d3 c1-b2 b5-c4 a3xb4 a4xb3"


def test_a_game_is_reviewed_with_a_click_and_tried_again(hand: Hand) -> None:
    page = hand.open(BLUNDER).page
    page.click("#tab-review")
    page.click("#review")
    expect(page.locator("#accuracy tbody tr")).to_have_count(2, timeout=PATIENCE)
    assert "%" in page.locator("#accuracy").inner_text()
    expect(page.locator("#panel-review .curve")).to_have_count(1)
    first = page.locator("#mistakes li").first
    first.locator("button").first.click()
    expect(page.locator("#state")).to_contain_text("of 8")
    page.locator("#panel-review .graph").click(position={"x": 3, "y": 10})
    expect(page.locator("#state")).to_contain_text("after 0 of 8")
    before = len(hand.line.split())
    first.get_by_role("button", name="Try again from here").click()
    page.wait_for_function("count => (location.hash.match(/line=([^&]*)/)?.[1] ?? '').split('+').length < count",
                           arg=before)  # fmt: skip
    page.click("#tab-moves")
    expect(page.locator(".moves .mark").first).to_be_visible()


def test_at_the_end_a_card_tells_the_result_and_offers_a_review(hand: Hand) -> None:
    page = hand.open("game=breakthrough,rows=5,columns=4&second=human&line=b2-b3 c4-c3").page
    expect(page.locator("#end")).to_be_hidden()
    page.click("#flag")
    page.locator("dialog[open]").get_by_role("button", name="Resign").click()
    expect(page.locator("#end strong")).to_have_text("Won by black by resignation")
    page.locator("#end").get_by_role("button", name="Review").click()
    expect(page.locator("#end")).to_be_hidden()
    expect(page.locator("#accuracy")).to_be_visible(timeout=PATIENCE)
    page.click("#undo")
    expect(page.locator("#state")).to_have_text("Black to move")


def test_sounds_are_off_until_they_are_switched_on_and_stay_on(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human").page
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    page.click("#sound")
    hand.make(hand.moves[0])
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
