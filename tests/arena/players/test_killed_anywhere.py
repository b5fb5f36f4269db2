"""Whatever process of a match is killed at whatever instant: no game is lost or doubled, nothing is left behind."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from kibitz.arena.players import owner
from kibitz.arena.players.control_group import find_parents
from kibitz.arena.players.supervised_process import remove_leftovers

LEAVING = 60.0  # seconds in which whoever must end has ended
ROLES = ("supervisor", "worker", "referee")
GUEST = """
import subprocess

def choose(position, limit):
    subprocess.Popen(["sleep", "600"])
    return position.move_ids[len(position.move_ids) // 2]
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends what a killed process has started")


class Match:
    """A match with a guest, on two workers, that goes on from its store each time it is started."""

    def __init__(self, folder: Path, games: int) -> None:
        self.folder = folder
        self.games = games
        self.store = folder / "games.db"
        (folder / "guest.py").write_text(GUEST)

    def start(self) -> psutil.Popen:
        words = [f"python:{self.folder / 'guest.py'}", "random", "--games", str(self.games), "--jobs", "2"]
        terms = ["--nodes", "1", "--plies", "1", "--store", str(self.store)]
        return psutil.Popen(
            [sys.executable, "-m", "kibitz.cli", "match", "tictactoe", *words, *terms],
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def count(self) -> Counter[tuple[str, str, int]]:
        """How often each game is in the store."""
        if not self.store.exists():
            return Counter()
        with closing(sqlite3.connect(self.store)) as rows, suppress(sqlite3.OperationalError):
            return Counter(
                rows.execute("SELECT first, second, opening FROM game JOIN fixture ON fixture.game = game.id")
            )
        return Counter()

    def check_whole(self) -> None:
        """Every game is there, once."""
        assert sorted(self.count().values()) == [1] * self.games


def find_roles(main: psutil.Process) -> dict[str, list[psutil.Process]]:
    """The processes of a match by what they do."""
    found: dict[str, list[psutil.Process]] = {"referee": [main], "worker": [], "supervisor": []}
    for process in descendants(main):
        with suppress(psutil.Error):
            words = " ".join(process.cmdline())
            if "spawn_main" in words:
                found["worker"].append(process)
            elif "supervisor.py" in words:
                found["supervisor"].append(process)
    return found


def descendants(main: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return list(main.children(recursive=True))
    return []


def kill_one(main: psutil.Popen, role: str, dice: random.Random) -> None:
    """Kill a process of this role, if there is one, and see that all it had started ends, too."""
    there = find_roles(main)[role]
    if not there:
        return
    victim = dice.choice(there)
    doomed = {victim, *descendants(victim)}
    with suppress(psutil.Error):
        victim.kill()
    if victim.pid == main.pid:
        main.wait()
    assert wait_until(lambda: not running(doomed)), running(doomed)


def running(processes: set[psutil.Process]) -> list[psutil.Process]:
    found = []
    for process in processes:
        with suppress(psutil.Error):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def wait_until(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + LEAVING
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def find_leftovers(folder: Path) -> list[Path]:
    """Folders and control groups whose process is gone."""
    places = [folder, *find_parents().folders()]
    return [path for place in places for path in place.glob(f"{owner.PREFIX}*") if owner.is_orphan(path.name)]


def kill_again_and_again(folder: Path, times: int, games: int, longest: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    dice = random.Random(times)
    match = Match(folder, games)
    main, before = match.start(), match.count()
    for number in range(times):
        time.sleep(dice.uniform(0.0, longest))
        kill_one(main, ROLES[number % len(ROLES)], dice)
        if main.poll() == 0:  # it was over already
            match.check_whole()
            match.store.unlink()
            before = Counter()
        if main.poll() is not None:
            assert before <= match.count()
            before, main = match.count(), match.start()
    assert main.wait() == 0
    match.check_whole()
    remove_leftovers()
    assert not find_leftovers(folder)


def test_a_match_survives_its_processes_being_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_again_and_again(tmp_path, len(ROLES), 4, 2.0, monkeypatch)


@pytest.mark.proof
def test_a_match_survives_two_hundred_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_again_and_again(tmp_path, 200, 40, 4.0, monkeypatch)
