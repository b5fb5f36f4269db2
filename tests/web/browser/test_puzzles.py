"""Puzzles in a browser: solved by mouse and by keyboard, refuted, with rows of successes, on a phone, too."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from kibitz.games import catalog
from kibitz.puzzles.tactics import PuzzleSet, save
from tests.web.browser.conftest import serving
from tests.web.browser.hand import PATIENCE, Hand
from tests.web.test_puzzles import GAME, PUZZLE

OPEN = "number => document.body.dataset.puzzle === String(number)"
LEGAL = "text => document.getElementById('board').moves.some(move => move.text === text)"


@pytest.fixture(scope="module")
def puzzle_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("puzzles")
    empty = PuzzleSet.empty(catalog.load(GAME), {})
    save(folder / "alquerque.puzzles", empty.with_puzzle(PUZZLE).with_puzzle(PUZZLE))
    with serving(folder, KIBITZ_PUZZLES=str(folder)) as address:
        yield address


def visit(page: Page, site: str, number: int = 1) -> Hand:
    page.goto(f"{site}/puzzles#game={GAME}&number={number}")
    page.wait_for_function(OPEN, arg=number, timeout=PATIENCE)
    return Hand(page, site)


def make(hand: Hand, text: str) -> None:
    hand.page.wait_for_function(LEGAL, arg=text, timeout=PATIENCE)
    hand.make(next(move for move in hand.moves if move["text"] == text))


def test_a_puzzle_is_solved_by_mouse_and_lengthens_the_row(page: Page, puzzle_site: str) -> None:
    hand = visit(page, puzzle_site)
    expect(page.locator("#goal")).to_contain_text("White to move: win. Of 7 moves one does.")
    for text in PUZZLE.line[::2]:
        make(hand, text)
    expect(page.locator("#verdict")).to_contain_text("1x13: solved", timeout=PATIENCE)
    expect(page.locator("#verdict")).to_contain_text("White has won.")
    assert [page.locator(name).inner_text() for name in ("#solved", "#streak", "#best")] == ["1", "1", "1"]
    page.reload()
    page.wait_for_function(OPEN, arg=1, timeout=PATIENCE)
    expect(page.locator("#streak")).to_have_text("1")


def test_a_wrong_move_is_refuted_on_the_board_and_ends_the_row(page: Page, puzzle_site: str) -> None:
    hand = visit(page, puzzle_site)
    make(hand, "16-11")
    expect(page.locator("#verdict")).to_contain_text("16-11: not that", timeout=PATIENCE)
    page.click("#why")
    expect(page.locator("#verdict")).to_contain_text("16-11: this happens", timeout=PATIENCE)
    page.wait_for_function("() => document.body.dataset.refuted", timeout=PATIENCE)
    assert hand.moves == []
    page.click("#again")
    make(hand, "16x18")
    expect(page.locator("#verdict")).to_contain_text("16x18: right", timeout=PATIENCE)
    expect(page.locator("#streak")).to_have_text("0")


def test_a_puzzle_is_solved_by_keyboard(page: Page, puzzle_site: str) -> None:
    hand = visit(page, puzzle_site)
    for text in PUZZLE.line[::2]:
        page.wait_for_function(LEGAL, arg=text, timeout=PATIENCE)
        page.evaluate("document.getElementById('board').focus()")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("solved", timeout=PATIENCE)
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("n")
    page.wait_for_function(OPEN, arg=2, timeout=PATIENCE)
    page.locator("#goal").click()
    page.keyboard.press("s")
    expect(page.locator("#verdict")).to_contain_text("16x18 10-15 20x10 2-7 1x13", timeout=PATIENCE)
    assert hand.moves == []


@pytest.mark.parametrize("viewport", [(390, 844)])
def test_on_a_phone_nothing_is_wider_than_the_page(page: Page, puzzle_site: str) -> None:
    visit(page, puzzle_site)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{puzzle_site}/puzzles")
    page.locator(f'[data-game="{GAME}"]').click()
    page.wait_for_function(OPEN, arg=1, timeout=PATIENCE)
