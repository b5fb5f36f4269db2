"""Which move first: the table's, tactical ones, killers, then by what cut before."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam.slots import is_tactical, moves
from kibitz.search.engine.memory import (
    CONTINUATION,
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    pair_slot,
    slot_of,
)

STEP_KILLERS = 1
STEP_HISTORY = 1
FROM_TABLE, TACTICAL, KILLER = 1 << 50, 1 << 40, 1 << 39
MOST_HISTORY = 1 << 14


def rank_moves(
    state: Any,
    rules: Any,
    side: int,
    level: int,
    at: int,
    end: int,
    known: int,
    previous: int,
    out: NDArray[np.int64],
    order: NDArray[np.int64],
    work: NDArray[np.int64],
) -> None:
    """Write to `order` how promising each move is; equal ones keep the order in which they came."""
    for index in range(at, end):
        move = int(out[index])
        rank = at - index
        if move == known:
            rank += FROM_TABLE
        elif is_tactical(state, move, rules):
            rank += TACTICAL
        elif STEP_KILLERS and move == work[KILLERS + 2 * level]:
            rank += KILLER + 1
        elif STEP_KILLERS and move == work[KILLERS + 2 * level + 1]:
            rank += KILLER
        if STEP_HISTORY:
            worth = work[HISTORY + side * HISTORY_SIZE + slot_of(move)]
            worth += work[CONTINUATION + pair_slot(previous, move)]
            rank += int(worth) << 10
        order[index] = rank


def add_others(state: Any, rules: Any, at: int, end: int, out: NDArray[np.int64], order: NDArray[np.int64]) -> int:
    """Write the moves that are not among the candidates behind them; the index behind the last one."""
    last = int(moves(state, rules, out, end))
    kept = end
    for index in range(end, last):
        move = out[index]
        known = False
        for earlier in range(at, end):
            known = known or out[earlier] == move
        if not known:
            out[kept] = move
            order[kept] = -kept
            kept += 1
    return kept


def pick(index: int, end: int, out: NDArray[np.int64], order: NDArray[np.int64]) -> None:
    """Bring the most promising of the moves left to the front."""
    best = index
    for other in range(index + 1, end):
        if order[other] > order[best]:
            best = other
    move, rank = out[best], order[best]
    out[best], order[best] = out[index], order[index]
    out[index], order[index] = move, rank


def reward(
    side: int,
    level: int,
    depth: int,
    at: int,
    index: int,
    previous: int,
    out: NDArray[np.int64],
    work: NDArray[np.int64],
) -> None:
    """Remember that the quiet move at `index` cut, and that those tried before it did not."""
    move = int(out[index])
    if work[KILLERS + 2 * level] != move:
        work[KILLERS + 2 * level + 1] = work[KILLERS + 2 * level]
        work[KILLERS + 2 * level] = move
    bonus = min(depth * depth + depth, 400) * 16
    for earlier in range(at, index):
        learn(work, HISTORY + side * HISTORY_SIZE + slot_of(int(out[earlier])), -bonus)
        learn(work, CONTINUATION + pair_slot(previous, int(out[earlier])), -bonus)
    learn(work, HISTORY + side * HISTORY_SIZE + slot_of(move), bonus)
    learn(work, CONTINUATION + pair_slot(previous, move), bonus)


def learn(work: NDArray[np.int64], slot: int, bonus: int) -> None:
    """Move a counter towards a bonus, the less the nearer it is to its limit."""
    work[slot] += bonus - int(work[slot]) * abs(bonus) // MOST_HISTORY
