"""Every game is played to its end in a real browser, by mouse and by keyboard."""

import pytest

from kibitz.games import catalog
from tests.web.browser.hand import Hand

# Sizes and limits that let a random game end soon; a game without a line here is played as it is.
SHORT = {
    "alquerque": "alquerque,plies=60",
    "breakthrough": "breakthrough,rows=6,columns=5",
    "checkers": "checkers,plies=40",
    "vampires": "vampires,plies=12",
    "wolves": "wolves,plies=40",
}
NAMES = [entry.name for entry in catalog.entries() if entry.origin == "built in"]


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_against_a_machine_by_mouse(hand: Hand, name: str) -> None:
    hand.open(f"game={SHORT.get(name, name)}&second=random")
    assert hand.play_out() > 2
    assert hand.page.locator(".toast.wrong").count() == 0


def test_the_users_own_game_stands_in_the_lobby_and_is_playable(hand: Hand) -> None:
    page = hand.page
    page.goto(hand.site)
    card = page.locator(".card", has_text="My game")
    card.locator("kibitz-board .hit").nth(8).wait_for()
    card.click()
    page.locator("#more > summary").click()
    page.locator("#new-game .sides select").nth(1).select_option("random")
    page.locator("#new-game button.main").click()
    page.wait_for_function("() => document.getElementById('board').moves.length === 9")
    assert hand.play_out() >= 3


def test_a_whole_game_against_a_machine_by_keyboard(hand: Hand) -> None:
    hand.open("game=breakthrough,rows=5,columns=4&second=random")
    places = {cell: (cell % 4, cell // 4) for cell in range(20)}
    hand.page.evaluate("document.getElementById('board').focus()")
    here = 0
    for _ in range(60):
        if hand.over:
            break
        before = hand.hash
        move = max(hand.moves, key=lambda one: one["cells"][-1])
        for cell in (move["cells"][0], move["cells"][-1]):
            (x, y), (a, b) = places[here], places[cell]
            for key, times in (("ArrowRight", a - x), ("ArrowLeft", x - a), ("ArrowUp", b - y), ("ArrowDown", y - b)):
                for _ in range(max(times, 0)):
                    hand.page.keyboard.press(key)
            hand.page.keyboard.press("Enter")
            here = cell
        hand.settled(before)
    assert hand.over


def test_a_move_is_typed_on_the_board_and_in_the_field(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    hand.page.evaluate("document.getElementById('board').focus()")
    hand.page.keyboard.type("a2-a3")
    assert "a2-a3" in hand.page.locator("#board .typed").inner_text()
    before = hand.hash
    hand.page.keyboard.press("Enter")
    hand.settled(before)
    hand.page.fill("#typed", "b7-b6")
    hand.page.press("#typed", "Enter")
    hand.page.wait_for_function("() => location.hash.includes('b7-b6')")
    assert hand.line == "a2-a3 b7-b6"


def test_a_piece_is_dragged_and_one_dragged_to_nowhere_stays(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    hand.drag(8, 40)
    assert hand.line == ""
    before = hand.hash
    hand.drag(8, 16)
    hand.settled(before)
    assert hand.line == "a2-a3"


def test_legal_destinations_are_shown_and_told(hand: Hand) -> None:
    hand.open("game=breakthrough&second=human")
    assert hand.page.locator("#board [data-cell='9']").get_attribute("aria-label") == "b2, white worker, can move"
    hand.click(9)
    assert hand.page.locator("#board .marks circle").count() == 3
    assert hand.page.locator("#board [data-cell='17']").get_attribute("aria-label") == "b3, empty, legal target"
    hand.page.keyboard.press("Escape")
    assert hand.page.locator("#board .marks circle").count() == 0


def test_a_capture_is_marked_as_one(hand: Hand) -> None:
    hand.open("game=wolves&second=human&position=sssss/sssss/5/2w2/1w3 w")
    before = hand.hash
    hand.make(next(move for move in hand.moves if move["captured"]))
    hand.settled(before)
    assert hand.page.locator("#board .traces circle").count() == 1


def test_in_vampires_the_amount_is_asked_and_the_odds_are_told_before_the_turn_ends(hand: Hand) -> None:
    hand.open("game=vampires&second=human&position=10/4,w4,5/4,v4,5/10/10 v")
    hand.click(24)
    hand.click(14)
    card = hand.page.locator("#board .card")
    card.locator(".note", has_text="You hold 4,1").wait_for(timeout=30_000)
    card.locator("button", has_text="−").click()
    card.locator("button", has_text="Send 3").click()
    hand.page.locator("#odds", has_text="at 4,1").wait_for(timeout=30_000)
    assert hand.line == "4,2>4,1:3"
    before = hand.hash
    hand.page.locator("#board .below button", has_text="End the turn").click()
    hand.settled(before)
    assert "~4,1:" in hand.line
