"""Tables against a search that knows none of them: the same winner, and the same distance."""

import random
from pathlib import Path

import pytest

from kibitz import games, heuristics
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.search.engine import Engine
from kibitz.tables.probe_table import find_probe_table
from kibitz.tables.solver import SolveTask, solve
from kibitz.tables.table import Table, Value

pytestmark = pytest.mark.skipif(interpreting(), reason="whole searches need the compiler")

EXAMPLES = Path(__file__).parents[2] / "tests" / "rules"
GAMES = [
    f"{EXAMPLES}/tictactoe.py",
    f"{EXAMPLES}/connectfour.py,rows=4,columns=4",
    "breakthrough,rows=5,columns=2",
    "wolves,start=ssss1/5/5/5/1w1w1",
]
FARTHEST = 9  # turns that a search sees through in no time


def some_positions(table: Table, count: int, drawn: bool) -> list[Position]:
    """Positions of random games: drawn ones, or won and lost ones within reach of a search."""
    game, dice = table.game, random.Random(f"{table.game} {drawn}")
    found: list[Position] = []
    while len(found) < count:
        position = game.new()
        for _ in range(dice.randrange(2, 40)):
            if not position.over:
                position = position.play(dice.choice(position.move_ids))
        value = table.probe(position.state)
        assert value is not None
        if not position.over and (value.winner is None if drawn else 1 <= value.turns <= FARTHEST):
            found.append(Position(game, position.state))
    return found


@pytest.fixture(scope="module", params=GAMES, ids=["tic-tac-toe", "connect four", "breakthrough", "wolves"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return solve(SolveTask(games.load(request.param), tmp_path_factory.mktemp("tables") / "x.table"))


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the engine has to find out for itself."""
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path / "none"))


def test_the_engine_finds_the_winner_and_the_distance_that_the_table_says(table: Table) -> None:
    game = table.game
    engine = Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game), megabytes=16)
    for position in some_positions(table, 30, drawn=False):
        value = table.probe(position.state)
        assert value is not None
        score = engine.search(position, Limit(depth=value.turns + 2)).score
        assert score is not None
        assert score.win_in == (value.turns if value.winner == position.turn else -value.turns), position.text


def test_the_engine_finds_no_win_where_the_table_says_draw(table: Table) -> None:
    game = table.game
    if game.rulebook.name == "breakthrough":
        pytest.skip("it has no draws")
    engine = Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game), megabytes=16)
    for position in some_positions(table, 10, drawn=True):
        assert table.probe(position.state) == Value(None)
        score = engine.search(position, Limit(depth=8)).score
        assert score is not None
        assert score.win_in is None, position.text
