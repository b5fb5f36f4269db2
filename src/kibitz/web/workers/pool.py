"""Worker processes and who may use them next.

Moves go before studies (analyses, trees, puzzles), and studies never take the last worker, so that a click is answered
however much others analyse. A study that has had its share makes room when others wait, and goes on later.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kibitz.web.api.refusals import Refused
from kibitz.web.workers.child import Child

Facts = dict[str, Any]
TOO_SLOW = "the work took longer than its limit allows"
SHARE = 3.0  # seconds of a study that others wait behind, the first time
MOST_SHARE = 24.0  # and at most


@dataclass(eq=False)
class Job:
    """Something for a worker to do."""

    do: str
    given: Facts
    seconds: float  # it should not take longer
    study: bool = False
    patient: bool = False  # may be broken off and begun again
    update: Callable[[Facts], None] | None = None
    wait: Callable[[bool], None] | None = None  # told when the job begins to wait for others, and when it goes on
    answer: "asyncio.Future[Facts]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    child: "Child | None" = None
    began: float = 0.0
    yielding: bool = False  # told to make room for others
    share: float = SHARE  # seconds that it may have while others wait
    waiting: bool = False  # was it said that it waits?

    @property
    def affinity(self) -> tuple[str, str]:
        """What a worker should have at hand for it."""
        return self.given.get("game", ""), self.given.get("agent", self.do)


class Pool:
    """Workers, and two queues before them."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.children: list[Child] = []
        self.moves: deque[Job] = deque()
        self.studies: deque[Job] = deque()
        self.numbers = itertools.count(1)
        self.closed = False
        self._turnover: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Start the workers."""
        self.children = [Child(self._free, self._lost) for _ in range(self.size)]
        await asyncio.gather(*(child.start() for child in self.children))

    async def close(self) -> None:
        """End them; whoever waits is told."""
        self.closed = True
        for job in [*self.moves, *self.studies]:
            fail(job, Refused("busy", "the server is closing"))
        self.moves.clear()
        self.studies.clear()
        await asyncio.gather(*(child.stop() for child in self.children))

    @property
    def waiting(self) -> int:
        """How many studies wait."""
        return len(self.studies)

    async def run(self, job: Job) -> Facts:
        """The job's answer. Cancelling the caller frees the worker."""
        (self.studies if job.study else self.moves).append(job)
        self._dispatch()
        if job in self.studies:
            tell_waiting(job, True)
        try:
            return await job.answer
        finally:
            self._forget(job)

    def _forget(self, job: Job) -> None:
        """Nobody waits for it any more: out of the queue, or its worker is told to stop."""
        for waiting in (self.moves, self.studies):
            with suppress(ValueError):
                waiting.remove(job)
        if job.child is not None and job.child.job is job:
            job.child.cancel()

    def _dispatch(self) -> None:
        """Give waiting jobs to idle workers."""
        if self.closed:
            return
        while idle := [child for child in self.children if child.idle]:
            if self.moves:
                job = self.moves.popleft()
            elif self.studies and self._studying() < self._most_studies:
                job = self.studies.popleft()
            else:
                break
            chosen = next((child for child in idle if job.affinity in child.known), idle[0])
            self._begin(chosen, job)
        if self.studies and self._turnover is None:
            self._turnover = asyncio.get_running_loop().call_later(SHARE / 4, self._make_room)

    def _begin(self, child: Child, job: Job) -> None:
        job.began = asyncio.get_running_loop().time()
        job.yielding = False
        tell_waiting(job, False)
        child.begin(next(self.numbers), job)

    def _studying(self) -> int:
        return sum(child.job is not None and child.job.study for child in self.children)

    @property
    def _most_studies(self) -> int:
        return max(1, self.size - 1)

    def _make_room(self) -> None:
        """Where studies wait, one that has had its share is broken off and queued again."""
        self._turnover = None
        now = asyncio.get_running_loop().time()
        running = [child.job for child in self.children if child.job is not None and child.job.patient]
        done = [job for job in running if now - job.began > job.share and not job.yielding]
        if self.studies and done:
            longest = min(done, key=lambda job: job.began)
            longest.yielding = True
            assert longest.child is not None
            longest.child.cancel()
        self._dispatch()

    def _free(self, child: Child, job: Job, reply: Facts) -> None:
        """A worker has answered."""
        if job.yielding and not job.answer.done():
            job.child = None
            left = job.given["limit"]["seconds"] - (asyncio.get_running_loop().time() - job.began)
            job.given["limit"] = {"seconds": max(SHARE, left)}
            job.share = min(2 * job.share, MOST_SHARE)  # a search that is begun again needs longer to get further
            self.studies.append(job)
            tell_waiting(job, True)
        elif "done" in reply:
            if not job.answer.done():
                job.answer.set_result(reply["done"])
        elif child.overdue:
            fail(job, Refused("too-slow", TOO_SLOW))
        else:
            fail(job, Refused(str(reply["error"]), str(reply["message"])))
        self._dispatch()

    def _lost(self, child: Child, job: Job | None, why: str) -> None:
        """A worker has died: its job fails, and another takes its place."""
        if job is not None:
            fail(job, Refused("too-slow", TOO_SLOW) if child.overdue else Refused("agent-failed", why))
        self._dispatch()


def tell_waiting(job: Job, waiting: bool) -> None:
    """Say that a job waits for others, or no longer does."""
    if job.wait is not None and job.waiting != waiting:
        job.wait(waiting)
    job.waiting = waiting


def fail(job: Job, error: Exception) -> None:
    """Tell whoever waits, if anybody does."""
    if not job.answer.done():
        job.answer.set_exception(error)
