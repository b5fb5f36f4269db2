"""What a hand does besides moving: arrows and rings of its own, and moves chosen ahead."""

from playwright.sync_api import expect

from tests.web.browser.hand import PATIENCE, Hand


def right_drag(hand: Hand, origin: int, target: int) -> None:
    mouse = hand.page.mouse
    mouse.move(*hand.spot(origin))
    mouse.down(button="right")
    mouse.move(*hand.spot(target))
    mouse.up(button="right")


def test_arrows_and_rings_are_drawn_with_the_right_button_and_belong_to_their_moment(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human&line=a2-a3 b7-b6").page
    own = page.locator("#board .arrows .own")
    right_drag(hand, 8, 24)
    right_drag(hand, 30, 30)
    expect(own).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(own).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(own).to_have_count(2)
    right_drag(hand, 30, 30)
    expect(own).to_have_count(1)
    assert hand.line == "a2-a3 b7-b6"


def test_a_move_chosen_ahead_is_played_when_the_turn_comes(hand: Hand) -> None:
    page = hand.page
    page.goto(f"{hand.site}/#game=breakthrough&first=random&second=human&pace=2.5")
    page.wait_for_function("() => document.getElementById('board').ahead.length > 0", timeout=PATIENCE)
    hand.click(48)
    hand.click(40)
    expect(page.locator("#board .arrows .premove")).to_have_count(1)
    page.wait_for_function("() => location.hash.includes('a7-a6')", timeout=PATIENCE)
    expect(page.locator("#board .arrows .premove")).to_have_count(0)
