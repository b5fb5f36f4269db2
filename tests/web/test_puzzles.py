"""The API of puzzles: sets, a turn that is right, wrong or not over, why it fails, and what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz.games import catalog
from kibitz.puzzles.tactics import Puzzle, PuzzleSet, save
from tests.web.visiting import Place

PUZZLE = Puzzle(
    position="wb3/4b/5/wb1ww/5 w",
    goal="win",
    line=("16x18", "10-15", "20x10", "2-7", "1x13"),
    turns=5,
    choices=7,
    level=1,
    evidence="proof",
    origin="engine game 6 of seed 1, turn 24",
)
GAME = "alquerque"


@pytest.fixture(scope="module")
def api(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("puzzles")
    save(folder / "alquerque.puzzles", PuzzleSet.empty(catalog.load(GAME), {}).with_puzzle(PUZZLE))
    (folder / "broken.puzzles").write_text("{}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_PUZZLES", str(folder))
        with httpx.Client(base_url=place.url, timeout=120, trust_env=False) as client:
            yield client


def ask(api: httpx.Client, verb: str, **fields: Any) -> Any:
    reply = api.post(f"/api/puzzles/{verb}", json={"game": GAME, "number": 1, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_sets_are_listed_and_a_broken_file_is_passed_over(api: httpx.Client) -> None:
    sets = {found["game"]: found for found in api.get("/api/puzzles").json()["sets"]}
    assert sets[GAME]["count"] == sets[GAME]["proven"] == 1
    told = api.get(f"/api/puzzles/{GAME}").json()
    assert [(row["number"], row["level"], row["goal"]) for row in told["puzzles"]] == [(1, 1, "win")]
    assert "line" not in told["puzzles"][0]


def test_a_puzzle_is_shown_and_solved_turn_by_turn(api: httpx.Client) -> None:
    shown = ask(api, "show")
    assert (shown["goal"], shown["turns"], shown["evidence"], shown["line"]) == ("win", 5, "proof", 5)
    assert len(shown["board"]["moves"]) == 7
    first = ask(api, "play", moves="16x18")
    assert first["verdict"] == "right"
    assert [frame["gesture"]["text"] for frame in first["answer"]] == ["10-15"]
    assert ask(api, "play", done=first["done"], moves="20x10")["done"] == 4
    last = ask(api, "play", done=4, moves="1x13")
    assert last["verdict"] == "solved"
    assert last["board"]["ended"] == {"known": True, "winner": 0, "turns": 0}


def test_a_wrong_turn_is_refuted_and_the_solution_played(api: httpx.Client) -> None:
    assert ask(api, "play", moves="16-11")["verdict"] == "wrong"
    found = ask(api, "why", moves="16-11")
    assert found["frames"][0]["side"] == 1
    assert found["ends"]["known"] in (True, False)
    shown = ask(api, "solution", done=2)
    assert [frame["gesture"]["text"] for frame in shown["frames"]] == ["20x10", "2-7", "1x13"]


@pytest.mark.parametrize(
    ("verb", "fields", "kind"),
    [
        ("guess", {}, "unknown-type"),
        ("show", {"game": "nothing"}, "not-found"),
        ("show", {"game": 3}, "not-found"),
        ("show", {"number": 2}, "bad-limit"),
        ("show", {"number": True}, "bad-limit"),
        ("play", {"done": 1, "moves": "a"}, "bad-message"),
        ("play", {"done": 5, "moves": "a"}, "bad-limit"),
        ("play", {"moves": "x" * 3000}, "bad-message"),
        ("play", {"moves": "16x18 10-15"}, "bad-message"),
        ("play", {"moves": "16x18+10-15"}, "bad-message"),
        ("play", {"moves": "1-25"}, "illegal-move"),
        ("why", {"moves": 7}, "bad-message"),
    ],
)
def test_what_does_not_fit_is_refused(api: httpx.Client, verb: str, fields: dict[str, Any], kind: str) -> None:
    reply = api.post(f"/api/puzzles/{verb}", json={"game": GAME, "number": 1, **fields})
    assert reply.json()["error"] == kind


def test_files_that_come_and_go_are_noticed(api: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_PUZZLES", str(tmp_path))
    sets = {found["game"]: found for found in api.get("/api/puzzles").json()["sets"]}
    assert sets.get(GAME, {}).get("count") != 1
