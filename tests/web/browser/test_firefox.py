"""The same board in Firefox: pages, a game by mouse and keys, themes, languages, a table for two by link."""

from collections.abc import Iterator

import pytest

from tests.web.browser.firefox import PROGRAM, Firefox, Tab, firefox

GAME = "/#game=breakthrough,rows=5,columns=4&second=human"
BOARD = "document.getElementById('board')"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if PROGRAM is None:
        pytest.skip("no firefox on this machine")
    with firefox(tmp_path_factory.mktemp("firefox")) as found:
        yield found


@pytest.fixture
def tab(browser: Firefox) -> Iterator[Tab]:
    browser.complaints.clear()
    yield browser.visitor()
    assert browser.complaints == []


def cell(number: int) -> str:
    return f"{BOARD}.shadowRoot.querySelector('[data-cell=\"{number}\"]')"


def play(tab: Tab, number: int = 0) -> str:
    """One of the legal moves by mouse; its text."""
    move = tab.wait(f"{BOARD}.moves[{number}]")
    tab.click(cell(move["cells"][0]))
    tab.click(cell(move["cells"][-1]))
    return str(move["text"])


def test_every_page_comes_up(tab: Tab, site: str) -> None:
    for path, said in (("/", "What shall we play?"), ("/replay", "Open the record"), ("/tournaments", "Tournaments")):
        tab.open(site + path).wait("document.body.dataset.ready === 'yes'")
        assert said in tab.value("document.querySelector('main').innerText")
    tab.open(f"{site}/flow").wait("document.body.dataset.ready === 'yes'")


def test_a_game_by_mouse_and_keys(tab: Tab, site: str) -> None:
    tab.open(site + GAME)
    first = play(tab)
    tab.wait("document.getElementById('state').textContent === 'Black to move'")
    assert first in tab.value("document.querySelector('.moves').innerText")
    tab.key("\ue012")  # the left arrow: the cursor goes back
    tab.wait("document.getElementById('state').textContent.startsWith('White to move')")
    tab.click("document.getElementById('tab-rules')")
    tab.wait("document.querySelector('.diagram kibitz-board')?.shadowRoot.querySelector('.piece') != null")


def test_a_board_is_chosen_and_painted(tab: Tab, site: str) -> None:
    tab.open(site + GAME).wait(f"{BOARD}.moves.length > 0")
    painted = (
        f"getComputedStyle([...{BOARD}.shadowRoot.querySelectorAll('path')]"
        ".find((node) => (node.getAttribute('fill') ?? '').includes('--cell-'))).fill"
    )
    wood = tab.value(painted)
    tab.click("document.getElementById('open-settings')")
    tab.click("document.querySelector('#settings input[value=forest]')")
    assert tab.value(painted) != wood


def test_german_is_spoken_to_those_who_ask_for_it(browser: Firefox, site: str) -> None:
    tab = browser.visitor("de")
    tab.open(site).wait("document.body.dataset.ready === 'yes'")
    assert tab.value("document.querySelector('h1').textContent") == "Was wollen wir spielen?"


def test_two_play_by_link(browser: Firefox, tab: Tab, site: str) -> None:
    tab.open(site + GAME).wait(f"{BOARD}.moves.length > 0")
    tab.click("document.getElementById('new')")
    tab.click("document.getElementById('invite')")
    tab.wait("location.pathname.startsWith('/t/')")
    friend = browser.visitor().open(tab.value("location.href"))
    friend.click("document.getElementById('sit')")
    friend.wait("document.getElementById('people')?.textContent.includes('you')")
    move = play(tab)
    friend.wait(f"document.querySelector('.moves').innerText.includes('{move}')")
    friend.wait(f"{BOARD}.moves.length > 0")
