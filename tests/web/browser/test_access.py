"""Accessibility: axe-core finds nothing serious on any page of the board, light or dark."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.hand import PATIENCE

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
GAME = "/#game=breakthrough,rows=5,columns=4&second=human&line=b2-b3 c4-c3 a2-a3 d4-d3"


def grave(page: Page) -> list[str]:
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_finding(browser: Browser, site: str, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    try:
        for path in ("/", "/replay", "/tournaments"):
            page.goto(site + path)
            page.wait_for_function("() => document.body.dataset.ready === 'yes'", timeout=PATIENCE)
            assert grave(page) == [], path
        page.goto(site + GAME)
        page.wait_for_function("() => document.getElementById('board').moves.length > 0", timeout=PATIENCE)
        page.keyboard.press("ArrowLeft")
        page.locator("#present").wait_for()
        for tab, begin, there in (
            ("moves", None, "#comment"),
            ("analysis", "#analyse", "#lines li"),
            ("review", "#review", "#accuracy"),
            ("tree", "#grow", ".tree li li"),
            ("setup", "#edit-board", ".palette button"),
        ):
            page.click(f"#tab-{tab}")
            if begin is not None:
                page.click(begin)
            page.locator(there).first.wait_for(timeout=PATIENCE)
            assert grave(page) == [], tab
        page.click("#new")
        assert grave(page) == [], "new game"
        page.click("#invite")
        page.locator("#link").wait_for()
        assert grave(page) == [], "a table with a link"
    finally:
        context.close()
