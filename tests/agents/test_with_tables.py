"""The engine and Monte Carlo search read tables of perfect play, and do without where there is none."""

from pathlib import Path

import pytest

from kibitz import agents, games, heuristics
from kibitz.core.errors import KibitzWarning
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.seam import interpreting
from kibitz.search.engine import Engine
from kibitz.search.mcts import Settings, Tree
from kibitz.tables import folder
from kibitz.tables.probe_table import find_probe_table
from kibitz.tables.solver import SolveTask, solve

pytestmark = pytest.mark.skipif(interpreting(), reason="whole searches need the compiler")

EXAMPLE = "tests/rules/tictactoe.py"
LOST_IN_FOUR = "x.o/.../..x o"


@pytest.fixture
def solved_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    game = games.load(EXAMPLE)
    solve(SolveTask(game, folder.path_for(game)))
    return game


def test_a_search_of_one_turn_knows_the_exact_distance(solved_game: Game) -> None:
    engine = Engine(
        solved_game, heuristics.find(solved_game.rulebook), perfect=find_probe_table(solved_game), megabytes=1
    )
    table = folder.require(solved_game)
    here = solved_game.new()
    for move in ("b2", "b1", "a1"):
        here = here.play(move)
        value = table.probe(here.state)
        score = engine.search(here, Limit(depth=1)).score
        assert value is not None
        assert score is not None
        expected = None if value.winner is None else value.turns if value.winner == here.turn else -value.turns
        assert score.win_in == expected, here.text


def test_monte_carlo_search_has_nothing_to_simulate(solved_game: Game) -> None:
    here = solved_game.new().play("b2 b1")
    report = Tree(solved_game, None, Settings(seed=1), find_probe_table(solved_game)).search(here, Limit(nodes=1000))
    assert "solved" in report.remarks
    assert report.nodes == 1
    assert report.score is not None
    assert report.score.win_in == 5


def test_a_table_that_cannot_be_used_is_told_of_and_play_goes_on(solved_game: Game) -> None:
    path = folder.path_for(solved_game)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.warns(KibitzWarning, match="table"):
        agent = agents.agent("engine:depth=2", solved_game)
    assert agent.choose(solved_game.new(), Limit()).moves
