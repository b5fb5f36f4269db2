"""Proof-number search, depth first (df-pn: Nagai 2002), for games that always end.

A position's numbers speak for the side to move: `phi` is how many leaves must at least still be won for that side to
reach its goal, `delta` how many must fail before it cannot. One of them is 0 when the question is answered. The side to
move needs one good move, so its phi is the least delta among the positions it can move to, and its delta the sum of
their phis.

Several threads may search one root and share the table; each shows its path to the others, who rather go elsewhere.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.proofs.control import DELTA, MOST_NODES, NODES, PHI, STOP, THREAD
from kibitz.proofs.hash_table import INFINITE, recall, remember
from kibitz.proofs.slots import LOST, first_guess, list_children

Integers = NDArray[np.int64]

SHOWN = 24  # how much of its path a thread shows
DEEPEST, WIDEST = 200, 100  # plies of a game and moves of a position, more than there are in any game here


class Stacks(NamedTuple):
    """The stacks of one thread: the positions to be looked at, and their two numbers."""

    children: Integers
    phis: Integers
    deltas: Integers


class Shared(NamedTuple):
    """What threads share: their paths, and the table of what they have found."""

    paths: Integers
    table: Integers


def prove_root(code: int, stacks: Stacks, shared: Shared, board: Any, control: Integers) -> int:
    """Search until the question is answered or the search is stopped; the numbers are left in `control`."""
    bound, zero = int(np.int64(INFINITE)), int(np.int64(0))  # no literals: the recursion knows one type of argument
    return prove_node(code, bound, bound, zero, zero, stacks, shared, board, control)


def prove_node(
    code: int,
    most_phi: int,
    most_delta: int,
    depth: int,
    at: int,
    stacks: Stacks,
    shared: Shared,
    board: Any,
    control: Integers,
) -> int:
    """Work below a position until one of its numbers reaches its bound. The stacks are free from `at` on."""
    control[NODES] += 1
    before = control[NODES]
    if depth < SHOWN:
        shared.paths[control[THREAD], depth] = code
    # Step 1. Look at the positions that a move leads to.
    end = list_children(code, at, stacks.children, board)
    if end >= 0:
        end = recall_children(at, end, stacks, shared.table, board)
    phi, delta = 0, INFINITE
    while end >= 0:
        # Step 2. The numbers of this position, and the child to work at.
        phi, delta = combine(at, end, stacks)
        if phi >= most_phi or delta >= most_delta or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
            break
        best, second = find_most_promising(at, end, depth, stacks, shared.paths, control[THREAD])
        # Step 3. Work there until another child is clearly better (1 + epsilon: Pawlewicz and Lew 2007).
        child_phi = most_delta - delta + stacks.phis[best]
        child_delta = max(min(most_phi, second + 1 + second // 4), stacks.deltas[best] + 1)
        prove_node(stacks.children[best], child_phi, child_delta, depth + 1, end, stacks, shared, board, control)
        stacks.phis[best], stacks.deltas[best] = control[PHI], control[DELTA]
        if stacks.phis[best] == 0:
            stacks.deltas[best] = INFINITE
    # Step 4. Remember it.
    if depth < SHOWN:
        shared.paths[control[THREAD], depth] = -1
    remember(code, phi, delta, control[NODES] - before + 1, shared.table)
    control[PHI], control[DELTA] = phi, delta
    return 0


def recall_children(at: int, end: int, stacks: Stacks, table: Integers, board: Any) -> int:
    """The numbers of each child, remembered or a first guess. Children that are won for the other side are left out;
    LOST where one is lost for it.
    """
    kept = at
    for index in range(at, end):
        child = stacks.children[index]
        numbers = recall(child, table)
        phi, delta = numbers & (2 * INFINITE - 1), numbers >> 31
        if numbers == 0:
            phi, delta = first_guess(child, board)
        if delta == 0:
            return LOST
        if phi != 0:
            stacks.children[kept], stacks.phis[kept], stacks.deltas[kept] = child, phi, delta
            kept += 1
    return kept


def combine(at: int, end: int, stacks: Stacks) -> tuple[int, int]:
    """A position's numbers by those of its children."""
    least, total = INFINITE, 0
    for index in range(at, end):
        least = min(least, stacks.deltas[index])
        total += stacks.phis[index]
    if least == 0:
        return 0, INFINITE
    if least == INFINITE:
        return INFINITE, 0
    return least, min(total, INFINITE - 1)


def find_most_promising(at: int, end: int, depth: int, stacks: Stacks, paths: Integers, thread: int) -> tuple[int, int]:
    """The child with the least delta, and the second least. Where another thread is at work, it counts as more."""
    best, least, second = at, 2 * INFINITE, INFINITE
    for index in range(at, end):
        delta = stacks.deltas[index]
        if delta < INFINITE and depth + 1 < SHOWN and is_taken(stacks.children[index], depth + 1, paths, thread):
            delta = min(2 * delta + 1, INFINITE - 1)
        if delta < least or (delta == least and stacks.phis[index] < stacks.phis[best]):
            second = min(least, INFINITE)
            best, least = index, delta
        elif delta < second:
            second = delta
    return best, second


def is_taken(code: int, depth: int, paths: Integers, thread: int) -> bool:
    """Is another thread at work on this position?"""
    for other in range(paths.shape[0]):  # noqa: SIM110 - compiled code knows no any()
        if other != thread and paths[other, depth] == code:
            return True
    return False


def new_stacks() -> Stacks:
    """Empty stacks."""
    room = DEEPEST * WIDEST
    return Stacks(np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64))
