"""Boards made to order: size, topology, number of colours, difficulty and seed. Every board is proven unique.

A cover of the graph by paths (see `weave_kernel`) starts from straight lines and is shaken until it is a puzzle; the
ends of its paths become the sources. Boards with a second solution are thrown away.
"""

import itertools
import random
import string
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.random_numbers import PRIME
from kibitz.core.seam import specialise
from kibitz.puzzles.flow import weave_kernel as kernel
from kibitz.puzzles.flow.answers import NO_LIMIT
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.graph import Graph, Place, Plan, Wrap
from kibitz.puzzles.flow.rating import Difficulty, difficulty_of
from kibitz.puzzles.flow.solving import unique

LETTERS = string.ascii_uppercase + string.digits + string.ascii_lowercase
_MORE_LETTERS = "".join(filter(str.isalnum, map(chr, range(0x391, 0x530))))  # Greek and Cyrillic, for large boards
_STEPS = 50  # moves for each node, first shaken and then cooled
_WARM, _COOL = 2.0, 1.0
_BORDER, _BRIDGE = 0.5, 20.0  # what an end costs there
_ATTEMPTS = 200  # covers tried for one board
_SHARES: Mapping[Difficulty | None, tuple[float, float]] = {  # of the usual number of colours: many make a board easy
    None: (1.0, 1.0), "easy": (1.2, 1.9), "medium": (0.9, 1.5), "hard": (0.8, 1.1), "expert": (0.7, 0.95),
}  # fmt: skip
_PROOF = Limit(nodes=2_000_000)


@dataclass(frozen=True)
class Order:
    """What is asked for. Without a number of colours there are about as many as a row has cells."""

    plan: Plan
    colours: int | None = None
    difficulty: Difficulty | None = None

    def paths(self, dice: random.Random) -> int:
        """The number of colours, by chance where none is asked for."""
        usual = 0.95 * len(self.plan.graph.nodes) ** 0.5
        most = len(self.plan.graph.nodes) // kernel.SHORTEST
        chosen = max(2, min(most, round(usual * dice.uniform(*_SHARES[self.difficulty]))))
        return chosen if self.colours is None else self.colours


def topology(
    rows: int, columns: int, *, hexagonal: bool = False, wrap: Wrap = "none", holes: int = 0, walls: int = 0,
    bridges: int = 0, seed: int | None = None,
) -> Plan:  # fmt: skip
    """A plan with so many holes, walls and bridges at random places; hexagons form a hexagon, not a rhombus."""
    cut = (min(rows, columns) - 1) // 2 if hexagonal and wrap == "none" else 0
    gone = {
        (row, at) for row in range(rows) for at in range(columns) if not cut <= row + at <= rows + columns - 2 - cut
    }
    dice = random.Random(seed)
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
    barred = {(place, dice.choice([(place[0], place[1] + 1), (place[0] + 1, place[1])])) for place in
              dice.sample(spare, min(walls, len(spare)))}  # fmt: skip
    return Plan(rows, columns, hexagonal, wrap, frozenset(gone), frozenset(crossed), frozenset(barred))


def _far(place: Place, bridge: Place) -> bool:
    return max(abs(place[0] - bridge[0]), abs(place[1] - bridge[1])) > 1


def generate(order: Order, seed: int | None = None, limit: Limit = NO_LIMIT) -> Board:
    """One board."""
    return next(boards(order, seed, limit))


def boards(order: Order, seed: int | None = None, limit: Limit = NO_LIMIT) -> Iterator[Board]:
    """Boards without end, always the same for one seed; it gives up when one takes longer than the limit."""
    dice = random.Random(seed)
    _check(order, order.paths(dice))
    attempts, began = 0, time.perf_counter()
    while True:
        board = _attempt(order, dice, replace(_PROOF, seconds=limit.seconds))
        attempts += 1
        if board is not None:
            yield board
            attempts, began = 0, time.perf_counter()
        elif attempts == _ATTEMPTS or (limit.seconds and time.perf_counter() - began > limit.seconds):
            wish = f"{order.difficulty or 'unique'} board of {order.plan.columns}x{order.plan.rows}"
            spent = f"{attempts} attempts and {time.perf_counter() - began:.0f} s"
            raise KibitzError(f"no {wish} found in {spent}, expected another size, difficulty or number of colours")


def _check(order: Order, paths: int) -> None:
    nodes = len(order.plan.graph.nodes)
    most = min(nodes // kernel.SHORTEST, len(LETTERS + _MORE_LETTERS))
    if not 1 <= paths <= most:
        raise KibitzError(f"{paths} colours on {nodes} cells, expected 1 to {most}")


def _attempt(order: Order, dice: random.Random, limit: Limit) -> Board | None:
    """A unique board of the difficulty asked for, if luck will have it."""
    board = cover(order.plan, order.paths(dice), dice)
    if board is None or unique(board, limit) is not True:
        return None
    if order.difficulty is not None and difficulty_of(board) != order.difficulty:
        return None
    return board


def cover(plan: Plan, paths: int, dice: random.Random) -> Board | None:
    """A board that has a solution; None if the shaking came to no good end."""
    loom = _loom(plan, dice.randrange(2))
    owner, links, tips, lengths = loom.owner.copy(), loom.links.copy(), loom.tips.copy(), loom.lengths.copy()
    control = np.zeros(8, np.int64)
    control[kernel.SEED], control[kernel.PATHS] = dice.randrange(1, PRIME), loom.paths
    weave = specialise(None, kernel.weave)
    count = 0
    for warmth in (_WARM, _COOL):
        steps = _STEPS * owner.size
        count = weave(
            loom.near, plan.graph.sides, loom.prices, paths, steps, warmth, owner, links, tips, lengths, control
        )
    if count != paths or lengths[:count].min() < kernel.SHORTEST or (loom.prices[tips[: 2 * count]] >= _BRIDGE).any():
        return None
    pairs = tips[: 2 * count].reshape(-1, 2).tolist()
    letters = LETTERS + _MORE_LETTERS
    return Board(plan.graph, {letters[at]: (one, other) for at, (one, other) in enumerate(sorted(map(sorted, pairs)))})


@dataclass(frozen=True)
class _Loom:
    """What every cover of a plan starts from."""

    near: NDArray[np.int32]
    prices: NDArray[np.float64]
    owner: NDArray[np.int32]
    links: NDArray[np.int32]
    tips: NDArray[np.int32]
    lengths: NDArray[np.int32]
    paths: int


@lru_cache(maxsize=64)
def _loom(plan: Plan, axis: int) -> _Loom:
    graph = plan.graph
    size = len(graph.nodes)
    near = np.full((size, graph.sides), -1, np.int32)
    for node, others in enumerate(graph.neighbours):
        near[node, : len(others)] = others
    prices = np.where([bool(node.layer) for node in graph.nodes], _BRIDGE, _BORDER * np.array(graph.border))
    owner, links = np.zeros(size, np.int32), np.full(2 * size, -1, np.int32)
    tips, lengths = np.zeros(2 * size + 2, np.int32), np.zeros(size + 1, np.int32)
    lines = _lines(graph, axis)
    for index, line in enumerate(lines):
        owner[line] = index
        tips[2 * index], tips[2 * index + 1], lengths[index] = line[0], line[-1], len(line)
        for one, other in itertools.pairwise(line):
            links[2 * one + 1], links[2 * other] = other, one
    return _Loom(near.ravel(), prices, owner, links, tips, lengths, len(lines))


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
