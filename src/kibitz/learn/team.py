"""Who plays the games that are learned from: this process, several on this machine, or the workers of a cluster."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from kibitz.arena.interrupts import put_off_ctrl_c
from kibitz.arena.teams.cluster import Cluster
from kibitz.arena.teams.local import end_with_the_parent
from kibitz.core.network import Network
from kibitz.learn.self_play import Chunk, Setting, Task, play_elsewhere


class Players:
    """Hands stretches of self-play out. `seats` of them can be played at a time."""

    def __init__(self, setting: Setting, seats: int, executor: Executor | None) -> None:
        self.setting = setting
        self.seats = seats
        self._executor = executor

    def submit(self, network: Network, task: Task) -> "Future[Chunk]":
        """Begin a stretch; without others it is played at once."""
        if self._executor is not None:
            with put_off_ctrl_c():  # the first tasks start the processes
                return self._executor.submit(play_elsewhere, self.setting, network, task)
        played: Future[Chunk] = Future()
        played.set_result(play_elsewhere(self.setting, network, task))
        return played


@contextmanager
def gather_players(setting: Setting, jobs: int, cluster: str | None) -> Iterator[Players]:
    """The players, until learning ends."""
    if cluster is not None:
        with Cluster(cluster).connect() as client:
            seats = max(1, sum(client.nthreads().values()))
            executor: Any = client.get_executor(pure=False, retries=2)
            yield Players(setting, seats, executor)
    elif jobs == 1:
        yield Players(setting, 1, None)
    else:
        others = set(multiprocessing.active_children())
        spawning = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, mp_context=spawning, initializer=end_with_the_parent)
        try:
            yield Players(setting, jobs, executor)
        finally:
            for player in set(multiprocessing.active_children()) - others:
                player.kill()  # what it plays is not wanted any more
            executor.shutdown(wait=True, cancel_futures=True)
