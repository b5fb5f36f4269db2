"""What is known of a board's edges, and what follows from it: the reasoning behind hints and ratings.

An edge is joined, barred or open. The rules here are those a person uses; each conclusion carries its kind. Everything
is for boards that are filled.
"""

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.graph import Edge
from kibitz.puzzles.flow.spikes import Turn, impossible_turns

OPEN, JOINED, BARRED = 0, 1, 2
UNKNOWN = -1
Kind = Literal[
    "corner", "forced", "touch", "spike", "block", "full", "colours", "ring", "closed", "trial", "solution", "wrong"
]  # fmt: skip


class Conclusion(NamedTuple):
    """An edge that must be joined or barred, by which rule, and the node the rule was seen at."""

    edge: int
    joined: bool
    kind: Kind
    node: int


class Contradiction(Exception):
    """The board cannot be finished like this; `kind` says which rule shows it."""

    def __init__(self, kind: Kind, node: int) -> None:
        super().__init__(kind)
        self.kind: Kind = kind
        self.node = node


class Facts:
    """What does not change while a board is being solved."""

    def __init__(self, board: Board) -> None:
        self.board = board
        graph = board.graph
        self.edges = graph.edges
        self.sides: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]  # edge and neighbour
        for number, (one, other) in enumerate(graph.edges):
            self.sides[one].append((number, other))
            self.sides[other].append((number, one))
        self.needs = [1 if node in board.letter_at else 2 for node in range(len(graph.nodes))]
        self.strict = board.touch == "strict"
        number_of: dict[Edge, int] = {edge: number for number, edge in enumerate(graph.edges)}
        self.blocks: list[list[list[int]]] = [[] for _ in graph.edges]  # the other sides of each face
        if board.touch != "free":
            for face in graph.faces:
                ring = [number_of[min(pair), max(pair)] for pair in zip(face, face[1:] + face[:1], strict=True)]
                for side in ring:
                    self.blocks[side].append([other for other in ring if other != side])

    @cached_property
    def dead_turns(self) -> set[Turn]:
        return impossible_turns(self.board) if self.board.touch != "free" else set()


class Knowledge:
    """The state of every edge, the paths these make, and nodes whose surroundings have changed."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        nodes = len(facts.sides)
        self.state = [OPEN] * len(facts.edges)
        self.degree = [0] * nodes
        self.ways = [len(sides) for sides in facts.sides]  # sides not barred
        self.part = list(range(nodes))  # the number of the path a node belongs to
        self.colour = [UNKNOWN] * nodes
        for colour, pair in enumerate(facts.board.sources.values()):
            for node in pair:
                self.colour[node] = colour
        self.changed: deque[int] = deque(range(nodes))
        self.open = len(facts.edges)

    def copy(self) -> "Knowledge":
        other = object.__new__(Knowledge)
        other.facts, other.open = self.facts, self.open
        other.state, other.degree, other.ways = self.state[:], self.degree[:], self.ways[:]
        other.part, other.colour = self.part[:], self.colour[:]
        other.changed = deque(self.changed)
        return other

    def settle(self) -> int:
        """Draw every conclusion that follows; how many."""
        count = 0
        while (conclusion := self.next_conclusion()) is not None:
            self.accept(conclusion)
            count += 1
        return count

    def next_conclusion(self) -> Conclusion | None:
        """One conclusion, or None when nothing more follows by the plain rules."""
        while self.changed:
            conclusion = next(self._at(self.changed[0]), None)
            if conclusion is not None:
                return conclusion
            self.changed.popleft()
        return None

    def accept(self, conclusion: Conclusion) -> None:
        """Join or bar an edge."""
        number = conclusion.edge
        ends = self.facts.edges[number]
        self.open -= 1
        if conclusion.joined:
            self.state[number] = JOINED
            for node in ends:
                self.degree[node] += 1
            self._unite(*ends)
        else:
            self.state[number] = BARRED
            for node in ends:
                self.ways[node] -= 1
        self._touch(*ends)

    def _touch(self, *nodes: int) -> None:
        for node in nodes:
            self.changed.append(node)
            self.changed.extend(other for _, other in self.facts.sides[node])

    def _unite(self, one: int, other: int) -> None:
        """Give two joined paths one number, and a colour if either has one."""
        colours = {self.colour[one], self.colour[other]} - {UNKNOWN}
        if len(colours) > 1:
            raise Contradiction("colours", one)
        if self.part[one] == self.part[other]:
            raise Contradiction("ring", one)
        part, colour = self.part[one], max(self.colour[one], self.colour[other])
        for node in self._along(one):
            if (self.part[node], self.colour[node]) != (part, colour):
                self.part[node], self.colour[node] = part, colour
                self._touch(node)

    def _along(self, start: int) -> list[int]:
        """The nodes of the path through a node."""
        seen, waiting = {start}, [start]
        while waiting:
            for number, other in self.facts.sides[waiting.pop()]:
                if self.state[number] == JOINED and other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return list(seen)

    def _at(self, node: int) -> Iterator[Conclusion]:
        """What follows at a node from its surroundings."""
        facts = self.facts
        sides, needed = facts.sides[node], facts.needs[node]
        if self.degree[node] > needed or self.ways[node] < needed:
            raise Contradiction("full" if self.degree[node] > needed else "forced", node)
        for number, other in sides:
            if self.state[number] == BARRED and facts.strict and self._same_path(node, other):
                raise Contradiction("touch", node)
            if self.state[number] != OPEN:
                continue
            if self.degree[node] == needed:
                yield Conclusion(number, False, "full", node)
            elif self.ways[node] == needed:
                yield Conclusion(number, True, "corner" if len(sides) == needed else "forced", node)
            else:
                yield from self._between(node, number, other)

    def _same_path(self, one: int, other: int) -> bool:
        return self.part[one] == self.part[other] or self.colour[one] == self.colour[other] != UNKNOWN

    def _between(self, node: int, number: int, other: int) -> Iterator[Conclusion]:
        """What follows for one open edge."""
        facts = self.facts
        if self.part[node] == self.part[other]:
            yield Conclusion(number, False, "ring", node)
        elif UNKNOWN not in (self.colour[node], self.colour[other]):
            if self.colour[node] != self.colour[other]:
                yield Conclusion(number, False, "colours", node)
            elif facts.strict:
                yield Conclusion(number, True, "touch", node)
        if facts.dead_turns and self.degree[node] == 1 and facts.needs[node] == 2:
            came = next(there for edge, there in facts.sides[node] if self.state[edge] == JOINED)
            if (node, min(came, other), max(came, other)) in facts.dead_turns:
                yield Conclusion(number, False, "spike", node)
        for rest in facts.blocks[number]:
            if sum(self.state[side] == JOINED for side in rest) == len(rest) - 1:
                yield Conclusion(number, False, "block", node)

    def check_regions(self) -> None:
        """Raise if some pair can no longer meet, or if an area is left that no path can fill."""
        region = self._regions()
        fed = set()
        for pair in self.facts.board.sources.values():
            if self.part[pair[0]] == self.part[pair[1]]:
                continue
            tips = [self._tip(node) for node in pair]
            if region[tips[0]] != region[tips[1]]:
                raise Contradiction("closed", pair[0])
            fed.add(region[tips[0]])
        for node, number in enumerate(region):
            if number != UNKNOWN and number not in fed:
                raise Contradiction("closed", node)

    def _tip(self, source: int) -> int:
        """Where the path that starts at a source has come to."""
        node, before = source, -1
        while True:
            onward = [there for edge, there in self.facts.sides[node] if self.state[edge] == JOINED and there != before]
            if not onward:
                return node
            node, before = onward[0], node

    def _regions(self) -> list[int]:
        """The number of the area that each unfinished node lies in."""
        found = [UNKNOWN] * len(self.part)
        for start in range(len(found)):
            if found[start] != UNKNOWN or self.degree[start] == self.facts.needs[start]:
                continue
            found[start] = start
            waiting = [start]
            while waiting:
                for number, other in self.facts.sides[waiting.pop()]:
                    if self.state[number] == OPEN and found[other] == UNKNOWN:
                        found[other] = start
                        waiting.append(other)
        return found

    def may_close(self, number: int) -> bool:
        """Could joining this edge cut an area in two? Only if it finishes a node."""
        return any(self.degree[node] + 1 == self.facts.needs[node] for node in self.facts.edges[number])

    def refuted(self, number: int, joined: bool, most: int) -> tuple[Contradiction, int] | None:
        """What goes wrong within so many steps if an edge is joined or barred, and after how many."""
        trial = self.copy()
        steps = 0
        try:
            trial.accept(Conclusion(number, joined, "trial", self.facts.edges[number][0]))
            while most and (conclusion := trial.next_conclusion()) is not None:
                if steps == most:
                    return None
                trial.accept(conclusion)
                steps += 1
            trial.check_regions()
        except Contradiction as problem:
            return problem, steps
        return None
