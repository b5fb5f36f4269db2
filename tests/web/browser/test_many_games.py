"""A file of several games on one page, without a server: choose one, step through it, go to the next."""

from pathlib import Path

from playwright.sync_api import Page

from kibitz.core.picture import facts, games_page
from kibitz.games import catalog


def test_several_games_stand_on_one_page(page: Page, tmp_path: Path) -> None:
    start = catalog.load("tictactoe").new()
    lines = [[start, start.play("b2"), start.play("b2 a1")], [start, start.play("c3")]]
    games = [
        facts(f"game {number}", line, [f"{number}:{at}" for at in range(len(line))])
        for number, line in enumerate(lines)
    ]
    file = tmp_path / "games.html"
    file.write_text(games_page("two games", games), encoding="utf-8")
    assert file.read_text(encoding="utf-8").count('"cells":[{"name"') == 1  # their board is kept once
    page.goto(file.as_uri())
    caption = page.locator("kibitz-game .caption")
    page.keyboard.press("End")
    assert caption.inner_text() == "0:2"
    page.click(".games button[aria-label='the next game']")
    page.keyboard.press("ArrowRight")
    assert caption.inner_text() == "1:1"
    page.select_option(".games select", "0")
    assert caption.inner_text() == "0:0"
