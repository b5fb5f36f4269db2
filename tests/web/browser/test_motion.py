"""What happened is seen happening: pieces travel, the taken ones fade, battles flash; and two machines are paused."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.hand import PATIENCE, Hand

# Every animation that a script begins: on what, and through which places.
DIARY = """
const begin = Element.prototype.animate;
window.diary = [];
Element.prototype.animate = function (frames, timing) {
  window.diary.push({ what: this.getAttribute("class"), frames: JSON.parse(JSON.stringify(frames)) });
  return begin.call(this, frames, timing);
};
"""
MULTI_HOP = "17,3-15,5 3,3-5,5 19,1-15,3 1,1-5,3 16,4-14,6 4,3-6,3 17,2-15,2 3,2-7,4 18,1-14,5"


@pytest.fixture
def motion() -> Literal["reduce", "no-preference"]:
    return "no-preference"


@pytest.fixture
def page(page: Page) -> Page:
    page.add_init_script(DIARY)
    return page


def played(hand: Hand, text: str) -> list[dict[str, Any]]:
    """Play a move by typing it; the animations that were seen until the hand is free again."""
    before = hand.hash
    hand.page.evaluate("() => { window.diary.length = 0; }")
    hand.page.fill("#typed", text)
    hand.page.press("#typed", "Enter")
    hand.settled(before)
    hand.page.wait_for_function("() => !document.getElementById('board').moving")
    diary: list[dict[str, Any]] = hand.page.evaluate("() => window.diary")
    return diary


def test_a_piece_travels_and_the_last_move_keeps_its_arrow(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    (walk,) = played(hand, "a2-a3")
    assert walk["what"] == "piece"
    assert len(walk["frames"]) == 2
    assert walk["frames"][0] != walk["frames"][1]
    expect(hand.page.locator("#board .traces .last")).to_have_count(1)


def test_a_machines_answer_travels_too(hand: Hand) -> None:
    hand.open("game=breakthrough&second=random")
    played(hand, "a2-a3")
    hand.page.wait_for_function("() => window.diary.filter(one => one.what === 'piece').length === 2", timeout=PATIENCE)


def test_a_piece_that_hops_goes_by_every_cell_of_its_way(hand: Hand) -> None:
    hand.open(f"game=checkers&first=human&second=human&line={MULTI_HOP}")
    (walk,) = played(hand, "2,2-8,4")
    assert len(walk["frames"]) == 4
    assert len({frame["transform"] for frame in walk["frames"]}) == 4


def test_what_is_taken_fades_while_the_taker_comes(hand: Hand) -> None:
    hand.open("game=wolves&second=human&position=sssss/sssss/5/2w2/1w3 w")
    text = next(move["text"] for move in hand.moves if move["captured"])
    fading = [one for one in played(hand, text) if "opacity" in one["frames"]]
    assert [one["frames"]["opacity"] for one in fading] == [[1, 0]]
    expect(hand.page.locator("#board .traces circle")).to_have_count(1)


def test_the_outcome_of_a_battle_flashes_where_it_was_fought(hand: Hand) -> None:
    hand.open("game=vampires&second=human&position=10/4,w4,5/4,v4,5/10/10 v")
    played(hand, "4,2>4,1:4")
    seen = played(hand, "end")
    assert [one["what"] for one in seen].count("flash") == 1
    assert "~4,1:" in hand.line


def test_a_drop_by_hand_is_not_shown_a_second_time(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    before = hand.hash
    hand.drag(8, 16)
    hand.settled(before)
    assert hand.page.evaluate("() => window.diary") == []


def test_a_quick_hand_need_not_wait_until_the_pieces_have_arrived(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    for move in ("a2-a3", "b7-b6", "a3-a4"):
        before = hand.hash
        hand.make(next(one for one in hand.moves if one["text"] == move))
        hand.settled(before)
    assert hand.line == "a2-a3 b7-b6 a3-a4"


def test_two_machines_wait_while_they_are_paused_and_then_go_on(hand: Hand) -> None:
    page = hand.page
    page.goto(f"{hand.site}/#game=breakthrough&first=random&second=random&pace=0.3")
    page.wait_for_function("() => document.querySelectorAll('.moves button').length > 1", timeout=PATIENCE)
    page.click("#pause")
    expect(page.locator("#pause")).to_contain_text("Go on")
    page.wait_for_timeout(300)
    line = hand.line
    page.wait_for_timeout(1500)
    assert hand.line == line
    page.click("#pause")
    expect(page.locator("#pause")).to_contain_text("Pause")
    page.wait_for_function("line => !location.hash.endsWith(line)", arg=line.split()[-1], timeout=PATIENCE)
    assert hand.line.startswith(line)
