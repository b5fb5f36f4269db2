"""`kibitz new`: the first file of a game of one's own."""

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import games
from kibitz.core import Result
from kibitz.core.errors import BadPosition, KibitzError
from kibitz.laws import LAWS, Sample
from kibitz.laws.runner import check_law
from kibitz.laws.scaffold import SHAPES, scaffold
from kibitz.search.perft import perft

ROOT = Path(__file__).parents[2]


def test_both_files_are_written_and_the_game_can_be_played(tmp_path: Path) -> None:
    assert scaffold("my_game", tmp_path) == [tmp_path / "my_game.py", tmp_path / "test_my_game.py"]
    game = games.load(str(tmp_path / "my_game.py"))
    assert (game.rulebook.name, game.rulebook.title) == ("my_game", "My game")
    assert game.new().play("a1 b2 a2 c3 a3").result == Result.FIRST_WINS
    assert '@pytest.mark.kibitz("my_game.py")' in (tmp_path / "test_my_game.py").read_text()


@pytest.mark.parametrize("tool", [["ruff", "check"], ["ruff", "format", "--check"], ["mypy", "--strict"]], ids=" ".join)
def test_what_is_written_is_neat_whatever_the_name(tmp_path: Path, tool: list[str]) -> None:
    pytest.importorskip(tool[0])
    names = {shape: f"a_game_with_a_name_like_30_{shape}"[:30] for shape in SHAPES} | {"grid": "go"}
    files = [str(path) for shape in SHAPES for path in scaffold(names[shape], tmp_path, shape)]
    options = ["--cache-dir", str(ROOT / ".mypy_cache")] if tool[0] == "mypy" else ["--isolated", "--no-cache"]
    done = subprocess.run(
        [sys.executable, "-m", *tool, *options, *files], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "expected letters, digits and _ only"),
        ("2048", "expected letters, digits and _ only, beginning with a letter"),
        ("my-game", "expected letters, digits and _ only"),
        ("games/mine", "expected letters, digits and _ only"),
        ("../mine", "expected letters, digits and _ only"),
        ("mine\n", "expected letters, digits and _ only"),
        ("m\u00fchle", "expected letters, digits and _ only"),
        ("g" * 31, "expected at most 30 letters"),
        ("class", "expected a name that means nothing to Python"),
        ("range", "expected a name that means nothing to Python"),
        ("random", "expected a name that no Python module has"),
        ("kibitz", "expected a name that no Python module has"),
        ("test_mine", "expected a name that does not make the file a test"),
        ("breakthrough", "expected a name that no other game has; 'my_breakthrough' is free"),
        ("hex", "expected a name that means nothing to Python; 'my_hex' is free"),
        ("My Game!", "expected letters, digits and _ only, beginning with a letter; 'my_game' is free"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(KibitzError) as refusal:
        scaffold(name, tmp_path)
    assert reason in str(refusal.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("there", ["mine.py", "test_mine.py"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    with pytest.raises(KibitzError, match=f"{there}' is there already, expected a name that is free"):
        scaffold("mine", tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there, "precious")]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match=r"cannot write '.*mine.py': No such file or directory"):
        scaffold("mine", tmp_path / "nowhere")


def test_the_command_says_what_it_wrote(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from kibitz.cli.main import main; main()", "new", "mine"]
    first, second = (
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False) for _ in range(2)
    )
    assert first.returncode == 0
    assert first.stdout.splitlines() == [
        "wrote mine.py, for now tic-tac-toe: a set of cells for each side in one number, and test_mine.py",
        "next: kibitz play mine.py, change the rules, kibitz check mine.py",
    ]
    assert second.returncode == 2
    assert second.stderr == "kibitz: 'mine.py' is there already, expected a name that is free\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_obeys_the_laws_and_is_compiled(
    tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.load(str(scaffold("mine", tmp_path, shape)[0]))
    lines = perft(game.new(), 2)
    with monkeypatch.context() as plain:
        plain.setenv("KIBITZ_INTERPRET", "1")
        assert perft(game.new(), 2) == lines
        sample = Sample(game, games=1, positions=6)
        broken = [law for law in LAWS if check_law(law, sample).outcome == "FAIL"]
    assert not broken


def test_a_shape_that_is_unknown_gets_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="no game to start from is like 'hexx'; did you mean 'hex'"):
        scaffold("mine", tmp_path, "hexx")
    assert not list(tmp_path.iterdir())


def test_an_impossible_position_is_refused_with_its_place(tmp_path: Path) -> None:
    game = games.load(str(scaffold("mine", tmp_path)[0]))
    with pytest.raises(BadPosition, match=r"'xo1/3/3 o' cannot come about, says mine.py:\d+"):
        game.position("xo1/3/3 o")
