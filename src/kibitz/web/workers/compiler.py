"""Where engines are compiled: one process apart that fills the cache on disk, while everybody else goes on."""

import asyncio
import time
from collections import deque
from typing import Any

from kibitz.web.api import safe_agents
from kibitz.web.api.refusals import Refused
from kibitz.web.workers.child import Child
from kibitz.web.workers.pool import Job, fail

SLOWEST = 300.0  # seconds that compiling may take
ANALYSIS = ""  # stands for the engine that analyses, where an agent's text is asked for
TABLE = "table"  # for the same engine with the game's table of perfect play


class Compiler:
    """What has been compiled for this server, and what is being compiled."""

    def __init__(self) -> None:
        self.ready: dict[tuple[str, str], asyncio.Future[Any]] = {}
        self.running: dict[tuple[str, str], asyncio.Future[Any]] = {}
        self.began: dict[tuple[str, str], float] = {}
        self.waiting: deque[Job] = deque()
        self.child = Child(self._free, self._lost)
        self.number = 0

    async def open(self) -> None:
        """Start the process that compiles."""
        await self.child.start()

    async def close(self) -> None:
        """End it."""
        for job in self.waiting:
            fail(job, Refused("busy", "the server is closing"))
        await self.child.stop()

    def key(self, rules: str, agent: str) -> tuple[str, str]:
        """What must be compiled: the game's rules and the agent's kind. Options and numbers compile nothing."""
        return rules, agent if agent in (ANALYSIS, TABLE) else safe_agents.compile_key(agent)

    def prepare(self, rules: str, game: str, agent: str) -> "asyncio.Future[Any]":
        """What to wait for until the agent of this text can be made without compiling."""
        return self._order(self.key(rules, agent), "prepare", {"game": game, "agent": agent})

    def prepare_module(self, game: str) -> "asyncio.Future[Any]":
        """The same for a module with which a browser plays a game by itself."""
        return self._order((game, "module"), "prepare-module", {"game": game})

    def prepare_flow_solver(self) -> "asyncio.Future[Any]":
        """The same for the solver and the generator of Flow puzzles."""
        return self._order(("flow", ""), "prepare-flow", {})

    def _order(self, key: tuple[str, str], verb: str, given: dict[str, Any]) -> "asyncio.Future[Any]":
        if key in self.ready:
            return self.ready[key]
        if key not in self.running:
            job = Job(verb, given, SLOWEST)
            self.running[key] = job.answer
            self.began[key] = time.monotonic()
            job.answer.add_done_callback(lambda answer: self._finish(key, answer))
            self.waiting.append(job)
            self._next()
        return self.running[key]

    def since(self, rules: str, agent: str) -> float:
        """The seconds that it has been running for."""
        return time.monotonic() - self.began.get(self.key(rules, agent), time.monotonic())

    def _finish(self, key: tuple[str, str], answer: "asyncio.Future[Any]") -> None:
        self.running.pop(key, None)
        self.began.pop(key, None)
        if not answer.cancelled() and answer.exception() is None:
            self.ready[key] = answer

    def _next(self) -> None:
        if self.waiting and self.child.idle:
            self.number += 1
            self.child.begin(self.number, self.waiting.popleft())

    def _free(self, child: Child, job: Job, reply: dict[str, Any]) -> None:
        if "done" in reply:
            if not job.answer.done():
                job.answer.set_result(reply["done"])
        else:
            known = {"agent-failed": "compile-failed", "bad-message": "compile-failed"}
            fail(job, Refused(known.get(reply["error"], reply["error"]), reply["message"]))
        self._next()

    def _lost(self, child: Child, job: Job | None, why: str) -> None:
        if job is not None:
            fail(job, Refused("compile-failed", f"compiling failed: {why}"))
        self._next()
