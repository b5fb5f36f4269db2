"""What a newcomer looks for: who can play, which version, samples, the speed of one's own game, the best move."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import Position, __version__, agents, best_move, games, heuristics
from kibitz.bench.speed import MOVES_PLAYED, position_after
from kibitz.cli.examples import SAMPLES
from kibitz.core.errors import IllegalMove
from kibitz.core.heuristic import Heuristic
from tests.cli.test_commands import compiled_only, kibitz, refused
from tests.core.stones import STONES

ROOT = Path(__file__).parent.parent.parent
JUDGED = """
from kibitz import Heuristic
def left(state):
    return float(state.stones)
count = Heuristic(name="count", game="stones", evaluate=left, bounds=(0.0, 9.0))
"""


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kibitz.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_the_version_is_printed() -> None:
    assert kibitz("--version").stdout == f"kibitz {__version__}\n"


def test_every_agent_is_listed_with_its_options_and_what_it_is() -> None:
    listed = {agent["name"]: agent for agent in json.loads(kibitz("agents", "--json").stdout)}
    assert set(listed) == set(agents.kinds())
    assert listed["engine"]["options"]["level"] == 0
    assert all(agent["summary"] for agent in listed.values())
    shown = kibitz("agents", COLUMNS="200").stdout
    assert all(f"\n{name}" in shown for name in listed)


def test_agents_of_a_game_are_those_that_play_it(tmp_path: Path) -> None:
    wolves = {agent["name"] for agent in json.loads(kibitz("agents", "wolves", "--json").stdout)}
    assert {"engine", "luo", "course-wolves"} <= wolves
    assert not wolves & {"assael", "course-checkers"}
    assert "heuristics of wolves, the default first: hand, luo" in kibitz("agents", "wolves").stdout
    rules = tmp_path / "stones.py"
    rules.write_text(STONES)
    assert "mcts:nodes=5000" in kibitz("agents", str(rules)).stdout


def test_every_sample_is_copied_once_and_never_overwrites(tmp_path: Path) -> None:
    answer = run_in(tmp_path, "examples")
    assert answer.returncode == 0, answer.stderr
    assert {sample.name for sample in SAMPLES} == {path.name for path in tmp_path.iterdir()}
    assert all(sample.command in answer.stdout for sample in SAMPLES)
    again = run_in(tmp_path, "examples", "board.txt")
    assert again.returncode == 2
    assert again.stderr == "kibitz: 'board.txt' is there already, expected a folder without it\n"


def test_a_game_of_the_gallery_is_copied_and_works_as_a_file(tmp_path: Path) -> None:
    answer = run_in(tmp_path, "examples", "clobber")
    assert answer.stdout.startswith("wrote clobber.py\n"), answer.stderr
    copied, original = games.load(str(tmp_path / "clobber.py")), games.load("clobber")
    assert copied.new().text == original.new().text
    assert heuristics.find(copied).name == heuristics.find(original).name


def test_an_unknown_example_is_refused_with_the_nearest() -> None:
    assert "no example is called 'bord.txt'; did you mean 'board.txt'?" in refused("examples", "bord.txt")


def test_every_file_that_the_readme_reads_is_among_the_samples() -> None:
    commands = re.findall(r"^    kibitz (.*?)(?:   .*)?$", (ROOT / "README.md").read_text(), re.MULTILINE)
    read = {word.rstrip("/") for line in commands for word in line.split() if re.search(r"\.(txt|xml|db)$|/$", word)}
    assert read
    assert read <= {sample.name for sample in SAMPLES}


@pytest.mark.parametrize("command", ["flow check board.txt filled.txt", "replay game.txt", "show vampires,map=map.xml"])
def test_a_sample_serves_its_command(command: str, tmp_path: Path) -> None:
    assert run_in(tmp_path, "examples").returncode == 0
    answer = run_in(tmp_path, *command.split())
    assert answer.returncode == (1 if "check" in command else 0), answer.stderr


def test_a_bare_file_where_an_agent_is_expected_is_told_what_to_write() -> None:
    line = refused("best", "breakthrough", "--agent", "player.py")
    assert line == "kibitz: no agent is called 'player.py'; did you mean 'python:player.py'?"


def test_a_level_without_effect_says_so(tmp_path: Path) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(STONES)
    answer = kibitz("play", str(rules), "--first", "human", "--level", "3", typed="quit\n", KIBITZ_INTERPRET="1")
    reason = "stones has no heuristic, so mcts plays it, which has no levels"
    assert f"kibitz: warning: level 3 has no effect: {reason}\n" in answer.stderr
    assert "no effect" not in kibitz("play", str(rules), typed="quit\n", KIBITZ_INTERPRET="1").stderr
    named = refused("play", "breakthrough", "--first", "random", "--second", "random", "--level", "3")
    assert "level 3 has no effect: both sides are named" in named


@compiled_only
def test_one_line_leads_from_a_position_to_the_best_move() -> None:
    won = games.position("breakthrough", "8/6P1/8/8/p7/8/8/8 w 0 1")
    assert best_move(won, seconds=0.05) in ("g7-f8", "g7-g8", "g7-h8")
    assert best_move(won, agent="random:seed=1") in won.moves()
    with pytest.raises(IllegalMove, match="the game is over"):
        best_move(won.play("g7-g8"))


def test_a_loaded_file_has_its_heuristic_found_by_the_game(tmp_path: Path) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(STONES + JUDGED)
    game = games.load(str(rules))
    found = heuristics.find(game)
    assert isinstance(found, Heuristic)
    assert found.name == "count"
    assert heuristics.heuristics_of(game) == [found]
    assert isinstance(game.new(), Position)


@pytest.mark.parametrize("text", ["einstein", "breakthrough", "clobber"])
def test_what_is_measured_is_a_position_in_which_a_side_has_a_choice(text: str) -> None:
    for played in (*MOVES_PLAYED, 1000):
        assert position_after(games.load(text), played).move_ids


@compiled_only
def test_a_game_of_ones_own_is_measured(tmp_path: Path) -> None:
    figures = tmp_path / "speed.json"
    answer = kibitz("bench", "breakthrough", "--seconds", "0.02", "--json", str(figures))
    assert answer.returncode == 0, answer.stderr
    assert re.fullmatch(r"breakthrough \d+\.\d\d M nodes/s", answer.stdout.splitlines()[-1])
    rows = json.loads(figures.read_text())["breakthrough"]
    assert [row["what"].split()[0] for row in rows] == ["perft", "search", "search", "search"]
    assert "limit seconds is -1.0, expected more than zero" in refused("bench", "breakthrough", "--seconds", "-1")
