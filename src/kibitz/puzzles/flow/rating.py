"""How hard a board is: a score that orders boards as the effort of solving them does.

Two efforts go into it. Reasoning: every hint has a price, little for what can be seen at one place, more for a spike,
much for seeing that others would be closed in, most for trials, by the steps they take. Searching: the decisions a
solver makes until it has proved the solution unique. The score is the geometric mean of the two. What people call
easy or hard depends on the size too: the class compares the score with what is usual for that many cells.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod, sqrt
from typing import Literal

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.hints import PATIENCE, hints
from kibitz.puzzles.flow.knowledge import Kind
from kibitz.puzzles.flow.solving import choose, search
from kibitz.puzzles.flow.sweep import nodes_from_each_corner

Difficulty = Literal["easy", "medium", "hard", "expert"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert")

_PRICES: Mapping[Kind, float] = {
    "corner": 0.2, "forced": 0.2, "touch": 0.3, "block": 0.5, "spike": 1.0, "closed": 5.0, "trial": 8.0,
    "solution": 60.0,
}  # fmt: skip
_STEP = 1.0  # each step of a trial
_GROWTH = 1.7  # scores of boards of one kind grow about like this power of the cells, from 6x6 to 14x14
_BOUNDS = (0.019, 0.03, 0.045)  # where medium, hard and expert begin, for a board of one cell


@dataclass(frozen=True)
class Rating:
    """A score, the class it falls in, and how many hints of each kind it takes."""

    score: float
    difficulty: Difficulty
    kinds: Mapping[str, int]


def rate(board: Board, limit: Limit = PATIENCE) -> Rating:
    """The rating of a board that has a solution."""
    steps = list(hints(board, limit))
    reasoning = sum(_PRICES[hint.kind] + _STEP * hint.steps for hint in steps)
    score = sqrt(reasoning * _searching(board, limit))
    difficulty = DIFFICULTIES[sum(score >= bound * len(board.graph.nodes) ** _GROWTH for bound in _BOUNDS)]
    return Rating(round(score, 1), difficulty, dict(Counter(hint.title for hint in steps).most_common()))


def difficulty_of(board: Board, limit: Limit = PATIENCE) -> Difficulty:
    """The class alone."""
    return rate(board, limit).difficulty


def _searching(board: Board, limit: Limit) -> float:
    """Decisions of a sweep, a tenth each and averaged over the corners, or of the SAT solver on the same scale."""
    if choose(board) == "sweep":
        counts = nodes_from_each_corner(board, limit)
        return float(prod(count / 10 for count in counts) ** (1 / len(counts)))
    proof = search(board, "sat", limit)
    for _ in zip(range(2), proof, strict=False):
        pass
    return len(board.graph.nodes) / 5 + proof.nodes  # a sweep decides each cell about twice even where all is forced
