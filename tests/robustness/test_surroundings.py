"""Every command in surroundings that are not as it hopes: no home, a read-only one, a full disk, a poor terminal."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kibitz.cli.app import app
from tests.robustness.command import kibitz
from tests.robustness.interrupts import LongCommand, interrupt

BOARD = "A__A\nB__B\n"
SHORT = "--seconds 0.2"
COMMANDS = (
    "--help", "games", "agents", "examples", "show tictactoe", "match tictactoe random random --games 2",
    "tournament tictactoe one=random two=random --games 2", "report games.db", "store games.db", "replay r.txt",
    "replay r.txt --html r.html", "reproduce --list", "reproduce flow --quick", f"analyse tictactoe {SHORT}",
    f"best tictactoe {SHORT}", "explain breakthrough", "tree tictactoe --depth 2 --svg tree.svg",
    "bench tictactoe --seconds 0.2", "perft tictactoe 3",
    "learn tictactoe --positions 16384 --jobs 1 --games 0 --units 8 --out t.net", "solve tictactoe --out t.table",
    "prove breakthrough,rows=5,columns=3 --folder .", "prove --check ../nothing.proof", "probe tictactoe", "tables",
    "new mygame", "check tictactoe --games 2", "engine tictactoe --agent random", "export tictactoe --wasm --out wasm",
    "warm tictactoe --jobs 1", "cache", "cache repair", "doctor", "nets", "nets show breakthrough",
    "nets install t.net tictactoe", "nets remove tictactoe", "play tictactoe", "vampires join 127.0.0.1 1 random",
    "flow solve b.txt", "flow generate --size 4x4", "flow generate --size 4x4 --out .", "flow hint b.txt --svg h.svg",
    "flow rate b.txt", "flow check b.txt b.txt", "flow explain b.txt", "flow table --seconds 0.02",
    "flow pack --count 4 --out pack.html", "flow daily --date 2026-11-16",
    "puzzles --check ../nothing.puzzles",
)  # fmt: skip
SERVERS = (LongCommand("serve --port 0", "Kibitz is at"), LongCommand("vampires serve --port 0", "waiting"))
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
    servers = {server.words.split()[0] for server in SERVERS}
    assert names <= {words.split()[0] for words in COMMANDS} | servers


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
    return faults + [fault for server in SERVERS for fault in _serve(server, folder, env)]


def _serve(server: LongCommand, folder: Path, env: dict[str, str]) -> Iterator[str]:
    """A server begins, or says why not, and ends by Ctrl-C."""
    with tempfile.TemporaryDirectory() as place:
        found = interrupt(server, folder, Path(place) / "output", env)
    if "Traceback" in found.output or found.status not in {0, 2, 130}:
        yield f"{server.words}: status {found.status}, {found.output[-300:]}"


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
        "KIBITZ_NETS": str(tmp_path / "nets"),  # not among the user's own
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
        env = {"HOME": str(home), "XDG_DATA_HOME": "", "KIBITZ_NETS": "", "TMPDIR": str(home)}
        assert run_all(home, env) == []
