"""`kibitz check`: what it says of good rules, of broken ones, and of rules that crash or never return."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from kibitz.core.seam import interpreting
from kibitz.laws import HEURISTIC_LAWS, LAWS
from kibitz.laws.isolated import check

EVERY_LAW = (*LAWS, *HEURISTIC_LAWS)
LONG_FORM = (Path(__file__).parents[1] / "rules" / "tictactoe.py").read_text().replace("tictactoe", "mine")
MOVES = "        empty &= empty - 1  # without its lowest bit\n"


class Answer(NamedTuple):
    status: int
    lines: list[str]
    complaint: list[str]


def kibitz_check(folder: Path, *arguments: str, compiled: bool = False) -> Answer:
    """Run the command as a user does."""
    command = [sys.executable, "-c", "from kibitz.cli.main import main; main()", "check", *arguments]
    environment = {**os.environ, "KIBITZ_INTERPRET": "0" if compiled else "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    complaint = [line for line in done.stderr.splitlines() if not line.startswith("compiling ")]
    return Answer(done.returncode, done.stdout.splitlines(), complaint)


def rules_file(folder: Path, old: str = "", new: str = "") -> Path:
    """Tic-tac-toe with one thing changed."""
    text = LONG_FORM
    assert old in text
    path = folder / "mine.py"
    path.write_text(text.replace(old, new, 1))
    return path


def test_good_rules_pass_every_law(tmp_path: Path) -> None:
    rules_file(tmp_path)
    status, lines, complaint = kibitz_check(tmp_path, "mine.py", "--games", "3")
    assert (status, complaint) == (0, [])
    assert [line[:4] for line in lines[:-1]] == ["pass" if line.startswith("pass") else "skip" for line in lines[:-1]]
    assert [line[6:].startswith(law.name) for line, law in zip(lines, EVERY_LAW, strict=False)] == [True] * len(
        EVERY_LAW
    )
    passed, skipped = (sum(line.startswith(outcome) for line in lines) for outcome in ("pass", "skip"))
    most = max(int(line.split()[-2]) for line in lines if line.startswith("pass") and line.endswith(" positions"))
    assert lines[-1] == f"{passed} laws held on up to {most} positions of 3 random games; {skipped} did not apply"


def test_plain_python_is_not_compared_with_itself_and_says_so(tmp_path: Path) -> None:
    rules_file(tmp_path)
    lines = kibitz_check(tmp_path, "mine.py", "--games", "1").lines
    skipped = [line for line in lines if "interpreted and compiled rules agree" in line]
    assert skipped == [f"skip  {'interpreted and compiled rules agree':<58} KIBITZ_INTERPRET=1 asks for plain Python"]


@pytest.mark.skipif(interpreting(), reason="KIBITZ_INTERPRET=1 asks for plain Python")
def test_compiled_rules_are_compared_with_bounds_checks(tmp_path: Path) -> None:
    rules_file(tmp_path)
    status, lines, _ = kibitz_check(tmp_path, "mine.py", "--games", "3", compiled=True)
    passed = [line[6:64].strip() for line in lines if line.startswith("pass")]
    assert status == 0
    assert "interpreted and compiled rules agree" in passed
    assert "compiled rules stay in bounds" in passed


def test_a_broken_law_is_shown_with_its_position(tmp_path: Path) -> None:
    rules_file(tmp_path, "return DRAW if state.crosses | state.noughts == BOARD else ONGOING", "return ONGOING")
    status, lines, complaint = kibitz_check(tmp_path, "mine.py")
    at = lines.index("FAIL  an unfinished game has moves and a finished one has none")
    assert lines[at + 1] == "      the game goes on, but moves() yields nothing"
    assert lines[at + 2].startswith("      in position '")
    assert " laws broken" in lines[-1]
    assert lines[-1].startswith("1 of ")
    assert (status, complaint) == (1, [])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("    crosses: int", "    crosses: str", "kibitz: mine.py:39: field 'crosses' of State is str, expected int"),
        ("1 << move, state.noughts, SECOND)", "1 << move, 0.5, SECOND)", "kibitz: mine.py:75: play() puts float 0.5"),
        ("def start() -> State:", "def start( -> State:", "kibitz: mine.py:142: invalid syntax"),
        ("    return state.side\n", "    return 1 // 0\n", "kibitz: mine.py:64: turn() fails with ZeroDivisionError"),
        ("mine = Rulebook(", "mine = dict(", "kibitz: mine.py holds no game, expected a Rulebook at its top level"),
    ],
)
def test_a_mistake_in_the_rules_is_one_line_and_status_2(tmp_path: Path, old: str, new: str, reason: str) -> None:
    rules_file(tmp_path, old, new)
    status, lines, complaint = kibitz_check(tmp_path, "mine.py")
    assert (status, lines, len(complaint)) == (2, [], 1)
    assert complaint[0].startswith(reason)


@pytest.mark.skipif(interpreting(), reason="KIBITZ_INTERPRET=1 asks for plain Python")
def test_rules_that_cannot_be_compiled_are_one_line_and_status_2(tmp_path: Path) -> None:
    rules_file(tmp_path, "    return state.side\n", '    return int(f"{state.side}")\n')
    status, lines, complaint = kibitz_check(tmp_path, "mine.py", compiled=True)
    assert (status, lines, len(complaint)) == (2, [], 1)
    assert complaint[0].startswith("kibitz: mine.py:64: cannot be compiled: ")


def test_a_game_that_does_not_exist_is_one_line_and_status_2(tmp_path: Path) -> None:
    answer = kibitz_check(tmp_path, "nothing.py")
    assert answer == (2, [], ["kibitz: cannot read the rules file 'nothing.py': No such file or directory"])


def test_moves_that_loop_forever_end_at_the_time_limit(tmp_path: Path) -> None:
    rules_file(tmp_path, f"        yield bits.lowest(empty)\n{MOVES}", "        pass\n")
    answer = kibitz_check(tmp_path, "mine.py", "--seconds", "6")
    assert answer == (2, [], ["kibitz: mine.py: not done after 6 seconds, in moves() at mine.py:70"])


def test_moves_that_never_stop_yielding_break_a_law(tmp_path: Path) -> None:
    rules_file(tmp_path, MOVES, "")
    status, lines, _ = kibitz_check(tmp_path, "mine.py")
    at = lines.index("FAIL  there are never more moves than declared")
    assert lines[at + 1] == "      more moves or outcomes than the 9 that max_moves declares"
    assert status == 1


def test_a_law_that_loops_forever_ends_at_the_time_limit(tmp_path: Path) -> None:
    rules_file(
        tmp_path,
        "    cells = top_row_first(notation",
        "    while True:\n        pass\n    cells = top_row_first(notation",
    )
    status, lines, complaint = kibitz_check(tmp_path, "mine.py", "--seconds", "10")
    at = lines.index("FAIL  a position is read as it was written")
    assert lines[at + 1].startswith("      not done after 10 seconds, in read() at mine.py:")
    assert lines[-1].startswith("1 of ")
    assert (status, complaint) == (1, [])


def test_rules_that_crash_are_reported_as_such(tmp_path: Path) -> None:
    crash = 'def layout() -> Layout:\n    """The board'
    rules_file(tmp_path, crash, crash.replace('"""', 'import os\n\n    os.kill(os.getpid(), 11)\n    """', 1))
    status, lines, complaint = kibitz_check(tmp_path, "mine.py")
    assert lines[-3].startswith("FAIL  ")
    assert lines[-2] == f"      the rules crashed the process ({signal.SIGSEGV.name})"
    assert (status, complaint) == (1, [])


def test_rules_that_crash_at_once_are_one_line_and_status_2(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    answer = kibitz_check(tmp_path, "mine.py")
    assert answer == (2, [], ["kibitz: mine.py: before the first law, the rules crashed the process (SIGKILL)"])


def test_rules_that_end_the_process_are_reported_as_such(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit(3)\n")
    answer = kibitz_check(tmp_path, "mine.py")
    assert answer == (2, [], ["kibitz: mine.py:1: the file ends the program when it is loaded"])


def test_what_rules_print_does_not_disturb_the_verdicts(tmp_path: Path) -> None:
    rules_file(tmp_path, "def start() -> State:", 'def start() -> State:\n    print("pass")')
    status, lines, complaint = kibitz_check(tmp_path, "mine.py", "--games", "1")
    assert (status, set(complaint)) == (0, {"pass"})
    assert "pass" not in lines


def test_a_file_may_hold_several_games_and_options_follow_the_name(tmp_path: Path) -> None:
    path = rules_file(tmp_path)
    path.write_text(path.read_text() + "\nfrom dataclasses import replace\nother = replace(mine, name='other')\n")
    assert "holds several games" in kibitz_check(tmp_path, "mine.py").complaint[0]
    assert kibitz_check(tmp_path, "mine.py:other", "--games", "1").status == 0


def test_an_abandoned_check_leaves_no_process_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")
    path = rules_file(
        tmp_path,
        "def start() -> State:\n",
        f"def start() -> State:\n    open({str(tmp_path / 'id')!r}, 'w').write(str(__import__('os').getpid()))\n",
    )
    results = check(str(path), games=1)
    next(results)
    results.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "id").read_text()), 0)
