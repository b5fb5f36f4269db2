"""How far the marbles of Chinese checkers have to go: rows, and the classes of cells that only a step leads out of."""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST
from kibitz.games.checkers import SPECIAL


def rows_left(cell: int, side: int, size: int) -> int:
    """How many rows a marble on this cell has to go to the tip of its goal."""
    row = cell // size + cell % size
    return row if side == FIRST else 2 * size - 2 - row


def class_changes(held: int, needed: int) -> int:
    """How many marbles have to change their class."""
    changes = 0
    for shift in range(0, 32, 4):
        changes += max(0, (held >> shift & 15) - (needed >> shift & 15))
    return changes


def class_of(marble: int, cell: int, size: int) -> int:
    """The bit where marbles of this kind on cells of this class are counted, at most 15 of them."""
    kind = 16 if marble >= SPECIAL else 0
    return kind + 8 * (cell // size % 2) + 4 * (cell % size % 2)


def beside_its_place(
    marble: int, cell: int, wanted: NDArray[np.int8], steps: NDArray[np.int16], reach: NDArray[np.int8]
) -> bool:
    """Does a step lead to a cell for this kind of marble?"""
    for direction in range(6):
        if reach[6 * cell + direction] > 0 and wanted[cell + int(steps[direction])] == marble:
            return True
    return False
