"""When a referee is killed, nothing of its players is left: not the player, not what it started, however it hangs.

Without a sandbox, in which the kernel sees to that: the match is started with a path on which there is no bubblewrap.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

PATIENCE = 400.0  # seconds for players to get ready, on a machine that has other things to do
LEAVING = 20.0  # seconds in which whoever must end has ended
NOTE = """
import os, pathlib, subprocess, sys
FOLDER = pathlib.Path({folder!r})

def start_others():
    "A child, and a daemon that has left the tree: two forks, a session and an environment of its own."
    child = subprocess.Popen(["sleep", "600"])
    if os.fork() == 0:
        os.setsid()
        daemon = os.fork()
        if daemon == 0:
            os.execve("/bin/sleep", ["sleep", "600"], dict())
        (FOLDER / f"{{daemon}}.pid").touch()
        os._exit(0)
    os.wait()
    (FOLDER / f"{{child.pid}}.pid").touch()
    (FOLDER / f"{{os.getpid()}}.pid").touch()
    (FOLDER / f"{{os.getpid()}}.hangs").touch()
"""
PYTHON_GUEST = """
import re

def choose(position, limit):
    start_others()
    re.match("(a+)+$", "a" * 60 + "b")  # for ages, and no other thread of this process gets a turn
"""
UCI_ENGINE = """
import signal, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("option name UCI_Variant type combo default breakthrough var breakthrough")
        print("uciok", flush=True)
    if word == "isready":
        print("readyok", flush=True)
    if word == "quit":
        sys.exit()
    if word == "go":
        start_others()
        time.sleep(600)
"""


@pytest.fixture
def killing() -> Iterator[list[int]]:
    """Numbers of processes that end with the test."""
    pids: list[int] = []
    yield pids
    for pid in pids:
        with suppress(psutil.Error):
            psutil.Process(pid).kill()


def until(true: Callable[[], bool], patience: float = PATIENCE) -> bool:
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def left(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run."""
    return [process for process in processes if process.is_running() and status(process) != psutil.STATUS_ZOMBIE]


def status(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return str(process.status())
    return str(psutil.STATUS_ZOMBIE)


def descendants(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return list(process.children(recursive=True))
    return []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt what its descendants leave")
@pytest.mark.parametrize("kind", ["python", "uci"])
def test_nothing_is_left_when_a_worker_or_the_whole_match_is_killed(
    tmp_path: Path, kind: str, killing: list[int]
) -> None:
    """Of the two games one hangs in the guest, the other in compiled code of ours."""
    file = tmp_path / "guest.py"
    file.write_text(NOTE.format(folder=str(tmp_path)) + (PYTHON_GUEST if kind == "python" else UCI_ENGINE))
    guest = f"python:{file}" if kind == "python" else f"uci:{sys.executable} {file}"
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "sleep"):
        (programs / name).symlink_to(shutil.which(name) or name)
    terms = ["--games", "2", "--jobs", "2", "--seconds", "600", "--plies", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz.cli", "match", "breakthrough", guest, "engine", *terms],
        cwd=tmp_path,
        env={**os.environ, "PATH": str(programs)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    killing.append(process.pid)
    main = psutil.Process(process.pid)
    assert until(lambda: len(hung(tmp_path)) == 1 and len(players(main)) == 4)
    (guest_pid,) = hung(tmp_path)
    (worker,) = (one for one in main.children() if guest_pid in pids(descendants(one)))
    doomed = [worker, *descendants(worker)]
    killing += noted(tmp_path)
    assert set(noted(tmp_path)) <= pids(doomed)
    worker.kill()
    assert until(lambda: not left(doomed), LEAVING), left(doomed)
    assert until(lambda: len(hung(tmp_path)) == 2), "the game is not played again"
    doomed = [main, *descendants(main)]
    killing += noted(tmp_path)
    process.kill()
    process.wait()
    assert until(lambda: not left(doomed), LEAVING), left(doomed)


def players(main: psutil.Process) -> list[psutil.Process]:
    """The processes in which agents think."""
    return [
        one for one in descendants(main) if words_of(one)[1:4] == ["-P", "-m", "kibitz.arena.players.agent_process"]
    ]


def words_of(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []


def pids(processes: list[psutil.Process]) -> set[int]:
    return {process.pid for process in processes}


def noted(folder: Path) -> list[int]:
    """The guests so far, and what they started."""
    return [int(note.stem) for note in folder.glob("*.pid")]


def hung(folder: Path) -> list[int]:
    """The guests that have begun to hang."""
    return [int(note.stem) for note in folder.glob("*.hangs")]
