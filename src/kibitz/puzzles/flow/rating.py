"""How hard a board is: the effort of solving it by reasoning, step by step.

Every hint has a price: little for what can be seen at one place, more for a spike, much for seeing that others would be
closed in, most for trials, by the number of steps they take. The score is the sum. It is made to order boards as
solving effort does; docs/flow.md says how well it does.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.hints import hints
from kibitz.puzzles.flow.knowledge import Kind

Difficulty = Literal["easy", "medium", "hard", "expert"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert")

_PRICES: Mapping[Kind, float] = {
    "corner": 0.2, "forced": 0.2, "touch": 0.3, "block": 0.5, "spike": 1.0, "closed": 5.0, "trial": 8.0, "solution": 60.0,
}  # fmt: skip
_STEP = 1.0  # each step of a trial
_BOUNDS = (15.0, 60.0, 180.0)  # the scores at which medium, hard and expert begin


@dataclass(frozen=True)
class Rating:
    """A score, the class it falls in, and how many hints of each kind made it."""

    score: float
    difficulty: Difficulty
    kinds: Mapping[str, int]


def rate(board: Board) -> Rating:
    """The rating of a board that has a solution."""
    steps = list(hints(board))
    score = sum(_PRICES[hint.kind] + _STEP * hint.steps for hint in steps)
    difficulty = DIFFICULTIES[sum(score >= bound for bound in _BOUNDS)]
    return Rating(round(score, 1), difficulty, dict(Counter(hint.title for hint in steps).most_common()))


def difficulty_of(board: Board) -> Difficulty:
    """The class alone."""
    return rate(board).difficulty
