"""Every command in surroundings that are not as it hopes: no home, a read-only one, a full disk, a poor terminal."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kibitz.cli.app import app
from tests.robustness.command import kibitz

BOARD = "A__A\nB__B\n"
SHORT = "--seconds 0.2"
COMMANDS = (
    "--help", "games", "agents", "examples", "show tictactoe", "match tictactoe random random --games 2",
    "tournament tictactoe random first --games 2", "report games.db", "store games.db", "replay r.txt",
    "reproduce --list", f"analyse tictactoe {SHORT}", f"best tictactoe {SHORT}", "explain breakthrough",
    "tree tictactoe --depth 2", "bench tictactoe --seconds 0.2", "perft tictactoe 3", "learn --help",
    "solve tictactoe --out t.table", "prove --check ../nothing.proof", "probe tictactoe", "tables", "new mygame",
    "check tictactoe", "engine tictactoe --agent random", "export --help", "warm --help", "cache", "doctor",
    "nets", "play tictactoe",
    "serve --help", "vampires --help", "flow solve b.txt", "flow generate --help", "flow hint b.txt", "flow rate b.txt",
    "flow check b.txt b.txt", "flow explain b.txt", "flow table --help", "flow pack --help", "flow daily --help",
)  # fmt: skip
ALLOWED = {0, 1, 2}
RECORD = """[Format "1"]
[Game "tictactoe"]
[First "a"]
[Second "b"]
[Start "{start}"]
[Opening "0"]
[Seed "0"]
[Result "*"]
[Reason "unfinished"]

*
"""


def test_every_command_is_listed_here() -> None:
    """A command that is new gets a line above."""
    names = {
        name.replace("_", "-")
        for name in (info.name or info.callback.__name__ for info in app.registered_commands if info.callback)
    }
    assert names <= {words.split()[0] for words in COMMANDS}


def prepare(folder: Path) -> None:
    from kibitz.games import catalog

    (folder / "b.txt").write_text(BOARD)
    (folder / "r.txt").write_text(RECORD.format(start=catalog.load("tictactoe").new().text))


def run_all(folder: Path, env: dict[str, str], allowed: set[int] = ALLOWED) -> list[str]:
    """What went wrong in any of the commands: a traceback, or a status that says nothing."""
    faults = []
    for words in COMMANDS:
        found = kibitz(*words.split(), cwd=folder, env=env, stdin=subprocess.DEVNULL)
        if "Traceback" in found.stderr or found.returncode not in allowed:
            faults.append(f"{words}: status {found.returncode}, {found.stderr[-300:]}")
        if found.returncode == 2 and not found.stderr.startswith("kibitz: "):
            reasons = [line for line in found.stderr.splitlines() if line.startswith("kibitz: ")]
            faults += [] if reasons else [f"{words}: no reason, {found.stderr[-300:]}"]
    return faults


@pytest.mark.proof
def test_a_poor_terminal_without_a_home(tmp_path: Path) -> None:
    prepare(tmp_path)
    poor = {
        "TERM": "dumb",
        "LANG": "C",
        "LC_ALL": "C",
        "COLUMNS": "40",
        "HOME": "",
        "XDG_CACHE_HOME": "",
        "XDG_DATA_HOME": "",
    }
    assert run_all(tmp_path, poor) == []


@contextmanager
def mounted(place: Path, options: str) -> Iterator[None]:
    """A small disk of its own; only the system's owner can have one."""
    place.mkdir(exist_ok=True)
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=False).returncode:
        pytest.skip("needs the right to mount a disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.proof
def test_a_home_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with mounted(home, "size=4m"):
        prepare(home)
        subprocess.run(["mount", "-o", "remount,ro", home], check=True)
        env = {"HOME": str(home), "XDG_DATA_HOME": "", "KIBITZ_TABLES": "", "KIBITZ_NETS": ""}
        assert run_all(home, env) == []
        nowhere = env | {"KIBITZ_CACHE": str(home / "cache"), "XDG_CACHE_HOME": ""}
        found = kibitz("perft", "tictactoe", "3", cwd=home, env=nowhere)
    assert found.returncode == 0
    assert found.stderr.count("cannot be written") == 1, found.stderr


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


@pytest.mark.proof
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with mounted(home, "size=2m"):
        prepare(home)
        fill(home / "fill")
        env = {"HOME": str(home), "XDG_DATA_HOME": "", "TMPDIR": str(home)}
        assert run_all(home, env) == []
