"""Screenshots of the board in a browser: `python -m docs.pictures.screenshots [NAME...]`. It wants Chromium."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

FOLDER = Path(__file__).parent
PATIENCE = 300_000  # milliseconds; engines are compiled on first use
READY = "() => document.body.dataset.ready === 'yes'"


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of our own."""
    command = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3]
        finally:
            server.terminate()


def lobby(page: Page, site: str) -> None:
    page.goto(site)
    page.wait_for_function(READY, timeout=PATIENCE)
    page.locator(".card kibitz-board .piece").nth(60).wait_for(timeout=PATIENCE)


def analysis(page: Page, site: str) -> None:
    moves = "c2-c3 f7-f6 f2-f3 c7-c6 c3-d4 d7-d6 g2-g3 h7-g6 b2-c3 a7-b6"
    page.goto(f"{site}/#game=breakthrough&second=human&line={moves}")
    page.click("#tab-analysis", timeout=PATIENCE)
    page.click("#analyse")
    expect(page.locator("#facts")).to_have_text(re.compile(r"depth 1[1-9]"), timeout=PATIENCE)
    page.get_by_role("button", name="Score the whole game").click()
    expect(page.get_by_role("button", name="Score the whole game")).to_be_enabled(timeout=PATIENCE)


def tree(page: Page, site: str) -> None:
    page.goto(f"{site}/#game=wolves&second=human")
    page.click("#tab-tree", timeout=PATIENCE)
    page.get_by_role("button", name="Grow the tree").click()
    inner = page.locator(".tree [role=treeitem] [role=treeitem] button:enabled")
    inner.nth(1).click(timeout=PATIENCE)
    page.locator(".tree .cut").first.wait_for(timeout=PATIENCE)


def vampires(page: Page, site: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.goto(f"{site}/#game=vampires&second=human&position=10/4,w4,5/4,v4,5/7,h3,2/10 v")
    page.locator("#board [data-cell='24']").click(timeout=PATIENCE)
    page.locator("#board [data-cell='14']").click()
    page.locator("#board .card .note", has_text="You hold").wait_for(timeout=PATIENCE)


def flow(page: Page, site: str) -> None:
    page.goto(f"{site}/flow#daily=2026-11-21")
    page.wait_for_function(READY, timeout=PATIENCE)
    page.select_option("#solver", "smart")
    page.locator("#speed").fill("200")
    page.click("#watch")
    page.locator("#lesson .dead").first.wait_for(timeout=PATIENCE)
    page.click("#watch")
    page.locator("#lesson-step").fill("40")
    page.locator("#rated", has_text="points").wait_for(timeout=PATIENCE)


SHOTS: dict[str, Callable[[Page, str], None]] = {
    "lobby": lobby,
    "analysis": analysis,
    "tree": tree,
    "vampires": vampires,
    "flow": flow,
}


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all."""
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in names or SHOTS:
            page = browser.new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
            SHOTS[name](page, site)
            page.wait_for_timeout(500)
            page.screenshot(path=FOLDER / f"board-{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
