"""Can one side of Alquerque (`dm574`) hold, that is at least draw? A search in depth that trusts its habits.

The side that has to hold tries its moves in the order of its habits, and must meet every reply. What was found is
remembered; no position comes back, so what is remembered stays true. Where the habits are good, hardly any move but the
first is ever tried.

The side that has to hold always goes up. A position is its pieces in the lowest bits, the enemy's above them, and above
those a bit that says whether the enemy is to move. A position and its mirror image are one.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.seam.control import STOP
from kibitz.games.alquerque import BOARD, FIELDS, FLIP, SHIFTS, landings, shifted
from kibitz.proofs.alquerque.preferences import HABITS, liking, one_of_two
from kibitz.proofs.dfpn import DELTA, PHI, THREAD
from kibitz.proofs.hash_table import NEVER, recalled, remember
from kibitz.proofs.symmetry import CELLS, Ground
from kibitz.search.budget import MOST_NODES, NODES

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

FEW = CELLS + 1  # the entry of `plan` that says how many pieces are few
FAILS, HOLDS, STOPPED = 0, 1, 2
LOST = -1
POSITION = (1 << 2 * FIELDS) - 1


def hold_root(
    code: int,
    kids: Integers,
    likings: Integers,
    unused: Integers,
    paths: Integers,
    table: Integers,
    images: Integers,
    worth: Integers,
    known: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Search until the question is answered or the search is stopped. The answer is left in `control` as numbers of the
    side to move, as a proof-number search would leave it.
    """
    end = int(np.int64(0))  # no literal: the recursion knows one type of argument
    verdict = FAILS
    if code > POSITION:
        end = list_replies(code & POSITION, end, kids)
        if end != LOST:
            verdict = met_by_all(int(np.int64(0)), end, kids, likings, table, worth, plan, control)
    else:
        verdict = hold_node(code, end, kids, likings, table, worth, plan, control)
    reached = (verdict == HOLDS) != (code > POSITION)
    control[PHI], control[DELTA] = (0, NEVER) if reached else (NEVER, 0)
    if verdict == STOPPED:
        control[PHI], control[DELTA] = 1, 1
    return 0


def met_by_all(
    at: int, end: int, kids: Integers, likings: Integers, table: Integers, worth: Integers, plan: Integers,
    control: Integers,
) -> int:  # fmt: skip
    """Does the side that has to hold do so in all of these positions?"""
    for index in range(at, end):
        verdict = hold_node(kids[index], end, kids, likings, table, worth, plan, control)
        if verdict != HOLDS:
            return int(verdict)
    return HOLDS


def hold_node(
    code: int, at: int, kids: Integers, likings: Integers, table: Integers, worth: Integers, plan: Integers,
    control: Integers,
) -> int:  # fmt: skip
    """Does the side to move hold? `kids` and `likings` are stacks, free from `at` on."""
    numbers = recalled(code, table)
    if numbers != 0:
        return HOLDS if numbers >> 31 != 0 else FAILS
    control[NODES] += 1
    before = control[NODES]
    # Step 1. The moves, best liked first. A side that cannot move has drawn.
    end = list_own(code, at, kids, likings, worth, plan)
    verdict = HOLDS if end == at else FAILS
    for index in range(at, end):
        # Step 2. The replies that are not known to fail; the move is bad if one is known to win.
        last = list_replies(kids[index], end, kids)
        if last != LOST:
            last = still_open(end, last, kids, table)
        if last == LOST:
            continue
        # Step 3. All of them must be met. Each thread begins with another one.
        verdict = HOLDS
        for nth in range(last - end):
            reply = kids[end + (nth + control[THREAD]) % (last - end)]
            verdict = hold_node(reply, last, kids, likings, table, worth, plan, control)
            if verdict != HOLDS:
                break
        if verdict != FAILS:
            break
    if verdict == STOPPED or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
        return STOPPED
    # Step 4. Remember it.
    phi, delta = (0, NEVER) if verdict == HOLDS else (NEVER, 0)
    remember(code, phi, delta, control[NODES] - before + 1, table)
    return int(verdict)


def list_own(code: int, at: int, kids: Integers, likings: Integers, worth: Integers, plan: Integers) -> int:
    """Write the positions after each move of the side that has to hold, best liked first."""
    own, enemy = code & BOARD, code >> FIELDS
    empty = BOARD & ~(own | enemy)
    end = at
    for direction in range(8):
        shift = SHIFTS[direction]
        targets = landings(own, enemy, empty, direction)
        while targets:
            target = targets & -targets
            targets ^= target
            taken = moved_back(target, shift)
            mine, theirs = own ^ moved_back(taken, shift) ^ target, enemy ^ taken
            end = put_in_order(mine, theirs, liking(mine, theirs, 1, worth, plan[FEW]), at, end, kids, likings)
    for direction in range(3):
        shift = SHIFTS[direction]
        targets = shifted(own, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            mine = own ^ moved_back(target, shift) ^ target
            end = put_in_order(mine, enemy, liking(mine, enemy, 0, worth, plan[FEW]), at, end, kids, likings)
    return end


def put_in_order(mine: int, theirs: int, liked: int, at: int, end: int, kids: Integers, likings: Integers) -> int:
    """Write a position behind those that are liked at least as well; where the list ends now."""
    place = end
    while place > at and likings[place - 1] < liked:
        kids[place], likings[place] = kids[place - 1], likings[place - 1]
        place -= 1
    kids[place], likings[place] = mine | theirs << FIELDS, liked
    return end + 1


def list_replies(code: int, at: int, kids: Integers) -> int:
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
            taken = moved_back(target, shift)
            if taken == own:
                return LOST
            kids[at] = one_of_two(own ^ taken | (enemy ^ moved_back(taken, shift) ^ target) << FIELDS)
            at += 1
    for direction in range(5, 8):
        shift = SHIFTS[direction]
        targets = shifted(enemy, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            kids[at] = one_of_two(own | (enemy ^ moved_back(target, shift) ^ target) << FIELDS)
            at += 1
    return at


def moved_back(cell: int, shift: int) -> int:
    """The cell, as a set, from which such a shift leads here."""
    return int(cell >> shift if shift > 0 else cell << -shift)


def still_open(at: int, end: int, kids: Integers, table: Integers) -> int:
    """Keep the positions about which nothing is remembered; LOST where one is known to fail."""
    kept = at
    for index in range(at, end):
        numbers = recalled(kids[index], table)
        if numbers == 0:
            kids[kept] = kids[index]
            kept += 1
        elif numbers >> 31 == 0:
            return LOST
    return kept


def ground(holder: int) -> Ground:
    """What the search needs to know besides the rules: the habits of the side that has to hold."""
    habits = HABITS[holder]
    nothing = np.zeros((1, 1), np.int64)
    return Ground(nothing, habits.worth, np.zeros(1, np.uint8), np.array([FIELDS, habits.few], np.int64))


def code_of(position: Position, holder: int) -> int:
    """A position as the search sees it, when this side has to hold."""
    state = position.state if holder == FIRST else position.game.transform(position.state, FLIP)
    code = one_of_two(int(state.white) | int(state.black) << FIELDS)
    return code | int(position.turn != holder) << 2 * FIELDS
