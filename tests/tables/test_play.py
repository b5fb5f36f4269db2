"""The perfect agent and the commands: what a user sees of tables."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.tables import folder
from kibitz.tables.errors import NoTable
from kibitz.tables.lookup import look_up
from kibitz.tables.solver import SolveTask, solve
from tests.tables.test_wolves import FIVE, some_state

EXAMPLES = Path(__file__).parents[2] / "tests" / "rules"
ANY = Limit(seconds=1)


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tables with one in it."""
    tables = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_TABLES", str(tables))
        game = games.load(FIVE)
        solve(SolveTask(game, folder.path_for(game)))
    return tables


@pytest.fixture
def tables(five: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_TABLES", str(five))
    return five


def kibitz(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kibitz.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def some_positions(winner: int | None, count: int, turns: int = 0) -> list[Position]:
    """Random positions of this value in which a side is to move."""
    game = games.load(FIVE)
    table = folder.require(game)
    dice = random.Random(17)
    found: list[Position] = []
    while len(found) < count:
        position = Position(game, some_state(game, dice))
        value = table.probe(position.state)
        assert value is not None
        if not position.over and value.winner == winner and value.turns >= turns:
            found.append(position)
    return found


@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_a_won_game_is_won_in_as_many_turns_as_the_table_says_against_any_defence(side: int, tables: Path) -> None:
    dice = random.Random(side)
    for start in some_positions(side, 4, turns=3):
        perfect = agents.agent("perfect", start.game)
        position, turns = start, 0
        promised = look_up(start).value.turns
        while not position.over:
            if position.turn == side or turns % 3 == 0:
                report = perfect.choose(position, ANY)
                assert report.score is not None
                if position.turn == side:
                    assert report.score.win_in is not None
                    assert 0 < report.score.win_in <= promised - turns
                position = position.play(report.moves[0])
            else:
                position = position.play(dice.choice(position.move_ids))
            turns += 1
        assert position.result is not None
        assert position.result.winner == side
        assert turns <= promised


def test_two_perfect_players_take_exactly_as_long_as_the_table_says(tables: Path) -> None:
    for start in some_positions(SECOND, 3, turns=4):
        perfect = agents.agent("perfect", start.game)
        position, turns = start, 0
        while not position.over:
            position = position.play(perfect.choose(position, ANY).moves[0])
            turns += 1
        assert turns == look_up(start).value.turns


def test_a_draw_is_never_thrown_away(tables: Path) -> None:
    dice = random.Random(2)
    for start in some_positions(None, 3):
        perfect = agents.agent("perfect", start.game)
        position = start
        for _ in range(40):
            if position.over:
                break
            mine = position.turn == start.turn
            position = position.play(perfect.choose(position, ANY).moves[0] if mine else dice.choice(position.move_ids))
        value = look_up(Position(position.game, position.state)).value
        assert value.winner in (None, start.turn)


def test_in_a_drawn_position_the_enemy_is_left_the_most_ways_to_err(tables: Path) -> None:
    game = games.load(FIVE)
    table = folder.require(game)
    perfect = agents.agent("perfect", game)
    differing = 0
    for position in some_positions(None, 15):
        shares = {}
        for code in position.move_ids:
            after = position.play(code)
            value = table.probe(after.state)
            if value is not None and value.winner is None and not after.over:
                answers = [table.probe(game.play(after.state, answer)) for answer in after.move_ids]
                losing = [each for each in answers if each is not None and each.winner == position.turn]
                shares[code] = len(losing) / len(answers)
        differing += len(set(shares.values())) > 1
        assert shares[perfect.choose(position, ANY).moves[0]] == max(shares.values()), position.text
    assert differing > 0


def test_tic_tac_toe_is_begun_in_a_corner_where_seven_answers_of_eight_lose(tables: Path) -> None:
    game = games.load(f"{EXAMPLES}/tictactoe.py")
    perfect = agents.agent("perfect", game)
    begun = game.new().play(perfect.choose(game.new(), ANY).moves[0])
    assert begun.line in ("a1", "a3", "c1", "c3")
    assert begun.play(perfect.choose(begun, ANY).moves[0]).line.split()[1] == "b2"


def test_turns_of_several_moves_are_played_to_their_end() -> None:
    from tests.laws.two_at_a_time import two_at_a_time

    game = two_at_a_time()
    report = agents.agent("perfect", game).choose(game.new(), ANY)
    assert len(report.moves) == 2
    assert report.score is not None
    assert report.score.win_in == 3


def test_a_small_game_is_solved_at_once_and_a_large_one_says_which_command_builds_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    game = games.load(f"{EXAMPLES}/tictactoe.py")
    assert look_up(game.new()).value.winner is None
    with pytest.raises(NoTable, match=r"no table of wolves in '.*'; build it with: kibitz solve wolves$"):
        agents.agent("perfect", games.load("wolves"))
    with pytest.raises(NoTable, match=r"build it with: kibitz solve breakthrough$"):
        agents.agent("perfect", games.load("breakthrough"))


# Commands.


def test_solve_probe_and_tables_tell_what_they_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path / "new" / "folder"))
    game = f"{EXAMPLES}/tictactoe.py"
    ran = kibitz("solve", game)
    assert ran.returncode == 0, ran.stderr
    assert "start: draw; infinite play is a draw, ply limits and repetition are ignored" in ran.stdout
    assert "tictactoe.table" in ran.stdout
    listed = kibitz("tables")
    assert "tictactoe" in listed.stdout
    assert "5,478 positions" in listed.stdout
    probed = kibitz("probe", game, "xx1/oo1/3 x")
    assert probed.stdout.splitlines()[:3] == [
        "xx1/oo1/3 x   crosses to move",
        "crosses wins in 1",
        "  c3  crosses has won",
    ]


def test_probe_prints_every_move_the_best_first(tables: Path) -> None:
    ran = kibitz("probe", FIVE, "--json")
    assert ran.returncode == 0, ran.stderr
    assert '"winner"' in ran.stdout
    lines = kibitz("probe", FIVE, "ss3/sw3/5/5/4w w").stdout.splitlines()
    assert len(lines) == 2 + len(games.load(FIVE).position("ss3/sw3/5/5/4w w").moves())


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("sssss/5/5/5/1w1w1 w", "exact: draw"),
        ("ss3/sw3/5/5/4w w", "exact: draw"),
        ("w1s2/5/ss3/5/4w w", "exact: wolves wins in 1"),
    ],
)
def test_analyse_shows_the_exact_value_where_there_is_a_table(position: str, said: str, tables: Path) -> None:
    ran = kibitz("analyse", FIVE, position, "--depth", "2")
    assert ran.returncode == 0, ran.stderr
    assert said in ran.stdout.splitlines()


def test_analyse_goes_on_where_there_is_no_table_or_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    for _ in range(2):
        ran = kibitz("analyse", FIVE, "--depth", "2", "--json")
        assert ran.returncode == 0, ran.stderr
        assert json.loads(ran.stdout)["exact"] is None
        folder.path_for(games.load(FIVE)).write_bytes(b"nonsense")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["solve", "wolves", "--memory", "0.11"],
            "kibitz: wolves needs 0.58 GB of memory; into 0.11 GB of memory no layer would fit",
        ),
        (["solve", "wolves", "--memory", "-1"], "kibitz: option memory is -1, expected gigabytes above 0"),
        (["solve", "wolves", "--jobs", "-3"], "kibitz: option jobs is -3, expected 0 to 1024"),
        (["solve", "vampires"], "kibitz: vampires has chances, expected a game without them"),
        (["solve", "wolves", "--out", "/nowhere/at/all"], "kibitz: cannot write '/nowhere/at/all'"),
        (["solve", "wolves", "--out", "/"], "kibitz: cannot write '/': it is a folder"),
        (["solve", "wolves", "--depth", "3"], "kibitz: No such option: --depth"),
        (["solve", "wulves"], "kibitz: no game is called 'wulves'; did you mean 'wolves'?"),
        (["solve", "wolves", "--alone"], "kibitz: wolves has no side that walks alone, expected checkers"),
        (["probe", "wolves:twelve"], "kibitz: no table of wolves:twelve in"),
    ],
)
def test_mistakes_are_one_line_and_exit_status_2(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    ran = kibitz(*arguments)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].startswith(said)
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_table_is_listed_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    (tmp_path / "wolves.table").write_bytes(b"nonsense")
    assert "is no table of kibitz" in kibitz("tables").stdout
    ran = kibitz("probe", "wolves")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
