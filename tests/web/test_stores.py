"""Tournaments out of a store, and perfect play out of a table, as a page sees them."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.report.live import Silent
from kibitz.cli.solve import solve
from kibitz.games import catalog
from kibitz.web.workers.cache import WorkerCache
from kibitz.web.workers.compiler import TABLE, Compiler
from kibitz.web.workers.explorer import explore
from kibitz.web.workers.jobs import exact_values
from tests.arena.samples import Scripted, contest
from tests.web.visiting import Place, served

TICTACTOE = Path(__file__).parent.parent.parent / "tests" / "rules" / "tictactoe.py"


def held(place: Path, asked: Contest) -> None:
    with Store(place) as store:
        run_contest(asked, store, Scripted(), Silent())


def test_a_tournament_is_told_with_its_table_also_while_it_grows(tmp_path: Path) -> None:
    store, asked = tmp_path / "games.db", contest("a", "b", "c")
    held(store, asked)
    with (
        served(stores=(store, tmp_path / "missing.db")) as place,
        httpx.Client(base_url=place.url, timeout=60, trust_env=False) as api,
    ):
        (head,) = api.get("/api/tournaments").json()["tournaments"]
        assert (head["games"], head["planned"], head["players"]) == (12, 12, 3)
        told = api.get(f"/api/tournaments/{head['name']}").json()
        assert sorted(row["player"] for row in told["standings"]) == ["a", "b", "c"]
        assert sum(row["games"] for row in told["standings"]) == 24
        assert [row[number] for number, row in enumerate(told["cross"])] == [None] * 3
        assert len(told["recent"]) == 12
        assert api.get("/api/tournaments/none").json()["error"] == "not-found"
        held(store, contest("a", "b", "c", games=8))
        grown = [one["games"] for one in api.get("/api/tournaments").json()["tournaments"]]
        assert max(grown) == 24


def test_a_page_is_told_of_each_game_as_it_comes_and_opens_it(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    held(store, contest("a", "b", games=2))
    with (
        served(stores=(store,)) as place,
        httpx.Client(base_url=place.url, timeout=60, trust_env=False) as api,
        ThreadPoolExecutor() as others,
    ):
        (head,) = api.get("/api/tournaments").json()["tournaments"]
        feed = f"/api/tournaments/{head['name']}"
        first = api.get(feed, params={"since": 0, "wait": 25}).json()
        assert [game["number"] for game in first["games"]] == [1, 2]
        assert api.get(feed, params={"since": 2}).json() == {"last": 2, "games": []}
        waiting = [others.submit(api.get, feed, params={"since": 2, "wait": 25}) for _ in range(3)]
        held(store, contest("a", "b", games=4))
        for answer in waiting:
            told = answer.result().json()
            assert 2 < told["last"] <= 4
            assert [row["player"] for row in told["standings"]] == ["a", "b"]
        game = api.get(feed, params={"game": 1}).json()
        assert (game["first"], game["second"], game["result"], game["line"]) == ("a", "b", "1-0", "m0")
        assert [ply["text"] for ply in game["plies"]] == ["m0"]
        assert api.get(feed, params={"game": 99}).json()["error"] == "not-found"
        assert api.get("/api/tournaments/none", params={"since": 0}).json()["error"] == "not-found"
        for bad in ({"since": "-1"}, {"since": "x"}, {"since": 0, "wait": 26}, {"game": "9" * 40}):
            assert api.get(feed, params=bad).json()["error"] == "bad-message"


def test_a_server_without_a_store_has_no_tournaments(place: Place) -> None:
    assert httpx.get(f"{place.url}/api/tournaments", trust_env=False, timeout=60).json() == {"tournaments": []}


def test_in_a_solved_game_the_exact_value_of_every_move_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    text = str(TICTACTOE)
    start = catalog.position(text)
    assert exact_values(WorkerCache(), text, start) is None, "there is no table yet"
    solve(text)
    cache = WorkerCache()
    told = exact_values(cache, text, start)
    assert told is not None
    assert told["value"] == "draw"
    assert {move["text"]: move["value"] for move in told["moves"]} == dict.fromkeys(start.moves(), "draw")
    told = exact_values(cache, text, start.play("b2 b1"))
    assert told is not None
    assert (told["value"], told["distance"]) == ("win", 5)
    assert (told["moves"][0]["value"], told["moves"][0]["distance"]) == ("win", 4)


def test_an_analysis_begins_before_the_probe_of_a_table_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    prepare = Compiler.prepare

    def never_ready(self: Compiler, rules: str, game: str, agent: str) -> Any:
        return asyncio.get_running_loop().create_future() if agent == TABLE else prepare(self, rules, game, agent)

    monkeypatch.setattr(Compiler, "prepare", never_ready)
    solve(str(TICTACTOE))
    with served(files=(str(TICTACTOE),)) as place, place.visit() as visitor:
        visitor.ask(type="new", game="tictactoe", second="human")
        visitor.ask(type="analyse", on=True)
        told = visitor.until(lambda heard: heard["type"] == "analysis")
        assert (told["exact"], told["lines"] != []) == (None, True)


def test_openings_are_counted_over_the_games_of_every_store(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    held(store, contest("a", "b", "c", games=4))
    given = {
        "stores": [str(store), str(tmp_path / "missing.db")],
        "games": ["breakthrough,columns=4,rows=5"],
        "start": "",
    }
    told = explore(given | {"line": ""})
    assert told["games"] == 12
    assert sum(move["games"] for move in told["moves"]) == 12
    counts = [move["games"] for move in told["moves"]]
    assert counts == sorted(counts, reverse=True)
    assert all(sum(move["results"]) == move["games"] for move in told["moves"])
    assert [sum(move["results"][at] for move in told["moves"]) for at in (0, 1, 2)] == [6, 0, 6]
    assert explore(given | {"line": told["moves"][0]["text"]})["games"] == 0
    assert explore(given | {"line": "", "games": ["breakthrough"]})["games"] == 0
