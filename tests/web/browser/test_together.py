"""Two browsers and a spectator at a table with a link, with the server killed in the middle."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.hand import PATIENCE, Hand


class Server:
    """`kibitz serve` at one port, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.around = {**os.environ, "KIBITZ_GAMES": str(folder / "games.db")}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        words = ["serve", "--port", str(self.port), "--workers", "2", "--engine", "server"]
        command = [sys.executable, "-m", "kibitz.cli", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self.around)
        assert self.process.stdout is not None
        self.site = self.process.stdout.readline().split()[3]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def pages(browser: Browser) -> Iterator[list[Page]]:
    """White, black and a spectator, each in a browser of their own."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") for _ in range(3)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def play(hand: Hand, text: str) -> None:
    hand.page.wait_for_function("() => document.getElementById('board').moves.length > 0", timeout=PATIENCE)
    hand.make(next(move for move in hand.moves if move["text"] == text))


def sees(page: Page, *moves: str) -> None:
    expect(page.locator(".moves button")).to_have_text(list(moves), timeout=PATIENCE)


def test_two_play_by_link_before_a_spectator_and_a_killed_server_loses_nothing(
    server: Server, pages: list[Page]
) -> None:
    white, black, watching = pages
    hands = [Hand(page, server.site) for page in pages]
    white.goto(server.site)
    white.locator("[data-game=breakthrough]").click()
    white.get_by_label("Clock for each side").select_option("300+3")
    white.click("#invite")
    link = white.locator("#link").input_value()
    assert f"{server.site}/t/" in link
    black.goto(link)
    black.click("#sit")
    watching.goto(link)
    expect(white.locator("#people")).to_contain_text("1 watching")
    expect(watching.locator("#sit")).to_have_count(0)
    play(hands[0], "a2-a3")
    play(hands[1], "b7-b6")
    for page in pages:
        sees(page, "a2-a3", "b7-b6")
    clock = white.locator("#seat-near .clock").inner_text()
    server.kill()
    server.start()
    play(hands[0], "a3-a4")
    for page in pages:
        sees(page, "a2-a3", "b7-b6", "a3-a4")
    assert white.locator("#seat-near .clock").inner_text()[:2] in {clock[:2], "5:"}
    black.reload()
    sees(black, "a2-a3", "b7-b6", "a3-a4")
    expect(watching.locator("#board .below button")).to_have_count(0)
    assert hands[2].moves == []
    finish(white, black, link)
    watching.reload()
    expect(watching.locator("#state")).to_have_text("Won by white by resignation", timeout=PATIENCE)


def finish(white: Page, black: Page, link: str) -> None:
    """An offer declined, a resignation that is asked about, and a rematch with the sides changed."""
    white.get_by_role("button", name="Offer a draw").click()
    black.get_by_role("button", name="Decline").click()
    expect(white.locator(".offer")).to_have_count(0)
    black.click("#flag")
    black.get_by_role("button", name="Cancel").click()
    expect(black.locator("#state")).to_have_text("Black to move")
    black.click("#flag")
    black.locator("dialog[open]").get_by_role("button", name="Resign").click()
    expect(white.locator("#state")).to_have_text("Won by white by resignation")
    white.get_by_role("button", name="Rematch").click()
    black.get_by_role("button", name="Accept").click()
    black.wait_for_function("link => location.href !== link", arg=link)
    expect(black.locator("#people")).to_have_text("White: you, Black: here", timeout=PATIENCE)
    expect(white.locator("#people")).to_have_text("White: here, Black: you", timeout=PATIENCE)


def test_a_game_of_ones_own_comes_back_with_clock_and_variations_when_the_server_was_killed(
    server: Server, pages: list[Page]
) -> None:
    page, hand = pages[0], Hand(pages[0], server.site)
    hand.open("game=breakthrough&second=human&clock=300&increment=7&line=a2-a3 b7-b6")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#state")).to_contain_text("after 1 of 2")
    play(hand, "h7-h6")
    sees(page, "a2-a3", "b7-b6", "h7-h6")
    server.kill()
    server.start()
    expect(page.locator("#busy")).to_be_hidden(timeout=PATIENCE)
    expect(page.locator("#state")).to_have_text("White to move, in a variation", timeout=PATIENCE)
    sees(page, "a2-a3", "b7-b6", "h7-h6")
    expect(page.locator(".seat .clock").first).to_be_visible()


def test_the_lobby_offers_to_go_on_with_the_last_game(hand: Hand) -> None:
    page = hand.open("game=breakthrough&second=human&line=a2-a3").page
    page.goto(hand.site)
    page.locator("#last a").click()
    expect(page.locator("#play")).to_be_visible()
    sees(page, "a2-a3")


def test_an_unknown_table_is_told_and_the_lobby_is_there(hand: Hand) -> None:
    hand.page.goto(f"{hand.site}/t/nowhere1")
    hand.page.locator(".toast.wrong", has_text="there is no table 'nowhere1'").wait_for()
    expect(hand.page.locator("#lobby")).to_be_visible()
