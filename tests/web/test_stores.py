"""Tournaments out of a store, and perfect play out of a table, as a page sees them."""

from pathlib import Path

import httpx
import pytest

from kibitz.arena.contest import Contest
from kibitz.arena.holding import hold
from kibitz.arena.live import Silent
from kibitz.arena.store import Store
from kibitz.cli.solve import solve
from kibitz.games import catalog
from kibitz.web.jobs import exact_values
from kibitz.web.room import Room
from tests.arena.made import Scripted, contest
from tests.web.visiting import Place, served

TICTACTOE = Path(__file__).parent.parent.parent / "examples" / "tictactoe.py"


def held(place: Path, asked: Contest) -> None:
    with Store(place) as store:
        hold(asked, store, Scripted(), Silent())


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


def test_a_server_without_a_store_has_no_tournaments(place: Place) -> None:
    assert httpx.get(f"{place.url}/api/tournaments", trust_env=False, timeout=60).json() == {"tournaments": []}


def test_in_a_solved_game_the_exact_value_of_every_move_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    text = str(TICTACTOE)
    start = catalog.position(text)
    assert exact_values(Room(), text, start) is None, "there is no table yet"
    solve(text)
    room = Room()
    told = exact_values(room, text, start)
    assert told is not None
    assert told["value"] == "draw"
    assert {move["text"]: move["value"] for move in told["moves"]} == dict.fromkeys(start.moves(), "draw")
    told = exact_values(room, text, start.play("b2 b1"))
    assert told is not None
    assert (told["value"], told["distance"]) == ("win", 5)
    assert (told["moves"][0]["value"], told["moves"][0]["distance"]) == ("win", 4)
