"""Gather the evidence of a proof: walk through it from the start, one good move for the winner and all for the loser.

Positions from which the checker finds its way alone are left out, so its own plain search decides what is a leaf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam.running import STOP
from kibitz.tables.proofs import alquerque, breakthrough
from kibitz.tables.proofs.checker import plainly_reached, state_of
from kibitz.tables.proofs.memory import recalled
from kibitz.tables.proofs.numbers import children
from kibitz.tables.proofs.turning import CELLS

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

BREAKTHROUGH = 0
GAME = BREAKTHROUGH
FULL, FORGOTTEN = -1, -2  # why gathering stopped: no more room; the table no longer knows a good move
FOUND, DONE = 6, 7  # entries of `control`: claims so far, and how many of them have been followed up


def gather_claims(
    rules: Any,
    goal: int,
    turns: int,
    claims: Integers,
    seen: Integers,
    out: Integers,
    kids: Integers,
    table: Integers,
    images: Integers,
    powers: Integers,
    known: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Follow up the claims that `control` counts, and all that come of them: every position that the winner, playing by
    the proof, may have to move in. 0 when that is done. `goal` says whether a draw will do, `seen` is a hash set.
    """
    zero = int(np.int64(0))  # no literal: the recursion knows one type of argument
    while control[DONE] < control[FOUND] and control[STOP] == 0:
        lost = lost_child(claims[control[DONE]], kids, table, images, powers, known, plan)
        if lost < 0:
            return FORGOTTEN
        end = replies(lost, kids, images, plan)
        if control[FOUND] + end > claims.size:
            return FULL
        for index in range(end):
            kid = kids[index]
            if is_seen(kid, claims, seen):
                continue
            state = state_of(kid & ((1 << 2 * plan[CELLS]) - 1), plan[CELLS])
            if plainly_reached(state, rules, goal, turns, zero, out) == 0:
                control[FOUND] = claimed(kid, control[FOUND], claims, seen)
        control[DONE] += 1
    return 0


def lost_child(
    code: int, kids: Integers, table: Integers, images: Integers, powers: Integers, known: Small, plan: Integers
) -> int:
    """A position that a good move leads to, by what is sure or remembered; FORGOTTEN where neither tells."""
    end = children(code, 0, kids, images, powers, known, plan)
    if end < 0:
        return int(kids[0])
    for index in range(end):
        numbers = recalled(kids[index], table)
        if numbers != 0 and numbers >> 31 == 0:
            return int(kids[index])
    return FORGOTTEN


def replies(code: int, kids: Integers, images: Integers, plan: Integers) -> int:
    """Write every position that a move of the loser leads to, sure losses and all."""
    if GAME == BREAKTHROUGH:
        return breakthrough.list_all(code, kids, images, plan)
    return alquerque.list_all(code, kids, images, plan)


def place_of(code: int, claims: Integers, seen: Integers) -> int:
    """Where in the hash set a claim is, or would go. The set holds places in `claims`, counted from 1."""
    place = code % seen.size
    while seen[place] != 0 and claims[seen[place] - 1] != code:
        place += 1
        if place == seen.size:
            place = 0
    return int(place)


def is_seen(code: int, claims: Integers, seen: Integers) -> bool:
    return bool(seen[place_of(code, claims, seen)] != 0)


def claimed(code: int, found: int, claims: Integers, seen: Integers) -> int:
    """Add a claim, unless it is known; how many there are now."""
    place = place_of(code, claims, seen)
    if seen[place] != 0:
        return found
    claims[found] = code
    seen[place] = found + 1
    return found + 1


def hash_claims(claims: Integers, found: int, seen: Integers) -> int:
    """Fill the hash set with the claims that there are."""
    for index in range(found):
        seen[place_of(claims[index], claims, seen)] = index + 1
    return 0
