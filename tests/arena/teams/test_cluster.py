"""The same tournament on Dask, with a real scheduler and worker processes, one of them killed midway."""

import importlib.util
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.arena.contest.openings import Opening
from kibitz.arena.teams import cluster
from kibitz.arena.teams.local import GameFails
from kibitz.core.result import Result
from tests.arena.samples import contest

ROOT = Path(__file__).parent.parent.parent.parent
pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed")
NOWHERE = "tcp://127.0.0.1:1"
# The command with less patience, so that the test need not wait.
SHORT = "import kibitz.arena.teams.cluster as c, kibitz.cli.main as m; c.PATIENCE = 1; m.main()"


def started(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s"},
    )


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler on a free port of this machine."""
    facts = tmp_path / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", str(facts))
    process = started("dask_scheduler", *words)
    try:
        while not facts.exists() or not facts.read_text().strip():
            assert process.poll() is None, "the scheduler does not start"
            time.sleep(0.05)
        yield json.loads(facts.read_text())["address"]
    finally:
        process.kill()
        process.wait()


def start_worker(scheduler: str, folder: Path) -> "subprocess.Popen[bytes]":
    words = (scheduler, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    return started("dask_worker", *words)


@pytest.fixture
def workers(scheduler: str, tmp_path: Path) -> Iterator[list["subprocess.Popen[bytes]"]]:
    found = [start_worker(scheduler, tmp_path) for _ in range(2)]
    yield found
    for worker in found:
        worker.kill()
        worker.wait()


def count(place: Path) -> int:
    if not place.exists():
        return 0
    rows = sqlite3.connect(f"file:{place}?mode=ro", uri=True)
    try:
        return int(rows.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        rows.close()


GUEST = """import helper
def choose(position, limit):
    assert "kibitz-files" in __file__, "it runs where it was written"
    return helper.first(position)
"""


def test_a_worker_killed_midway_loses_no_game_and_files_travel_to_workers_in_another_folder(
    scheduler: str, workers: list["subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    folder, place = tmp_path / "mine", tmp_path / "games.db"
    folder.mkdir()
    (folder / "guest.py").write_text(GUEST)
    (folder / "helper.py").write_text("def first(position):\n    return position.moves()[0]\n")
    (folder / "mygame.py").write_text((ROOT / "tests" / "rules" / "tictactoe.py").read_text())
    words = ("tournament", "mygame.py", "python:guest.py", "random:seed=1", "random", "--games", "60", "--json")
    options = ("--trusted", "--balance", "0", "--plies", "1", "--store", str(place), "--cluster", scheduler)
    command = [sys.executable, "-m", "kibitz.cli", *words, *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tournament:
        while count(place) < 10:
            assert tournament.poll() is None, tournament.communicate()
            time.sleep(0.01)
        workers[0].kill()
        assert count(place) < 180
        out, err = tournament.communicate(timeout=120)
    assert tournament.returncode == 0, err
    assert "Traceback" not in err
    assert count(place) == 180
    players = json.loads(out)["players"]
    assert [player["games"] for player in players] == [120, 120, 120]
    assert [player["failures"] for player in players] == [0, 0, 0]


@pytest.mark.proof
def test_a_tournament_survives_fifty_kills_of_cluster_workers(
    scheduler: str, workers: list["subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    place, dice, kills = tmp_path / "games.db", random.Random(5), 50
    words = ("tournament", "tictactoe", "random", "random:seed=1", "--games", str(40 * kills), "--json")
    options = ("--trusted", "--balance", "0", "--plies", "1", "--store", str(place), "--cluster", scheduler)
    command = [sys.executable, "-m", "kibitz.cli", *words, *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tournament:
        for _ in range(kills):
            before = count(place)
            while count(place) < before + 5:
                assert tournament.poll() is None, tournament.communicate()
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.5))
            workers[0].kill()
            workers.pop(0).wait()
            workers.append(start_worker(scheduler, tmp_path))
        out, err = tournament.communicate(timeout=600)
    assert tournament.returncode == 0, err
    assert count(place) == json.loads(out)["games"] == 40 * kills
    assert [player["failures"] for player in json.loads(out)["players"]] == [0, 0]


def test_where_no_scheduler_answers_that_is_said_in_one_line(tmp_path: Path) -> None:
    words = ("match", "breakthrough", "random", "random", "--trusted", "--balance", "0", "--cluster", NOWHERE)
    answer = subprocess.run(
        [sys.executable, "-c", SHORT, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2
    how_isolated, line = answer.stderr.splitlines()
    assert "players are trusted" in how_isolated
    assert line.startswith(f"kibitz: no scheduler answers at {NOWHERE}")


class FailingFuture:
    """A game that is lost with its worker."""

    status = "error"

    def exception(self) -> Exception:
        return RuntimeError("the worker was killed")


class FailingCluster:
    """A cluster on which no game is ever finished, and as much of Dask's library as games need."""

    def __init__(self) -> None:
        self.submitted = 0
        self.waiting: list[FailingFuture] = []

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def register_plugin(self, plugin: object) -> None: ...

    def submit(self, *given: object, **named: object) -> FailingFuture:
        self.submitted += 1
        return FailingFuture()

    def as_completed(self, futures: list[FailingFuture], raise_errors: bool) -> "FailingCluster":
        self.waiting = list(futures)
        return self

    def add(self, future: FailingFuture) -> None:
        self.waiting.append(future)

    def __iter__(self) -> Iterator[FailingFuture]:
        while self.waiting:
            yield self.waiting.pop(0)


def test_a_guest_that_ends_its_workers_has_lost_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "guest.py").write_text("")
    guest, asked = f"python:{tmp_path / 'guest.py'}", FailingCluster()
    monkeypatch.setattr(cluster, "_library", lambda: asked)
    monkeypatch.setattr(cluster, "_make_plugin", lambda packed: None)
    opening = Opening(number=0, line="", seed=1)
    fixtures = iter(contest(guest, "random").fixtures((guest, "random"), opening, 0))
    games = list(cluster._Sharing(asked, fixtures).play(next(fixtures)))
    assert [(game.record.result, game.record.reason) for game in games] == [
        (Result.SECOND_WINS, "died: with its worker, 3 times"),
        (Result.FIRST_WINS, "died: with its worker, 3 times"),
    ]
    assert asked.submitted == 6
    ours = iter(contest("random", "random:seed=3").fixtures(("random", "random:seed=3"), opening, 0))
    with pytest.raises(GameFails, match="fails on the cluster: the worker was killed"):
        list(cluster._Sharing(asked, ours).play(next(ours)))
