"""The page in another language: chosen by the browser or by hand, kept, and complete."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.hand import PATIENCE, Hand
from tests.web.test_strings import texts

GAME = "game=breakthrough,rows=5,columns=4&second=human&line=b2-b3 c4-c3 a2-a3 d4-d3"
SEEN = """() => {
  const found = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.closest(".prose")) continue; // the rulebook of a game is its own
      for (const name of ["title", "aria-label", "placeholder"]) {
        if (node.hasAttribute(name)) found.push(node.getAttribute(name));
      }
      for (const child of node.childNodes) {
        if (child.nodeType === Node.TEXT_NODE && !["STYLE", "SCRIPT"].includes(node.tagName)) found.push(child.data);
      }
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.body);
  return found.map((text) => text.trim()).filter(Boolean);
}"""


def english_only() -> set[str]:
    """What German says in other words."""
    found = texts()
    pairs = ((flat(found["en"][key]), flat(found["de"][key])) for key in found["en"])
    german = {form for key in found["de"] for form in flat(found["de"][key])}
    said = {form.strip() for one, other in pairs for form in one if form not in other}
    return {form for form in said - german if len(form) > 1}


def flat(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else [*text.values()]


@pytest.fixture
def german(browser: Browser, site: str) -> Any:
    context = browser.new_context(locale="de-AT", reduced_motion="reduce")
    yield Hand(context.new_page(), site)
    context.close()


def test_a_german_browser_sees_no_english_text(german: Hand) -> None:
    page, english = german.page, english_only()
    for path in ("/", "/flow", "/tournaments", "/replay", "/nowhere"):
        page.goto(german.site + path)
        page.locator("header.top").wait_for()
        if path != "/nowhere":
            page.wait_for_function("() => document.body.dataset.ready === 'yes'", timeout=PATIENCE)
        assert page.evaluate("document.documentElement.lang") == "de"
        assert set(page.evaluate(SEEN)) & english == set(), path
    page.goto(f"{german.site}/#{GAME}")
    page.wait_for_function("() => document.getElementById('board').moves.length > 0", timeout=PATIENCE)
    assert page.locator("#state").inner_text() == "Weiß am Zug"
    assert set(page.evaluate(SEEN)) & english == set()
    page.click("#new")
    assert set(page.evaluate(SEEN)) & english == set()


def test_the_language_is_chosen_by_hand_and_kept(page: Page, site: str) -> None:
    page.goto(site)
    assert page.locator("h1").first.inner_text() == "What shall we play?"
    page.click("header.top button[aria-label=Settings]")
    page.click("#settings input[value=de]")
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    page.goto(f"{site}/replay")
    page.get_by_text("Öffne die Aufzeichnung einer Partie").wait_for()
    page.click("header.top button[aria-label=Einstellungen]")
    page.click("#settings input[value=en]")
    page.get_by_text("Open the record of a game").wait_for()
