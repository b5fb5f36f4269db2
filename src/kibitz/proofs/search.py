"""Solve the start of a game by proof search, on several threads, so that it can be stopped and resumed at any time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.seam import specialise
from kibitz.proofs import checkpoint as checkpoints
from kibitz.proofs.checkpoint import Checkpoint
from kibitz.proofs.control import DELTA, MOST_NODES, NODES, PHI, STOP, new_control
from kibitz.proofs.dfpn import SHOWN, Shared, Stacks, new_stacks
from kibitz.proofs.evidence import Evidence
from kibitz.proofs.hash_table import new_table
from kibitz.proofs.question import Answer, Counts, Question

Integers = NDArray[np.int64]
Watch = Callable[["Standing"], None]

LOOK_SECONDS = 0.5  # between two looks at the search
SHARE = 0.25  # of its time that a young search may lose when it is killed


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a search stands: `holds` says whether the side to move reaches its goal, None while that is open."""

    question: Question
    holds: bool | None
    nodes: int
    seconds: float

    @property
    def answer(self) -> str:
        return "unknown so far" if self.holds is None else self.question.answer(self.holds)


class Search:
    """One question, its table, and the threads that work on it."""

    def __init__(self, question: Question, megabytes: int, threads: int) -> None:
        self.question = question
        self.table = new_table(megabytes)
        self._shared = Shared(np.full((threads, SHOWN), -1, np.int64), self.table)
        self._controls = [new_control(thread) for thread in range(threads)]
        self._run = specialise(None, question.method.kernel, constants=question.method.constants)
        self._spent = Checkpoint(question.text)
        self._spare = new_stacks()
        self._answer: Standing | None = None
        self.began = time.perf_counter()
        stopped = new_control()
        stopped[STOP] = 1
        self._prove(stopped, question.code, self._spare)  # compiled before any thread starts

    def _prove(self, control: Integers, code: int, stacks: Stacks) -> None:
        self._run(code, stacks, self._shared, self.question.board, control)

    @property
    def standing(self) -> Standing:
        nodes = self._spent.nodes + sum(int(control[NODES]) for control in self._controls)
        holds = None
        for control in self._controls:
            if control[PHI] == 0 or control[DELTA] == 0:
                holds = bool(control[PHI] == 0)
        return Standing(self.question, holds, nodes, self._spent.seconds + time.perf_counter() - self.began)

    def resume(self, path: Path) -> None:
        self._spent = checkpoints.load(path, self.question.text, self.table)

    def stop_after(self, nodes: int) -> None:
        """Let no thread look at more positions than this."""
        for control in self._controls:
            control[MOST_NODES] = nodes

    def save(self, path: Path) -> None:
        standing = self.standing
        checkpoints.save(path, replace(self._spent, nodes=standing.nodes, seconds=standing.seconds), self.table)

    def run(self, path: Path, every: float, seconds: float | None, watch: Watch) -> Standing:
        """Search until the answer is there or the time is over, and save the progress in time."""
        workers = [threading.Thread(target=self._work, args=(control,), daemon=True) for control in self._controls]
        self.began = saved = time.perf_counter()
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                workers[0].join(LOOK_SECONDS)
                watch(self.standing)
                now = time.perf_counter()
                if now - saved > min(every, 1 + (now - self.began) * SHARE):
                    self.save(path)
                    saved = time.perf_counter()
                if seconds is not None and now - self.began > seconds:
                    self._stop()
        finally:
            self._stop()
            for worker in workers:
                worker.join()
            self._answer = self.standing
            self.save(path)
        return self._answer

    def _work(self, control: Integers) -> None:
        self._prove(control, self.question.code, new_stacks())
        if control[PHI] == 0 or control[DELTA] == 0:
            self._stop()

    def gather_evidence(self, watch: Counts = lambda found, done: None) -> Evidence:
        """The evidence for the answer that was found."""
        standing = self._answer
        assert standing is not None
        assert standing.holds is not None
        answer = Answer(self.question, standing.holds, standing.nodes, standing.seconds, self.table, self._prove_again)
        return self.question.method.gather(answer, watch)

    def _prove_again(self, code: int) -> None:
        control = new_control()
        self._prove(control, code, self._spare)
        if control[PHI] != 0:
            raise KibitzError(f"{self.question.text}: the search and its table contradict each other")

    def _stop(self) -> None:
        for control in self._controls:
            control[STOP] = 1
