"""Long commands say how far they have come when their output goes to a file or a pipe."""

import io
import threading
from pathlib import Path

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
    answer = kibitz("solve", "examples/tictactoe.py", "--out", str(tmp_path / "it.table"))
    assert answer.returncode == 0, answer.stderr
    lines = answer.stderr.splitlines()
    stages = ["positions looked at ...", "going back from the ends ...", "verifying ...", "writing ..."]
    assert [line for line in lines if line in stages] == stages
