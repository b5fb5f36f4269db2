"""Solve the start of a game by proof search, on several threads, so that it can be stopped and resumed at any time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.limit import UNBOUNDED
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.proofs import checkpoint as files
from kibitz.proofs.alquerque.hold_search import hold_root
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.alquerque.strategy_writer import strategy_of
from kibitz.proofs.certificate import Certificate
from kibitz.proofs.dfpn import DELTA, PHI, SHOWN, THREAD, new_stacks, prove_root
from kibitz.proofs.evidence import Gathering
from kibitz.proofs.hash_table import new_table
from kibitz.proofs.question import HOLDING, Question
from kibitz.search.budget import MOST_NODES, NODES

Integers = NDArray[np.int64]
Watch = Callable[["Standing"], None]

GLANCE = 0.5  # seconds between two looks at the search
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
        self._paths = np.full((threads, SHOWN), -1, np.int64)
        self._controls = [self._control(thread) for thread in range(threads)]
        self._run = _compiled(question)
        self._spent = files.Progress(question.text)
        self._spare, self._stacks = self._control(0), new_stacks()
        self._answer: Standing | None = None
        self.began = time.perf_counter()
        self._prove(np.ones(16, np.int64), question.code)  # compiled before any thread starts

    def _control(self, thread: int) -> Integers:
        control = np.zeros(16, np.int64)
        control[MOST_NODES], control[THREAD], control[PHI], control[DELTA] = UNBOUNDED, thread, 1, 1
        return control

    def _prove(self, control: Integers, code: int) -> None:
        self._run(code, *new_stacks(), self._paths, self.table, *self.question.ground, control)

    @property
    def standing(self) -> Standing:
        nodes = self._spent.nodes + sum(int(control[NODES]) for control in self._controls)
        holds = None
        for control in self._controls:
            if control[PHI] == 0 or control[DELTA] == 0:
                holds = bool(control[PHI] == 0)
        return Standing(self.question, holds, nodes, self._spent.seconds + time.perf_counter() - self.began)

    def resume(self, path: Path) -> None:
        self._spent = files.load(path, self.question.text, self.table)

    def stop_after(self, nodes: int) -> None:
        """Let no thread look at more positions than this."""
        for control in self._controls:
            control[MOST_NODES] = nodes

    def save(self, path: Path) -> None:
        standing = self.standing
        files.save(path, replace(self._spent, nodes=standing.nodes, seconds=standing.seconds), self.table)

    def run(self, path: Path, every: float, seconds: float | None, watch: Watch) -> Standing:
        """Search until the answer is there or the time is over, and save the progress in time."""
        workers = [threading.Thread(target=self._work, args=(control,), daemon=True) for control in self._controls]
        self.began = saved = time.perf_counter()
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                workers[0].join(GLANCE)
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
        self._prove(control, self.question.code)
        if control[PHI] == 0 or control[DELTA] == 0:
            self._stop()

    def certificate(self, watch: Callable[[int, int], None] = lambda found, done: None) -> Certificate:
        """The evidence for the answer that was found. `watch` is told how many positions it has and how many of them
        have been followed up.
        """
        standing, question = self._answered, self.question
        holds = bool(standing.holds)
        claims = Gathering(question, holds, self.table, self._prove_again).run(watch)
        winner, draw_will_do = question.winner(holds), question.draw_will_do(holds)
        game, position = question.game.text, question.position.text
        return Certificate(game, position, winner, draw_will_do, claims, standing.nodes, standing.seconds)

    def strategy(self, watch: Callable[[int, int], None] = lambda found, done: None) -> Strategy:
        """How the side does it that was found to hold; `watch` is told the same."""
        return strategy_of(self.question, self.table, self._answered.nodes, self._answered.seconds, watch)

    @property
    def _answered(self) -> Standing:
        assert self._answer is not None
        assert self._answer.holds is not None
        return self._answer

    def _prove_again(self, code: int) -> None:
        self._spare[:] = self._control(0)
        self._run(code, *self._stacks, self._paths, self.table, *self.question.ground, self._spare)
        if self._spare[PHI] != 0:
            raise KibitzError(f"{self.question.text}: the search and its table contradict each other")

    def _stop(self) -> None:
        for control in self._controls:
            control[STOP] = 1


def _compiled(question: Question) -> Callable[..., int]:
    if question.kernel == HOLDING:
        return specialise(None, hold_root)
    return specialise(None, prove_root, constants={"GAME": question.kernel})
