"""Trials for hints: the side of a cell whose wrong state is refuted soonest."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.core.seam.control import new_control
from kibitz.puzzles.flow import probe_kernel as kernel
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.graph import Edge, Plan
from kibitz.puzzles.flow.knowledge import BARRED, JOINED, OPEN, Conclusion
from kibitz.puzzles.flow.propagation import arguments


class Prober:
    """Makes trials on a board whose solution is known, so that only what is wrong is tried."""

    def __init__(self, board: Board, solution: frozenset[Edge]) -> None:
        self._given = arguments(board)
        size, sides = board.graph.size, board.graph.sides
        self._answer = np.zeros(kernel.REGIONS + size, np.int32)
        nothing = np.zeros(size * sides, np.int32)
        self._probe(nothing, nothing, np.zeros(1, np.int64))
        near = self._given[6].near[: size * sides].tolist()
        number_of = {edge: number for number, edge in enumerate(board.graph.edges)}
        ends = [(place // sides, other) for place, other in enumerate(near)]
        self._edge = np.array([number_of.get((min(pair), max(pair)), -1) for pair in ends])
        self._opposite = np.array([BARRED if edge in solution else JOINED for edge in board.graph.edges], np.int32)

    def find(self, state: Sequence[int], patience: Sequence[int]) -> tuple[Conclusion, int] | None:
        """An edge whose opposite fails, and after how many steps; `state` is that of each edge."""
        known = np.array([*state, BARRED], np.int32)
        wrong = np.where(known == OPEN, np.append(self._opposite, OPEN), OPEN).astype(np.int32)
        kind = self._probe(known[self._edge], wrong[self._edge], np.array(patience, np.int64))
        if kind == kernel.NOTHING:
            return None
        place, steps, node = self._answer[: kernel.REGIONS].tolist()
        number = int(self._edge[place])
        joined = bool(self._opposite[number] == BARRED)
        return Conclusion(number, joined, "closed" if kind == kernel.CLOSED else "trial", node), steps

    def _probe(self, *known: NDArray[Any]) -> int:
        return int(specialise(None, kernel.probe)(*self._given, new_control(), *known, self._answer))


def warm() -> None:
    """Compile the trials."""
    board = Board(Plan(1, 2).graph, {"A": (0, 1)})
    Prober(board, frozenset({(0, 1)}))
