"""One cursor: board, arrows, bar, lines and keys follow the shown move; variations, notes, redo, chances."""

import re

from playwright.sync_api import Page, expect

from tests.web.browser.hand import PATIENCE, Hand

OPENING = "game=breakthrough&second=human&line=a2-a3 b7-b6 a3-a4 b6-b5"
COLOURS = "bar => [getComputedStyle(bar.firstElementChild).backgroundColor, getComputedStyle(bar).backgroundColor]"


def shown(page: Page) -> str:
    return page.locator(".moves [aria-current=true]").inner_text()


def test_keys_walk_through_the_game_and_everything_follows(hand: Hand) -> None:
    page = hand.open(OPENING).page
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".moves [aria-current=true]")).to_have_text("a3-a4")
    expect(page.locator("#state")).to_have_text("Black to move, after 3 of 4")
    expect(page.locator("#seat-far")).to_have_class(re.compile("active"))
    page.locator("#board [data-cell='33'][aria-label='b5, empty, legal target']").or_(
        page.locator("#board [data-cell='33'][aria-label='b5, empty']")
    ).wait_for()
    page.keyboard.press("Home")
    expect(page.locator(".moves [aria-current=true]")).to_have_count(0)
    expect(page.locator("#state")).to_have_text("White to move, after 0 of 4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves [aria-current=true]")).to_have_text("a2-a3")
    page.keyboard.press("End")
    expect(page.locator("#state")).to_have_text("White to move")
    assert hand.line == "a2-a3 b7-b6 a3-a4 b6-b5"


def test_a_move_elsewhere_is_a_variation_with_notes_and_can_be_removed(hand: Hand) -> None:
    page = hand.open(OPENING).page
    page.locator(".moves button", has_text="a2-a3").click()
    expect(page.locator("#state")).to_contain_text("after 1 of 4")
    hand.make(next(move for move in hand.moves if move["text"] == "h7-h6"))
    expect(page.locator(".moves .variation button")).to_have_text("h7-h6")
    expect(page.locator("#state")).to_have_text("White to move, in a variation")
    page.get_by_role("button", name="doubtful").click()
    page.fill("#comment", "slow")
    page.keyboard.press("Enter")
    expect(page.locator(".moves .variation")).to_have_text("h7-h6 ?!slow")
    assert hand.line == "a2-a3 b7-b6 a3-a4 b6-b5"
    page.click("#remove")
    expect(page.locator(".moves .variation")).to_have_count(0)
    page.click("#present")
    expect(page.locator("#state")).to_have_text("White to move")


def test_what_was_taken_back_is_played_again(hand: Hand) -> None:
    page = hand.open(OPENING).page
    expect(page.locator("#redo")).to_be_hidden()
    page.click("#undo")
    page.click("#redo")
    expect(page.locator("#redo")).to_be_hidden()
    assert hand.line == "a2-a3 b7-b6 a3-a4 b6-b5"


def test_analysis_follows_the_cursor_and_speaks_of_chances_first(hand: Hand) -> None:
    page = hand.open(OPENING).page
    page.click("#tab-analysis")
    page.click("#analyse")
    expect(page.locator("#score")).to_have_text(re.compile(r"^\d+ % for white [+−][\d.]+"), timeout=PATIENCE)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#score")).to_have_text(re.compile(r"^\d+ % for black"), timeout=PATIENCE)
    expect(page.locator("#board .arrows .best")).to_have_count(1)
    said = page.locator("#evaluation").get_attribute("aria-label") or ""
    mine = int(page.locator("#score b").inner_text().split()[0])
    assert abs(int(said.split(", ")[1].split()[0]) - mine) <= 1, "bar and score agree"
    assert page.locator("#evaluation").evaluate(COLOURS) == ["rgb(255, 250, 240)", "rgb(58, 52, 55)"]
    expect(page.locator("#panel-analysis .graph .curve")).to_have_count(1)
    page.locator(".graph").click(position={"x": 2, "y": 20})
    expect(page.locator("#state")).to_have_text("White to move, after 0 of 4")


def test_a_line_is_seen_happening_while_it_is_looked_at_and_tried_by_a_click(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human").page
    page.click("#tab-analysis")
    page.click("#analyse")
    line = page.locator("#lines button").first
    line.wait_for(timeout=PATIENCE)
    labels = "() => [...document.getElementById('board').shadowRoot.querySelectorAll('.hit')].map(hit => hit.ariaLabel)"
    start = page.evaluate(labels)
    line.hover()
    page.wait_for_function(f"start => String(({labels})()) !== String(start)", arg=start)
    page.mouse.move(2, 2)
    page.wait_for_function(f"start => String(({labels})()) === String(start)", arg=start)
    line.click()
    page.click("#tab-moves")
    page.locator(".moves button").first.wait_for()
    assert hand.line == ""


def test_scores_are_counted_in_pieces_where_the_heuristic_counts_them(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human").page
    page.click("#tab-analysis")
    page.click("#analyse")
    expect(page.locator("#score")).to_have_text(re.compile(r"^\d+ % for wolves [+−][\d.]+ sheep$"), timeout=PATIENCE)


def test_only_what_is_proven_is_called_exact(hand: Hand) -> None:
    page = hand.open("game=breakthrough,rows=5,columns=3&second=human").page
    page.click("#tab-analysis")
    page.click("#analyse")
    expect(page.locator("#score")).to_contain_text("exact: ", timeout=PATIENCE)
    expect(page.locator("#score b")).to_have_text(re.compile(r"^(100|0) %$"))


def test_back_leads_to_where_one_came_from(hand: Hand) -> None:
    page = hand.page
    page.goto(hand.site)
    page.locator("[data-game=wolves]").click()
    page.locator("#new-game button.main").click()
    expect(page.locator("#play")).to_be_visible(timeout=PATIENCE)
    page.go_back()
    expect(page.locator("#lobby")).to_be_visible()
    page.go_forward()
    expect(page.locator("#play")).to_be_visible(timeout=PATIENCE)
