"""Board, pieces and page as the visitor likes them: chosen once, kept, and painted."""

from playwright.sync_api import Page

from tests.web.browser.hand import Hand

PAINTED = """() => {
  const root = document.getElementById("board").shadowRoot;
  const seen = (node) => getComputedStyle(node);
  const cell = [...root.querySelectorAll("path")].find((node) => (node.getAttribute("fill") ?? "").includes("--cell-"));
  const letter = root.querySelector("defs g[display*=letter]");
  return { cell: seen(cell).fill, letters: seen(letter).display };
}"""


def test_a_board_and_pieces_are_chosen_and_kept(hand: Hand, page: Page) -> None:
    hand.open("game=breakthrough,rows=5,columns=4&second=human")
    wood = page.evaluate(PAINTED)
    page.click("header.top button[aria-label=Settings]")
    page.click("#settings input[value=slate]")
    page.click("#settings input[value=letters]")
    page.keyboard.press("Escape")
    slate = page.evaluate(PAINTED)
    assert wood["letters"] == "none"
    assert slate["letters"] == "inline"
    assert slate["cell"] != wood["cell"]
    page.reload()
    page.wait_for_function("() => document.getElementById('board').moves.length > 0")
    assert page.evaluate(PAINTED) == slate


def test_light_or_dark_is_chosen_in_the_dialog_or_by_its_button(page: Page, site: str) -> None:
    page.goto(site)
    page.click("header.top button[aria-label=Settings]")
    page.click("#settings input[value=dark]")
    page.keyboard.press("Escape")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("header.top button[aria-label='light or dark']")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
