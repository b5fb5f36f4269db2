"""The moves of Alquerque (`dm574`) on positions in one integer, always seen from the side to move."""

import numpy as np
from numpy.typing import NDArray

from kibitz.games.alquerque import BOARD, FIELDS, JOINED, SHIFTS
from kibitz.proofs.slots import LOST
from kibitz.proofs.symmetry import pass_turn

Integers = NDArray[np.int64]

FORWARD = 3  # of the eight directions


def shift_cells(cells: int, direction: int) -> int:
    """The fields one line away from these in a direction."""
    shift = SHIFTS[direction]
    joined = cells & JOINED[direction]
    return int(joined << shift if shift > 0 else joined >> -shift)


def list_moves(own: int, enemy: int, more: int, at: int, children: Integers, images: Integers) -> int:
    """Write the positions that a move leads to; LOST where one takes the last enemy piece."""
    empty = BOARD & ~(own | enemy)
    for direction in range(8):
        shift = SHIFTS[direction]
        targets = shift_cells(shift_cells(own, direction) & enemy, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            taken = target >> shift if shift > 0 else target << -shift
            origin = target >> 2 * shift if shift > 0 else target << -2 * shift
            if enemy == taken:
                return LOST
            children[at] = pass_turn(own ^ origin ^ target, enemy ^ taken, more, images, FIELDS)
            at += 1
    for direction in range(FORWARD):
        shift = SHIFTS[direction]
        targets = shift_cells(own, direction) & empty
        while targets:
            target = targets & -targets
            targets ^= target
            children[at] = pass_turn(own ^ target << -shift ^ target, enemy, more, images, FIELDS)
            at += 1
    return at
