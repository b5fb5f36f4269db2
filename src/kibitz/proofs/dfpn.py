"""Proof-number search, depth first (df-pn: Nagai 2002), for games that always end.

A position's numbers speak for the side to move: `phi` is how many leaves must at least still be won for that side to
reach its goal, `delta` how many must fail before it cannot. One of them is 0 when the question is answered. The side to
move needs one good move, so its phi is the least delta among the positions it can move to, and its delta the sum of
their phis.

Several threads may search one root and share the table; each shows its path to the others, who rather go elsewhere.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count
from kibitz.core.seam.control import STOP
from kibitz.proofs.alquerque import adapter as alquerque
from kibitz.proofs.breakthrough import adapter as breakthrough
from kibitz.proofs.hash_table import NEVER, recalled, remember
from kibitz.proofs.symmetry import CELLS
from kibitz.search.budget import MOST_NODES, NODES

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

BREAKTHROUGH, ALQUERQUE = 0, 1
GAME = BREAKTHROUGH
PHI, DELTA, THREAD = 3, 4, 5  # entries of `control` behind those that all searches have
SHOWN = 24  # how much of its path a thread shows
LOST = -1
EVEN = 4  # a guess is this power of two where both sides have as many pieces
DEEPEST, WIDEST = 200, 100  # plies of a game and moves of a position, more than there are in any game here


def prove_root(
    code: int,
    kids: Integers,
    phis: Integers,
    deltas: Integers,
    paths: Integers,
    table: Integers,
    images: Integers,
    powers: Integers,
    known: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Search until the question is answered or the search is stopped; the numbers are left in `control`."""
    bound, zero = int(np.int64(NEVER)), int(np.int64(0))  # no literals: the recursion knows one type of argument
    return prove_node(
        code, bound, bound, zero, zero, kids, phis, deltas, paths, table, images, powers, known, plan, control
    )


def prove_node(
    code: int,
    most_phi: int,
    most_delta: int,
    depth: int,
    at: int,
    kids: Integers,
    phis: Integers,
    deltas: Integers,
    paths: Integers,
    table: Integers,
    images: Integers,
    powers: Integers,
    known: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Work below a position until one of its numbers reaches its bound. `kids`, `phis` and `deltas` are stacks, free
    from `at` on.
    """
    control[NODES] += 1
    before = control[NODES]
    if depth < SHOWN:
        paths[control[THREAD], depth] = code
    # Step 1. Look at the positions that a move leads to.
    end = children(code, at, kids, images, powers, known, plan)
    if end >= 0:
        end = recall_children(at, end, kids, phis, deltas, table, plan)
    phi, delta = 0, NEVER
    while end >= 0:
        # Step 2. The numbers of this position, and the child to work at.
        phi, delta = combined(at, end, phis, deltas)
        if phi >= most_phi or delta >= most_delta or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
            break
        best, second = most_promising(at, end, depth, kids, phis, deltas, paths, control)
        # Step 3. Work there until another child is clearly better (1 + epsilon: Pawlewicz and Lew 2007).
        child_phi = most_delta - delta + phis[best]
        child_delta = max(min(most_phi, second + 1 + second // 4), deltas[best] + 1)
        prove_node(
            kids[best], child_phi, child_delta, depth + 1, end, kids, phis, deltas, paths, table, images, powers,
            known, plan, control,
        )  # fmt: skip
        phis[best], deltas[best] = control[PHI], control[DELTA]
        if phis[best] == 0:
            deltas[best] = NEVER
    # Step 4. Remember it.
    if depth < SHOWN:
        paths[control[THREAD], depth] = -1
    remember(code, phi, delta, control[NODES] - before + 1, table)
    control[PHI], control[DELTA] = phi, delta
    return 0


def children(
    code: int, at: int, kids: Integers, images: Integers, powers: Integers, known: Small, plan: Integers
) -> int:
    """Write the positions to be looked at; LOST where one of them is lost for the other side."""
    if GAME == BREAKTHROUGH:
        return breakthrough.list_children(code, at, kids, images, powers, known, plan)
    return alquerque.list_children(code, at, kids, images, powers, known, plan)


def recall_children(
    at: int, end: int, kids: Integers, phis: Integers, deltas: Integers, table: Integers, plan: Integers
) -> int:
    """The numbers of each child, remembered or a first guess. Children that are won for the other side are left out;
    LOST where one is lost for it.
    """
    kept = at
    for index in range(at, end):
        kid = kids[index]
        numbers = recalled(kid, table)
        phi, delta = numbers & (2 * NEVER - 1), numbers >> 31
        if numbers == 0:
            phi, delta = first_guess(kid, plan)
        if delta == 0:
            return LOST
        if phi != 0:
            kids[kept], phis[kept], deltas[kept] = kid, phi, delta
            kept += 1
    return kept


def first_guess(code: int, plan: Integers) -> tuple[int, int]:
    """The numbers of a position nobody has looked at. In Alquerque who has more pieces is nearer to any goal; in
    Breakthrough every guess that was tried helped some boards and hurt others (docs/proofs.md).
    """
    if GAME == BREAKTHROUGH:
        return 1, 1
    board = (1 << plan[CELLS]) - 1
    lead = count(code & board) - count(code >> plan[CELLS] & board)
    return 1 << max(0, EVEN - lead), 1 << max(0, EVEN + lead)


def combined(at: int, end: int, phis: Integers, deltas: Integers) -> tuple[int, int]:
    """A position's numbers by those of its children."""
    least, total = NEVER, 0
    for index in range(at, end):
        least = min(least, deltas[index])
        total += phis[index]
    if least == 0:
        return 0, NEVER
    if least == NEVER:
        return NEVER, 0
    return least, min(total, NEVER - 1)


def most_promising(
    at: int,
    end: int,
    depth: int,
    kids: Integers,
    phis: Integers,
    deltas: Integers,
    paths: Integers,
    control: Integers,
) -> tuple[int, int]:
    """The child with the least delta, and the second least. Where another thread is at work, it counts as more."""
    best, least, second = at, 2 * NEVER, NEVER
    for index in range(at, end):
        delta = deltas[index]
        if delta < NEVER and depth + 1 < SHOWN and taken(kids[index], depth + 1, paths, control[THREAD]):
            delta = min(2 * delta + 1, NEVER - 1)
        if delta < least or (delta == least and phis[index] < phis[best]):
            second = min(least, NEVER)
            best, least = index, delta
        elif delta < second:
            second = delta
    return best, second


def taken(code: int, depth: int, paths: Integers, thread: int) -> bool:
    """Is another thread at work on this position?"""
    for other in range(paths.shape[0]):  # noqa: SIM110 - compiled code knows no any()
        if other != thread and paths[other, depth] == code:
            return True
    return False


def new_stacks() -> tuple[Integers, Integers, Integers]:
    """The stacks of a search: positions, and their two numbers."""
    room = DEEPEST * WIDEST
    return np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
