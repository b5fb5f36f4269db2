"""One server and one browser for all tests of a process; a fresh page for each test, which must not complain."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from kibitz.laws.scaffold import scaffold
from tests.web.browser.hand import Hand

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def serving(folder: Path, *words: str, **environment: str) -> Iterator[str]:
    """The address of a server of our own."""
    command = [
        sys.executable,
        "-m",
        "kibitz.cli",
        "serve",
        "--port",
        "0",
        "--workers",
        "2",
        "--engine",
        "server",
        *words,
    ]
    around = {**os.environ, "KIBITZ_GAMES": str(folder / "shared-games.db"), **environment}
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=around) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[3]
        finally:
            server.terminate()
            server.communicate(timeout=60)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `kibitz serve`, with a game of one's own from `kibitz new` beside the others."""
    folder = tmp_path_factory.mktemp("own")
    scaffold("my_game", folder)
    with serving(folder, "--game", "my_game.py") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as found:
        opened = found.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def viewport() -> tuple[int, int]:
    return 1280, 900


@pytest.fixture
def motion() -> Literal["reduce", "no-preference"]:
    """Whether the visitor's system asks for less motion."""
    return "reduce"


@pytest.fixture
def context(
    browser: Browser, viewport: tuple[int, int], motion: Literal["reduce", "no-preference"]
) -> Iterator[BrowserContext]:
    width, height = viewport
    made = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion=motion,
        accept_downloads=True,
        has_touch=width < 500,
    )
    made.grant_permissions(["clipboard-read", "clipboard-write"])
    yield made
    made.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser's console said in anger; a test that expects some clears it."""
    return []


@pytest.fixture
def page(context: BrowserContext, complaints: list[str]) -> Iterator[Page]:
    made = context.new_page()
    made.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    yield made
    assert complaints == []


@pytest.fixture
def hand(page: Page, site: str) -> Hand:
    return Hand(page, site)
