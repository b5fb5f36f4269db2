"""The solvers of the report: variables are colours, values are whole paths.

A group of students described them in 2017 (UIUC CS440/ECE448, MP2). They are kept as they were told, for teaching and
for comparison: `assignments` counts the paths that were tried.

- `dumb` takes colours and paths in random order and looks at nothing else.
- `smart` takes the colour whose two sources have the smallest product of free neighbours, and its paths by growing
  cost: a step onto a cell along a wall or another path is free, any other costs one. After each path it checks that all
  other pairs can still be joined and that no empty pocket is without a source.
- `smarter` takes the colour whose sources lie farthest apart; when its paths up to a cut-off cost have failed, it tries
  the next colour first, and only after all of them the costlier paths of the first.

Costs go up to half the square of the width. The report's reason for that bound, that a path covers at most half of the
board, is wrong (17 cells of a 5x5 board are possible), so when a costlier path was left out, finding nothing is no
proof: these solvers then say that they gave up.
"""

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf, prod
from typing import ClassVar, Literal, NamedTuple

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT, GaveUp, Search
from kibitz.puzzles.flow.board import Board, Solution

Path = tuple[int, ...]
FREE_CELL = -1
CUTOFF = 3  # cost at which `smarter` turns to the next colour; the report names none


StepKind = Literal["choose", "put", "dead", "take", "exhausted", "solved"]
Constraint = Literal["", "pair", "pocket", "fill", "block"]


class Step(NamedTuple):
    """One thing that a solver does, and why."""

    kind: StepKind
    letter: str
    path: Path
    constraint: Constraint  # what fired, where a branch dies at once
    why: str
    depth: int  # colours assigned before
    assignments: int
    nodes: int


Listener = Callable[[Step], None]


class PathSearch(Search):
    """What the three have in common: the state of the board, paths put on it and taken off."""

    proves: ClassVar[bool] = False

    def __init__(self, board: Board, limit: Limit = NO_LIMIT, seed: int = 0) -> None:
        super().__init__(board, limit)
        self.dice = random.Random(seed)
        self.near = board.graph.neighbours
        self.pairs = list(board.sources.values())
        self.owner = [FREE_CELL] * len(board.graph.nodes)  # the colour of a source or an assigned path
        for colour, pair in enumerate(self.pairs):
            for node in pair:
                self.owner[node] = colour
        self.path: dict[int, Path] = {}  # the colours assigned so far
        self.listener: Listener | None = None  # is told what the search does and why

    def solutions(self) -> Iterator[Solution]:
        yield from self.assigned(list(range(len(self.pairs))))

    def assigned(self, colours: Sequence[int]) -> Iterator[Solution]:
        """Every way to give paths to the colours that have none yet."""
        if not colours:
            yield from self.complete()
            return
        colour = self.chosen(colours)
        if self.listener:
            self.report("choose", colour, why=self.reason_for(colour, colours))
        rest = [other for other in colours if other != colour]
        before = self.assignments
        for path in self.paths(colour):
            yield from self.tried(colour, path, rest)
        self.report("exhausted", colour, why=self.what_is_left(colour, self.assignments > before))

    def report(self, kind: StepKind, colour: int, path: Path = (), constraint: Constraint = "", why: str = "") -> None:
        """Say what was done, if somebody listens."""
        if self.listener is not None:
            depth = len(self.path) - (kind == "put")
            letter = self.board.letters[colour] if colour >= 0 else ""
            self.listener(Step(kind, letter, path, constraint, why, depth, self.assignments, self.nodes))

    def what_is_left(self, colour: int, tried: bool) -> str:
        """Why a colour is given up: there is no path for it, or all have failed."""
        letter = self.board.letters[colour]
        return f"every path of '{letter}' has failed" if tried else f"no way is left for '{letter}'"

    @abstractmethod
    def chosen(self, colours: Sequence[int]) -> int:
        """The next colour to give a path to."""

    @abstractmethod
    def reason_for(self, colour: int, colours: Sequence[int]) -> str:
        """Why this colour was chosen."""

    @abstractmethod
    def paths(self, colour: int) -> Iterator[Path]:
        """The paths to try for a colour, in order."""

    def tried(self, colour: int, path: Path, rest: Sequence[int]) -> Iterator[Solution]:
        """Put the path on the board, go on with the other colours, and take it off again."""
        self.assignments += 1
        self.tick()
        self._paint(path, colour)
        self.path[colour] = path
        if self.listener:
            self.report("put", colour, path, why=self.price_of(path))
        constraint, why = self.objection(rest)
        if constraint:
            self.report("dead", colour, path, constraint, why)
        else:
            yield from self.assigned(rest)
        del self.path[colour]
        self._paint(path, FREE_CELL)
        self.report("take", colour, path)

    def price_of(self, path: Path) -> str:
        """What is to be said of a path that is tried."""
        return ""

    def objection(self, rest: Sequence[int]) -> tuple[Constraint, str]:
        """The constraint that shows that the board is not worth going on with, and how; or nothing."""
        return "", ""

    def complete(self) -> Iterator[Solution]:
        """The solution on the board, if it is one."""
        empty = self.owner.count(FREE_CELL) if self.board.fill else 0
        if empty:
            first = self.board.graph.nodes[self.owner.index(FREE_CELL)].name
            self.report("dead", -1, (), "fill", f"all colours are joined, but {empty} cells stay empty, as {first}")
            return
        paths = {letter: self.path[colour] for colour, letter in enumerate(self.board.letters)}
        if self.board.touch == "no2x2" and self._has_block():
            self.report("dead", -1, (), "block", "a block is all of one colour")
            return
        self.report("solved", -1, why="all colours are joined and every cell is filled")
        yield Solution(self.board, paths)

    def _paint(self, path: Path, colour: int) -> None:
        for node in path[1:-1]:
            self.owner[node] = colour

    def _has_block(self) -> bool:
        owners = ([self.owner[node] for node in face] for face in self.board.graph.faces)
        return any(around[0] != FREE_CELL and len(set(around)) == 1 for around in owners)

    def onward(self, path: list[int], end: int) -> list[int]:
        """The nodes that can follow on a path: free, and under strict rules not beside an earlier node of it."""
        found = []
        for node in self.near[path[-1]]:
            if node != end and (self.owner[node] != FREE_CELL or node in path):
                continue
            if self.board.touch == "strict" and any(other in path[:-1] for other in self.near[node]):
                continue
            found.append(node)
        return found

    def step(self) -> None:
        """Count a step of a path under way, and look at the limit now and then."""
        self.nodes += 1
        if self.nodes % 256 == 0:
            self.tick()


class Dumb(PathSearch):
    """Random colours, random paths, nothing checked before all colours have one."""

    name: ClassVar[str] = "dumb"

    def chosen(self, colours: Sequence[int]) -> int:
        return self.dice.choice(colours)

    def reason_for(self, colour: int, colours: Sequence[int]) -> str:
        return f"one of {len(colours)}, by chance"

    def paths(self, colour: int) -> Iterator[Path]:
        start, end = self.pairs[colour]
        yield from self._grown([start], end)

    def _grown(self, path: list[int], end: int) -> Iterator[Path]:
        if path[-1] == end:
            yield tuple(path)
            return
        onward = self.onward(path, end)
        self.dice.shuffle(onward)
        for node in onward:
            self.step()
            yield from self._grown([*path, node], end)


class Smart(PathSearch):
    """The most constrained colour, its cheapest paths first, with forward checking."""

    name: ClassVar[str] = "smart"

    def __init__(self, board: Board, limit: Limit = NO_LIMIT, seed: int = 0) -> None:
        super().__init__(board, limit, seed)
        plan = board.graph.plan
        width = plan.columns if plan else round(len(board.graph.nodes) ** 0.5)
        self.bound = width * width // 2
        self._left_out = False  # was a path too costly?

    def solutions(self) -> Iterator[Solution]:
        yield from super().solutions()
        if self._left_out:
            raise GaveUp(f"paths that cost more than {self.bound} were left out")

    def chosen(self, colours: Sequence[int]) -> int:
        return min(colours, key=lambda colour: prod(self._openings(colour)))

    def _openings(self, colour: int) -> list[int]:
        """The free neighbours of its two sources."""
        return [sum(self.owner[other] == FREE_CELL for other in self.near[node]) for node in self.pairs[colour]]

    def reason_for(self, colour: int, colours: Sequence[int]) -> str:
        one, other = self._openings(colour)
        return f"its sources have {one} and {other} free neighbours: {one} x {other} is the smallest product"

    def what_is_left(self, colour: int, tried: bool) -> str:
        found = super().what_is_left(colour, tried)
        return f"{found} (costlier than {self.bound} is not tried)" if self._left_out else found

    def price_of(self, path: Path) -> str:
        prices = self._prices(without=path)
        return f"cost {sum(prices[node] for node in path[1:-1])}"

    def paths(self, colour: int) -> Iterator[Path]:
        yield from self.priced(colour, 0, self.bound)

    def priced(self, colour: int, least: int, most: int) -> Iterator[Path]:
        """The paths of a colour by growing cost."""
        start, end = self.pairs[colour]
        prices = self._prices()
        remaining = self._remaining(start, end, prices)
        for cost in range(least, most + 1):
            too_costly: list[int] = []
            yield from self._grown([start], end, cost, prices, remaining, too_costly)
            if not too_costly:
                return
        self._left_out |= most == self.bound

    def _prices(self, without: Path = ()) -> list[int]:
        """What a step onto each node costs: nothing along a wall or an assigned path other than this."""
        assigned = {colour for colour, path in self.path.items() if path != without}
        return [
            int(not edge and not any(self.owner[other] in assigned for other in near))
            for edge, near in zip(self.board.graph.border, self.near, strict=True)
        ]

    def _remaining(self, start: int, end: int, prices: Sequence[int]) -> list[float]:
        """The least cost from each node to the end, by Dijkstra's algorithm over free nodes."""
        least = [inf] * len(prices)
        least[end] = 0
        waiting = [(0.0, end)]
        while waiting:
            cost, node = heappop(waiting)
            if cost > least[node]:
                continue
            for other in self.near[node]:
                onward = cost + (prices[node] if node != end else 0)
                if onward < least[other] and (self.owner[other] == FREE_CELL or other == start):
                    least[other] = onward
                    heappush(waiting, (onward, other))
        return least

    def _grown(
        self, path: list[int], end: int, left: int, prices: Sequence[int], remaining: Sequence[float],
        too_costly: list[int],
    ) -> Iterator[Path]:  # fmt: skip
        """The ways to finish a path that cost exactly `left`; notes a node where it would have cost more."""
        if path[-1] == end:
            if left == 0:
                yield tuple(path)
            return
        for node in self.onward(path, end):
            self.step()
            after = left - (prices[node] if node != end else 0)
            if after >= remaining[node]:
                yield from self._grown([*path, node], end, after, prices, remaining, too_costly)
            elif remaining[node] < inf:
                too_costly[:] = [node]

    def objection(self, rest: Sequence[int]) -> tuple[Constraint, str]:
        """Forward checking: every pair can still be joined, and no empty pocket is without a source."""
        pockets = self._pockets()
        for colour in rest:
            start, end = self.pairs[colour]
            beside = [{pockets[other] for other in self.near[node]} - {FREE_CELL} for node in (start, end)]
            if end not in self.near[start] and not beside[0] & beside[1]:
                return "pair", f"the sources of '{self.board.letters[colour]}' can no longer be joined"
        if not self.board.fill:
            return "", ""
        fed = {pockets[other] for colour in rest for node in self.pairs[colour] for other in self.near[node]}
        lost = set(pockets) - {FREE_CELL} - fed
        if lost:
            cells = pockets.count(min(lost))
            where = self.board.graph.nodes[min(lost)].name
            return "pocket", f"{cells} empty cell{'s' * (cells > 1)} at {where} can be reached from no source"
        return "", ""

    def _pockets(self) -> list[int]:
        """The number of the connected area that each free node belongs to."""
        found = [FREE_CELL] * len(self.owner)
        for start, owner in enumerate(self.owner):
            if owner != FREE_CELL or found[start] != FREE_CELL:
                continue
            found[start] = start
            waiting = [start]
            while waiting:
                for other in self.near[waiting.pop()]:
                    if self.owner[other] == FREE_CELL and found[other] == FREE_CELL:
                        found[other] = start
                        waiting.append(other)
        return found


class Smarter(Smart):
    """The colour with the longest way first, and a cut-off that lets the next colour go ahead."""

    name: ClassVar[str] = "smarter"

    def __init__(self, board: Board, limit: Limit = NO_LIMIT, seed: int = 0, cutoff: int = CUTOFF) -> None:
        super().__init__(board, limit, seed)
        self.cutoff = cutoff
        self._distance = [self._apart(*pair) for pair in self.pairs]

    def solutions(self) -> Iterator[Solution]:
        """Several orders of the colours lead to the same solution: each is handed out once."""
        seen = set()
        for solution in super().solutions():
            if solution.edges not in seen:
                seen.add(solution.edges)
                yield solution

    def assigned(self, colours: Sequence[int]) -> Iterator[Solution]:
        if not colours:
            yield from self.complete()
            return
        order = sorted(colours, key=lambda colour: -self._distance[colour])
        for colour in order:
            yield from self._with_costs(colour, colours, 0, min(self.cutoff, self.bound))
        yield from self._with_costs(order[0], colours, self.cutoff + 1, self.bound)

    def reason_for(self, colour: int, colours: Sequence[int]) -> str:
        return f"its sources lie {self._distance[colour]:g} apart"

    def _with_costs(self, colour: int, colours: Sequence[int], least: int, most: int) -> Iterator[Solution]:
        rest = [other for other in colours if other != colour]
        costs = f"costs {least} to {most}"
        self.report("choose", colour, why=f"{self.reason_for(colour, colours)}; {costs}")
        for path in self.priced(colour, least, most):
            yield from self.tried(colour, path, rest)
        last = least > 0 or len(colours) == 1
        onward = "the branch is dead" if last else "the cut-off lets another colour go first"
        self.report("exhausted", colour, why=f"no path of {costs} leads on: {onward}")

    def _apart(self, one: int, other: int) -> float:
        """The Manhattan distance of two nodes."""
        (a, b), (c, d) = ((node.x, node.y) for node in (self.board.graph.nodes[one], self.board.graph.nodes[other]))
        return abs(a - c) + abs(b - d)


PUBLISHED = (Dumb, Smart, Smarter)
