"""The same games on a Dask cluster: a game is a task, a lost worker's games are played again."""

import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

import kibitz
from kibitz.arena.contest import BadContest, Fixture, Played
from kibitz.arena.record import Record
from kibitz.arena.referee import Referee
from kibitz.arena.task import GameTask
from kibitz.arena.workers import AHEAD, TRIES, played, tags
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.extras import require

PATIENCE = 20  # seconds until a scheduler must have answered
_referees: dict[int, Referee] = {}  # of this process, one a thread, kept from task to task


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

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Played, None, None]:
        waiting = iter(fixtures)
        first = next(waiting, None)
        if first is None:
            return
        with self._client() as client:
            _check_versions(client)
            yield from _streamed(client, first, waiting)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _library()
        if self.address.startswith("local:"):
            count = int(self.address.partition(":")[2])
            with (
                distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=None, silence_logs=50
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


def _check_versions(client: Any) -> None:
    """Games of different versions are not one tournament."""
    client.wait_for_workers(1, timeout=PATIENCE)
    for worker, version in client.run(_version).items():
        if version != kibitz.__version__:
            raise NoCluster(f"worker {worker} has Kibitz {version}, expected {kibitz.__version__} as here")


def _version() -> str:
    return kibitz.__version__


def _streamed(client: Any, first: Fixture, waiting: Iterator[Fixture]) -> Iterator[Played]:
    """Hand games out as they finish; never more on the cluster than it needs to stay busy."""
    seats = max(1, sum(client.nthreads().values()))
    held = {_submitted(client, fixture): fixture for fixture in [first, *islice(waiting, AHEAD * seats - 1)]}
    tries: dict[Fixture, int] = {}
    stream = _library().as_completed(list(held), raise_errors=False)
    for future in stream:
        fixture = held.pop(future)
        if future.status == "finished":
            yield played(fixture, future.result())
            fresh = next(waiting, None)
        else:
            fresh = _again(fixture, future, tries)
        if fresh is not None:
            again = _submitted(client, fresh)
            held[again] = fresh
            stream.add(again)


def _submitted(client: Any, fixture: Fixture) -> Any:
    return client.submit(play_here, fixture.task, tags(fixture), pure=False, retries=TRIES)


def _again(fixture: Fixture, future: Any, tries: dict[Fixture, int]) -> Fixture:
    """A game that was lost with its worker, unless it is lost again and again or makes no sense."""
    problem = future.exception()
    if isinstance(problem, KibitzError):
        raise problem
    tries[fixture] = tries.get(fixture, 0) + 1
    if tries[fixture] == TRIES:
        first, second, opening = fixture.key
        raise BadContest(f"the game {first} v {second}, opening {opening + 1}, fails on the cluster: {problem}")
    return fixture


def play_here(task: GameTask, its_tags: Mapping[str, str]) -> Record:
    """A task of the cluster: play one game in this worker, whose referee keeps players ready for the next."""
    here = threading.get_ident()
    if here not in _referees:
        _referees[here] = Referee()
    return _referees[here].play(task, its_tags)
