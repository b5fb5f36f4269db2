"""Long commands say how far they have come when their output goes to a file or a pipe."""

import io
import threading
from pathlib import Path

import pytest

from kibitz.cli import progress
from kibitz.cli.progress import Lines
from tests.cli.test_commands import kibitz


class Stream(io.StringIO):
    """Says when enough lines were written."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.missing, self.enough = lines, threading.Event()

    def write(self, text: str) -> int:
        self.missing -= text.count("\n")
        if self.missing <= 0:
            self.enough.set()
        return super().write(text)


def test_a_stage_that_lasts_prints_a_line_now_and_then() -> None:
    stream = Stream(3)
    with Lines(stream, every=0.01) as lines:
        lines.start("solving", 400)
        lines.advance(100)
        assert stream.enough.wait(60)
    written = stream.getvalue().splitlines()
    assert written[0] == "solving ..."
    assert written[1].startswith("solving: 100 of 400 (25 %), ")


def test_what_is_reported_in_words_is_printed_when_the_stage_changes() -> None:
    stream = io.StringIO()
    with Lines(stream) as lines:
        lines.report("who wins?", "1 node")
        lines.report("who wins?", "2 nodes")
        lines.report("checking", "1 position")
    assert stream.getvalue().splitlines() == ["who wins?: 1 node", "checking: 1 position"]


def test_solve_names_each_stage(tmp_path: Path) -> None:
    answer = kibitz("solve", "tests/rules/tictactoe.py", "--out", str(tmp_path / "it.table"))
    assert answer.returncode == 0, answer.stderr
    lines = answer.stderr.splitlines()
    stages = ["positions looked at ...", "going back from the ends ...", "verifying ...", "writing ..."]
    assert [line for line in lines if line in stages] == stages


def test_prove_names_each_stage(tmp_path: Path) -> None:
    answer = kibitz("prove", "breakthrough,rows=5,columns=2", "--folder", str(tmp_path), "--memory", "0.01")
    assert answer.returncode == 0, answer.stderr
    stages = ("breakthrough,rows=5,columns=2: who wins?: ", "gathering evidence: ", "checking evidence: ")
    for stage in stages:
        assert any(line.startswith(stage) for line in answer.stderr.splitlines()), answer.stderr


def test_items_are_counted_while_they_are_worked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(1)
    monkeypatch.setattr(progress, "show_bar", lambda **given: Lines(stream, every=0.01, announce=given["announce"]))
    for item in progress.track("ab", "generating", 2):
        if item == "b":
            assert stream.enough.wait(60)
    assert "generating: 1 of 2 (50 %), " in stream.getvalue()
    assert "generating ..." not in stream.getvalue()
