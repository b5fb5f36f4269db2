"""The same games on a Dask cluster: a game is a task, a lost worker's games are played again.

The files of agents and games travel by themselves. Each worker checks that the rules and the players have the same
fingerprints there as here: another version of Kibitz, a program that is another one, or a lost file plays no game.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from kibitz.arena.play import fingerprint
from kibitz.arena.play.fixture import Fixture, PlayedGame, Printed
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask
from kibitz.arena.records.record import Record
from kibitz.arena.teams import parcels
from kibitz.arena.teams.local import AHEAD, TRIES, give_up, make_played_game, tags
from kibitz.arena.teams.parcels import Parcel
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.extras import require
from kibitz.games import catalog

PATIENCE = 20  # seconds until a scheduler must have answered
_referees: dict[int, Referee] = {}  # of this process, one a thread, kept from task to task
_places: dict[str, str] = {}  # of this process: from places as tasks name them to where they are here
_same: set[tuple[str, ...]] = set()  # what was compared in this process


class NoCluster(KibitzError):
    """A cluster that cannot be reached or used."""


class Cluster:
    """A team of Dask workers: `tcp://HOST:PORT`, the address of a scheduler, or `local:N`, so many processes here."""

    def __init__(self, address: str) -> None:
        self.address = address
        kind, _, number = address.partition(":")
        if kind == "local" and not (number.isdecimal() and 1 <= int(number) <= 4096):
            raise NoCluster(f"cluster is {quoted(address)}, expected local:N with the number of processes")
        if kind != "local" and "://" not in address:
            raise NoCluster(f"cluster is {quoted(address)}, expected tcp://HOST:PORT or local:N")
        _library()

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame, None, None]:
        waiting = iter(fixtures)
        first = next(waiting, None)
        if first is None:
            return
        with self.connect() as client:
            yield from _Sharing(client, waiting).play(first)

    @contextmanager
    def connect(self) -> Iterator[Any]:
        """A client of the cluster, as soon as it has a worker."""
        with self._client() as client:
            client.wait_for_workers(1, timeout=PATIENCE)
            yield client

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _library()
        if self.address.startswith("local:"):
            count = int(self.address.partition(":")[2])
            with (
                distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
                ) as cluster,
                distributed.Client(cluster) as client,
            ):
                yield client
            return
        try:
            client = distributed.Client(self.address, timeout=PATIENCE)
        except (OSError, ValueError) as problem:
            said = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise NoCluster(f"no scheduler answers at {self.address}: {said}") from None
        with client:
            yield client


def _library() -> Any:
    require("cluster")
    import distributed

    return distributed


class _Sharing:
    """Games handed out as others finish; never more on the cluster than it needs to stay busy."""

    def __init__(self, client: Any, waiting: Iterator[Fixture]) -> None:
        self.client = client
        self.waiting = waiting
        self.held: dict[Any, Fixture] = {}
        self.tries: dict[Fixture, int] = {}
        self.sent: set[str] = set()  # places whose files every worker has

    def play(self, first: Fixture) -> Iterator[PlayedGame]:
        seats = max(1, sum(self.client.nthreads().values()))
        begin = [self._submit(fixture) for fixture in [first, *islice(self.waiting, AHEAD * seats - 1)]]
        stream = _library().as_completed(begin, raise_errors=False)
        for future in stream:
            fixture = self.held.pop(future)
            fresh = None
            if future.status == "finished":
                yield make_played_game(fixture, *future.result())
            elif self._is_lost_again_and_again(fixture, future):
                yield make_played_game(fixture, give_up(fixture, f"fails on the cluster: {future.exception()}"))
            else:
                fresh = fixture
            fresh = fresh or next(self.waiting, None)
            if fresh is not None:
                stream.add(self._submit(fresh))

    def _submit(self, fixture: Fixture) -> Any:
        self._send_files(fixture.task)
        future = self.client.submit(play_here, fixture.task, fixture.parts, tags(fixture), pure=False, retries=TRIES)
        self.held[future] = fixture
        return future

    def _send_files(self, task: GameTask) -> None:
        """Give every worker, also those that join later, the files of a game."""
        fresh = sorted(place for place in parcels.places_of(task) if str(place) not in self.sent)
        if not fresh:
            return
        packed = [parcels.pack(place) for place in fresh]
        self.client.register_plugin(_make_plugin(packed))
        self.sent |= {str(place) for place in fresh}

    def _is_lost_again_and_again(self, fixture: Fixture, future: Any) -> bool:
        """Was this the last attempt at a game that is lost with its worker each time? One that makes no sense is an
        error at once.
        """
        problem = future.exception()
        if isinstance(problem, KibitzError):
            raise problem
        self.tries[fixture] = self.tries.get(fixture, 0) + 1
        return self.tries[fixture] == TRIES


def _make_plugin(packed: Sequence[Parcel]) -> Any:
    """What Dask runs once in each worker, also in one that joins later."""
    base: Any = _library().WorkerPlugin

    class FilesPlugin(base):  # type: ignore[misc]
        """Lays files down."""

        name = f"kibitz-files-{fingerprint.digest([parcel.digest for parcel in packed])}"

        python = sys.executable

        def setup(self, worker: Any) -> None:
            receive_files(packed, self.python)

    return FilesPlugin()


def receive_files(packed: Sequence[Parcel], python: str) -> None:
    """In a worker: lay files down where tasks of this process find them. `python` is that of who sent them."""
    root = Path(tempfile.gettempdir()) / f"kibitz-files-{os.getuid()}"
    _places.update({python: sys.executable, **parcels.unpack(packed, root)})


def play_here(task: GameTask, parts: tuple[str, str, str], its_tags: Mapping[str, str]) -> tuple[Record, Printed]:
    """A task of the cluster: play one game in this worker, whose referee keeps players ready for the next."""
    here = threading.get_ident()
    if here not in _referees:
        _referees[here] = Referee()
    moved = parcels.relocate(task, _places)
    _compare(moved, task, parts)
    record = _referees[here].play(moved, its_tags)
    names = {"FirstAgent": task.first, "SecondAgent": task.second}
    kept = {tag: names.get(tag, text) for tag, text in record.tags.items()}
    own = replace(record, game=record.game.replace(moved.game, task.game), tags=kept)
    return own, _referees[here].printed


def _compare(moved: GameTask, task: GameTask, parts: tuple[str, str, str]) -> None:
    """Games of different code are not one tournament."""
    compared = (moved.game, moved.first, moved.second, *parts)
    if compared in _same or not any(parts):
        return
    game = catalog.load(moved.game)
    rules, *expected = parts
    where = f"the worker on {os.uname().nodename}"
    if fingerprint.of_rules(game) != rules:
        raise NoCluster(f"{where} has other rules of {task.game} than those here: is it the same version of Kibitz?")
    for text, folder, known, shown in zip(
        (moved.first, moved.second), moved.folders, expected, task.names or (task.first, task.second), strict=True
    ):
        if fingerprint.of_agent(text, game, folder) != known:
            raise NoCluster(f"{where} has another {shown} than the one here")
    _same.add(compared)
