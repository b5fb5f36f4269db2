"""The report: one page, well formed, complete, and readable by a browser without a network."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import Opening
from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.report import game_list, pages, plots
from kibitz.arena.report.live import Silent
from kibitz.arena.stats.estimate import Estimate
from kibitz.arena.teams.local import Alone
from kibitz.core.errors import KibitzError
from tests.arena.samples import WON, contest, played

CHROMIUM = shutil.which("chromium")
VOID = {"meta", "br"}


class Nesting(HTMLParser):
    """Checks that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None: ...

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(page: str) -> Nesting:
    nesting = Nesting()
    nesting.feed(page)
    assert nesting.open == []
    return nesting


@pytest.fixture(scope="module")
def held() -> tuple[Contest, list[PlayedGame], list[Opening]]:
    asked = contest("random", "random:seed=2", "random:seed=3", games=4)
    with Store(None) as store:
        run_contest(asked, store, Alone(), Silent())
        return asked, store.games(1), store.openings(asked.book)


def test_the_page_holds_every_part_and_asks_for_nothing_from_elsewhere(
    held: tuple[Contest, list[PlayedGame], list[Opening]],
) -> None:
    page = pages.contest_page(*held)
    heads = re.findall(r"<h2>(.*?)</h2>", page)
    assert heads == [
        "What follows",
        "Standings",
        "Who beat whom",
        "Score by opening",
        "Time",
        "Length of games, in plies",
        "Games",
    ]
    assert all(address.startswith("#") for address in parsed(page).addresses)
    assert page.count("<details") == 12
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_failures_are_told_with_their_reason_and_lead_to_their_game() -> None:
    asked = contest("a", "b")
    games = [played("a", "b", 0, WON), played("b", "a", 0, WON, "late: 1.53 s of 1 s & more <b>")]
    page = pages.contest_page(asked, games, [])
    assert "late: 1.53 s of 1 s &amp; more &lt;b&gt;" in page
    assert parsed(page).addresses == ["#game-1"]
    assert 'id="game-1"' in page


def test_names_from_outside_cannot_become_markup() -> None:
    asked = contest("<script>alert(1)</script>", "b")
    first, second = (entrant.name for entrant in asked.entrants)
    page = pages.contest_page(asked, [played(first, second, 0, WON)], [])
    assert "<script>alert" not in page
    parsed(page)


def test_a_contest_without_games_has_a_page_too() -> None:
    page = pages.contest_page(contest("a", "b"), [], [])
    assert "no game was played yet" in page
    parsed(page)


def test_a_folder_has_a_page_for_each_entry_that_links_back(
    held: tuple[Contest, list[PlayedGame], list[Opening]], tmp_path: Path
) -> None:
    index = pages.write(tmp_path / "out", *held)
    assert index == tmp_path / "out" / "index.html"
    others = sorted(page for page in (tmp_path / "out").iterdir() if page != index)
    assert sorted(parsed(index.read_text()).addresses) == [page.name for page in others]
    for page in others:
        text = page.read_text()
        assert "index.html" in parsed(text).addresses
        assert text.count("<details") == 8


def test_a_place_where_no_report_can_be_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "no" / "where", tmp_path / "no" / "page.html"):
        with pytest.raises(KibitzError, match="cannot write"):
            pages.check(place)
    assert (tmp_path / "file").read_text() == "mine"


def test_of_very_many_games_some_of_every_part_and_all_failures_get_a_board() -> None:
    games = [played("a", "b", number, WON, "late: x" if number % 100 == 7 else "rules") for number in range(500)]
    chosen = game_list.choose_replays(games)
    assert len(chosen) <= game_list.REPLAYS
    assert {7, 107, 207, 307, 407} <= chosen
    assert min(chosen) < 20
    assert max(chosen) > 450


@pytest.mark.parametrize("values", [[5], [1, 1, 1], list(range(300)), [3, 90]])
def test_a_histogram_shows_every_value_once(values: list[int]) -> None:
    told = re.findall(r"<title>[^:]*: (\d+)</title>", plots.histogram(values, "x"))
    assert sum(map(int, told)) == len(values)


def test_plots_of_nothing_are_nothing_and_of_one_value_are_drawn() -> None:
    assert plots.ratings([]) == plots.bars([], "x") == plots.columns([], "x") == plots.histogram([], "x") == ""
    assert "nan" not in plots.ratings([("a", Estimate(0.0, 0.0, 0.0))])
    assert "nan" not in plots.bars([plots.Bar("a", 0.0, 0.0, "0 s")], "x")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_browser_replays_a_game_and_fits_a_phone(
    held: tuple[Contest, list[PlayedGame], list[Opening]], tmp_path: Path
) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    place = pages.write(tmp_path / "page.html", *held)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-quic"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        problems: list[str] = []
        page.on("pageerror", lambda problem: problems.append(str(problem)))
        page.on("request", lambda request: None if request.url.startswith("file:") else problems.append(request.url))
        page.goto(place.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click("#game-2 > summary")
        page.wait_for_selector("#game-2 kibitz-game")
        assert page.evaluate("document.querySelector('#game-2 kibitz-game').shadowRoot.querySelector('h1') !== null")
        page.goto(f"{place.as_uri()}#game-3")
        page.wait_for_selector("#game-3 kibitz-game")
        browser.close()
    assert problems == []
