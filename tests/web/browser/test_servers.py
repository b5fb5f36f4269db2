"""Pages that want a server of their own: nothing compiled yet, a tournament under way, a game that is solved."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import serving
from tests.web.browser.hand import PATIENCE, Hand
from tests.web.visiting import interpreted

EXAMPLES = Path(__file__).parents[3] / "tests" / "rules"


@pytest.mark.skipif(interpreted(), reason="nothing is compiled")
def test_on_a_cold_cache_the_page_says_what_is_compiled_and_then_the_game_goes_on(page: Page, tmp_path: Path) -> None:
    words = ("--game", str(EXAMPLES / "tictactoe.py"))
    with serving(tmp_path, *words, KIBITZ_CACHE=str(tmp_path / "cold")) as site:
        page.goto(f"{site}/#game=tictactoe&first=greedy&second=human")
        expect(page.locator("#busy")).to_contain_text("Compiling greedy for tictactoe", timeout=PATIENCE)
        page.wait_for_function("() => document.getElementById('board').moves.length === 8", timeout=PATIENCE)
        expect(page.locator("#busy")).to_be_hidden()


def test_a_tournament_is_followed_while_it_is_played(page: Page, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    words = ["tournament", "wolves", "random", "greedy", "--games", "2000", "--trusted", "--store", str(store)]
    with subprocess.Popen([sys.executable, "-m", "kibitz.cli", *words], stderr=subprocess.DEVNULL) as playing:
        try:
            with serving(tmp_path, "--store", str(store)) as site:
                follow(page, site)
        finally:
            playing.kill()


def follow(page: Page, site: str) -> None:
    page.goto(f"{site}/tournaments")
    page.locator("a.sheet").first.click(timeout=PATIENCE)
    expect(page.locator(".standings tbody tr")).to_have_count(2, timeout=PATIENCE)
    count = page.locator("main .number").first
    expect(count).to_have_text(re.compile(r"^[1-9]\d* of 2,000 games"), timeout=PATIENCE)
    before = count.inner_text()
    expect(count).not_to_have_text(before, timeout=PATIENCE)
    expect(page.locator(".plot circle")).to_have_count(2)
    expect(page.locator(".heat tbody tr")).to_have_count(2)
    assert page.locator(".lately li").count() > 2
    page.locator(".lately a").first.click()
    page.locator(".moves button").nth(3).wait_for(timeout=PATIENCE)
    page.locator("summary", has_text="What was played here").click()
    page.keyboard.press("Home")
    expect(page.locator("#openings tr").first).to_be_visible(timeout=PATIENCE)


def test_in_a_solved_game_every_move_shows_its_exact_value(page: Page, tmp_path: Path) -> None:
    game, around = str(EXAMPLES / "tictactoe.py"), {"KIBITZ_TABLES": str(tmp_path)}
    solving = [sys.executable, "-m", "kibitz.cli", "solve", game]
    subprocess.run(solving, check=True, env={**os.environ, **around}, stdout=subprocess.DEVNULL)
    with serving(tmp_path, "--game", game, **around) as site:
        Hand(page, site).open("game=tictactoe&second=human&line=b2 b1")
        page.click("#tab-analysis")
        page.click("#analyse")
        expect(page.locator("#panel-analysis")).to_contain_text("Solved: this position is a win", timeout=PATIENCE)
        expect(page.locator("#exact tbody tr")).to_have_count(7)
        expect(page.locator("#board .tag")).to_have_count(7)
        expect(page.locator("#board .tag.win").first).to_have_text("W4")
        page.click("#analyse")
        expect(page.locator("#board .tag")).to_have_count(0)
