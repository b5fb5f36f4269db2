"""Hints with a reason, one step at a time, from the empty board or from what somebody has drawn.

What is drawn wrong is said first. Then the easiest reason comes first: rules that look at one place, then edges that
would close others in, then trials (what if?) that run into a contradiction. Only if all that fails, the solution itself
is quoted.
"""

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.graph import Edge
from kibitz.puzzles.flow.knowledge import OPEN, Conclusion, Facts, Kind, Knowledge
from kibitz.puzzles.flow.propagation import propagates
from kibitz.puzzles.flow.solvers import search, solve
from kibitz.puzzles.flow.trials import Prober

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
    "wrong": "drawn wrong",
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
    "wrong": "with it the board cannot be finished",
}
_WAYS_OUT = 200  # solutions that are looked through for one that agrees with a drawing


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
        why = _REASONS[self.kind].format(node=where, letter=self.letter, steps=self.steps)
        if self.kind == "wrong":
            act = f"take the step between {one} and {other} away"
            why = f"{self.steps} steps later nothing fits at {where}" if self.steps else why
        return f"{self.title}: {act}: {why}"


def hints(board: Board, limit: Limit = PATIENCE, drawn: Collection[Edge] = ()) -> Iterator[Hint]:
    """Step by step until the board is solved, from the edges that are drawn.

    Those that no solution has are named first, each as a hint to take it away; then it goes on as if that were done.
    """
    if not board.fill:
        raise KibitzError("hints are for boards that are filled, expected fill on")
    solution = _solution_for(board, limit, frozenset(drawn))
    knowledge = Knowledge(Facts(board))
    number_of = {edge: number for number, edge in enumerate(knowledge.facts.edges)}
    for edge in drawn:
        if edge in solution.edges:
            knowledge.accept(Conclusion(number_of[edge], True, "solution", edge[0]))
    clock = Clock(limit)
    for edge in drawn:
        if edge not in solution.edges:
            yield _wrong(board, knowledge, number_of[edge], clock)
    prober = Prober(board, solution.edges) if propagates(board) else None
    while True:
        hint = _next(board, knowledge, solution.edges, clock, prober)
        if hint is None:
            return
        yield hint
        knowledge.accept(Conclusion(number_of[hint.edge], hint.joined, hint.kind, hint.node))


def _solution_for(board: Board, limit: Limit, drawn: frozenset[Edge]) -> Solution:
    """The solution that has most of what is drawn, all of it if one does."""
    attempt = search(board, None, limit)
    best = None
    for _, solution in zip(range(_WAYS_OUT), attempt, strict=False):
        if best is None or len(drawn & solution.edges) > len(drawn & best.edges):
            best = solution
        if drawn <= best.edges:
            break
    if best is None and attempt.status == "gave up":
        raise OutOfTime(f"no hint for a board without a known solution (gave up: {attempt.reason})")
    if best is None:
        answer = solve(board, limit=limit)
        why = f": {answer.note}" if answer.note else ""
        raise KibitzError(f"no hint for a board without a known solution ({answer.status}{why})")
    return best


def _wrong(board: Board, knowledge: Knowledge, number: int, clock: "Clock") -> Hint:
    """A drawn edge that must go, with what it leads to where that is soon seen."""
    edge = knowledge.facts.edges[number]
    clock.start()
    for most in _PATIENT:
        clock.check()
        failed = knowledge.refuted(number, True, most)
        if failed:
            return Hint(board, edge, False, "wrong", failed[0].node, failed[1])
    return Hint(board, edge, False, "wrong", edge[0])


class OutOfTime(KibitzError):
    """The limit was reached before the next hint was found."""


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
                raise OutOfTime("no further hint found: the time for trials is over, expected a longer limit")
        self._began = now


def _next(
    board: Board, knowledge: Knowledge, solution: frozenset[Edge], clock: Clock, prober: Prober | None
) -> Hint | None:
    """The easiest step that is not obvious; None when all edges are known."""
    while (conclusion := knowledge.next_conclusion()) is not None:
        if conclusion.kind not in _OBVIOUS:
            return _hint(board, knowledge, conclusion)
        knowledge.accept(conclusion)
    if knowledge.open == 0:
        return None
    clock.start()
    found = prober.find(knowledge.state, _PATIENT) if prober else _tried(knowledge, solution, clock)
    clock.check()
    return _hint(board, knowledge, *(found or _quoted(knowledge, solution)))


def _hint(board: Board, knowledge: Knowledge, found: Conclusion, steps: int = 0) -> Hint:
    edge = knowledge.facts.edges[found.edge]
    colour = max(knowledge.colour[node] for node in edge)
    letter = board.letters[colour] if colour >= 0 else ""
    return Hint(board, edge, found.joined, found.kind, found.node, steps, letter)


def _tried(knowledge: Knowledge, solution: frozenset[Edge], clock: Clock) -> tuple[Conclusion, int] | None:
    """An edge whose opposite fails: it closes others in, or leads to a contradiction, sooner rather than later."""
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
    return None


def _quoted(knowledge: Knowledge, solution: frozenset[Edge]) -> tuple[Conclusion, int]:
    """The first edge that is not known, as the solution has it."""
    edges = knowledge.facts.edges
    number = knowledge.state.index(OPEN)
    return Conclusion(number, edges[number] in solution, "solution", edges[number][0]), 0
