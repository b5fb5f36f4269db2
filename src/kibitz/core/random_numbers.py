"""The random numbers of kernels: one generator in plain integers, so that compiled and interpreted code draw the same.

It is the minimal standard generator of S. K. Park and K. W. Miller (Communications of the ACM 31, 1988) with the factor
of 1993: numbers from 1 to PRIME - 1, each of them once in a period. A kernel keeps the last number and asks for the
next one. Outside of kernels there is `random.Random`.
"""

import numpy as np
from numpy.typing import NDArray

PRIME = 2147483647  # numbers below it can be multiplied without overflow
FACTOR = 48271


def next_number(number: int) -> int:
    """The random number after this one: times FACTOR, modulo PRIME, which is 2**31 - 1 and so needs no division."""
    product = number * FACTOR
    folded = (product & PRIME) + (product >> 31)
    return folded - PRIME if folded >= PRIME else folded


def number_below(number: int, count: int) -> int:
    """A random number as one from 0 up to but not including `count`."""
    return (number * count) >> 31


def hash_number(code: np.uint64, seed: int) -> int:
    """A random number that depends on this code and this seed and on nothing else."""
    number = np.int64(code % np.uint64(PRIME))
    for _ in range(3):
        number = (number * number + seed) % PRIME
        number = (number * FACTOR + 1) % PRIME
    return max(int(number), 1)


def shuffle(out: NDArray[np.int64], at: int, end: int, number: int) -> int:
    """Put the entries from `at` to `end` into an order that depends on the number; the last number that was used."""
    for last in range(end - 1, at, -1):
        number = next_number(number)
        other = at + number % (last - at + 1)
        out[last], out[other] = out[other], out[last]
    return number
