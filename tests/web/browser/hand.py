"""A hand at a board in a real browser: it knows no game, only what the board itself shows."""

import random
from typing import Any

from playwright.sync_api import Page

PATIENCE = 120_000  # milliseconds; engines may be compiled meanwhile, on a busy machine
Move = dict[str, Any]

_SPOT = """([id, cell]) => {
  const hit = document.getElementById(id).shadowRoot.querySelector(`[data-cell="${cell}"]`);
  hit.scrollIntoView({ block: "nearest" });
  const box = hit.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
_READY = """before => {
  if (before !== null && location.hash === before) return false;
  const text = document.getElementById("state").textContent;
  return /^(Won|Drawn)/.test(text) || document.getElementById("board").moves.length > 0;
}"""


class Hand:
    """Plays on the page's board by mouse and keyboard."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site

    def open(self, fields: str) -> "Hand":
        """A game by link, such as `game=wolves&second=random`."""
        self.page.goto(f"{self.site}/#{fields}")
        self.page.wait_for_function(_READY, arg=None, timeout=PATIENCE)
        return self

    @property
    def moves(self) -> list[Move]:
        found: list[Move] = self.page.evaluate("document.getElementById('board').moves")
        return found

    @property
    def hash(self) -> str:
        return str(self.page.evaluate("location.hash"))

    @property
    def line(self) -> str:
        return str(self.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('line') ?? ''"))

    @property
    def over(self) -> bool:
        return self.page.locator("#state").inner_text().startswith(("Won", "Drawn"))

    def spot(self, cell: int) -> tuple[float, float]:
        x, y = self.page.evaluate(_SPOT, ["board", cell])
        return x, y

    def click(self, cell: int) -> None:
        self.page.mouse.click(*self.spot(cell))

    def drag(self, origin: int, target: int) -> None:
        mouse = self.page.mouse
        mouse.move(*self.spot(origin))
        mouse.down()
        x, y = self.spot(target)
        mouse.move(x - 9, y + 9, steps=3)
        mouse.move(x, y)
        mouse.up()

    def make(self, move: Move) -> None:
        """The move by clicks: the cells at its ends, its button, or what a card then asks."""
        if not move["cells"]:
            self.page.locator("#board .below button").first.click()
            return
        self.click(move["cells"][0])
        if len(move["cells"]) > 1:
            self.click(move["cells"][-1])
        card = self.page.locator("#board .card")
        if card.is_visible():
            card.locator("button:not(.away)").last.click()

    def settled(self, before: str) -> None:
        """Wait until the game has gone on and it is the hand's turn again, or the end."""
        self.page.wait_for_function(_READY, arg=before, timeout=PATIENCE)

    def play_out(self, seed: int = 1, most: int = 400) -> int:
        """Random legal moves by mouse until the game is over; how many there were."""
        dice = random.Random(seed)
        for count in range(most):
            if self.over:
                return count
            before = self.hash
            self.make(dice.choice(self.moves))
            self.settled(before)
        raise AssertionError(f"no end after {most} moves: {self.hash}")
