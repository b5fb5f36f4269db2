"""The `sweep` solver: the default for rectangles, also with holes and walls.

It starts from all four corners in turn, each with a slice of nodes that grows, and stays with what comes first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.seam import specialise
from kibitz.core.seam.control import new_control
from kibitz.puzzles.flow import sweep_kernel as kernel
from kibitz.puzzles.flow.answers import NO_LIMIT, GaveUp, Search
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.graph import Edge, Plan

_TOUCH = {"free": kernel.FREE, "no2x2": kernel.NO2X2, "strict": kernel.STRICT}
ALL = 1 << 60
_FIRST_SLICE = 20_000
_LARGEST_SLICE = 2_000_000  # a fraction of a second: how often limits are looked at


@dataclass(frozen=True)
class View:
    """A rectangle seen from one of its corners: as rows of that view, which node lies where."""

    width: int
    nodes: list[int]  # the node of each cell, -1 for a hole
    spots: list[int]  # the cell of each node
    blank: NDArray[np.int32]  # 0 for a cell, -1 for a hole
    doors: NDArray[np.int32]


CORNERS = ((1, 1), (-1, -1), (1, -1), (-1, 1))  # top left, bottom right, top right, bottom left


@lru_cache(maxsize=256)
def _view(plan: Plan, down: int, across: int) -> View:
    """The plan with its rows and columns counted forwards or backwards."""
    graph = plan.graph
    nodes = np.full((plan.rows, plan.columns), -1, np.int32)
    rows, columns = [node.row for node in graph.nodes], [node.column for node in graph.nodes]
    nodes[rows, columns] = np.arange(len(rows))
    nodes = np.ascontiguousarray(nodes[::down, ::across])
    spots = np.zeros(len(rows), np.int32)
    spots[nodes[nodes >= 0]] = np.flatnonzero(nodes >= 0)
    doors = np.zeros(nodes.size, np.int32)
    if graph.edges:
        ends = np.sort(spots[np.array(graph.edges)], axis=1)
        beside = ends[:, 1] - ends[:, 0] == 1
        if plan.columns == 1:
            beside[:] = False
        doors[ends[beside, 0]] |= kernel.RIGHT
        doors[ends[~beside, 0]] |= kernel.DOWN
    return View(plan.columns, nodes.ravel().tolist(), spots.tolist(), np.minimum(nodes.ravel(), 0), doors)


class Run:
    """One sweep under way."""

    def __init__(self, board: Board, down: int, across: int) -> None:
        assert board.graph.plan is not None
        self.board = board
        self.corner = down, across
        self.view = view = _view(board.graph.plan, down, across)
        self.control = new_control()
        cells = view.blank.copy()
        for colour, pair in enumerate(board.sources.values(), 1):
            for node in pair:
                cells[view.spots[node]] = colour
        self._work = np.empty(8 * cells.size, np.int32)
        self._cells = cells
        self._rules = _TOUCH[board.touch], int(board.fill)

    def go(self, nodes: int, wanted: int = 1) -> int:
        """Search on for so many nodes, or until so many more solutions are found."""
        self.control[kernel.WANTED] = self.control[kernel.FOUND] + wanted
        view = self.view
        sweep = specialise(None, kernel.sweep)
        return int(sweep(self._cells, view.doors, view.width, *self._rules, self._work, self.control, nodes))

    @property
    def nodes(self) -> int:
        return int(self.control[kernel.NODES])

    @property
    def found(self) -> int:
        return int(self.control[kernel.FOUND])

    def order(self) -> tuple[int, ...]:
        """The nodes in the order in which they are decided."""
        return tuple(self.view.nodes[cell] for cell in self._order())

    def decided(self) -> list[tuple[int, ...]]:
        """For each node decided so far, in that order, the later nodes that it is joined with."""
        links, nodes, steps = self.links(), self.view.nodes, ((kernel.RIGHT, 1), (kernel.DOWN, self.view.width))
        return [
            tuple(nodes[cell + step] for side, step in steps if links[cell] & side)
            for cell in self._order()[: max(0, int(self.control[kernel.AT]))]
        ]

    def alive(self) -> int:
        """How many partial boards are left to try: patterns that decided cells, and the next one, may still take."""
        size, width = self._cells.size, self.view.width
        choice, links = self._work[size : 2 * size], self._work[2 * size : 3 * size]
        allowed = self._work[3 * size : 4 * size]
        found = 0
        for cell in self._order()[: int(self.control[kernel.AT]) + 1]:
            entered = kernel.LEFT if cell % width and links[cell - 1] & kernel.RIGHT else 0
            if cell >= width and links[cell - width] & kernel.DOWN:
                entered |= kernel.UP
            found += sum(int(allowed[cell]) >> (entered | out << 2) & 1 for out in range(choice[cell], 4))
        return found

    def _order(self) -> list[int]:
        count = max(0, int(self.control[kernel.BEGUN]) - 1)
        found: list[int] = self._work[:count].tolist()
        return found

    def links(self) -> list[int]:
        """The joined sides of each cell decided so far."""
        size = self._cells.size
        found: list[int] = self._work[2 * size : 3 * size].tolist()
        return found

    def edges(self) -> frozenset[Edge]:
        """The edges joined so far."""
        nodes, found = self.view.nodes, set()
        for cell, sides in enumerate(self.links()):
            for side, step in ((kernel.RIGHT, 1), (kernel.DOWN, self.view.width)):
                if sides & side:
                    pair = nodes[cell], nodes[cell + step]
                    found.add((min(pair), max(pair)))
        return frozenset(found)

    def solution(self) -> Solution:
        """The solution it stands at."""
        links, view = self.links(), self.view
        steps = {kernel.LEFT: -1, kernel.UP: -view.width, kernel.RIGHT: 1, kernel.DOWN: view.width}
        paths = {}
        for letter, (start, end) in self.board.sources.items():
            cell, last, before = view.spots[start], view.spots[end], -1
            path = [start]
            while cell != last:
                sides = links[cell]
                for side, step in steps.items():
                    if sides & side and cell + step != before:
                        cell, before = cell + step, cell
                        break
                path.append(view.nodes[cell])
            paths[letter] = tuple(path)
        return Solution(self.board, paths)


class Sweep(Search):
    """Depth-first search along the anti-diagonals."""

    name: ClassVar[str] = "sweep"

    def __init__(self, board: Board, limit: Limit = NO_LIMIT) -> None:
        if not sweeps(board):
            raise KibitzError("solver 'sweep' works on rectangles of squares, expected 'sat' for this topology")
        super().__init__(board, limit)
        self.run: Run | None = None  # the one at work
        self._ended = False
        warm()

    def solutions(self) -> Iterator[Solution]:
        """Solutions from all corners, each once; from the second one on, from a single corner."""
        runs: list[Run] = []
        seen: set[frozenset[Edge]] = set()
        share = _FIRST_SLICE
        for number in count():
            turn = number % len(CORNERS)
            if number < len(CORNERS):
                runs.append(Run(self.board, *CORNERS[turn]))
            for solution in self._spend(runs[turn], share):
                if solution.edges not in seen:
                    seen.add(solution.edges)
                    yield solution
                if len(seen) > 1:
                    yield from self._rest(runs[turn], seen)
                    return
            if self._ended:
                return
            if turn == len(CORNERS) - 1:
                share = min(4 * share, _LARGEST_SLICE)

    def _rest(self, run: Run, seen: set[frozenset[Edge]]) -> Iterator[Solution]:
        """All further solutions of one run."""
        while not self._ended:
            for solution in self._spend(run, _LARGEST_SLICE):
                if solution.edges not in seen:
                    yield solution

    def _spend(self, run: Run, share: int) -> Iterator[Solution]:
        """The solutions that a run finds with its share of nodes."""
        self.run = run
        end = run.nodes + share
        while run.nodes < end:
            before = run.nodes
            status = run.go(min(end - before, self._nodes_left()))
            self.nodes += run.nodes - before
            if status == kernel.EXHAUSTED:
                self._ended = True
                return
            if status == kernel.SOLVED:
                yield run.solution()
            self.tick()

    def _nodes_left(self) -> int:
        return _LARGEST_SLICE if self.limit.nodes is None else max(1, self.limit.nodes - self.nodes)


@cache
def warm() -> None:
    """Compile the sweep, so that no search is charged for it."""
    graph = Plan(1, 2).graph
    Run(Board(graph, {"A": (0, 1)}), *CORNERS[0]).go(1)


def sweeps(board: Board) -> bool:
    """Can this board be swept?"""
    return board.graph.plan is not None and board.graph.plan.flat


def tally(board: Board, most: int, limit: Limit = NO_LIMIT) -> Search:
    """A search that has counted the solutions up to `most` without writing them down: see `found` and `finished`."""
    counted = _Tally(board, limit, most=most)
    counted.run_out()
    return counted


class _Tally(Sweep):
    """Counts with a single sweep that does not stop at solutions."""

    def __init__(self, board: Board, limit: Limit, corner: tuple[int, int] = CORNERS[0], most: int = ALL) -> None:
        super().__init__(board, limit)
        self.most = most
        self.corner = corner

    def run_out(self) -> None:
        """Search to the end."""
        for _ in self:
            pass

    def solutions(self) -> Iterator[Solution]:
        run = Run(self.board, *self.corner)
        status = kernel.PAUSED
        while status == kernel.PAUSED:
            before = run.nodes
            status = run.go(min(_LARGEST_SLICE, self._nodes_left()), self.most - run.found)
            self.nodes += run.nodes - before
            self.found = run.found
            if status == kernel.PAUSED:
                self.tick()
        if status == kernel.SOLVED:
            raise GaveUp(f"{self.most} solutions are enough")
        yield from ()


def nodes_from_each_corner(board: Board, limit: Limit = NO_LIMIT) -> list[int]:
    """How many nodes an exhaustive sweep takes from each corner, up to the limit."""
    counts = []
    for corner in CORNERS:
        proof = _Tally(board, limit, corner)
        proof.run_out()
        counts.append(proof.nodes)
    return counts


def frames(board: Board, most: int = 120) -> list[frozenset[Edge]]:
    """The edges a sweep has joined, at equal steps until its first solution: what solving looks like."""
    total = Sweep(board, Limit(nodes=20 * _LARGEST_SLICE))
    if next(total, None) is None:
        return []
    run = Run(board, *CORNERS[0])
    share = 1 + total.nodes // most
    found = []
    while run.go(share) == kernel.PAUSED:
        found.append(run.edges())
        if len(found) > 4 * most:
            break
    return found
