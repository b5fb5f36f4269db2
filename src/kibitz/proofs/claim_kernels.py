"""Gather the claims of a certificate: from the start on, one good move for the winner and all for the loser.

Positions from which the checker finds its way alone are left out, so its own plain search decides what is a leaf.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import ONGOING
from kibitz.core.seam.slots import result
from kibitz.proofs.checker import wins_plainly
from kibitz.proofs.control import DONE, FOUND, STOP, WAITING
from kibitz.proofs.dfpn import WIDEST
from kibitz.proofs.hash_table import recall
from kibitz.proofs.slots import list_all_children, list_children, unpack_state

Integers = NDArray[np.int64]

FORGOTTEN = -1


class Claims(NamedTuple):
    """The positions claimed so far, a hash set of them, and those that the table had forgotten."""

    codes: Integers
    seen: Integers
    waiting: Integers


class Scratch(NamedTuple):
    """Room for lists of moves and of positions."""

    moves: Integers
    children: Integers


def gather_claims(
    rules: Any,
    starts: int,
    goal: int,
    turns: int,
    claims: Claims,
    scratch: Scratch,
    table: Integers,
    board: Any,
    control: Integers,
) -> int:
    """Follow up the claims that `control` counts, and all that come of them: every position that the winner, playing by
    the proof, may have to move in. It ends when that is done or there is no more room, for claims or in `waiting`.

    `waiting` lists claims that the table had forgotten; they have been proven anew since the last call and come first,
    but now and then the table has forgotten one again. The first `starts` claims are there whatever the checker finds
    alone; `goal` says whether a draw will do.
    """
    still = 0
    for index in range(control[WAITING]):
        claim = claims.waiting[index]
        if not follow_up(claim, rules, goal, turns, claims, scratch, table, board, control):
            claims.waiting[still] = claim
            still += 1
    control[WAITING] = still
    while control[DONE] < control[FOUND] and control[STOP] == 0:
        if control[FOUND] + WIDEST > claims.codes.size or control[WAITING] == claims.waiting.size:
            break
        claim = claims.codes[control[DONE]]
        control[DONE] += 1
        if control[DONE] <= starts and is_settled(claim, rules, goal, turns, scratch.moves, board) != 0:
            continue
        if not follow_up(claim, rules, goal, turns, claims, scratch, table, board, control):
            claims.waiting[control[WAITING]] = claim
            control[WAITING] += 1
    return 0


def follow_up(
    claim: int,
    rules: Any,
    goal: int,
    turns: int,
    claims: Claims,
    scratch: Scratch,
    table: Integers,
    board: Any,
    control: Integers,
) -> bool:
    """Claim what a good move and every reply to it lead to; False where the table has forgotten the good move."""
    lost = find_lost_child(claim, scratch.children, table, board)
    if lost == FORGOTTEN:
        return False
    for index in range(list_all_children(lost, scratch.children, board)):
        child = scratch.children[index]
        if not is_seen(child, claims) and is_settled(child, rules, goal, turns, scratch.moves, board) == 0:
            control[FOUND] = add_claim(child, control[FOUND], claims)
    return True


def is_settled(code: int, rules: Any, goal: int, turns: int, out: Integers, board: Any) -> int:
    """1 where the game is over, as the loser could not help, or where the checker sees how the goal is reached."""
    state = unpack_state(code & ((1 << 2 * board.cells) - 1), board.cells)
    if result(state, rules) != ONGOING:
        return 1
    zero = int(np.int64(0))  # no literal: the recursion knows one type of argument
    return wins_plainly(state, rules, goal, turns, zero, out)


def find_lost_child(code: int, children: Integers, table: Integers, board: Any) -> int:
    """A position that a good move leads to, by what is sure or remembered; FORGOTTEN where neither says."""
    end = list_children(code, 0, children, board)
    if end < 0:
        return int(children[0])
    for index in range(end):
        numbers = recall(children[index], table)
        if numbers != 0 and numbers >> 31 == 0:
            return int(children[index])
    return FORGOTTEN


def place_of(code: int, claims: Claims) -> int:
    """Where in the hash set a claim is, or would go. The set holds places in `codes`, counted from 1."""
    seen = claims.seen
    place = code % seen.size
    while seen[place] != 0 and claims.codes[seen[place] - 1] != code:
        place += 1
        if place == seen.size:
            place = 0
    return int(place)


def is_seen(code: int, claims: Claims) -> bool:
    return bool(claims.seen[place_of(code, claims)] != 0)


def add_claim(code: int, found: int, claims: Claims) -> int:
    """Add a claim, unless it is known; how many there are now."""
    place = place_of(code, claims)
    if claims.seen[place] != 0:
        return found
    claims.codes[found] = code
    claims.seen[place] = found + 1
    return found + 1


def fill_set(claims: Claims, found: int) -> int:
    """Fill the hash set with the claims that there are."""
    for index in range(found):
        claims.seen[place_of(claims.codes[index], claims)] = index + 1
    return 0
