"""Threads that run kernels on parts of a range, or on items, and that Ctrl-C stops together."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam.control import STOP, new_control

PART = 1 << 17  # numbers that a thread works on before it asks for more
PATIENCE = 1.0  # seconds for kernels to see that they are stopped by Ctrl-C
Item = TypeVar("Item")
Made = TypeVar("Made")


class WorkerPool:
    """Threads, the control array that their kernels watch, and a buffer of moves for each call."""

    def __init__(self, jobs: int, buffer: int) -> None:
        self.control = new_control()
        self.jobs = jobs
        self._buffer = buffer
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(jobs)
        self._waiting: list[Future[Any]] = []

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        self.control[STOP] = 1
        if kind is KeyboardInterrupt:  # a thread that compiles looks at no flag and is left behind
            wait(self._waiting, PATIENCE)
        self._threads.shutdown(wait=kind is not KeyboardInterrupt, cancel_futures=True)

    def map_range(self, start: int, stop: int, work: Callable[[int, int, NDArray[np.int64]], Any]) -> list[Any]:
        """What the work returns for every part of a range; it is given the part and a buffer for moves."""
        return self.map(split_range(start, stop), lambda part: work(*part, np.empty(self._buffer, np.int64)))

    def map(self, items: Iterable[Item], work: Callable[[Item], Made]) -> list[Made]:
        """What the work returns for every item."""
        self._waiting = [self._threads.submit(work, item) for item in items]
        return [each.result() for each in self._waiting]

    def take_next(self, items: Iterator[Item]) -> Item | None:
        """The next item of those that threads share, None behind the last one."""
        with self._lock:
            return next(items, None)


def split_range(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A range in parts for threads, cut at multiples of eight."""
    cuts = [start, *range((start // PART + 1) * PART, stop, PART), stop]
    yield from ((low, high) for low, high in pairwise(cuts) if low < high)
