"""Positions in one integer, always seen from the side to move: turning the board round, and mirror images as one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

CELLS = 0  # the entry of `plan` that holds the number of cells
MOST_CELLS = 30
CHUNK = 10  # cells that are turned round at once


class Ground(NamedTuple):
    """What a search is given of a game besides its rules."""

    images: Integers
    powers: Integers
    known: Small
    plan: Integers


def turned(cells: int, images: Integers) -> int:
    """The cells seen from the other side: upside down in the lower half of the result, turned round in the upper."""
    low = (1 << CHUNK) - 1
    return int(images[0, cells & low] | images[1, cells >> CHUNK & low] | images[2, cells >> 2 * CHUNK])


def passed_on(own: int, enemy: int, more: int, images: Integers, plan: Integers) -> int:
    """The position for the other side, who is to move now: of two mirror images the one with the smaller number.
    `more` goes above the cells.
    """
    mine, theirs = turned(enemy, images), turned(own, images)
    half, cells = (1 << MOST_CELLS) - 1, plan[CELLS]
    upright = mine & half | (theirs & half) << cells
    mirrored = mine >> MOST_CELLS | theirs >> MOST_CELLS << cells
    return int(min(upright, mirrored) | more << 2 * cells)


def upside_down(cells: int, images: Integers) -> int:
    return turned(cells, images) & (1 << MOST_CELLS) - 1


def images_of(rows: int, columns: int) -> Integers:
    """For ten cells at a time, what `turned` makes of them."""
    found = np.zeros((3, 1 << CHUNK), np.int64)
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        across = (rows - 1 - row) * columns
        bits = 1 << across + column | 1 << across + columns - 1 - column + MOST_CELLS
        chunk, bit = divmod(cell, CHUNK)
        found[chunk, np.arange(1 << CHUNK) >> bit & 1 == 1] |= bits
    return found
