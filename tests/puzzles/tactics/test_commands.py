"""`kibitz puzzles`: what it writes, how it goes on, and what it refuses."""

import json
import sys
from pathlib import Path

import pytest

from kibitz.cli.app import run
from kibitz.puzzles.tactics import load, scanner
from kibitz.puzzles.tactics.candidates import GameTask
from kibitz.puzzles.tactics.puzzle import Puzzle

OWN = Path(__file__).parents[2] / "rules" / "tictactoe.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_PUZZLES", str(tmp_path / "kept"))
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    return tmp_path


def kibitz(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["kibitz", "puzzles", *words])
    return run()


def test_puzzles_of_ones_own_game_are_made_kept_and_proven_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kibitz(monkeypatch, str(OWN), "--count", "4", "--jobs", "1") == 0
    assert "4 puzzles of tictactoe" in capsys.readouterr().out
    kept = folder / "kept" / "tictactoe.puzzles"
    assert len(load(kept).puzzles) == 4
    assert kibitz(monkeypatch, "--check", str(kept), "--rules", str(OWN)) == 0
    assert "4 of 4 shown again by engine and proof-number search" in capsys.readouterr().out


def test_a_stopped_run_keeps_what_it_found_and_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scan = scanner.Scanner.scan

    def stop(self: scanner.Scanner, task: GameTask) -> list[Puzzle]:
        if task.number == 12:
            raise KeyboardInterrupt
        return scan(self, task)

    words = ("tictactoe", "--count", "6", "--jobs", "1", "--out", "a.puzzles")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(scanner.Scanner, "scan", stop)
        assert kibitz(interrupted, *words) == 130
    first = load(Path("a.puzzles"))
    assert first.looked_at == 12
    assert 0 < len(first.puzzles) < 6
    assert (
        f"stopped with {len(first.puzzles)} puzzles in a.puzzles; the same command goes on" in capsys.readouterr().err
    )
    assert kibitz(monkeypatch, *words) == 0
    assert load(Path("a.puzzles")).puzzles[: len(first.puzzles)] == first.puzzles
    assert kibitz(monkeypatch, *words, "--seed", "2") == 2
    assert "begun with other options" in capsys.readouterr().err


def test_several_processes_find_what_one_finds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for jobs in ("1", "2"):
        assert kibitz(monkeypatch, "tictactoe", "--count", "5", "--jobs", jobs, "--out", f"{jobs}.puzzles") == 0
    assert Path("1.puzzles").read_text() == Path("2.puzzles").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected a game to make puzzles of, or --check with a file of them"),
        (["tictactoe", "--check", "a"], "expected a game to make puzzles of, or --check"),
        (["tictactoe", "--count", "0"], "option count is 0, expected 1 to 20000"),
        (["tictactoe", "--longest", "1"], "option longest is 1, expected 3 to 99"),
        (["tictactoe", "--margin", "2"], "margin is 2, expected 0.01 to 0.9"),
        (["tictactoe", "--out", "no/such/folder"], "cannot write 'no/such/folder'"),
        (["tictactoe", "--from", "nothing.db"], "cannot read 'nothing.db'"),
        (["nogame"], "no game is called 'nogame'"),
        (["--check", "nothing.puzzles"], "cannot read the puzzles 'nothing.puzzles'"),
        (["--check", "text.puzzles"], "text.puzzles:1: 'hello' is not JSON"),
        (["--check", "strange.puzzles"], "which is not in the catalogue"),
    ],
)
def test_mistakes_are_one_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    Path("text.puzzles").write_text("hello")
    head = {"kibitz": "puzzles", "format": 1, "game": "evil.py", "rules": "0", "looked_at": 0, "made": {}}
    Path("strange.puzzles").write_text(json.dumps(head))
    Path("evil.py").write_text("raise SystemExit('run!')")
    before = sorted(folder.rglob("*"))
    assert kibitz(monkeypatch, *words) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.strip().splitlines()[-1].startswith("kibitz: ")
    assert [path for path in sorted(folder.rglob("*")) if path not in before and path.is_file()] == []
