"""The report's solvers step by step: what they choose, try and take back, which constraint fires, why a branch dies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz.core.errors import KibitzError, did_you_mean
from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.report_solvers import PUBLISHED, Constraint, PathSearch, Step

CONSTRAINTS: Mapping[Constraint, str] = {
    "pair": "a pair is cut off",
    "pocket": "an empty pocket",
    "fill": "cells stay empty",
    "block": "a block of one colour",
}


@dataclass(frozen=True)
class Trace:
    """What a solver did: its first steps, how many there were in all, and the deaths by each constraint."""

    steps: Sequence[Step]
    number: int
    deaths: Mapping[str, int]
    search: PathSearch
    solution: Solution | None

    @property
    def cut(self) -> bool:
        """Are there more steps than are listed?"""
        return self.number > len(self.steps)


def trace(board: Board, solver: str, most: int, limit: Limit = NO_LIMIT, seed: int = 0) -> Trace:
    """Let a solver search for its first solution, and keep its first `most` steps."""
    known = {kind.name: kind for kind in PUBLISHED}
    if solver not in known:
        raise KibitzError(
            f"no solver of the report is called '{solver}', expected {', '.join(known)}{did_you_mean(solver, known)}"
        )
    search = known[solver](board, limit, seed)
    steps: list[Step] = []
    count: Counter[str] = Counter()

    def listen(step: Step) -> None:
        count["steps"] += 1
        if step.kind == "dead":
            count[CONSTRAINTS[step.constraint]] += 1
        if len(steps) < most:
            steps.append(step)

    search.listener = listen
    solution = next(search, None)
    number = count.pop("steps", 0)
    return Trace(steps, number, dict(count.most_common()), search, solution)


def describe(board: Board, step: Step) -> str:
    """A step in words."""
    if step.kind == "choose":
        return f"choose '{step.letter}': {step.why}"
    if step.kind == "put":
        price = f", {step.why}" if step.why else ""
        return f"assignment {step.assignments}: '{step.letter}' by {len(step.path)} cells{price}: {_way(board, step)}"
    if step.kind == "dead":
        return f"dead ({CONSTRAINTS[step.constraint]}): {step.why}"
    if step.kind == "take":
        return f"take '{step.letter}' back"
    if step.kind == "exhausted":
        return f"give '{step.letter}' up: {step.why}"
    return f"solved: {step.why}"


def _way(board: Board, step: Step) -> str:
    """A path as its corners."""
    nodes = [board.graph.nodes[node] for node in step.path]
    turns = [
        here
        for before, here, after in zip(nodes, nodes[1:], nodes[2:], strict=False)
        if (here.row - before.row, here.column - before.column) != (after.row - here.row, after.column - here.column)
    ]
    return " - ".join(f"{node.row + 1},{node.column + 1}" for node in (nodes[0], *turns, nodes[-1]))
