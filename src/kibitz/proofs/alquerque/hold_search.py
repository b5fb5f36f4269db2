"""Can one side of Alquerque (`dm574`) hold, that is at least draw? A search in depth that trusts its preferences.

The side that has to hold tries its moves in the order of its preferences, and must meet every reply. What was found is
remembered; no position comes back, so what is remembered stays true. Where the preferences are good, hardly any move
but the first is ever tried.

The side that has to hold always goes up. A position is its pieces in the lowest bits, the enemy's above them, and above
those a bit that says whether the enemy is to move. A position and its mirror image are one.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.games.alquerque import BOARD, FIELDS, FLIP, SHIFTS, landings, shifted
from kibitz.proofs.alquerque.preferences import Preferences, canonical, score
from kibitz.proofs.control import DELTA, MOST_NODES, NODES, PHI, STOP, THREAD
from kibitz.proofs.dfpn import Shared, Stacks
from kibitz.proofs.hash_table import INFINITE, recall, remember
from kibitz.proofs.slots import LOST

Integers = NDArray[np.int64]

FAILS, HOLDS, STOPPED = 0, 1, 2
POSITION = (1 << 2 * FIELDS) - 1


def hold_root(code: int, stacks: Stacks, shared: Shared, board: Preferences, control: Integers) -> int:
    """Search until the question is answered or the search is stopped. The answer is left in `control` as numbers of the
    side to move, as a proof-number search would leave it.
    """
    end = int(np.int64(0))  # no literal: the recursion knows one type of argument
    found = FAILS
    if code > POSITION:
        end = list_replies(code & POSITION, end, stacks.children)
        if end != LOST:
            found = hold_all(int(np.int64(0)), end, stacks, shared.table, board, control)
    else:
        found = hold_node(code, end, stacks, shared.table, board, control)
    reached = (found == HOLDS) != (code > POSITION)
    control[PHI], control[DELTA] = (0, INFINITE) if reached else (INFINITE, 0)
    if found == STOPPED:
        control[PHI], control[DELTA] = 1, 1
    return 0


def hold_all(at: int, end: int, stacks: Stacks, table: Integers, board: Preferences, control: Integers) -> int:
    """Does the side that has to hold do so in all of these positions?"""
    for index in range(at, end):
        found = hold_node(stacks.children[index], end, stacks, table, board, control)
        if found != HOLDS:
            return int(found)
    return HOLDS


def hold_node(code: int, at: int, stacks: Stacks, table: Integers, board: Preferences, control: Integers) -> int:
    """Does the side to move hold? The stacks are free from `at` on."""
    numbers = recall(code, table)
    if numbers != 0:
        return HOLDS if numbers >> 31 != 0 else FAILS
    control[NODES] += 1
    before = control[NODES]
    # Step 1. The moves, the preferred one first. A side that cannot move has drawn.
    end = list_own(code, at, stacks, board)
    found = HOLDS if end == at else FAILS
    for index in range(at, end):
        # Step 2. The replies that are not known to fail; the move is bad if one is known to win.
        last = list_replies(stacks.children[index], end, stacks.children)
        if last != LOST:
            last = keep_open(end, last, stacks.children, table)
        if last == LOST:
            continue
        # Step 3. All of them must be met. Each thread begins with another one.
        found = HOLDS
        for nth in range(last - end):
            reply = stacks.children[end + (nth + control[THREAD]) % (last - end)]
            found = hold_node(reply, last, stacks, table, board, control)
            if found != HOLDS:
                break
        if found != FAILS:
            break
    if found == STOPPED or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
        return STOPPED
    # Step 4. Remember it.
    phi, delta = (0, INFINITE) if found == HOLDS else (INFINITE, 0)
    remember(code, phi, delta, control[NODES] - before + 1, table)
    return int(found)


def list_own(code: int, at: int, stacks: Stacks, board: Preferences) -> int:
    """Write the positions after each move of the side that has to hold, the preferred one first."""
    own, enemy = code & BOARD, code >> FIELDS
    empty = BOARD & ~(own | enemy)
    end = at
    for direction in range(8):
        shift = SHIFTS[direction]
        targets = landings(own, enemy, empty, direction)
        while targets:
            target = targets & -targets
            targets ^= target
            taken = shift_back(target, shift)
            mine, theirs = own ^ shift_back(taken, shift) ^ target, enemy ^ taken
            end = insert(mine, theirs, score(mine, theirs, 1, board.weights, board.few), at, end, stacks)
    for direction in range(3):
        shift = SHIFTS[direction]
        targets = shifted(own, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            mine = own ^ shift_back(target, shift) ^ target
            end = insert(mine, enemy, score(mine, enemy, 0, board.weights, board.few), at, end, stacks)
    return end


def insert(mine: int, theirs: int, points: int, at: int, end: int, stacks: Stacks) -> int:
    """Write a position behind those whose score is at least as high; where the list ends now. Scores take the place of
    phis.
    """
    children, scores = stacks.children, stacks.phis
    place = end
    while place > at and scores[place - 1] < points:
        children[place], scores[place] = children[place - 1], scores[place - 1]
        place -= 1
    children[place], scores[place] = mine | theirs << FIELDS, points
    return end + 1


def list_replies(code: int, at: int, children: Integers) -> int:
    """Write the positions after each move of the enemy, who goes down, captures first; LOST where one takes the last
    piece.
    """
    own, enemy = code & BOARD, code >> FIELDS
    empty = BOARD & ~(own | enemy)
    for direction in range(8):
        shift = SHIFTS[direction]
        targets = landings(enemy, own, empty, direction)
        while targets:
            target = targets & -targets
            targets ^= target
            taken = shift_back(target, shift)
            if taken == own:
                return LOST
            children[at] = canonical(own ^ taken | (enemy ^ shift_back(taken, shift) ^ target) << FIELDS)
            at += 1
    for direction in range(5, 8):
        shift = SHIFTS[direction]
        targets = shifted(enemy, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            children[at] = canonical(own | (enemy ^ shift_back(target, shift) ^ target) << FIELDS)
            at += 1
    return at


def shift_back(cell: int, shift: int) -> int:
    """The cell, as a set, from which such a shift leads here."""
    return int(cell >> shift if shift > 0 else cell << -shift)


def keep_open(at: int, end: int, children: Integers, table: Integers) -> int:
    """Keep the positions about which nothing is remembered; LOST where one is known to fail."""
    kept = at
    for index in range(at, end):
        numbers = recall(children[index], table)
        if numbers == 0:
            children[kept] = children[index]
            kept += 1
        elif numbers >> 31 == 0:
            return LOST
    return kept


def code_of(position: Position, holder: int) -> int:
    """A position as the search sees it, when this side has to hold."""
    state = position.state if holder == FIRST else position.game.transform(position.state, FLIP)
    code = canonical(int(state.white) | int(state.black) << FIELDS)
    return code | int(position.turn != holder) << 2 * FIELDS
