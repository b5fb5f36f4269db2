"""The JSON API over HTTP."""

import datetime
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz import agents
from kibitz.games import catalog
from kibitz.puzzles import flow
from kibitz.web.api.games import GameList
from kibitz.web.server.app import SCRIPTS, STATIC
from tests.web.visiting import Place

EXAMPLES = Path(__file__).parent.parent.parent / "tests" / "rules"
PUZZLE = "A__B/__C_/A_B_/C___"


@pytest.fixture(scope="module")
def api(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url, timeout=120, trust_env=False) as client:
        yield client


def test_every_game_of_the_catalogue_is_offered(api: httpx.Client) -> None:
    told = api.get("/api/games").json()["games"]
    assert {game["name"] for game in told} == {entry.name for entry in catalog.entries()}
    vampires = next(game for game in told if game["name"] == "vampires")
    assert vampires["chance"]
    assert vampires["sides"] == ["vampires", "werewolves"]
    board = next(option for option in vampires["options"] if option["name"] == "map")
    assert board["choices"] == ["thetrap", "testmap", "testmap2", "random"]


def test_only_agents_safe_for_the_web_are_offered(api: httpx.Client) -> None:
    told = {agent["name"] for agent in api.get("/api/agents").json()["agents"]}
    assert told == {name for name, kind in agents.kinds().items() if kind.web}
    assert "uci" not in told
    for game in api.get("/api/games").json()["games"]:
        assert set(game["agents"]) <= told


def test_a_game_comes_with_all_that_is_needed_to_draw_it(api: httpx.Client) -> None:
    told = api.get("/api/game", params={"game": "alquerque:bell"}).json()
    layout = catalog.load("alquerque:bell").layout
    assert told["game"] == "alquerque:bell"
    assert [cell["name"] for cell in told["layout"]["cells"]] == [cell.name for cell in layout.cells]
    assert told["layout"]["shape"] == layout.shape
    assert len(told["layout"]["lines"]) == len(layout.lines)
    assert len(told["start"]["pieces"]) == len(layout.cells)
    assert len(told["drawing"]["cells"]) == len(layout.cells)


def test_a_file_of_the_users_own_is_offered_without_its_path() -> None:
    games = GameList(files=[str(EXAMPLES / "tictactoe.py")])
    told = next(game for game in games.facts()["games"] if game["origin"] == "your file")
    game = games.game(told["name"])
    assert str(EXAMPLES) not in repr(told)
    assert str(EXAMPLES) not in game.text
    assert catalog.load(games.worker_text(game)).new().text == game.new().text


def test_named_games_leave_the_others_out() -> None:
    assert list(GameList(["wolves"]).offered) == ["wolves"]


@pytest.mark.parametrize("path", ["/static/style.css", "/picture/board.js", "/"])
def test_pages_come_with_a_policy_that_loads_nothing_from_elsewhere(api: httpx.Client, path: str) -> None:
    reply = api.get(path)
    assert reply.status_code == 200
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_no_line_of_the_pages_is_longer_than_the_house_allows() -> None:
    files = [path for folder in (STATIC, SCRIPTS) for path in folder.iterdir() if path.suffix in (".js", ".css")]
    assert len(files) > 20
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            text = path.name == "strings.js" and line.strip().startswith('"')  # a text is not split
            assert len(line) <= 120 or text, f"{path.name}:{number}"


def asked(api: httpx.Client, verb: str, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.post(f"/api/flow/{verb}", json=given).json()
    return found


def test_a_flow_board_is_read_into_nodes_and_edges(api: httpx.Client) -> None:
    told = asked(api, "parse", board=PUZZLE)
    board = flow.read(PUZZLE)
    assert (told["rows"], told["columns"], told["letters"]) == (4, 4, ["A", "B", "C"])
    assert told["edges"] == [list(edge) for edge in board.graph.edges]
    assert [node["source"] for node in told["nodes"]][:4] == ["A", "", "", "B"]


def test_a_flow_board_is_solved_and_the_solution_judged(api: httpx.Client) -> None:
    told = asked(api, "solve", board=PUZZLE)
    assert (told["status"], told["unique"]) == ("solved", True)
    assert asked(api, "judge", board=PUZZLE, filling=told["filling"]) == {"correct": True, "faults": []}
    wrong = asked(api, "judge", board=PUZZLE, filling=[""] * 16)
    assert not wrong["correct"]
    assert wrong["faults"]


def test_flow_hints_come_with_reasons(api: httpx.Client) -> None:
    told = asked(api, "hint", board=PUZZLE, steps=3)["hints"]
    assert len(told) == 3
    solution = flow.solve(flow.read(PUZZLE)).solution
    assert solution is not None
    assert all((tuple(step["edge"]) in solution.edges) == step["joined"] for step in told)
    assert all(step["text"] for step in told)


def test_a_generated_flow_board_has_one_solution(api: httpx.Client) -> None:
    told = asked(api, "generate", size="5x6", seed=3)
    assert (told["columns"], told["rows"]) == (5, 6)
    assert flow.unique(flow.read(told["text"]))
    assert asked(api, "rate", board=told["text"])["difficulty"] in flow.DIFFICULTIES


@pytest.mark.parametrize("solver", ["dumb", "smart", "smarter", "sat"])
def test_watching_a_solver_ends_with_its_solution_on_the_board(api: httpx.Client, solver: str) -> None:
    told = asked(api, "watch", board=PUZZLE, solver=solver, most=5000, seconds=30)
    assert told["status"] == "solved"
    assert not told["cut"]
    shown: dict[str, list[int]] = {}
    for frame in told["frames"]:
        assert frame["text"]
        if frame["kind"] == "put":
            shown[frame["letter"]] = frame["path"]
        elif frame["kind"] == "take":
            del shown[frame["letter"]]
    assert shown == told["paths"]


def test_the_puzzle_of_a_day_is_the_same_for_everybody(api: httpx.Client) -> None:
    found = asked(api, "daily", date="2026-11-16")
    assert found["text"] == str(flow.daily(datetime.date(2026, 11, 16)))
    assert asked(api, "rate", board=found["text"])["difficulty"] == "easy"


def test_a_board_without_a_solution_has_no_difficulty(api: httpx.Client) -> None:
    assert asked(api, "rate", board="A__\n__A")["difficulty"] == ""


def test_watching_the_sweep_leads_from_cell_to_cell_to_its_solution(api: httpx.Client) -> None:
    told = asked(api, "watch", board=PUZZLE, solver="sweep", most=5000, seconds=30)
    assert told["status"] == "solved"
    assert sorted(told["order"]) == list(range(16))
    decided: list[list[int]] = []
    for what, kept, more, alive in told["frames"]:
        assert what == "sweep"
        assert alive >= 0
        assert abs(kept + len(more) - len(decided)) == 1, "one cell more, or one less"
        decided = decided[:kept] + more
    joined = {frozenset((node, other)) for node, others in zip(told["order"], decided, strict=True) for other in others}
    assert joined == {frozenset(step) for path in told["paths"].values() for step in itertools.pairwise(path)}


def test_flow_hints_start_from_what_is_drawn(api: httpx.Client) -> None:
    paths = asked(api, "solve", board=PUZZLE)["paths"]
    half = {letter: path[:2] for letter, path in paths.items()}
    fresh = {tuple(step["edge"]) for step in asked(api, "hint", board=PUZZLE, steps=99)["hints"] if step["joined"]}
    after = {tuple(step["edge"]) for step in asked(api, "hint", board=PUZZLE, steps=99, drawn=half)["hints"]}
    drawn = {(min(path), max(path)) for path in half.values()}
    assert drawn <= fresh
    assert not drawn & after
    assert asked(api, "hint", board=PUZZLE, drawn=paths) == {"hints": []}


def test_a_flow_hint_names_what_is_drawn_wrong(api: httpx.Client) -> None:
    (wrong,) = asked(api, "hint", board=PUZZLE, drawn={"A": [0, 1]})["hints"]
    assert (wrong["kind"], wrong["edge"], wrong["joined"]) == ("wrong", [0, 1], False)
    assert wrong["text"].startswith("drawn wrong: take the step between row 1, column 1 and row 1, column 2 away")


@pytest.mark.parametrize(
    ("verb", "given", "kind"),
    [
        ("solve", {"board": "A__"}, "bad-puzzle"),
        ("solve", {}, "bad-puzzle"),
        ("solve", {"board": PUZZLE, "solver": "magic"}, "bad-option"),
        ("solve", {"board": PUZZLE, "seconds": 1e9}, "bad-limit"),
        ("solve", {"board": PUZZLE, "seconds": "long"}, "bad-limit"),
        ("generate", {"size": "900x900"}, "bad-option"),
        ("generate", {"difficulty": "fiendish"}, "bad-option"),
        ("hint", {"board": PUZZLE, "drawn": {"A": [0, 9]}}, "bad-puzzle"),
        ("hint", {"board": PUZZLE, "drawn": {"Z": [0, 1]}}, "bad-puzzle"),
        ("hint", {"board": PUZZLE, "drawn": {"A": [True, False]}}, "bad-puzzle"),
        ("hint", {"board": PUZZLE, "drawn": "A"}, "bad-puzzle"),
        ("judge", {"board": PUZZLE, "filling": 7}, "bad-puzzle"),
        ("judge", {"board": PUZZLE, "filling": ["AAAA"]}, "bad-puzzle"),
        ("watch", {"board": PUZZLE, "most": 10**9}, "bad-limit"),
        ("daily", {"date": "tomorrow"}, "bad-option"),
        ("daily", {}, "bad-option"),
        ("burn", {"board": PUZZLE}, "unknown-type"),
    ],
)
def test_bad_flow_requests_get_typed_errors(api: httpx.Client, verb: str, given: dict[str, Any], kind: str) -> None:
    reply = api.post(f"/api/flow/{verb}", json=given)
    assert reply.status_code >= 400
    told = reply.json()
    assert (told["type"], told["error"]) == ("error", kind)
    assert "\n" not in told["message"]


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/picture/board.js"])
def test_a_browser_asks_whether_a_file_is_still_the_same(api: httpx.Client, path: str) -> None:
    reply = api.get(path)
    assert reply.headers["cache-control"] == "no-cache"
    again = api.get(path, headers={"If-None-Match": reply.headers["etag"]})
    assert again.status_code == 304 or path == "/"


def test_a_reader_gets_a_page_that_says_so_and_a_program_a_typed_error(api: httpx.Client) -> None:
    reply = api.get("/nowhere", headers={"Accept": "text/html,*/*"})
    assert (reply.status_code, 'data-t="lost-page.title"' in reply.text) == (404, True)
    assert api.get("/static/nowhere.js", headers={"Accept": "text/html"}).status_code == 404
    assert api.get("/nowhere").json()["error"] == "not-found"
    assert api.get("/api/tournaments/none", headers={"Accept": "text/html"}).json()["error"] == "not-found"
