"""How hard a board is: what its hints cost a person, all of them until it is solved.

Every hint has a price: little for what can be seen at one place, more for a spike, much for seeing that others would be
closed in, most for trials, by the steps they take. Big boards are not called hard for their size alone: the class
compares the score with the number of cells, times its square root. It is the same measure on every kind of board.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.hints import PATIENCE, Hint, OutOfTime, hints
from kibitz.puzzles.flow.knowledge import Kind

Difficulty = Literal["easy", "medium", "hard", "expert"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert")

_PRICES: Mapping[Kind, float] = {
    "corner": 0.2, "forced": 0.2, "touch": 0.3, "block": 0.5, "spike": 1.0, "closed": 5.0, "trial": 8.0,
    "solution": 60.0,
}  # fmt: skip
_STEP = 1.0  # each step of a trial
_BOUNDS = (0.045, 0.08, 0.13)  # where medium, hard and expert begin, for a board of one cell


@dataclass(frozen=True)
class Rating:
    """A score, the class it falls in, and how many hints of each kind it takes."""

    score: float
    difficulty: Difficulty
    kinds: Mapping[str, int]


def rate(board: Board, limit: Limit = PATIENCE) -> Rating:
    """The rating of a board that has a solution."""
    began = time.perf_counter()
    steps = []
    for hint in hints(board, limit):
        steps.append(hint)
        if limit.seconds is not None and time.perf_counter() - began > limit.seconds:
            raise OutOfTime(f"no rating within {limit.seconds:g} seconds, expected a longer limit")
    score = sum(_PRICES[hint.kind] + _STEP * hint.steps for hint in steps)
    return Rating(round(score, 1), classify(score, board.graph.size), _count_kinds(steps))


def classify(score: float, cells: int) -> Difficulty:
    """The class of a score. A square root is the same number on every machine, other powers are not."""
    return DIFFICULTIES[sum(score >= bound * cells * sqrt(cells) for bound in _BOUNDS)]


def _count_kinds(steps: Sequence[Hint]) -> Mapping[str, int]:
    return dict(Counter(hint.title for hint in steps).most_common())


def difficulty_of(board: Board, limit: Limit = PATIENCE) -> Difficulty:
    """The class alone."""
    return rate(board, limit).difficulty
