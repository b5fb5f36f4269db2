"""What every solver is: a search that hands out solutions one after another, counts, and knows when it is done."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Literal

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.board import Board, Solution

Status = Literal["solved", "unsolvable", "gave up"]
NO_LIMIT = Limit()


class GaveUp(Exception):
    """Raised inside a solver that stops before it has seen everything; the reason is its text."""


class Search(ABC):
    """An iterator over the solutions of a board, each once.

    When it ends, `finished` says whether there are no others: only then is "no solution" a proof.
    """

    name: ClassVar[str]
    proves: ClassVar[bool] = True  # is it fast enough to look for a second solution without being asked?

    def __init__(self, board: Board, limit: Limit = NO_LIMIT) -> None:
        self.board = board
        self.limit = limit
        self.nodes = 0  # decisions tried
        self.assignments = 0  # whole paths tried, by solvers whose values are paths
        self.found = 0
        self.finished = False
        self.reason = ""  # why it gave up
        self._spent = 0.0
        self._began: float | None = None
        self._answers = self._watched()

    @abstractmethod
    def solutions(self) -> Iterator[Solution]:
        """The solver's own work; it raises GaveUp when it stops early."""

    def __iter__(self) -> Iterator[Solution]:
        return self

    def __next__(self) -> Solution:
        self._began = time.perf_counter()
        try:
            solution = next(self._answers)
        finally:
            self._spent += time.perf_counter() - self._began
            self._began = None
        self.found += 1
        return solution

    @property
    def seconds(self) -> float:
        """Time spent searching, without what the caller does between two solutions."""
        return self._spent + (time.perf_counter() - self._began if self._began is not None else 0.0)

    @property
    def status(self) -> Status:
        """Solved once a solution was found; unsolvable only when everything was tried."""
        if self.found:
            return "solved"
        return "unsolvable" if self.finished else "gave up"

    def tick(self) -> None:
        """Give up if the limit is reached."""
        if self.limit.seconds is not None and self.seconds >= self.limit.seconds:
            raise GaveUp(f"{self.limit.seconds:g} seconds are over")
        if self.limit.nodes is not None and max(self.nodes, self.assignments) >= self.limit.nodes:
            raise GaveUp(f"{self.limit.nodes} nodes are spent")

    def _watched(self) -> Iterator[Solution]:
        try:
            yield from self.solutions()
        except GaveUp as why:
            self.reason = str(why)
        else:
            self.finished = True
