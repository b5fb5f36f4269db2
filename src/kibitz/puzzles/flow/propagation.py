"""The `propagate` solver: the default for every plan, where cells are filled and paths do not touch themselves.

Boards that it cannot finish within some hundred thousand decisions, such as large ones that wrap round on all sides, go
on with the SAT solver where that is installed.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.extras import missing_modules
from kibitz.core.limit import Limit
from kibitz.core.seam import specialise
from kibitz.core.seam.control import new_control
from kibitz.puzzles.flow import lattice_kernel as lattice
from kibitz.puzzles.flow import propagation_kernel as kernel
from kibitz.puzzles.flow.answers import NO_LIMIT, GaveUp, Search
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.graph import Edge, Plan, PlanGraph
from kibitz.puzzles.flow.sat import Sat

_WRAPS = {"none": 0, "across": lattice.WRAPS_ACROSS, "down": lattice.WRAPS_DOWN,
          "both": lattice.WRAPS_ACROSS | lattice.WRAPS_DOWN}  # fmt: skip
_SLICE = 20_000  # decisions, a fraction of a second: how often limits are looked at
# Decisions before the SAT solver goes on: measured, it takes longer than these on boards that it finishes at all.
_PATIENCE, _LARGE, _PATIENCE_WHEN_LARGE = 300_000, 2500, 30_000


def arguments(board: Board) -> tuple[Any, ...]:
    """A board as kernels take it: its cells, the plan, and arrays to work in."""
    graph = board.graph
    assert isinstance(graph, PlanGraph)
    cells = graph.cells.copy()
    for colour, (one, other) in enumerate(board.sources.values(), 1):
        cells[graph.cell_of[one]] = cells[graph.cell_of[other]] = colour
    plan, room = graph.plan, max(graph.size, cells.size)
    net = kernel.new_net(room, graph.sides)
    return cells, plan.rows, plan.columns, graph.sides, _WRAPS[plan.wrap], graph.walls, *net


class Run:
    """One search under way."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.control = new_control()
        self._given = arguments(board)
        self._paths = np.empty(board.graph.size + 2 * len(board.sources), np.int32)

    def go(self, slice_: int) -> int:
        """Search on for so many decisions, or until one more solution is found."""
        return int(specialise(None, kernel.search)(*self._given, self.control, slice_, self._paths))

    @property
    def nodes(self) -> int:
        return int(self.control[kernel.NODES])

    def solution(self) -> Solution:
        """The solution it stands at."""
        size = self.board.graph.size
        nodes = self._paths.tolist()
        paths = {}
        for at, (letter, (start, _)) in enumerate(self.board.sources.items()):
            path = nodes[nodes[size + 2 * at] : nodes[size + 2 * at + 1]]
            paths[letter] = tuple(path if path[0] == start else path[::-1])
        return Solution(self.board, paths)


class Propagate(Search):
    """Draws every conclusion, then tries."""

    name: ClassVar[str] = "propagate"

    def __init__(self, board: Board, limit: Limit = NO_LIMIT) -> None:
        if not propagates(board):
            raise KibitzError(
                "solver 'propagate' works on plans that are filled by paths that touch nowhere, expected 'sat'"
            )
        super().__init__(board, limit)
        warm()

    def solutions(self) -> Iterator[Solution]:
        run = Run(self.board)
        seen: list[Solution] = []
        while run.nodes < patience_for(self.board) or missing_modules("sat"):
            before = run.nodes
            status = run.go(_SLICE if self.limit.nodes is None else min(_SLICE, max(1, self.limit.nodes - self.nodes)))
            self.nodes += run.nodes - before
            if status == kernel.EXHAUSTED:
                return
            if status == kernel.SOLVED:
                solution = run.solution()
                seen.append(solution)
                yield solution
            self.tick()
        yield from self._continue_with_sat({solution.edges for solution in seen})

    def _continue_with_sat(self, seen: set[frozenset[Edge]]) -> Iterator[Solution]:
        left = None if self.limit.seconds is None else max(0.0, self.limit.seconds - self.seconds)
        rest = Sat(self.board, Limit(seconds=left, nodes=self.limit.nodes))
        before = self.nodes
        for solution in rest:
            self.nodes = before + rest.nodes
            if solution.edges not in seen:
                yield solution
        self.nodes = before + rest.nodes
        if not rest.finished:
            raise GaveUp(rest.reason)


def patience_for(board: Board) -> int:
    """After how many decisions the SAT solver goes on."""
    return _PATIENCE if board.graph.size < _LARGE else _PATIENCE_WHEN_LARGE


@cache
def warm() -> None:
    """Compile the search, so that none is charged for it."""
    Run(Board(Plan(1, 2).graph, {"A": (0, 1)})).go(1)


def propagates(board: Board) -> bool:
    """Can this solver do the board? Where it wraps round, three cells at least, so that neighbours are different."""
    graph, plan = board.graph, board.graph.plan
    if not isinstance(graph, PlanGraph) or plan is None or not board.fill or board.touch != "strict":
        return False
    if plan.bridges and any(graph.cells[graph.cell_of[source]] for source in board.letter_at):
        return False  # a source on a bridge, which no text can say
    across, down = plan.wrap in ("across", "both"), plan.wrap in ("down", "both")
    return not (across and plan.columns < 3) and not (down and plan.rows < 3)
