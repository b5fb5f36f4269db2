"""Exported pages, opened from a file with the network cut off: the board plays with the engine that is within it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic
from kibitz.web.export.game import ExportedGame
from kibitz.web.export.page import write_folder, write_page
from tests.web.browser.conftest import serving
from tests.web.browser.hand import PATIENCE, Hand

MOST_BYTES = 500_000
SMALL = "breakthrough,rows=6,columns=5"  # its module is the one of all boards of Breakthrough
EVERY = [entry.name for entry in catalog.entries() if entry.origin == "built in"] + ["othello", "einstein", "kalah"]
SHORT = {
    "alquerque": "alquerque,plies=60",
    "breakthrough": SMALL,
    "checkers": "checkers,plies=40",
    "vampires": "vampires,plies=12",
    "wolves": "wolves,plies=40",
}


def exported(text: str) -> ExportedGame:
    game = catalog.load(text)
    return ExportedGame(game, find_heuristic(game, None))


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(scope="session")
def small(exports: Path) -> Path:
    path = exports / "small.html"
    assert write_page(exported(SMALL), {"first": "human", "second": "engine:level=1"}, path) < MOST_BYTES
    return path


@pytest.fixture
def offline(context: BrowserContext) -> Iterator[list[str]]:
    """No network at all; what a page tries to load beside itself."""
    asked: list[str] = []
    context.set_offline(True)
    context.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    yield asked
    assert asked == []


def open_file(page: Page, path: Path, fragment: str = "") -> Hand:
    page.goto(f"{path.as_uri()}{fragment}")
    page.wait_for_selector("body[data-ready=yes]", timeout=PATIENCE)
    return Hand(page, path.as_uri())


def test_a_page_from_a_file_is_played_to_its_end_by_mouse(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small)
    assert hand.play_out() > 2
    assert page.locator(".toast.wrong").count() == 0
    assert page.locator("#end").is_visible()


def test_a_page_from_a_file_is_played_by_keyboard(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small)
    for _ in range(60):
        if hand.over:
            break
        before = hand.hash
        page.evaluate("document.getElementById('board').focus()")
        page.keyboard.type(max(hand.moves, key=lambda one: one["cells"][-1])["text"])
        page.keyboard.press("Enter")
        hand.settled(before)
    assert hand.over


@pytest.mark.parametrize("viewport", [(390, 800)])
def test_a_page_fits_a_phone_and_plays_there(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert hand.play_out() > 2


def test_hint_undo_and_analysis_run_in_the_page(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small)
    page.click("#hint")
    page.locator(".toast").first.wait_for(timeout=PATIENCE)
    before = hand.hash
    hand.make(hand.moves[0])
    hand.settled(before)
    assert len(hand.line.split()) == 2
    page.click("#undo")
    page.wait_for_function("() => !location.hash.includes('line=')")
    page.get_by_role("tab").nth(1).click()
    page.check("#analyse")
    page.locator("#lines li").nth(2).wait_for(timeout=PATIENCE)
    page.locator("#board .arrows .best").first.wait_for(timeout=PATIENCE)
    page.uncheck("#analyse")
    assert page.locator("#lines li").count() == 0


def test_a_position_is_set_up_and_a_bad_one_refused_in_the_page(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small)
    page.get_by_role("tab").nth(4).click()
    page.fill("#position-text", "5/2P2/5/5/2p2/5 w 0 1")
    page.click("#set-up")
    page.wait_for_function("() => location.hash.includes('position=')")
    assert {move["text"] for move in hand.moves} == {"c5-b6", "c5-c6", "c5-d6"}
    page.fill("#position-text", "5/2P2/5 w 0 1")
    page.click("#set-up")
    page.locator(".toast.wrong").wait_for()
    assert "3 rows, expected 6" in page.locator(".toast.wrong").inner_text()


def test_a_link_into_a_page_opens_its_game_there(page: Page, small: Path, offline: list[str]) -> None:
    hand = open_file(page, small, f"#game={SMALL}&first=human&second=human&line=a2-a3+a5-a4")
    page.wait_for_function("() => document.getElementById('board').moves.length > 0")
    assert hand.line.split() == ["a2-a3", "a5-a4"] or hand.line == "a2-a3 a5-a4"


def test_a_folder_has_files_named_by_their_content(exports: Path) -> None:
    game = exported(SMALL)
    written = write_folder([game], {"game": game.text}, exports / "folder", "Breakthrough")
    names = sorted(path.name for path, _ in written)
    again = write_folder([game], {"game": game.text}, exports / "folder", "Breakthrough")
    assert (
        names == sorted(path.name for path, _ in again) == sorted(path.name for path in (exports / "folder").iterdir())
    )
    assert sum(name.endswith(".wasm") for name in names) == 1


def test_the_servers_page_plays_with_an_engine_in_the_browser(page: Page, small: Path, tmp_path: Path) -> None:
    sockets: list[str] = []
    workers: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.on("worker", lambda worker: workers.append(worker.url))
    with serving(tmp_path, "--engine", "browser") as site:
        for _ in range(PATIENCE // 200):
            if page.request.get(f"{site}/api/module?game={SMALL}").json()["ready"]:
                break
            page.wait_for_timeout(200)
        hand = Hand(page, site).open(f"game={SMALL}&second=engine:level=1")
        assert hand.play_out() > 2
    assert sockets == []
    assert [Path(url).name for url in workers] == ["worker.js"]


def test_the_server_hands_out_no_other_file_of_its_cache(page: Page, tmp_path: Path, complaints: list[str]) -> None:
    with serving(tmp_path) as site:
        assert page.request.get(f"{site}/api/module?game=tictactoe").json() == {"ready": False, "reason": "server"}
        for name in ("browser_0.wasm", "..%2Fx.json", f"browser_{'0' * 32}.wasm"):
            assert page.request.get(f"{site}/api/module/{name}").status == 404
        assert page.request.get(f"{site}/api/module?game=nothing").json()["error"] == "unknown-game"


@pytest.mark.proof
@pytest.mark.parametrize("name", EVERY)
def test_every_exported_game_is_played_to_its_end(page: Page, name: str, exports: Path, offline: list[str]) -> None:
    path = exports / f"{name}.html"
    opening = {"first": "human", "second": "engine:level=1"}
    assert write_page(exported(SHORT.get(name, name)), opening, path) < MOST_BYTES
    hand = open_file(page, path)
    assert hand.play_out() > 2
    assert page.locator(".toast.wrong").count() == 0


@pytest.mark.proof
@pytest.mark.parametrize("name", [entry.name for entry in catalog.entries() if entry.origin != "your package"])
def test_the_page_of_every_game_is_small(name: str, exports: Path) -> None:
    assert write_page(exported(name), {}, exports / "size.html") < MOST_BYTES
