"""Ctrl-C, as at a terminal: one line, how to go on where that is possible, no traceback."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kibitz.core.seam.control import STOP, new_control, run_stoppable

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from kibitz.cli.main import main
main()
"""
BEFORE_IT_IS_LOADED = """
import sys

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "kibitz.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
from kibitz.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("words", "begun", "said"),
    [
        ("vampires serve --port 0", "out", "stopped before the end of the game; the same command serves a new one\n"),
        (
            "reproduce wolves --quick",
            "err",
            "stopped after 0 of 1 claims, kept in reproduction.json; the same command goes on from there\n",
        ),
    ],
)
def test_a_long_command_is_stopped_in_one_line(tmp_path: Path, words: str, begun: str, said: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        stream = process.stdout if begun == "out" else process.stderr
        assert stream is not None
        assert stream.readline()
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.splitlines(keepends=True)[-1] == said
    assert "Traceback" not in told


def test_a_command_is_stopped_in_one_line_while_it_is_still_loading() -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE_IT_IS_LOADED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """The compiler is made to take very long; with its thread left behind the command ends all the same."""
    program = PROGRAM.replace("from kibitz.cli.main", STUCK_COMPILER + "from kibitz.cli.main")
    with subprocess.Popen(
        [sys.executable, "-c", program, "perft", "tictactoe", "3"],
        cwd=tmp_path,
        env=os.environ | {"KIBITZ_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "compiling\n"
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, "stopped\n")


def test_ctrl_c_that_another_thread_takes_is_heard() -> None:
    """As the system hands it to any thread, or just before the wait begins."""
    control, over, told = new_control(), threading.Event(), []

    def take() -> None:
        signal.raise_signal(signal.SIGINT)
        for _ in range(1000):
            if control[STOP]:
                break
            time.sleep(0.05)
        told.append(bool(control[STOP]))
        over.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes that share tests out ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            run_stoppable(control, take)
    finally:
        signal.signal(signal.SIGINT, before)
    over.wait(60)
    assert told == [True]


STUCK_COMPILER = """
import time
from kibitz.core.seam import compiler

def compile_for_ever(self, path):
    print("compiling", flush=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    time.sleep(3600)

compiler.Build._compile_to_the_end = compile_for_ever
"""
