"""Gather the evidence of a proof: walk through it from the start, one good move for the winner and all for the loser.

Positions from which the checker finds its way alone are left out, so its own plain search decides what is a leaf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import ONGOING
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import result
from kibitz.proofs.alquerque import adapter as alquerque
from kibitz.proofs.breakthrough import adapter as breakthrough
from kibitz.proofs.checker import plainly_reached, state_of
from kibitz.proofs.dfpn import WIDEST, children
from kibitz.proofs.hash_table import recalled
from kibitz.proofs.symmetry import CELLS

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

BREAKTHROUGH = 0
GAME = BREAKTHROUGH
FORGOTTEN = -1
FOUND, DONE, WAITING = 6, 7, 8  # entries of `control`: claims so far, how many were looked at, how many of those wait


def gather_claims(
    rules: Any,
    starts: int,
    goal: int,
    turns: int,
    claims: Integers,
    seen: Integers,
    waiting: Integers,
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
    the proof, may have to move in. It ends when that is done or there is no more room, for claims or in `waiting`.

    `waiting` lists claims that the table had forgotten; they have been proven anew since the last call and come first,
    but now and then the table has forgotten one again. The first `starts` claims are there whatever the checker finds
    alone; `goal` says whether a draw will do; `seen` is a hash set.
    """
    still = 0
    for index in range(control[WAITING]):
        claim = waiting[index]
        if not follow_up(
            claim, rules, goal, turns, claims, seen, out, kids, table, images, powers, known, plan, control
        ):  # fmt: skip
            waiting[still] = claim
            still += 1
    control[WAITING] = still
    while control[DONE] < control[FOUND] and control[STOP] == 0:
        if control[FOUND] + WIDEST > claims.size or control[WAITING] == waiting.size:
            break
        claim = claims[control[DONE]]
        control[DONE] += 1
        if control[DONE] <= starts and settled(claim, rules, goal, turns, out, plan) != 0:
            continue
        if not follow_up(
            claim, rules, goal, turns, claims, seen, out, kids, table, images, powers, known, plan, control
        ):
            waiting[control[WAITING]] = claim
            control[WAITING] += 1
    return 0


def follow_up(
    claim: int,
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
) -> bool:
    """Claim what a good move and every reply to it lead to; False where the table has forgotten the good move."""
    lost = lost_child(claim, kids, table, images, powers, known, plan)
    if lost == FORGOTTEN:
        return False
    for index in range(replies(lost, kids, images, plan)):
        kid = kids[index]
        if not is_seen(kid, claims, seen) and settled(kid, rules, goal, turns, out, plan) == 0:
            control[FOUND] = claimed(kid, control[FOUND], claims, seen)
    return True


def settled(code: int, rules: Any, goal: int, turns: int, out: Integers, plan: Integers) -> int:
    """1 where the game is over, as the loser could not help, or where the checker sees how the goal is reached."""
    state = state_of(code & ((1 << 2 * plan[CELLS]) - 1), plan[CELLS])
    if result(state, rules) != ONGOING:
        return 1
    zero = int(np.int64(0))  # no literal: the recursion knows one type of argument
    return plainly_reached(state, rules, goal, turns, zero, out)


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
