"""Boards made to order: size, topology, number of colours, difficulty and seed. Every board is proven unique.

A cover of the graph by paths (see `weave_kernel`) starts from straight lines and is shaken until it is a puzzle; the
ends of its paths become the sources. Boards with a second solution are thrown away.
"""

import itertools
import string
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.seam import specialise
from kibitz.puzzles.flow import propagation, sweep, trials
from kibitz.puzzles.flow import weave_kernel as kernel
from kibitz.puzzles.flow.answers import NO_LIMIT, Search
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.dice import Dice
from kibitz.puzzles.flow.graph import Graph, Place, Plan, Wrap
from kibitz.puzzles.flow.hints import OutOfTime
from kibitz.puzzles.flow.propagation import Propagate, propagates
from kibitz.puzzles.flow.rating import DIFFICULTIES, Difficulty, difficulty_of
from kibitz.puzzles.flow.sat import Sat
from kibitz.puzzles.flow.solvers import has_one_solution

LETTERS = string.ascii_uppercase + string.digits + string.ascii_lowercase
_MORE_LETTERS = "".join(filter(str.isalnum, map(chr, range(0x391, 0x530))))  # Greek and Cyrillic, for large boards
_STEPS = 25  # moves for each node, first shaken and then cooled
_WARM, _COOL = 2.0, 1.0
_BORDER_SHARE, _BORDER = 0.3, 0.9  # measured: what an end costs there for that share of them, if more nodes lie there
_BRIDGE = 20.0  # what an end costs there
_ATTEMPTS = 200  # covers tried for one board, if nobody sets a limit of time
_SHARES: Mapping[Difficulty | None, tuple[float, float]] = {  # of the usual number of colours: many make a board easy
    None: (1.0, 1.0), "easy": (1.2, 1.9), "medium": (0.9, 1.5), "hard": (0.8, 1.1), "expert": (0.7, 0.95),
}  # fmt: skip
_PROOF = 30_000  # decisions, not seconds, and so few that no SAT solver is asked: a seed gives the same everywhere


@dataclass(frozen=True)
class Order:
    """What is asked for. Without a number of colours there are about as many as a row has cells."""

    plan: Plan
    colours: int | None = None
    difficulty: Difficulty | None = None

    def paths(self, dice: Dice, tilt: float = 1.0) -> int:
        """The number of colours, by chance where none is asked for, times `tilt`."""
        if self.colours is not None:
            return self.colours
        usual = 0.95 * sqrt(self.plan.graph.size) * tilt
        most = self.plan.graph.size // kernel.SHORTEST
        return max(2, min(most, round(usual * dice.between(*_SHARES[self.difficulty]))))


def topology(
    rows: int, columns: int, *, hexagonal: bool = False, wrap: Wrap = "none", holes: int = 0, walls: int = 0,
    bridges: int = 0, seed: int | None = None,
) -> Plan:  # fmt: skip
    """A plan with so many holes, walls and bridges at random places; hexagons form a hexagon, not a rhombus."""
    cut = (min(rows, columns) - 1) // 2 if hexagonal and wrap == "none" else 0
    gone = {
        (row, at) for row in range(rows) for at in range(columns) if not cut <= row + at <= rows + columns - 2 - cut
    }
    dice = Dice(seed)
    inner = [(row, at) for row in range(1, rows - 1) for at in range(1, columns - 1) if (row, at) not in gone]
    if holes + 2 * bridges > len(inner) // 4 or walls > len(inner) // 2 or (hexagonal and bridges):
        raise KibitzError(
            f"{holes} holes, {walls} walls and {bridges} bridges on {columns}x{rows}, expected at most "
            f"{len(inner) // 4} holes, {len(inner) // 2} walls and, on squares only, {len(inner) // 8} bridges"
        )
    crossed = dice.sample(inner, bridges)
    spare = [
        place for place in inner if all(_far(place, bridge) for bridge in crossed)
    ]  # a bridge needs its four sides
    gone |= set(dice.sample(spare, min(holes, len(spare))))
    barred = set()
    for row, at in dice.sample(spare, min(walls, len(spare))):
        barred.add(((row, at), (row, at + 1) if dice.below(2) else (row + 1, at)))
    return Plan(rows, columns, hexagonal, wrap, frozenset(gone), frozenset(crossed), frozenset(barred))


def _far(place: Place, bridge: Place) -> bool:
    return max(abs(place[0] - bridge[0]), abs(place[1] - bridge[1])) > 1


def generate(order: Order, seed: int | None = None, limit: Limit = NO_LIMIT) -> Board:
    """One board."""
    return next(boards(order, seed, limit))


def boards(order: Order, seed: int | None = None, limit: Limit = NO_LIMIT) -> Iterator[Board]:
    """Boards without end, always the same for one seed; it gives up when one takes longer than the limit."""
    maker = BoardMaker(order, Dice(seed))
    warm_generator()
    while True:
        began, attempts, board = time.perf_counter(), 0, None
        while board is None:
            spent = time.perf_counter() - began
            if attempts and (spent > limit.seconds if limit.seconds else attempts == _ATTEMPTS):
                wish = f"{order.difficulty or 'unique'} board of {order.plan.columns}x{order.plan.rows}"
                tried = f"{attempts} attempts and {spent:.1f} s"
                raise KibitzError(f"no {wish} found in {tried}, expected another size, difficulty or number of colours")
            left = None if limit.seconds is None else max(0.001, limit.seconds - spent)
            board = maker.attempt(Limit(seconds=left, nodes=_PROOF))
            attempts += 1
        yield board


class BoardMaker:
    """Makes boards to an order, and learns from those that are not what was asked for."""

    def __init__(self, order: Order, dice: Dice) -> None:
        self.order, self.dice = order, dice
        self._tilt = 1.0  # more colours, or fewer, than usual: many make a board easy
        self._patience = 1.0  # how much longer than usual covers are shaken
        _check(order, order.paths(dice))

    def attempt(self, limit: Limit) -> Board | None:
        """A unique board of the difficulty asked for, if luck will have it and the limit suffices."""
        began = time.perf_counter()
        board = cover(self.order.plan, self.order.paths(self.dice, self._tilt), self.dice, self._patience)
        if board is None:
            self._patience = min(1.2 * self._patience, 32.0)
            self._turn(1.02)
            return None
        proof = _prover(board)(board, _rest(limit, began))
        if has_one_solution(proof) is not True:
            self._turn(1.02)
            return None
        rating = Limit(seconds=_rest(limit, began).seconds)
        return board if self._is_as_hard_as_asked(board, rating) else None

    def _is_as_hard_as_asked(self, board: Board, limit: Limit) -> bool:
        if self.order.difficulty is None:
            return True
        try:
            found = difficulty_of(board, limit)
        except OutOfTime:
            return False
        above = DIFFICULTIES.index(found) - DIFFICULTIES.index(self.order.difficulty)
        self._turn(1.06**above)
        return above == 0

    def _turn(self, factor: float) -> None:
        self._tilt = min(max(self._tilt * factor, 0.4), 8.0)


def _rest(limit: Limit, began: float) -> Limit:
    """What is left of a limit that began then."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(0.001, limit.seconds - (time.perf_counter() - began)))


def _check(order: Order, paths: int) -> None:
    nodes = order.plan.graph.size
    most = min(nodes // kernel.SHORTEST, len(LETTERS + _MORE_LETTERS))
    if not 1 <= paths <= most:
        raise KibitzError(f"{paths} colours on {nodes} cells, expected 1 to {most}")


def _prover(board: Board) -> Callable[[Board, Limit], Search]:
    return Propagate if propagates(board) else Sat


def cover(plan: Plan, paths: int, dice: Dice, patience: float = 1.0) -> Board | None:
    """A board that has a solution; None if the shaking came to no good end."""
    lines = _lines_of(plan, dice.below(2))
    owner, links, tips, lengths = lines.owner.copy(), lines.links.copy(), lines.tips.copy(), lines.lengths.copy()
    control = np.zeros(8, np.int64)
    control[kernel.SEED], control[kernel.PATHS] = dice.number(), lines.paths
    weave = specialise(None, kernel.weave)
    count = 0
    for warmth in (_WARM, _COOL):
        steps = int(_STEPS * patience * owner.size)
        count = weave(
            lines.near, plan.graph.sides, lines.prices, paths, steps, warmth, owner, links, tips, lengths, control
        )
    if count != paths or lengths[:count].min() < kernel.SHORTEST or (lines.prices[tips[: 2 * count]] >= _BRIDGE).any():
        return None
    pairs = tips[: 2 * count].reshape(-1, 2).tolist()
    letters = LETTERS + _MORE_LETTERS
    return Board(plan.graph, {letters[at]: (one, other) for at, (one, other) in enumerate(sorted(map(sorted, pairs)))})


@dataclass(frozen=True)
class _Lines:
    """What every cover of a plan starts from."""

    near: NDArray[np.int32]
    prices: NDArray[np.float64]
    owner: NDArray[np.int32]
    links: NDArray[np.int32]
    tips: NDArray[np.int32]
    lengths: NDArray[np.int32]
    paths: int


@lru_cache(maxsize=64)
def _lines_of(plan: Plan, axis: int) -> _Lines:
    graph = plan.graph
    size = len(graph.nodes)
    near = np.full((size, graph.sides), -1, np.int32)
    for node, others in enumerate(graph.neighbours):
        near[node, : len(others)] = others
    border = np.array(graph.border)
    price = _BORDER * (sum(graph.border) / size - _BORDER_SHARE)
    prices = np.where([bool(node.layer) for node in graph.nodes], _BRIDGE, price * border)
    owner, links = np.zeros(size, np.int32), np.full(2 * size, -1, np.int32)
    tips, lengths = np.zeros(2 * size + 2, np.int32), np.zeros(size + 1, np.int32)
    lines = _lines(graph, axis)
    for index, line in enumerate(lines):
        owner[line] = index
        tips[2 * index], tips[2 * index + 1], lengths[index] = line[0], line[-1], len(line)
        for one, other in itertools.pairwise(line):
            links[2 * one + 1], links[2 * other] = other, one
    return _Lines(near.ravel(), prices, owner, links, tips, lengths, len(lines))


def _lines(graph: Graph, axis: int) -> list[list[int]]:
    """The nodes in straight lines along the rows or the columns, broken at holes and walls; a ring is cut in two."""
    plan = graph.plan
    assert plan is not None
    edges = set(graph.edges)
    lines: list[list[int]] = []
    for place, nodes in sorted(graph.places.items(), key=lambda item: item[0][::-1] if axis else item[0]):
        for layer, node in enumerate(nodes):
            last = lines[-1][-1] if lines else -1
            if len(nodes) > 1 and layer != axis:
                lines.insert(0, [node])
            elif (last, node) in edges and _in_line(graph, last, place, axis):
                lines[-1].append(node)
            else:
                lines.append([node])
    return [part for line in lines for part in _opened(line, edges)]


def _in_line(graph: Graph, last: int, place: Place, axis: int) -> bool:
    return (graph.nodes[last].row, graph.nodes[last].column)[axis] == place[axis]


def _opened(line: list[int], edges: set[tuple[int, int]]) -> list[list[int]]:
    ring = len(line) > 2 and (min(line[0], line[-1]), max(line[0], line[-1])) in edges
    return [line[: len(line) // 2], line[len(line) // 2 :]] if ring else [line]


def warm() -> None:
    """Compile everything that Flow boards need, so that their first use is instant."""
    warm_generator()
    sweep.warm()


@cache
def warm_generator() -> None:
    """Compile or load what makes boards, so that no limit is charged for it."""
    propagation.warm()
    trials.warm()
    cover(Plan(2, 3), 1, Dice(1))
