"""Sets of cells in one integer. Inside compiled rules each of these is a machine instruction or two.

A field of a State is `int` (63 bits to use) or, where all 64 are needed, `Bits`. Do not mix the two in one
expression: shift amounts and results of `lowest` and `count` are plain integers, everything else is Bits.
"""

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

Bits = np.uint64
ONE, NONE = Bits(1), Bits(0)
WORD = 0xFFFFFFFFFFFFFFFF
BitSet = TypeVar("BitSet", int, np.uint64)


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


def cells(bits: Bits | int) -> Iterator[int]:
    """The cells of a set, lowest first; to loop over, or to `yield from`.

    >>> list(cells(0b101000))
    [3, 5]
    """
    value = int(bits) & WORD
    while value:
        yield lowest(value)
        value &= value - 1


def step(bits: BitSet, shift: int, onto: BitSet) -> BitSet:
    """The cells one step further: the set shifted up, or down where the shift is negative, as far as it is `onto`."""
    by = int(shift)  # a number out of an array, which NumPy would not shift by
    return (bits << by if by >= 0 else bits >> -by) & onto


def has_run(bits: Bits | int, runs: tuple[tuple[int, Bits | int], ...], length: int) -> bool:
    """Are so many cells in a row in the set? `runs` are the board's `runs(length)`."""
    for shift, starts in runs:
        found = bits & starts
        for index in range(1, length):
            found &= bits >> shift * index
        if found:
            return True
    return False


def one(cell: int) -> Bits:
    """The set that holds this cell alone."""
    return Bits(1 << int(cell))


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
