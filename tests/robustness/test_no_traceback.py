"""Whatever is said to a command, and wherever it prints to: no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.json_text import BadJson, parse_json
from kibitz.games import catalog
from kibitz.learn.run import Settings
from kibitz.proofs.prover import ProofSettings
from kibitz.protocols.engine_commands import parse_go
from kibitz.puzzles import flow
from tests.robustness.command import COMMAND, assert_refused, kibitz

DIGITS = "9" * 5000


@pytest.mark.parametrize("word", ["depth", "nodes", "movetime", "wtime", "perft", "mate"])
@pytest.mark.parametrize("value", [DIGITS, f"-{DIGITS}", "\u0663", "1" * 19])
def test_a_go_with_a_number_beyond_reason_is_ignored(word: str, value: str) -> None:
    assert parse_go(f"{word} {value}", 0).ignored == [f"{word} {value}"]


@pytest.mark.parametrize(
    "text", ["a" * 300, "a" * 100_000, "a" * 300 + ".py", "x\0y", "x\0y.py", "../" * 2000 + "x.py"]
)
def test_a_game_text_that_can_be_no_file_is_no_game(text: str) -> None:
    with pytest.raises(KibitzError) as refused:
        catalog.load(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [DIGITS, f'{{"a": [{DIGITS}]}}', "NaN", "[Infinity]", "-Infinity", "1e999", '"\\ud800"', "[" * 5000, "", "\udc80"],
)
def test_json_that_no_program_can_use_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        parse_json(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", DIGITS])
def test_a_flow_board_of_strange_numbers_is_refused(number: str) -> None:
    board = f'{{"nodes": [[0, {number}], [1, 0]], "edges": [[0, 1]], "sources": {{"A": [0, 1]}}}}'
    with pytest.raises(flow.BadPuzzle, match="is no JSON"):
        flow.read(board)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1.0])
def test_a_time_that_is_none_is_refused_before_any_work(tmp_path: Path, number: float) -> None:
    with pytest.raises(KibitzError):
        Settings(game="tictactoe", minutes=number)
    with pytest.raises(KibitzError):
        ProofSettings(tmp_path, seconds=number)


def test_half_a_character_in_a_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text('[Format "1"]\n[Game "\\ud800"]\n')
    assert_refused(kibitz("replay", "r.txt", cwd=tmp_path), "expected a text in quotes")


@pytest.mark.parametrize("words", ["games", "show tictactoe", "tables"])
def test_a_full_standard_output_is_told_in_one_line(tmp_path: Path, words: str) -> None:
    with open("/dev/full", "w") as full:
        found = kibitz(*words.split(), cwd=tmp_path, stdout=full)
    assert_refused(found, "No space left on device")


@pytest.mark.parametrize("words", ["games", "show tictactoe"])
def test_a_broken_pipe_ends_quietly(tmp_path: Path, words: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        found = kibitz(*words.split(), cwd=tmp_path, stdout=write)
    finally:
        os.close(write)
    assert (found.returncode in (0, 141), found.stderr) == (True, "")


CLOSED = """
import os, sys
os.close(int(sys.argv[1]))
os.execv(sys.executable, [sys.executable, "-m", "kibitz.cli", *sys.argv[2:]])
"""


@pytest.mark.parametrize(
    ("stream", "words", "status"),
    [
        (0, "engine tictactoe --agent random", 0),
        (0, "play tictactoe --first random --second random", 0),
        (1, "games", 0),
        (2, "show nothing-like-this", 2),
    ],
)
def test_a_closed_stream_is_no_reason_to_fail(tmp_path: Path, stream: int, words: str, status: int) -> None:
    command = [sys.executable, "-c", CLOSED, str(stream), *words.split()]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == status, found.stderr
    assert "Traceback" not in found.stderr


def test_bytes_that_are_no_text_are_an_unknown_command(tmp_path: Path) -> None:
    command = [*COMMAND, "engine", "tictactoe", "--agent", "random"]
    found = subprocess.run(
        command, input=b"\xff\xfe\nquit\n", cwd=tmp_path, capture_output=True, timeout=300, check=False
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"unknown command" in found.stdout
