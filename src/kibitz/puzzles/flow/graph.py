"""What a Flow board is made of: nodes, edges between neighbours, and faces.

Every topology is an edit of one lattice, squares or hexagons: a hole removes a node, a wall removes an edge, wrapping
round adds edges, a bridge splits a node into one that is crossed from side to side and one from top to bottom.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

Place = tuple[int, int]  # row and column, counted from the top left
Edge = tuple[int, int]  # two nodes, the smaller first
Wrap = Literal["none", "across", "down", "both"]
Layer = Literal["", "across", "down"]

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

    @property
    def graph(self) -> "Graph":
        return _drawn(self)


@dataclass(frozen=True)
class Graph:
    """Nodes, edges and faces. A face lists its nodes around; only a face whose edges all exist is one."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    faces: tuple[tuple[int, ...], ...]
    sides: int = 4  # neighbours of a node away from any border
    plan: Plan | None = None

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

    def moved(self, place: Place, step: Place) -> Place:
        """The place a step away, round the board where it wraps."""
        row, column = place[0] + step[0], place[1] + step[1]
        if self.plan.wrap in ("down", "both"):
            row %= self.plan.rows
        if self.plan.wrap in ("across", "both"):
            column %= self.plan.columns
        return row, column

    def edges(self) -> set[Edge]:
        found = set()
        for place, axis in self.at:
            steps = _HEXAGON_STEPS if self.plan.hexagonal else _SQUARE_STEPS
            if axis < len(steps):
                target = self.moved(place, steps[axis])
                other = self.at.get((target, axis))
                if other is not None and target != place and not self._walled(place, target):
                    found.add(_edge(self.at[place, axis], other))
        return found

    def _walled(self, place: Place, target: Place) -> bool:
        return bool(self.plan.walls) and (min(place, target), max(place, target)) in self.plan.walls

    def faces(self, edges: set[Edge]) -> list[tuple[int, ...]]:
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for place in {place for place, _ in self.at}:
            for outline in _HEXAGON_FACES if self.plan.hexagonal else _SQUARE_FACES:
                corners = [self.moved(place, step) for step in outline]
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
def _drawn(plan: Plan) -> Graph:
    lattice = _Lattice(plan)
    edges = lattice.edges()
    sides = 6 if plan.hexagonal else 4
    return Graph(tuple(lattice.nodes), tuple(sorted(edges)), tuple(lattice.faces(edges)), sides, plan)
