"""What can be done at a table besides moving: taking back, setting up, looking ahead, sharing, watching."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.hand import PATIENCE, Hand


def played(hand: Hand, text: str) -> None:
    before = hand.hash
    hand.make(next(move for move in hand.moves if move["text"] == text))
    hand.settled(before)


def test_undo_takes_back_ones_own_move_and_the_answer_to_it(hand: Hand) -> None:
    hand.open("game=breakthrough&second=random")
    played(hand, "a2-a3")
    assert len(hand.line.split()) == 2
    before = hand.hash
    hand.page.click("#undo")
    hand.settled(before)
    assert hand.line == ""
    expect(hand.page.locator("#undo")).to_be_disabled()


def test_an_earlier_moment_is_looked_at_and_the_game_goes_on_from_there(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human&line=a2-a3 b7-b6 a3-a4").page
    page.locator(".moves button", has_text="a2-a3").click()
    page.locator("#board [data-cell='16'][aria-label='a3, white worker']").wait_for()
    assert hand.line == "a2-a3 b7-b6 a3-a4"
    page.locator("button", has_text="Go on from here").click()
    page.wait_for_function("() => !location.hash.includes('b7-b6')")
    assert hand.line == "a2-a3"


def test_sides_are_swapped_and_the_machine_then_plays_the_other_side(hand: Hand) -> None:
    hand.open("game=breakthrough&second=random")
    hand.page.click("#swap")
    hand.page.wait_for_function("() => new URLSearchParams(location.hash.slice(1)).get('first') === 'random'")
    hand.page.wait_for_function("() => document.getElementById('board').moves.length > 0", timeout=PATIENCE)
    assert len(hand.line.split()) == 1


def test_the_board_is_turned_around_and_stays_playable(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    upright = hand.spot(0)
    hand.page.click("#flip")
    assert hand.spot(0)[1] < upright[1]
    played(hand, "c2-c3")
    assert hand.line == "c2-c3"


def test_a_position_is_set_up_by_its_text_and_a_wrong_one_is_refused_in_a_line(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human").page
    page.click("#tab-setup")
    page.fill("#position-text", "sssss/sssss/5/5/w4 w")
    page.click("#set-up")
    page.locator(".toast.wrong", has_text="expected 2").wait_for()
    page.fill("#position-text", "5/sssss/sssss/5/w3w w")
    page.click("#set-up")
    page.locator("#board [data-cell='24'][aria-label^='e1, wolf']").wait_for()
    assert page.locator("#board .piece").count() == 12


def test_a_position_is_put_together_on_the_board(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human").page
    page.click("#tab-setup")
    page.click("#edit-board")
    page.click("#clear-board")
    hand.click(8)
    page.locator(".palette button[data-letter='p']").click()
    hand.click(50)
    page.click("#use-board")
    page.wait_for_function("() => location.hash.includes('position=')")
    page.wait_for_function("() => document.getElementById('board').moves.length > 0")
    assert page.locator("#board .piece").count() == 2
    played(hand, "a2-a3")
    assert hand.line == "a2-a3"


def test_the_analysis_appears_and_stops(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human").page
    page.click("#tab-analysis")
    page.click("#analyse")
    expect(page.locator("#score")).to_have_text(re.compile("for white"), timeout=PATIENCE)
    expect(page.locator("#lines li")).to_have_count(3)
    expect(page.locator("#board .arrows .best")).to_have_count(1)
    expect(page.locator("#evaluation")).to_be_visible()
    assert "depth" in page.locator("#facts").inner_text()
    page.click("#analyse")
    expect(page.locator("#score")).to_have_text("—")
    page.wait_for_timeout(500)
    expect(page.locator("#lines li")).to_have_count(0)
    expect(page.locator("#evaluation")).to_be_hidden()
    expect(page.locator("#board .arrows .best")).to_have_count(0)


def test_the_analysis_follows_the_game(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human").page
    page.click("#tab-analysis")
    page.click("#analyse")
    expect(page.locator("#score")).to_have_text(re.compile("white"), timeout=PATIENCE)
    played(hand, "a2-a3")
    expect(page.locator("#score")).to_have_text(re.compile("black"), timeout=PATIENCE)
    assert page.locator(".graph .curve").count() == 1


def test_the_heuristic_is_explained_term_by_term(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human&line=b1-b2").page
    page.click("#tab-analysis")
    page.get_by_role("button", name="Explain").click()
    page.locator("#terms tbody tr").first.wait_for(timeout=PATIENCE)
    assert page.locator("#terms tbody tr").count() > 3
    assert "count nothing here" in page.locator("#terms + details").inner_text()


def test_a_hint_is_an_arrow_to_a_legal_move(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human").page
    page.click("#hint")
    page.locator("#board .arrows .hint").wait_for(timeout=PATIENCE)
    told = page.locator(".toast").inner_text().removeprefix("Try ")
    assert told in {move["text"] for move in hand.moves}


def test_a_search_tree_is_opened_by_pointer_and_by_arrow_keys(hand: Hand) -> None:
    page = hand.open("game=breakthrough,rows=6,columns=5&second=human").page
    page.click("#tab-tree")
    page.get_by_role("button", name="Grow the tree").click()
    nodes = page.locator(".tree [role=treeitem]")
    nodes.nth(1).wait_for(timeout=PATIENCE)
    shown = nodes.count()
    grown = "count => document.querySelectorAll('.tree [role=treeitem]').length > count"
    page.locator(".tree [role=treeitem][aria-expanded=false] > .node-row").nth(1).click()
    page.wait_for_function(grown, arg=shown)
    assert page.locator(".tree .window", has_text="α").count() > 2
    assert page.locator(".tree .cut").count() > 0
    focused = "() => document.activeElement.querySelector('b').textContent"
    page.keyboard.press("ArrowLeft")
    expect(nodes).to_have_count(shown)
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "the position"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(grown, arg=shown)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) != "the position"
    assert hand.line == ""


def test_a_link_brings_the_same_game_to_another_reader(hand: Hand) -> None:
    page = hand.open("game=alquerque&second=human").page
    played(hand, hand.moves[0]["text"])
    played(hand, hand.moves[0]["text"])
    page.click("#share")
    page.locator(".toast", has_text="link copied").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_function("() => document.getElementById('board').moves.length > 0")
    assert other.evaluate("() => location.hash") == hand.hash
    pieces = "() => [...document.getElementById('board').shadowRoot.querySelectorAll('.hit')].map(hit => hit.ariaLabel)"
    assert other.evaluate(pieces) == page.evaluate(pieces)


def test_a_record_is_downloaded_and_can_be_stepped_through(hand: Hand) -> None:
    page = hand.open("game=breakthrough,rows=6,columns=5&second=random").page
    hand.play_out()
    with page.expect_download() as waiting:
        page.click("#save")
    path = waiting.value.path()
    page.goto(f"{hand.site}/replay")
    page.set_input_files("#file", path)
    game = page.locator("kibitz-game")
    game.locator("li").nth(2).wait_for()
    assert game.locator(".caption").inner_text() == "start"
    page.keyboard.press("ArrowRight")
    assert re.fullmatch(r"[a-e]\d[-x][a-e]\d.*", game.locator(".caption").inner_text())
    page.keyboard.press("End")
    assert re.match("1-0|0-1", game.locator(".status").inner_text())
    link = page.locator("#review").get_attribute("href") or ""
    assert "review=yes" in link
    page.goto(hand.site + link)
    expect(page.locator("#accuracy")).to_be_visible(timeout=PATIENCE)
    assert len(hand.line.split()) > 3


def test_two_machines_are_watched_to_the_end(hand: Hand, page: Page) -> None:
    page.goto(f"{hand.site}/#game=breakthrough&first=random&second=random&pace=0")
    page.wait_for_function("() => document.querySelectorAll('.moves button').length > 2", timeout=PATIENCE)
    assert page.locator("#board").evaluate("board => board.moves.length") == 0
    page.wait_for_function("() => /^(Won|Drawn)/.test(document.getElementById('state').textContent)", timeout=PATIENCE)


def test_players_are_changed_at_the_table(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human").page
    page.locator("#seat-far button").click()
    page.locator("dialog[open] select").first.select_option("random")
    page.locator("dialog[open] button.main").click()
    page.wait_for_function("() => location.hash.includes('second=random')")
    played(hand, hand.moves[0]["text"])
    assert len(hand.line.split()) == 2


def test_clocks_run_and_time_loses(hand: Hand) -> None:
    page = hand.open("game=wolves&second=human&clock=1&increment=0").page
    assert page.locator(".seat .clock").first.inner_text().startswith("0:0")
    page.locator("#state", has_text="on time").wait_for(timeout=30_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_and_the_switch(hand: Hand, scheme: str) -> None:
    page = hand.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(hand.site)
    paper = "() => getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.get_by_role("button", name="light or dark").click()
    after = page.evaluate(paper)
    assert after != before
    page.reload()
    assert page.evaluate(paper) == after


def test_what_the_server_refuses_is_told_in_a_toast(hand: Hand) -> None:
    hand.page.goto(f"{hand.site}/#game=chess")
    hand.page.locator(".toast.wrong", has_text="no game is called 'chess'").wait_for()
    expect(hand.page.locator("#lobby")).to_be_visible()
