"""One worker process as the server sees it: started, given a job, told to stop, replaced when it dies."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.web.workers.pool import Job

Facts = dict[str, Any]
LONGEST_LINE = 1 << 26
LOADING = 300.0  # seconds for a worker to get ready: it may have to load an engine on a busy machine
GRACE = 10.0  # seconds beyond its limit before a job is told to stop
MERCY = 5.0  # seconds from there until its worker is ended
PATIENCE = 2.0  # seconds for a worker to end by itself
RESPITE = 1.0  # seconds before a worker that died young is replaced
REMEMBERED = 32  # engines that a worker probably still has at hand

Free = Callable[["Child", "Job", Facts], None]
Lost = Callable[["Child", "Job | None", str], None]


class Child:
    """A process that runs `kibitz.web.workers.worker`."""

    def __init__(self, free: Free, lost: Lost) -> None:
        self.free, self.lost = free, lost
        self.process: asyncio.subprocess.Process | None = None
        self.job: Job | None = None
        self.number = 0
        self.known: dict[tuple[str, str], None] = {}
        self.stopping = False
        self.overdue = False
        self._reader: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Can it take a job?"""
        return self.process is not None and self.process.returncode is None and self.job is None

    async def start(self) -> None:
        """Start the process; it is ready for a job at once and answers when it has woken up."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kibitz.web.workers.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C in the terminal is the server's business
            env=dict(os.environ),
        )
        self.known.clear()
        self._reader = asyncio.create_task(self._read())

    def begin(self, number: int, job: "Job") -> None:
        """Hand over a job. Its time counts from when the worker has everything at hand for it."""
        self.number, self.job, self.overdue = number, job, False
        job.child = self
        self.known.pop(job.affinity, None)
        self.known[job.affinity] = None
        if len(self.known) > REMEMBERED:
            del self.known[next(iter(self.known))]
        self._send({"job": number, "do": job.do, "with": job.given})
        self._allow(LOADING)

    def _allow(self, seconds: float) -> None:
        """So many seconds from now on."""
        self._quiet()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def cancel(self) -> None:
        """Tell it to stop what it does."""
        self._send({"cancel": self.number})

    def kill(self) -> None:
        """End it now."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()

    async def stop(self) -> None:
        """End it for good."""
        self.stopping = True
        self._quiet()
        if self.process is None:
            return
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), PATIENCE)
        except TimeoutError:
            self.kill()
            await self.process.wait()
        if self._reader is not None:
            await self._reader

    def _late(self) -> None:
        """Its time is over: first a word, then force."""
        self.overdue = True
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(MERCY, self.kill)

    def _quiet(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send(self, message: Facts) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        if not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _read(self) -> None:
        """Take what it says until it is gone."""
        assert self.process is not None
        assert self.process.stdout is not None
        began = asyncio.get_running_loop().time()
        async for line in self.process.stdout:
            self._heard(json.loads(line))
        status = await self.process.wait()
        self._quiet()
        job, self.job = self.job, None
        if self.stopping:
            return
        self.lost(self, job, f"the worker process died (status {status})")
        if asyncio.get_running_loop().time() - began < RESPITE:
            await asyncio.sleep(RESPITE)
        await self.start()
        self.lost(self, None, "it is back")

    def _heard(self, message: Facts) -> None:
        job = self.job
        if job is None or message["job"] != self.number:
            return
        if "begun" in message:
            self._allow(job.seconds + GRACE)
            return
        if "update" in message:
            if job.update is not None and not job.answer.done():
                job.update(message["update"])
            return
        self._quiet()
        self.job = None
        self.free(self, job, message)
