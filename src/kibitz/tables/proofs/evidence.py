"""Gather the evidence of a proof: walk through it from the start, one good move for the winner and all for the loser.

Positions from which the checker finds its way alone are left out, so its own plain search decides what is a leaf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam.running import STOP
from kibitz.tables.proofs import alquerque, breakthrough
from kibitz.tables.proofs.checker import plainly_reached, state_of
from kibitz.tables.proofs.memory import NEVER, recalled
from kibitz.tables.proofs.numbers import DELTA, PHI, children, prove_node
from kibitz.tables.proofs.turning import CELLS

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

BREAKTHROUGH = 0
GAME = BREAKTHROUGH
FULL, UNPROVEN = -1, -2  # why gathering gave up
FOUND, DONE = 6, 7  # entries of `control`: claims so far, and how many of them have been followed up


def gather_claims(
    rules: Any,
    starts: Integers,
    goal: int,
    turns: int,
    claims: Integers,
    seen: Integers,
    out: Integers,
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
    """Write every position that the winner, playing by the proof, may have to move in; how many there are. `goal` says
    whether a draw will do, `seen` is a hash set of the claims, twice as large.
    """
    found, zero = 0, int(np.int64(0))  # no literals: recursions know one type of argument
    for index in range(starts.size):
        found = claimed(starts[index], found, claims, seen)
    done = 0
    while done < found and control[STOP] == 0:
        lost = lost_child(claims[done], kids, phis, deltas, paths, table, images, powers, known, plan, control)
        if lost < 0:
            return UNPROVEN
        end = replies(lost, kids, images, powers, known, plan)
        for index in range(end):
            if found + 1 >= claims.size:
                return FULL
            kid = kids[index]
            position = kid & ((1 << 2 * plan[CELLS]) - 1)
            if is_seen(kid, claims, seen):
                continue
            if plainly_reached(state_of(position, plan[CELLS]), rules, goal, turns, zero, out) == 0:
                found = claimed(kid, found, claims, seen)
        done += 1
        control[FOUND], control[DONE] = found, done
    return found


def lost_child(
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
    """A position that a good move leads to. What the table has forgotten is searched again."""
    for attempt in range(2):
        end = children(code, 0, kids, images, powers, known, plan)
        if end < 0:
            return int(kids[0])
        for index in range(end):
            numbers = recalled(kids[index], table)
            if numbers != 0 and numbers >> 31 == 0:
                return int(kids[index])
        if attempt == 0:
            bound, zero = int(np.int64(NEVER)), int(np.int64(0))
            prove_node(
                code, bound, bound, zero, zero, kids, phis, deltas, paths, table, images, powers, known, plan, control
            )  # fmt: skip
            if control[PHI] != 0 or control[DELTA] == 0:
                return UNPROVEN
    return UNPROVEN


def replies(code: int, kids: Integers, images: Integers, powers: Integers, known: Small, plan: Integers) -> int:
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
