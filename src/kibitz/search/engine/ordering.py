"""Which move first: the table's, tactical ones, killers, then by what cut before."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam.slots import is_tactical, moves
from kibitz.search.engine.memory import Memory, pair_slot, slot_of
from kibitz.search.engine.transpositions import is_busy, write_busy

STEP_KILLERS = 1
STEP_HISTORY = 1
FROM_TABLE, TACTICAL, KILLER = 1 << 50, 1 << 40, 1 << 39
HISTORY_RANGE = 1 << 30  # more than what history adds or takes
MOST_HISTORY = 1 << 14
POSTPONED = 1 << 55  # taken off the rank of a move that another thread is searching
SHARED_DEPTH = 5  # below it late moves may be skipped, which must not happen to a promising one that was postponed


def rank_moves(
    state: Any, rules: Any, side: int, level: int, at: int, end: int, known: int, previous: int, memory: Memory
) -> None:
    """Write how promising each move is; equal ones keep the order in which they came."""
    record = memory.record[0]
    for index in range(at, end):
        move = int(memory.moves[index])
        rank = at - index
        if move == known:
            rank += FROM_TABLE
        elif is_tactical(state, move, rules):
            rank += TACTICAL
        elif STEP_KILLERS and move == record.killers[level, 0]:
            rank += KILLER + 1
        elif STEP_KILLERS and move == record.killers[level, 1]:
            rank += KILLER
        if STEP_HISTORY:
            worth = record.history[side, slot_of(move)] + record.pairs[pair_slot(previous, move)]
            rank += int(worth) << 10
        memory.ranks[index] = rank


def is_quiet_rank(rank: int) -> bool:
    """Does a move of this rank come behind the table's, tactical ones and killers?"""
    return rank < KILLER - HISTORY_RANGE


def is_tactical_rank(rank: int) -> bool:
    """Is a move of this rank the table's or tactical?"""
    return rank >= TACTICAL - HISTORY_RANGE


def must_be_tactical(state: Any, rules: Any, at: int, end: int, memory: Memory) -> bool:
    """Has the side to move tactical moves alone, as where captures are compulsory?"""
    for index in range(at, end):  # noqa: SIM110 - compiled code knows no all()
        if not is_tactical(state, int(memory.moves[index]), rules):
            return False
    return True


def add_others(state: Any, rules: Any, at: int, end: int, memory: Memory) -> int:
    """Write the moves that are not among the candidates behind them; the index behind the last one."""
    out = memory.moves
    last = int(moves(state, rules, out, end))
    kept = end
    for index in range(end, last):
        move = out[index]
        known = False
        for earlier in range(at, end):
            known = known or out[earlier] == move
        if not known:
            out[kept] = move
            memory.ranks[kept] = -kept
            kept += 1
    return kept


def pick(index: int, end: int, out: NDArray[np.int64], ranks: NDArray[np.int64]) -> None:
    """Bring the most promising of the moves left to the front."""
    best = index
    for other in range(index + 1, end):
        if ranks[other] > ranks[best]:
            best = other
    move, rank = out[best], ranks[best]
    out[best], ranks[best] = out[index], ranks[index]
    out[index], ranks[index] = move, rank


def pick_move(code: int, depth: int, tried: int, index: int, end: int, memory: Memory) -> bool:
    """Bring the next move to the front. Among several threads, one that another thread is searching comes last; True
    where they look at each other's moves.
    """
    out, ranks = memory.moves, memory.ranks
    pick(index, end, out, ranks)
    if memory.record[0].threads == 1 or depth < SHARED_DEPTH or tried == 0:
        return False
    while ranks[index] > -POSTPONED // 2 and is_busy(memory.table, code, int(out[index])):
        ranks[index] -= POSTPONED
        pick(index, end, out, ranks)
    if ranks[index] < -POSTPONED // 2:
        ranks[index] += POSTPONED
    return True


def set_busy(shared: bool, code: int, move: int, memory: Memory) -> None:
    """Let the other threads know that this one searches a move."""
    if shared:
        write_busy(memory.table, code, move, busy=True)


def set_free(shared: bool, code: int, move: int, memory: Memory) -> None:
    """Let the other threads know that it has done so."""
    if shared:
        write_busy(memory.table, code, move, busy=False)


def reward(side: int, level: int, depth: int, at: int, index: int, previous: int, memory: Memory) -> None:
    """Remember that the quiet move at `index` cut, and that those tried before it did not."""
    record = memory.record[0]
    move = int(memory.moves[index])
    if record.killers[level, 0] != move:
        record.killers[level, 1] = record.killers[level, 0]
        record.killers[level, 0] = move
    bonus = min(depth * depth + depth, 400) * 16
    for earlier in range(at, index):
        learn(side, previous, int(memory.moves[earlier]), -bonus, memory)
    learn(side, previous, move, bonus, memory)


def learn(side: int, previous: int, move: int, bonus: int, memory: Memory) -> None:
    """Move the counters of a move towards a bonus, the less the nearer they are to their limit."""
    record = memory.record[0]
    slot, pair = slot_of(move), pair_slot(previous, move)
    record.history[side, slot] += bonus - record.history[side, slot] * abs(bonus) // MOST_HISTORY
    record.pairs[pair] += bonus - record.pairs[pair] * abs(bonus) // MOST_HISTORY
