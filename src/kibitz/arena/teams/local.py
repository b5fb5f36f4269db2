"""Who plays the games: this process alone, or several workers, each a process with a referee of its own."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NamedTuple, Protocol

from kibitz.arena.interrupts import put_off_ctrl_c
from kibitz.arena.play.fixture import SILENCE, Fixture, PlayedGame, Printed
from kibitz.arena.play.referee import Referee, forfeit_lost_game
from kibitz.arena.play.task import GameTask
from kibitz.arena.players.supervisor import die_with_parent
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError

AHEAD = 2  # games a worker holds, so that it never waits for the next
TRIES = 3  # of a game whose worker died
GRACE = 5.0  # seconds for a process that hung up to say its exit status


class NoAffinity(KibitzError):
    """Processors cannot be shared out as asked for."""


class GameFails(KibitzError):
    """A game that ends every worker that plays it."""


class Team(Protocol):
    """Plays games, in any order, and hands each out as soon as it is finished. Closing the iterator stops the rest."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame, None, None]: ...


class Alone:
    """One game after the other, in this process."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame, None, None]:
        with Referee() as referee:
            for fixture in fixtures:
                record = referee.play(fixture.task, tags(fixture))
                yield make_played_game(fixture, record, referee.printed)


class Workers:
    """Several games at a time on this machine."""

    def __init__(self, jobs: int, affinity: bool = False) -> None:
        self.jobs = jobs
        self.processors = share_processors(jobs) if affinity else []

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame, None, None]:
        bench: list[_Worker] = []
        try:
            yield from _Sharing(iter(fixtures), self.jobs, bench, self.processors).played()
        finally:
            for worker in bench:
                worker.end()


def team_of(jobs: int, affinity: bool = False) -> Team:
    """A team on this machine."""
    return Alone() if jobs == 1 else Workers(jobs, affinity)


def share_processors(jobs: int) -> list[set[int]]:
    """The processors of this process shared out to jobs, as many to each."""
    if not hasattr(os, "sched_getaffinity"):
        raise NoAffinity("this system lets nobody choose processors, expected Linux for --affinity")
    there = sorted(os.sched_getaffinity(0))
    each = len(there) // jobs
    if not each:
        raise NoAffinity(f"{jobs} jobs on {len(there)} processors cannot have one each, expected --jobs {len(there)}")
    return [set(there[each * number : each * (number + 1)]) for number in range(jobs)]


def tags(fixture: Fixture) -> dict[str, str]:
    """What the record says of its place in the contest."""
    return {"Round": str(fixture.round + 1), "Pair": str(fixture.key.opening + 1)}


def make_played_game(fixture: Fixture, record: Record, printed: Printed = SILENCE) -> PlayedGame:
    return PlayedGame(fixture.key, fixture.round, fixture.fingerprint, record, printed)


@dataclass(eq=False)
class _Worker:
    """A process that plays, and the games it holds, the one at hand first."""

    processors: set[int]  # on which it runs, with its players; none: all
    held: deque[Fixture] = field(default_factory=deque)
    process: BaseProcess = field(init=False)
    channel: "Connection[object, object]" = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.channel, far = spawning.Pipe()
        self.process = spawning.Process(target=_work, args=(far, self.processors), daemon=False)
        with put_off_ctrl_c():
            self.process.start()
        far.close()

    def give(self, fixture: Fixture) -> None:
        self.held.append(fixture)
        with suppress(OSError):  # one that died is noticed when it is listened to
            self.channel.send((fixture.task, tags(fixture)))

    def end(self) -> None:
        self.channel.close()
        self.process.kill()
        self.process.join()


@dataclass
class _Sharing:
    """Games handed to workers as they get free; workers are started while there are games for them."""

    source: Iterator[Fixture]
    jobs: int
    bench: list[_Worker]
    processors: Sequence[set[int]] = ()  # of each job
    back: deque[Fixture] = field(default_factory=deque)  # games of workers that died
    deaths: Counter[Fixture] = field(default_factory=Counter)

    def played(self) -> Iterator[PlayedGame]:
        while True:
            self._fill()
            busy = [worker for worker in self.bench if worker.held]
            if not busy:
                return
            ready = wait([worker.channel for worker in busy])
            for worker in busy:
                if worker.channel in ready:
                    yield from self._heard(worker)

    def _fill(self) -> None:
        """First one game for everyone, then one more."""
        for count in range(1, AHEAD + 1):
            for place in range(self.jobs):
                if place < len(self.bench) and len(self.bench[place].held) >= count:
                    continue
                fixture = self.back.popleft() if self.back else next(self.source, None)
                if fixture is None:
                    return
                if place == len(self.bench):
                    self.bench.append(_Worker(self.processors[place] if self.processors else set()))
                self.bench[place].give(fixture)

    def _heard(self, worker: _Worker) -> Iterator[PlayedGame]:
        try:
            answer = worker.channel.recv()
        except (EOFError, OSError):
            yield from self._replace(worker)
            return
        yield _read_answer(worker.held.popleft(), answer)

    def _replace(self, worker: _Worker) -> Iterator[PlayedGame]:
        """A worker died, whatever the cause: its games are played again. A guest whose game keeps ending workers has
        lost it.
        """
        worker.process.join(GRACE)
        worker.end()
        suspect = worker.held[0]
        self.deaths[suspect] += 1
        if self.deaths[suspect] == TRIES:
            how = f"ended its worker {TRIES} times (exit status {worker.process.exitcode}); is there memory enough?"
            yield make_played_game(worker.held.popleft(), give_up(suspect, how))
        self.back.extend(worker.held)
        worker.held.clear()
        worker.start()


def give_up(fixture: Fixture, how: str) -> Record:
    """The record of a game that cannot be played; an error where no guest can be blamed."""
    lost = forfeit_lost_game(fixture.task, tags(fixture), f"died: with its worker, {TRIES} times")
    if lost is None:
        first, second, opening = fixture.key
        raise GameFails(f"the game {first} v {second}, opening {opening + 1}, {how}")
    return lost


class _Answer(NamedTuple):
    """What a worker sends of a game."""

    record: Record
    printed: Printed


def _read_answer(fixture: Fixture, answer: object) -> PlayedGame:
    if isinstance(answer, _Answer):
        return make_played_game(fixture, answer.record, answer.printed)
    if isinstance(answer, KibitzError):
        raise answer
    raise RuntimeError(f"a worker failed: {answer}")


def _work(channel: "Connection[object, tuple[GameTask, Mapping[str, str]]]", processors: set[int]) -> None:
    """The life of a worker. Ctrl-C is the parent's to handle."""
    if processors:
        os.sched_setaffinity(0, processors)
    end_with_the_parent()
    with Referee() as referee:
        while True:
            try:
                task, its_tags = channel.recv()
            except EOFError:
                return
            channel.send(_answer(referee, task, its_tags))


def _answer(referee: Referee, task: GameTask, its_tags: Mapping[str, str]) -> object:
    try:
        return _Answer(referee.play(task, its_tags), referee.printed)
    except KibitzError as error:
        return KibitzError(str(error))
    except Exception:  # noqa: BLE001 - a bug is shown where people look
        return traceback.format_exc()


def end_with_the_parent() -> None:
    """Let this worker ignore Ctrl-C, and end when its parent does: at once where the system can do that, else as soon
    as a thread of it gets its turn.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()
    die_with_parent(parent.pid)


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
