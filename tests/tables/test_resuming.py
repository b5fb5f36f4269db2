"""Runs that are killed, stopped or short of room lose nothing; files that were damaged are never believed."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.seam import interpreting
from kibitz.tables import resources
from kibitz.tables import solver as solving
from kibitz.tables.errors import BadTable, CannotSolve, NoRoom
from kibitz.tables.generic import buckets, forward_pass, verification
from kibitz.tables.generic import solver as generic
from kibitz.tables.generic.buckets import Bucket
from kibitz.tables.generic.forward_kernels import BUCKETS
from kibitz.tables.generic.journal import Journal
from kibitz.tables.generic.solution import Solution
from kibitz.tables.progress import Silent
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.solver import SolveTask, solve
from kibitz.tables.table import Table
from kibitz.tables.worker_pool import WorkerPool

pytestmark = pytest.mark.skipif(interpreting(), reason="takes long as plain Python")

ROOT = Path(__file__).parents[2]
TIC_TAC_TOE = f"{ROOT}/tests/rules/tictactoe.py"
FOUR_BY_FOUR = f"{ROOT}/tests/rules/connectfour.py,rows=4,columns=4"
FOUR_SHEEP = "wolves,start=ssss1/5/5/5/1w1w1"
MANY_ROUNDS = 1 << 11  # entries of a buffer: so few that a run takes many rounds

KILLED = """
import os, signal, sys, threading
from pathlib import Path
from kibitz.games import load
from kibitz.tables.generic import forward_pass
from kibitz.tables import solver as solving
from kibitz.tables.progress import Silent

forward_pass.BUFFER_SIZE = {size}

class Doomed(Silent):
    begun = False
    def advance(self, count):
        if not self.begun:
            self.begun = True
            threading.Timer({delay}, os.kill, (os.getpid(), signal.SIGKILL)).start()

solving.solve(solving.SolveTask(load({game!r}), Path({path!r})), Doomed())
os._exit(0)
"""


class Stopped(Silent):
    """Presses Ctrl-C after so many pieces of progress."""

    def __init__(self, after: int) -> None:
        self.left = after

    def advance(self, count: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


class Listener(Silent):
    """Remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def log(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture
def many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward_pass, "BUFFER_SIZE", MANY_ROUNDS)


@pytest.fixture(scope="module")
def noughts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small table."""
    path = tmp_path_factory.mktemp("tables") / "noughts.table"
    solve(SolveTask(games.load(TIC_TAC_TOE), path, jobs=1, verify="full"))
    return path


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Kills.


@pytest.mark.parametrize(("text", "longest"), [(FOUR_BY_FOUR, 0.6), (FOUR_SHEEP, 1.5)], ids=["any game", "by index"])
def test_runs_killed_at_random_moments_and_resumed_give_the_identical_file(
    text: str, longest: float, tmp_path: Path
) -> None:
    game, path = games.load(text), tmp_path / "killed.table"
    straight = tmp_path / "straight.table"
    solve(SolveTask(game, straight, jobs=1))
    dice, killed = random.Random(text), 0
    while killed < 3:
        code = KILLED.format(size=MANY_ROUNDS, delay=dice.uniform(0, longest), game=text, path=str(path))
        ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
        assert ran.returncode in (0, -signal.SIGKILL), ran.stderr.decode()
        assert not path.exists() or path.read_bytes() == straight.read_bytes()
        if ran.returncode == 0:  # it was done before its time: once more, and sooner
            path.unlink()
            longest /= 2
        else:
            killed += 1
    solve(SolveTask(game, path, jobs=2))
    assert path.read_bytes() == straight.read_bytes()
    assert left_in(tmp_path) == ["killed.table", "straight.table"]


@pytest.mark.parametrize("after", [1, 4, 8])
def test_ctrl_c_leaves_what_was_met_and_the_same_command_goes_on(
    after: int, noughts: Path, tmp_path: Path, many_rounds: None
) -> None:
    game, path = games.load(TIC_TAC_TOE), tmp_path / "noughts.table"
    with pytest.raises(KeyboardInterrupt):
        solve(SolveTask(game, path), Stopped(after))
    assert left_in(tmp_path) == ["noughts.table.part"]
    listener = Listener()
    solve(SolveTask(game, path), listener)
    assert "positions that an earlier run has found" in listener.said[1]
    assert path.read_bytes() == noughts.read_bytes()
    assert left_in(tmp_path) == ["noughts.table"]


def interrupted(path: Path) -> Path:
    """The journal of a run that was stopped."""
    with pytest.raises(KeyboardInterrupt):
        solve(SolveTask(games.load(TIC_TAC_TOE), path), Stopped(6))
    return path.with_name(f"{path.name}.part")


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_journal_is_believed_up_to_the_damage(
    seed: int, noughts: Path, tmp_path: Path, many_rounds: None
) -> None:
    path = tmp_path / "noughts.table"
    part = interrupted(path)
    content = bytearray(part.read_bytes())
    content[random.Random(seed).randrange(len(content))] ^= 4
    part.write_bytes(content)
    solve(SolveTask(games.load(TIC_TAC_TOE), path))
    assert path.read_bytes() == noughts.read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
def test_a_journal_that_was_cut_off_is_believed_up_to_there(
    share: float, noughts: Path, tmp_path: Path, many_rounds: None
) -> None:
    path = tmp_path / "noughts.table"
    part = interrupted(path)
    os.truncate(part, int(share * part.stat().st_size))
    solve(SolveTask(games.load(TIC_TAC_TOE), path))
    assert path.read_bytes() == noughts.read_bytes()


def test_the_journal_of_another_game_is_not_believed(noughts: Path, tmp_path: Path, many_rounds: None) -> None:
    path = tmp_path / "noughts.table"
    part = interrupted(path)
    first, rest = part.read_bytes().split(b"\n", 1)
    part.write_bytes(first.replace(b'"rules": "', b'"rules": "0') + b"\n" + rest)
    listener = Listener()
    solve(SolveTask(games.load(TIC_TAC_TOE), path), listener)
    assert len(listener.said) == 1
    assert path.read_bytes() == noughts.read_bytes()


def test_notes_of_layers_without_their_codes_are_not_believed(tmp_path: Path) -> None:
    game, path = games.load(FOUR_SHEEP), tmp_path / "sheep.table"
    with pytest.raises(KeyboardInterrupt):
        solve(SolveTask(game, path, jobs=1), Stopped(40))
    part, notes = tmp_path / "sheep.table.part", tmp_path / "sheep.table.part.json"
    assert notes.exists()
    part.unlink()
    listener = Listener()
    solve(SolveTask(game, path), listener)
    assert len(listener.said) == 1  # nothing about an earlier run
    assert left_in(tmp_path) == ["sheep.table"]


def test_drafts_of_killed_runs_are_cleared_away(tmp_path: Path) -> None:
    (tmp_path / ".noughts.table.x1y2.draft").write_bytes(b"half of it")
    solve(SolveTask(games.load(TIC_TAC_TOE), tmp_path / "noughts.table"))
    assert left_in(tmp_path) == ["noughts.table"]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_file_does_not_depend_on_the_number_of_threads(
    jobs: int, noughts: Path, tmp_path: Path, many_rounds: None
) -> None:
    solve(SolveTask(games.load(TIC_TAC_TOE), tmp_path / "noughts.table", jobs=jobs))
    assert (tmp_path / "noughts.table").read_bytes() == noughts.read_bytes()


# Damage.


def test_a_damaged_byte_anywhere_is_noticed(noughts: Path, tmp_path: Path) -> None:
    game, content = games.load(TIC_TAC_TOE), noughts.read_bytes()
    damaged = tmp_path / "damaged.table"
    dice = random.Random(7)
    for at in [*range(60), *(dice.randrange(len(content)) for _ in range(300)), *range(-40, 0)]:
        place = at % len(content)
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 1 << dice.randrange(8)]) + content[place + 1 :])
        with pytest.raises(BadTable):
            Table.open(damaged, game)


def test_a_table_that_was_cut_off_anywhere_is_refused(noughts: Path, tmp_path: Path) -> None:
    game, content = games.load(TIC_TAC_TOE), noughts.read_bytes()
    damaged = tmp_path / "damaged.table"
    dice = random.Random(8)
    for length in [*range(40), *(dice.randrange(len(content)) for _ in range(100)), len(content) - 1]:
        damaged.write_bytes(content[:length])
        with pytest.raises(BadTable):
            Table.open(damaged, game)


def solved_noughts() -> tuple[Game, Solution]:
    game = games.load(TIC_TAC_TOE)
    with WorkerPool(2, game.max_moves) as pool:
        return game, generic.solve(game, MemoryBudget(1 << 30), pool)


def test_every_wrong_value_is_found_by_looking_one_move_on() -> None:
    game, right = solved_noughts()
    dice = np.random.default_rng(4)
    with WorkerPool(2, game.max_moves) as pool:
        assert verification.count_wrong_values(game, right, pool, None, lambda count: None) == 0
        assert (
            verification.count_wrong_values(
                game, right, pool, verification.sample_numbers(right, 3000), lambda count: None
            )
            == 0
        )
        for at in dice.integers(0, right.size, 20):
            data = right.data.copy()
            wrong = right._replace(data=data)
            wrong.values[at] += 1
            assert verification.count_wrong_values(game, wrong, pool, None, lambda count: None) > 0


def test_a_table_that_contradicts_itself_is_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, wrong = solved_noughts()
    wrong.values[17] += 2
    monkeypatch.setattr(generic, "solve", lambda *given: wrong)
    with pytest.raises(CannotSolve, match="positions of tictactoe do not follow from the next ones"):
        solve(SolveTask(game, tmp_path / "noughts.table", verify="full"))
    assert left_in(tmp_path) == []


# Room.


def test_a_game_that_cannot_fit_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    said = (
        r"breakthrough: at least about [\d,]+ positions, as [\d,]+ random games suggest, and [\d.,]+ GB of memory for "
        r"them; about [\d,]+ would fit into 0.5 GB of memory$"
    )
    with pytest.raises(CannotSolve, match=said):
        solve(SolveTask(games.load("breakthrough"), tmp_path / "b.table", memory=0.5))
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("text", [FOUR_BY_FOUR, FOUR_SHEEP], ids=["any game", "by index"])
def test_a_full_disk_is_said_before_anything_is_written(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(1_000_000, 900_000, 100_000))
    with pytest.raises(CannotSolve, match=r"[GM]B of disk are needed in '.*', but 0.1 MB are free$"):
        solve(SolveTask(games.load(text), tmp_path / "x.table"))
    assert left_in(tmp_path) == []


def test_a_run_that_outgrows_its_memory_goes_on_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many_rounds: None
) -> None:
    path = tmp_path / "four.table"
    game = games.load(FOUR_BY_FOUR)
    with monkeypatch.context() as patch:
        patch.setattr(solving, "budget_memory", lambda asked: MemoryBudget(solving.OVERHEAD + 8_000_000))
        patch.setattr(buckets, "SLOTS", 0)
        patch.setattr(buckets, "SLACK", 0.01)  # so that the guess lets it begin
        with pytest.raises(
            NoRoom, match=r"more positions than fit into 0.26 GB of memory: [\d,]+ were found"
        ) as caught:
            solve(SolveTask(game, path))
    assert f"goes on from '{path}.part'" in str(caught.value)
    assert left_in(tmp_path) == ["four.table.part"]
    listener = Listener()
    solve(SolveTask(game, path), listener)
    assert "going on with the" in listener.said[1]
    assert left_in(tmp_path) == ["four.table"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_disk_that_fills_up_is_told_in_one_line() -> None:
    with open("/dev/full", "r+b", buffering=0) as full, pytest.raises(NoRoom, match="cannot write '/dev/full': No spa"):
        Journal(full, "rules").append([Bucket(name, 1) for name in range(BUCKETS)], False)


def test_a_folder_that_takes_no_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="cannot write"):
        solve(SolveTask(games.load(TIC_TAC_TOE), tmp_path / "no" / "folder" / "x.table"))
    (tmp_path / "x.table.part").mkdir()
    with pytest.raises(CannotSolve, match=r"cannot write '.*x\.table\.part': Is a directory"):
        solve(SolveTask(games.load(TIC_TAC_TOE), tmp_path / "x.table"))
    assert left_in(tmp_path) == ["x.table.part"]


def test_more_memory_than_there_is_is_refused() -> None:
    with pytest.raises(CannotSolve, match=r"999999 GB of memory are asked for, but .* GB are free"):
        resources.budget_memory(999_999)
