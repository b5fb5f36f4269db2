"""The `sat` solver: any topology and any rules, by a SAT solver with lazy cuts for rings.

A variable for each edge says whether a path goes along it. Sources have one edge, other nodes two (or none, where they
may stay empty). Each node carries a colour as a binary number: a source its own, joined nodes the same. Under strict
rules neighbours that are not joined differ in some bit. Rings have no source and are cut when they turn up.

Measured on 40x40 boards, binary colours take less than half the time of one variable for each node and colour.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from kibitz.core.extras import require
from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT, Search
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.graph import Edge
from kibitz.puzzles.flow.spikes import impossible_turns

Clauses = list[list[int]]
ENGINE = "glucose4"
_CONFLICTS = 500  # between two looks at the limit


class Sat(Search):
    """Clauses, a model, cuts, and again."""

    name: ClassVar[str] = "sat"

    def __init__(self, board: Board, limit: Limit = NO_LIMIT, engine: str = ENGINE) -> None:
        super().__init__(board, limit)
        self._engine = engine
        self.cuts = 0  # rings that turned up

    def solutions(self) -> Iterator[Solution]:
        require("sat")
        from pysat.solvers import Solver  # type: ignore[import-untyped]

        formula = Formula(self.board)
        with no_pauses():
            solver = Solver(self._engine, bootstrap_with=formula.clauses())
        with solver:
            while self._has_model(solver):
                joined = formula.joined(solver.get_model())
                paths, rings = _walked(self.board, joined)
                for ring in rings or [joined]:
                    solver.add_clause([-formula.edge[edge] for edge in ring])
                self.cuts += len(rings)
                if not rings:
                    yield Solution(self.board, paths)

    def _has_model(self, solver: Any) -> bool:
        answer = None
        while answer is None:
            self.tick()
            solver.conf_budget(_CONFLICTS)
            answer = solver.solve_limited()
            self.nodes = solver.accum_stats()["decisions"]
        return bool(answer)


@contextmanager
def no_pauses() -> Iterator[None]:
    """Keep the cyclic garbage collector from walking over a hundred thousand new lists again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Formula:
    """A board as clauses over numbered variables."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.edge: Mapping[Edge, int] = {edge: number for number, edge in enumerate(board.graph.edges, 1)}
        edges, nodes, width = len(self.edge), len(board.graph.nodes), max(1, (len(board.sources) - 1).bit_length())
        self._bits = edges + 1 + np.arange(nodes * width).reshape(nodes, width)  # the variables of a node's colour
        self._differ = edges + 1 + nodes * width + np.arange(edges * width).reshape(edges, width)
        self._filled = 1 + edges + (nodes + edges) * width  # the variable of the first node

    def clauses(self) -> Clauses:
        """Everything but the rings."""
        found = self._degrees() + self._colours() + self._sources()
        if not self.board.fill:
            found += self._emptiness()
        if self.board.touch != "free":
            found += self._faces()
            if self.board.fill:
                turns = impossible_turns(self.board)
                found += [[-self._between(node, one), -self._between(node, other)] for node, one, other in turns]
        return found

    def joined(self, model: list[int]) -> list[Edge]:
        """The edges that a model uses."""
        edges = self.board.graph.edges
        return [edges[variable - 1] for variable in model[: len(edges)] if variable > 0]

    def _between(self, one: int, other: int) -> int:
        return self.edge[(one, other) if one < other else (other, one)]

    def _degrees(self) -> Clauses:
        found: Clauses = []
        sources = self.board.letter_at
        for node, near in enumerate(self.board.graph.neighbours):
            sides = [self._between(node, other) for other in near]
            if node in sources:
                found += _exactly_one(sides)
            elif self.board.fill:
                found += _exactly_two(sides)
            else:
                found += _none_or_two(sides)
        return found

    def _colours(self) -> Clauses:
        """Joined nodes agree in every bit, and a `differ` variable is true only where neighbours do not."""
        ends = np.array(self.board.graph.edges, np.int64).reshape(-1, 2)
        one, other = self._bits[ends[:, 0]], self._bits[ends[:, 1]]
        edge = np.broadcast_to(np.arange(1, len(ends) + 1)[:, None], one.shape)
        differ = self._differ
        rules = [(-edge, -one, other), (-edge, one, -other), (-differ, one, other), (-differ, -one, -other)]
        found: Clauses = [clause for rule in rules for clause in np.stack(rule, axis=-1).reshape(-1, 3).tolist()]
        if self.board.touch == "strict":
            found += [
                [number, *bits, *self._unless_empty(pair)]
                for number, (pair, bits) in enumerate(zip(self.board.graph.edges, differ.tolist(), strict=True), 1)
            ]
        return found

    def _sources(self) -> Clauses:
        found: Clauses = []
        for colour, pair in enumerate(self.board.sources.values()):
            for node in pair:
                found += [[bit if colour >> at & 1 else -bit] for at, bit in enumerate(self._bits[node].tolist())]
        return found

    def _emptiness(self) -> Clauses:
        """Where nodes may stay empty, an edge fills its two nodes, and rules about colours hold for filled ones."""
        filled = [[-number, self._filled + node] for edge, number in self.edge.items() for node in edge]
        return [*filled, *([self._filled + node] for node in self.board.letter_at)]

    def _unless_empty(self, nodes: Iterable[int]) -> list[int]:
        return [] if self.board.fill else [-(self._filled + node) for node in nodes]

    def _faces(self) -> Clauses:
        """A face is not joined on all sides but one: it would be of one colour. Nor is it, where told so, otherwise."""
        found: Clauses = []
        for face in self.board.graph.faces:
            sides = [self._between(*pair) for pair in zip(face, face[1:] + face[:1], strict=True)]
            found += [[-side for side in chosen] for chosen in combinations(sides, len(sides) - 1)]
            if self.board.touch == "no2x2":
                differ = [bit for side in sides for bit in self._differ[side - 1].tolist()]
                found.append([*differ, *self._unless_empty(face)])
        return found


def _exactly_one(sides: list[int]) -> Clauses:
    return [sides, *([-one, -other] for one, other in combinations(sides, 2))]


def _exactly_two(sides: list[int]) -> Clauses:
    if len(sides) < 2:
        return [[]]
    return [*(list(most) for most in combinations(sides, len(sides) - 1)), *_at_most_two(sides)]


def _none_or_two(sides: list[int]) -> Clauses:
    paired = ([-side, *(other for other in sides if other != side)] for side in sides)
    return [*paired, *_at_most_two(sides)]


def _at_most_two(sides: list[int]) -> Clauses:
    return [[-side for side in three] for three in combinations(sides, 3)]


def _walked(board: Board, joined: Iterable[Edge]) -> tuple[dict[str, tuple[int, ...]], list[list[Edge]]]:
    """The paths from source to source, and the rings that are left."""
    ways: dict[int, list[int]] = {}
    for one, other in joined:
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    paths = {letter: tuple(_followed(ways, start)) for letter, (start, _) in board.sources.items()}
    rings = []
    while ways:
        nodes = _followed(ways, next(iter(ways)))
        rings.append([(min(pair), max(pair)) for pair in zip(nodes, nodes[1:] + nodes[:1], strict=True)])
    return paths, rings


def _followed(ways: dict[int, list[int]], start: int) -> list[int]:
    """The nodes along a path or ring, taken out of `ways`."""
    nodes = [start]
    while True:
        onward = [node for node in ways.pop(nodes[-1]) if node in ways]
        if not onward:
            return nodes
        nodes.append(onward[0])
