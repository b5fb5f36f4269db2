"""Hints with a reason, one step at a time.

The easiest reason comes first: rules that look at one place, then edges that would close others in, then trials (what
if?) that run into a contradiction. Only if all that fails, the solution itself is quoted.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.graph import Edge
from kibitz.puzzles.flow.knowledge import OPEN, Conclusion, Facts, Kind, Knowledge
from kibitz.puzzles.flow.solving import solve

PATIENCE = Limit(seconds=60)
_PATIENT = (2, 6, 18, 1 << 30)  # steps of trials: short ones are tried everywhere before longer ones
_OBVIOUS: tuple[Kind, ...] = ("full", "colours", "ring")  # what a person does without thinking
_TITLES: Mapping[Kind, str] = {
    "corner": "dead corner",
    "forced": "forced edge",
    "touch": "forced edge",
    "spike": "spike impossible",
    "block": "path would touch itself",
    "closed": "path would close others in",
    "trial": "trial",
    "solution": "from the solution",
}
_REASONS: Mapping[Kind, str] = {
    "corner": "{node} has just these sides, and a path must pass through it",
    "forced": "{node} has no other way left",
    "touch": "both cells are '{letter}', and neighbours of one colour must be joined",
    "spike": "a turn at {node} would force a line of turns that runs into the border without meeting a source",
    "block": "a path would touch itself around {node}",
    "closed": "otherwise {node} would be cut off from where its path must go",
    "trial": "the opposite leads to a contradiction at {node} after {steps} steps",
    "solution": "no short reason is known, but the solution has it so",
}


@dataclass(frozen=True)
class Hint:
    """An edge to join or to bar, and why."""

    board: Board
    edge: Edge
    joined: bool
    kind: Kind
    node: int  # where to look
    steps: int = 0  # how far a trial had to go
    letter: str = ""

    @property
    def title(self) -> str:
        return _TITLES[self.kind]

    @property
    def text(self) -> str:
        """What to do and why, for people."""
        one, other = (self.board.graph.nodes[node].name for node in self.edge)
        act = f"join {one} and {other}" if self.joined else f"keep {one} and {other} apart"
        where = self.board.graph.nodes[self.node].name
        return f"{self.title}: {act}: {_REASONS[self.kind].format(node=where, letter=self.letter, steps=self.steps)}"


def hints(board: Board, limit: Limit = PATIENCE) -> Iterator[Hint]:
    """Step by step until the board is solved."""
    if not board.fill:
        raise KibitzError("hints are for boards that are filled, expected fill on")
    answer = solve(board, limit=limit)
    if answer.solution is None:
        why = f": {answer.note}" if answer.note else ""
        raise KibitzError(f"no hint for a board without a known solution ({answer.status}{why})")
    knowledge = Knowledge(Facts(board))
    clock = Clock(limit)
    while True:
        hint = _next(board, knowledge, answer.solution.edges, clock)
        if hint is None:
            return
        yield hint
        number = knowledge.facts.edges.index(hint.edge)
        knowledge.accept(Conclusion(number, hint.joined, hint.kind, hint.node))


class Clock:
    """Counts the seconds spent on trials; between two hints time stands still."""

    def __init__(self, limit: Limit) -> None:
        self._left = limit.seconds
        self._began = 0.0

    def start(self) -> None:
        self._began = time.perf_counter()

    def check(self) -> None:
        """Give up when the time is spent."""
        now = time.perf_counter()
        if self._left is not None:
            self._left -= now - self._began
            if self._left < 0:
                raise KibitzError("no further hint found: the time for trials is over, expected a longer limit")
        self._began = now


def _next(board: Board, knowledge: Knowledge, solution: frozenset[Edge], clock: Clock) -> Hint | None:
    """The easiest step that is not obvious; None when all edges are known."""
    while (conclusion := knowledge.next_conclusion()) is not None:
        if conclusion.kind not in _OBVIOUS:
            return _hint(board, knowledge, conclusion)
        knowledge.accept(conclusion)
    if knowledge.open == 0:
        return None
    return _hint(board, knowledge, *_tried(knowledge, solution, clock))


def _hint(board: Board, knowledge: Knowledge, found: Conclusion, steps: int = 0) -> Hint:
    edge = knowledge.facts.edges[found.edge]
    colour = max(knowledge.colour[node] for node in edge)
    letter = board.letters[colour] if colour >= 0 else ""
    return Hint(board, edge, found.joined, found.kind, found.node, steps, letter)


def _tried(knowledge: Knowledge, solution: frozenset[Edge], clock: Clock) -> tuple[Conclusion, int]:
    """An edge whose opposite fails: it closes others in, or leads to a contradiction, sooner rather than later."""
    clock.start()
    edges = knowledge.facts.edges
    wrong = [(at, edges[at] not in solution) for at, state in enumerate(knowledge.state) if state == OPEN]
    for number, opposite in wrong:
        clock.check()
        failed = knowledge.refuted(number, True, 0) if opposite and knowledge.may_close(number) else None
        if failed:
            return Conclusion(number, False, "closed", failed[0].node), 0
    for most in _PATIENT:
        for number, opposite in wrong:
            clock.check()
            failed = knowledge.refuted(number, opposite, most)
            if failed:
                return Conclusion(number, not opposite, "trial", failed[0].node), failed[1]
    number, opposite = wrong[0]
    return Conclusion(number, not opposite, "solution", edges[number][0]), 0
