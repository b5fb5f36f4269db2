"""Positions in one integer, always seen from the side to move: turning the board round, and mirror images as one."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MOST_CELLS = 30
CHUNK = 10  # cells that are turned round at once


def turn_round(cells: int, images: Integers) -> int:
    """The cells seen from the other side: upside down in the lower half of the result, turned round in the upper."""
    low = (1 << CHUNK) - 1
    return int(images[0, cells & low] | images[1, cells >> CHUNK & low] | images[2, cells >> 2 * CHUNK])


def pass_turn(own: int, enemy: int, more: int, images: Integers, cells: int) -> int:
    """The position for the other side, who is to move now: of two mirror images the one with the smaller number.
    `more` goes above the cells.
    """
    mine, theirs = turn_round(enemy, images), turn_round(own, images)
    half = (1 << MOST_CELLS) - 1
    upright = mine & half | (theirs & half) << cells
    mirrored = mine >> MOST_CELLS | theirs >> MOST_CELLS << cells
    return int(min(upright, mirrored) | more << 2 * cells)


def flip(cells: int, images: Integers) -> int:
    return turn_round(cells, images) & (1 << MOST_CELLS) - 1


def make_images(rows: int, columns: int) -> Integers:
    """For ten cells at a time, what `turn_round` makes of them."""
    found = np.zeros((3, 1 << CHUNK), np.int64)
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        across = (rows - 1 - row) * columns
        bits = 1 << across + column | 1 << across + columns - 1 - column + MOST_CELLS
        chunk, bit = divmod(cell, CHUNK)
        found[chunk, np.arange(1 << CHUNK) >> bit & 1 == 1] |= bits
    return found
