"""`kibitz flow`, called as a user does."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli.flow import flow as commands
from kibitz.cli.interrupts import Stopped
from kibitz.core.errors import KibitzError
from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import TEXTS


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text(text.replace("/", "\n") + "\n")
    return [str(tmp_path / f"{name}.txt") for name in TEXTS]


def told(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(commands, list(words))
    if isinstance(result.exception, KibitzError | Stopped):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


def told_json(*words: str) -> Any:
    return json.loads(told(*words, "--json"))


def test_many_boards_are_solved_at_once(files: list[str]) -> None:
    assert told("solve", *files).rstrip().endswith("\nsolved 9 of 9, unique 9")


def test_a_single_board_is_shown_filled_and_drawn(files: list[str], tmp_path: Path) -> None:
    output = told("solve", files[0], "--svg", str(tmp_path / "b.svg"), "--animate", str(tmp_path / "a.svg"))
    assert output.startswith("BRRRO\nBRYYO\n")
    assert (tmp_path / "b.svg").read_text().startswith("<svg")
    assert "<animate" in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize("solver", flow.SOLVERS)
def test_each_solver_can_be_asked_for(files: list[str], solver: str) -> None:
    (facts,) = told_json("solve", files[0], "--solver", solver, "--unique")
    assert facts["solver"] == solver
    assert facts["unique"]


def test_several_solutions_are_listed(files: list[str]) -> None:
    (facts,) = told_json("solve", files[4], "--touch", "free", "--all", "5")
    assert len(facts["solutions"]) == 5
    assert not facts["complete"]
    (facts,) = told_json("solve", files[4], "--touch", "free")
    assert len(facts["solutions"]) == 1
    assert facts["found"] == 2


def test_unsolved_boards_are_told_apart(tmp_path: Path, files: list[str]) -> None:
    board = tmp_path / "none.txt"
    board.write_text("A__\n__A\n")
    output = told("solve", str(board), files[0], status=1)
    assert "unsolvable" in output
    assert "solvable only if a path may touch itself" in output
    assert output.endswith("solved 1 of 2, unique 1\n")
    assert "gave up" in told("solve", files[8], "--solver", "dumb", "--seconds", "0.1", status=1)


def test_a_batch_goes_on_after_what_is_no_board_and_names_it_at_the_end(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_text("A__\n_A\n")
    words = ["solve", files[0], str(tmp_path / "bad.txt"), str(tmp_path / "missing.txt"), files[1]]
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 2
    assert "solved 2 of 2, unique 2" in result.stdout
    assert "2 of 4 boards could not be read:" in result.stderr
    assert "bad.txt:2: row has 2 cells, expected 3" in result.stderr
    assert "missing.txt': No such file" in result.stderr
    facts = json.loads(CliRunner().invoke(commands, [*words, "--json"]).stdout)
    assert [fact.get("answer", "none") for fact in facts] == ["solved", "solved", "none", "none"]
    assert "row has 2 cells" in facts[2]["problem"]
    rated = json.loads(CliRunner().invoke(commands, ["rate", *words[1:], "--json"]).stdout)
    assert ["problem" in fact for fact in rated] == [False, False, True, True]


def test_a_file_may_hold_several_boards(tmp_path: Path) -> None:
    many = tmp_path / "many.txt"
    many.write_text("; two by hand\n\n" + "\n\n".join(text.replace("/", "\n") for text in list(TEXTS.values())[:2]))
    facts = told_json("solve", str(many))
    assert [fact["board"] for fact in facts] == ["many.txt#1", "many.txt#2"]
    assert all(fact["unique"] for fact in facts)
    many.write_text("".join(f"{text}\n" for text in TEXTS.values()))
    assert told("solve", str(many)).endswith("\nsolved 9 of 9, unique 9\n")
    many.write_text(json.dumps(told_json("generate", "--size", "4x4", "--count", "3", "--seed", "1", "--walls", "1")))
    assert told("solve", str(many)).endswith("\nsolved 3 of 3, unique 3\n")
    assert told("rate", str(many)).count("many.txt#") == 3


def test_unique_is_a_demand(tmp_path: Path) -> None:
    board = tmp_path / "two.json"
    board.write_text(str(flow.read("A__\n_B_\n__A\nB__").ruled(fill=False)))
    told("solve", str(board))
    told("solve", str(board), "--unique", status=1)


def test_boards_are_generated_rated_hinted_and_checked(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(told("generate", "--size", "6x5", "--seed", "3", "--colours", "4"))
    assert len(board.read_text().splitlines()) == 5
    assert "easy" in told("rate", str(board)) or "medium" in told("rate", str(board))
    assert told("hint", str(board)).startswith("1. ")
    assert told("hint", str(board), "--all").endswith("\nsolved\n")
    filled = tmp_path / "filled.txt"
    filled.write_text(told("solve", str(board)).split("\n\n")[0])
    assert told("check", str(board), str(filled)) == "correct\n"
    filled.write_text(board.read_text())
    assert told("check", str(board), str(filled), status=1).endswith(" faults\n")


def test_boards_of_other_topologies_are_generated(tmp_path: Path) -> None:
    for words in (["--shape", "hexagon"], ["--wrap", "both"], ["--holes", "1", "--walls", "2"], ["--bridges", "1"]):
        told("generate", "--size", "5x5", "--seed", "1", "--count", "2", "--out", str(tmp_path), *words)
        for file in tmp_path.glob("board-*"):
            assert told("solve", str(file)).endswith("solved 1 of 1, unique 1\n")
            file.unlink()


def test_without_a_command_the_commands_are_listed() -> None:
    commands = ("solve", "generate", "pack", "daily", "hint", "rate", "check", "explain", "table")
    assert all(command in told() for command in commands)


@pytest.mark.parametrize("solver", ["dumb", "smart", "smarter"])
def test_a_solver_of_the_report_is_explained_step_by_step(files: list[str], solver: str) -> None:
    facts = told_json("explain", files[1], "--solver", solver, "--steps", "3000", "--seconds", "2")
    kinds = [step["kind"] for step in facts["listed"]]
    assert kinds[:2] == ["choose", "put"]
    assert all(step["why"] for step in facts["listed"] if step["kind"] in ("choose", "dead", "exhausted"))
    assert kinds.count("put") <= facts["assignments"]
    if facts["steps"] == len(kinds):
        assert kinds.count("put") == facts["assignments"]
        assert kinds.count("dead") == sum(facts["deaths"].values())
    output = told("explain", files[1], "--solver", solver, "--steps", "5", "--seconds", "2")
    assert "   2 assignment 1: " in output
    assert f"\n{solver}: " in output
    assert "branches that died at once" in output


def test_a_book_of_puzzles_is_written_whole(tmp_path: Path) -> None:
    page = tmp_path / "pack.html"
    output = told("pack", "--count", "8", "--seed", "2", "--mixed", "--out", str(page))
    assert output == f"wrote 8 puzzles (2 easy, 2 medium, 2 hard, 2 expert) to {page}\n"
    text = page.read_text()
    assert text.count("<svg") == 16
    assert [text.index(f"<h2>{name}") for name in ("Easy", "Medium", "Hard", "Expert")] == sorted(
        text.index(f"<h2>{name}") for name in ("Easy", "Medium", "Hard", "Expert")
    )
    assert "{{" not in text
    facts = told_json("pack", "--count", "4", "--out", str(page))
    assert (facts["file"], facts["puzzles"]) == (str(page), 4)
    assert facts["difficulties"] == {"easy": 1, "medium": 1, "hard": 1, "expert": 1}
    with pytest.raises(KibitzError, match="No such file or directory"):
        told("pack", "--count", "8", "--out", str(tmp_path / "nowhere" / "pack.html"))


def test_what_is_made_until_ctrl_c_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user is impatient after two boards."""

    def impatient(*given: object) -> Iterator[flow.Board]:
        yield from islice(boards(*given), 2)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    boards, page = flow.boards, tmp_path / "pack.html"
    monkeypatch.setattr(flow, "boards", impatient)
    with pytest.raises(Stopped, match="after 2 of 9 boards, which are kept"):
        told("generate", "--size", "4x4", "--count", "9", "--out", str(tmp_path))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["board-1.txt", "board-2.txt"]
    with pytest.raises(Stopped):
        told("generate", "--size", "4x4", "--count", "9", "--json")

    def book(*given: object) -> Iterator[object]:
        yield from islice(made(*given), 3)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    made = flow.make_pack
    monkeypatch.setattr(flow, "make_pack", book)
    with pytest.raises(Stopped, match="after 3 of 4 puzzles, which are a book already"):
        told("pack", "--count", "4", "--out", str(page))
    assert page.read_text().count("<svg") == 6


def test_the_puzzle_of_a_day_is_printed(tmp_path: Path) -> None:
    board = tmp_path / "day.txt"
    board.write_text(told("daily", "--date", "2026-11-16"))
    assert told("solve", str(board)).endswith("unique 1\n")
    facts = told_json("daily", "--date", "2026-11-16")
    assert facts == {"date": "2026-11-16", "board": board.read_text().strip(), "score": 8.9, "difficulty": "easy"}
    with pytest.raises(KibitzError, match="date is 'soon', expected a day as 2026-12-31"):
        told("daily", "--date", "soon")


def test_the_table_of_the_report_is_shown() -> None:
    rows = told_json("table", "--seconds", "0.05")
    assert [row["board"] for row in rows] == list(TEXTS)
    assert all(row["ours"]["solutions"] == 1 for row in rows)
    assert "5744, 950.43 s" in told("table", "--seconds", "0.05")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["generate", "--size", "14"], "size is '14', expected columns x rows"),
        (["generate", "--size", "500x500"], "each from 2 to 60"),
        (["generate", "--size", "4x4", "--out", "nowhere"], "'nowhere' is no folder"),
        (["solve", "a.txt", "b.txt", "--svg", "c.svg"], "one picture is asked for 2 files"),
        (["solve", "nowhere.txt"], "cannot read the puzzle"),
    ],
)
def test_mistakes_are_told_in_one_line(words: list[str], message: str) -> None:
    with pytest.raises(KibitzError) as problem:
        told(*words)
    assert message in str(problem.value)
