"""Alpha-beta as the report has it.

Chance is played by nobody: the outcomes of a random battle stand among the turns, behind all turns without one, each
side picks the outcomes it likes, and a leaf counts with the probability of the last ply's outcome.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.agents.published.assael.leaf import growth, leaf_value
from kibitz.agents.published.assael.turns import advance, begin, draft, gather, is_allowed, next_outcome
from kibitz.agents.published.assael.work import CHOICE, ME, PLIES, TARGET, Work, enemy, mover
from kibitz.core.seam.control import STOP
from kibitz.search.budget import count_node


def best_turn(work: Work, weights: NDArray[np.float64], control: NDArray[np.int64]) -> float:
    """The value of the list at level 0. At CHOICE stands the first best turn, or the best so far if it was stopped."""
    return visit(work, weights, control, 0 * work[0], -np.inf, np.inf, 1.0)


def visit(
    work: Work,
    weights: NDArray[np.float64],
    control: NDArray[np.int64],
    level: int,
    alpha: float,
    beta: float,
    odds: float,
) -> float:
    """The value of the list at this level, whose battles came out so with probability `odds`."""
    if not count_node(control):
        return 0.0
    if level == work[PLIES]:
        return odds * growth(work, level) * leaf_value(work, weights, level)
    ours = level % 2 == 0
    side = int(work[ME]) if ours else enemy(work)
    best = -np.inf if ours else np.inf
    moving = gather(work, level, side)
    for random in range(2):
        begin(work, level, moving)
        going = True
        while going and control[STOP] == 0:
            outcome, trying = 0, is_allowed(work, level, moving)
            while trying:
                battles, chance = draft(work, level, moving, side, outcome)
                if (battles > 0) != (random == 1):
                    break
                if level == 0 and work[CHOICE] < 0:
                    note_turn(work, moving)
                value = visit(work, weights, control, level + 1, alpha, beta, chance)
                if control[STOP] != 0:
                    return best
                if (ours and value > best) or (not ours and value < best):
                    best = value
                    if level == 0:
                        note_turn(work, moving)
                if ours:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    return best
                outcome = next_outcome(work, outcome, battles)
                trying = outcome > 0
            going = advance(work, level, moving)
    return best


def note_turn(work: Work, moving: int) -> None:
    for index in range(moving):
        work[CHOICE + index] = work[mover(0, index) + TARGET]
