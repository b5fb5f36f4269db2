"""Sets of cells in one integer. Inside compiled rules each of these is a machine instruction or two.

A field of a State is `int` (63 bits to use) or, where all 64 are needed, `Bits`. Do not mix the two in one
expression: shift amounts and results of `lowest` and `count` are plain integers, everything else is Bits.
"""

from collections.abc import Iterator

import numpy as np

Bits = np.uint64
ONE, NONE = Bits(1), Bits(0)


def lowest(bits: Bits | int) -> int:
    """The index of the lowest set bit; of no bits, the width of the integer.

    >>> lowest(0b101000)
    3
    """
    value = int(bits)
    return (value & -value).bit_length() - 1 if value else 64


def count(bits: Bits | int) -> int:
    """How many bits are set.

    >>> count(0b101000)
    2
    """
    return int(bits).bit_count()


def one(cell: int) -> Bits:
    """The set that holds this cell alone."""
    return Bits(1 << cell)


def bits_of(cells: Iterator[int] | range | list[int] | tuple[int, ...]) -> Bits:
    """The set of these cells."""
    return Bits(sum(1 << cell for cell in set(cells)))


def cells_of(bits: Bits | int) -> list[int]:
    """The cells of a set, lowest first.

    >>> cells_of(0b101000)
    [3, 5]
    """
    value = int(bits)
    return [cell for cell in range(value.bit_length()) if value >> cell & 1]
