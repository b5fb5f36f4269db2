"""The moves of Alquerque (`dm574`) on positions in one integer, always seen from the side to move."""

import numpy as np
from numpy.typing import NDArray

from kibitz.games.alquerque import BOARD, JOINED, SHIFTS
from kibitz.proofs.symmetry import passed_on

Integers = NDArray[np.int64]

FORWARD = 3  # of the eight directions
LOST = -1


def shifted(cells: int, direction: int) -> int:
    """The fields one line away from these in a direction."""
    shift = SHIFTS[direction]
    joined = cells & JOINED[direction]
    return int(joined << shift if shift > 0 else joined >> -shift)


def list_moves(own: int, enemy: int, more: int, at: int, kids: Integers, images: Integers, plan: Integers) -> int:
    """Write the positions that a move leads to; LOST where one takes the last enemy piece."""
    empty = BOARD & ~(own | enemy)
    for direction in range(8):
        shift = SHIFTS[direction]
        targets = shifted(shifted(own, direction) & enemy, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            taken = target >> shift if shift > 0 else target << -shift
            origin = target >> 2 * shift if shift > 0 else target << -2 * shift
            if enemy == taken:
                return LOST
            kids[at] = passed_on(own ^ origin ^ target, enemy ^ taken, more, images, plan)
            at += 1
    for direction in range(FORWARD):
        shift = SHIFTS[direction]
        targets = shifted(own, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            kids[at] = passed_on(own ^ target << -shift ^ target, enemy, more, images, plan)
            at += 1
    return at
