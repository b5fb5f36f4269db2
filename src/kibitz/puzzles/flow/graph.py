"""What a Flow board is made of: nodes, edges between neighbours, and faces.

Every topology is an edit of one lattice, squares or hexagons: a hole removes a node, a wall removes an edge, wrapping
round adds edges, a bridge splits a node into one that is crossed from side to side and one from top to bottom.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Place = tuple[int, int]  # row and column, counted from the top left
Edge = tuple[int, int]  # two nodes, the smaller first
Wrap = Literal["none", "across", "down", "both"]
Layer = Literal["", "across", "down"]
EMPTY_CELL, HOLE_CELL, BRIDGE_CELL = 0, -1, -2

# Steps to the neighbours that come later; a hexagon's columns lean: the cell below is at the lower right.
_SQUARE_STEPS = ((0, 1), (1, 0))
_HEXAGON_STEPS = ((0, 1), (1, 0), (1, -1))
_SQUARE_FACES = (((0, 0), (0, 1), (1, 1), (1, 0)),)
_HEXAGON_FACES = (((0, 0), (0, 1), (1, 0)), ((0, 0), (1, 0), (1, -1)))


class Node(NamedTuple):
    """One place to fill. `x` and `y` say where it is drawn; the two layers of a bridge lie on one place."""

    row: int
    column: int
    x: float
    y: float
    layer: Layer = ""

    @property
    def name(self) -> str:
        """What people call it."""
        return f"row {self.row + 1}, column {self.column + 1}" + (f" ({self.layer})" if self.layer else "")


@dataclass(frozen=True)
class Plan:
    """How a lattice is cut: its size and its edits."""

    rows: int
    columns: int
    hexagonal: bool = False
    wrap: Wrap = "none"
    holes: frozenset[Place] = field(default_factory=frozenset)
    bridges: frozenset[Place] = field(default_factory=frozenset)
    walls: frozenset[tuple[Place, Place]] = field(default_factory=frozenset)

    @property
    def flat(self) -> bool:
        """Is it a rectangle of squares, possibly with holes and walls?"""
        return not self.hexagonal and self.wrap == "none" and not self.bridges

    def moved(self, place: Place, step: Place) -> Place:
        """The place a step away, round the board where it wraps."""
        row, column = place[0] + step[0], place[1] + step[1]
        if self.wrap in ("down", "both"):
            row %= self.rows
        if self.wrap in ("across", "both"):
            column %= self.columns
        return row, column

    def are_neighbours(self, one: Place, other: Place) -> bool:
        """Is the second place, a step away from the first, a cell with no wall between them?"""
        inside = 0 <= other[0] < self.rows and 0 <= other[1] < self.columns
        return (
            inside and one != other and other not in self.holes and (min(one, other), max(one, other)) not in self.walls
        )

    @property
    def graph(self) -> "PlanGraph":
        return _graph_of(self)


class Graph(ABC):
    """Nodes, edges and faces. A face lists its nodes around; only a face whose edges all exist is one."""

    sides: int  # neighbours of a node away from any border
    plan: Plan | None

    @property
    @abstractmethod
    def nodes(self) -> tuple[Node, ...]: ...

    @property
    @abstractmethod
    def edges(self) -> tuple[Edge, ...]: ...

    @property
    @abstractmethod
    def faces(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.nodes)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.nodes]
        for one, other in self.edges:
            found[one].append(other)
            found[other].append(one)
        return tuple(tuple(sorted(nodes)) for nodes in found)

    @cached_property
    def places(self) -> dict[Place, tuple[int, ...]]:
        """The nodes on each place: one, or the two layers of a bridge."""
        found: dict[Place, tuple[int, ...]] = {}
        for index, node in enumerate(self.nodes):
            found[node.row, node.column] = (*found.get((node.row, node.column), ()), index)
        return found

    @cached_property
    def border(self) -> tuple[bool, ...]:
        """Which nodes lack a neighbour that an inner node has; the layers of a bridge never count."""
        return tuple(
            len(near) < self.sides and not node.layer for node, near in zip(self.nodes, self.neighbours, strict=True)
        )


class GivenGraph(Graph):
    """A graph that was given node by node."""

    def __init__(
        self, nodes: tuple[Node, ...], edges: tuple[Edge, ...], faces: tuple[tuple[int, ...], ...], sides: int
    ) -> None:
        self.sides, self.plan = sides, None
        self._parts = nodes, edges, faces

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self._parts[0]

    @property
    def edges(self) -> tuple[Edge, ...]:
        return self._parts[1]

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        return self._parts[2]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenGraph) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)


class PlanGraph(Graph):
    """The graph of a plan. Nodes, edges and faces are worked out when they are first asked for: solving needs none."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.sides = 6 if plan.hexagonal else 4

    @property
    def plan(self) -> Plan:  # type: ignore[override]
        return self._plan

    @property
    def size(self) -> int:
        plan = self.plan
        return plan.rows * plan.columns - len(plan.holes) + len(plan.bridges)

    @cached_property
    def cells(self) -> NDArray[np.int32]:
        """Each place, row by row: EMPTY_CELL, HOLE_CELL or BRIDGE_CELL."""
        found = np.zeros(self.plan.rows * self.plan.columns, np.int32)
        for mark, places in ((HOLE_CELL, self.plan.holes), (BRIDGE_CELL, self.plan.bridges)):
            if places:
                found[[row * self.plan.columns + column for row, column in places]] = mark
        return found

    @cached_property
    def walls(self) -> NDArray[np.int32]:
        """The walls as pairs of places, counted row by row."""
        columns = self.plan.columns
        return np.array([row * columns + column for pair in self.plan.walls for row, column in pair], np.int32)

    @cached_property
    def cell_of(self) -> list[int]:
        """The place of each node, counted row by row."""
        found: list[int] = np.repeat(np.arange(self.cells.size), self._layers).tolist()
        return found

    @cached_property
    def first_node(self) -> list[int]:
        """The number of the first node on each place, or of the next one for a hole."""
        found: list[int] = (np.cumsum(self._layers) - self._layers).tolist()
        return found

    @cached_property
    def _layers(self) -> NDArray[np.int32]:
        return np.where(self.cells == HOLE_CELL, 0, np.where(self.cells == BRIDGE_CELL, 2, 1)).astype(np.int32)

    @cached_property
    def _lattice(self) -> "_Lattice":
        return _Lattice(self.plan)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(self._lattice.nodes)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(sorted(self._lattice.edges()))

    @cached_property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        return tuple(self._lattice.faces(set(self.edges)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlanGraph) and self.plan == other.plan

    def __hash__(self) -> int:
        return hash(self.plan)


class _Lattice:
    """The nodes of a plan while its edges and faces are being found."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.nodes: list[Node] = []
        self.at: dict[tuple[Place, int], int] = {}  # the node of a place along an axis
        for row in range(plan.rows):
            for column in range(plan.columns):
                if (row, column) not in plan.holes:
                    self._add(row, column)

    def _add(self, row: int, column: int) -> None:
        x, y = (column + row / 2, row * 0.75**0.5) if self.plan.hexagonal else (column, row)
        layers: tuple[Layer, ...] = ("across", "down") if (row, column) in self.plan.bridges else ("",)
        for layer in layers:
            for axis in range(3):
                if layer == "" or axis == layers.index(layer):
                    self.at[(row, column), axis] = len(self.nodes)
            self.nodes.append(Node(row, column, x, y, layer))

    def edges(self) -> set[Edge]:
        found = set()
        for place, axis in self.at:
            steps = _HEXAGON_STEPS if self.plan.hexagonal else _SQUARE_STEPS
            if axis < len(steps):
                target = self.plan.moved(place, steps[axis])
                other = self.at.get((target, axis))
                if other is not None and self.plan.are_neighbours(place, target):
                    found.add(_edge(self.at[place, axis], other))
        return found

    def faces(self, edges: set[Edge]) -> list[tuple[int, ...]]:
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for place in {place for place, _ in self.at}:
            for outline in _HEXAGON_FACES if self.plan.hexagonal else _SQUARE_FACES:
                corners = [self.plan.moved(place, step) for step in outline]
                if any((corner, 0) not in self.at or corner in self.plan.bridges for corner in corners):
                    continue
                around = tuple(self.at[corner, 0] for corner in corners)
                ring = zip(around, around[1:] + around[:1], strict=True)
                if len(set(around)) == len(around) and all(_edge(*pair) in edges for pair in ring):
                    found.setdefault(frozenset(around), around)
        return sorted(found.values())


def _edge(one: int, other: int) -> Edge:
    return (one, other) if one < other else (other, one)


@lru_cache(maxsize=256)
def _graph_of(plan: Plan) -> PlanGraph:
    return PlanGraph(plan)
