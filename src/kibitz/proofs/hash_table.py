"""What a proof search remembers: positions with their numbers, in a table that threads share without locks.

An entry is two words: the numbers, and the position with the work spent on it, hidden under the numbers. A word that
another thread tore in two fits no position, so it is not found; nothing worse can happen.
"""

import math

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

INFINITE = 1 << 30  # the number of leaves where nothing helps any more
BUCKET = 8  # words: four entries, one line of the processor's cache
ENTRY_BYTES = 16
POSITION = (1 << 60) - 1
LEVELS = 7  # work is remembered as a power of eight


def bucket_of(code: int, table: Integers) -> int:
    """Where a position's bucket begins. Positions differ in few bits; a prime number of buckets scatters them."""
    return code % (table.size // BUCKET) * BUCKET


def recall(code: int, table: Integers) -> int:
    """The numbers of a position, or 0 where it is not remembered; no entry of a position is 0."""
    first = bucket_of(code, table)
    for entry in range(first, first + BUCKET, 2):
        numbers = table[entry + 1]
        if (table[entry] ^ numbers) & POSITION == code:
            return int(numbers)
    return 0


def remember(code: int, phi: int, delta: int, work: int, table: Integers) -> None:
    """Write an entry over the old one of the position, or over the one of its bucket that took the least work."""
    level = level_of(work)
    first = bucket_of(code, table)
    chosen, least = first, LEVELS + 1
    for entry in range(first, first + BUCKET, 2):
        word = table[entry] ^ table[entry + 1]
        if word & POSITION == code:
            chosen = entry
            level = max(level, word >> 60)
            break
        if word >> 60 < least:
            chosen, least = entry, word >> 60
    numbers = phi | delta << 31
    table[chosen] = (code | level << 60) ^ numbers
    table[chosen + 1] = numbers


def level_of(work: int) -> int:
    level = 0
    while work >= 8 and level < LEVELS:
        work >>= 3
        level += 1
    return level


def collect_entries(table: Integers, least: int, entries: Integers) -> int:
    """Write down the entries whose level is at least so high, as many as there is room for; how many there are."""
    found = 0
    for entry in range(0, table.size, 2):
        numbers = table[entry + 1]
        word = table[entry] ^ numbers
        if numbers != 0 and word >> 60 >= least:
            if found < entries.shape[0]:
                entries[found, 0], entries[found, 1] = word, numbers
            found += 1
    return found


def restore_entries(table: Integers, entries: Integers) -> int:
    """Put entries that were written down back into a table."""
    for index in range(entries.shape[0]):
        word, numbers = entries[index, 0], entries[index, 1]
        remember(word & POSITION, numbers & (2 * INFINITE - 1), numbers >> 31, 1 << 3 * (word >> 60), table)
    return 0


def new_table(megabytes: int) -> Integers:
    """An empty table of at most so many megabytes, its buckets on lines of the cache."""
    buckets = max((megabytes << 20) // (8 * BUCKET), 3)
    while not _is_prime(buckets):
        buckets -= 1
    room = np.zeros(buckets * BUCKET + BUCKET, np.int64)
    first = -room.ctypes.data % (8 * BUCKET) // 8
    return room[first : first + buckets * BUCKET]


def _is_prime(number: int) -> bool:
    return number == 2 or (number % 2 == 1 and all(number % odd for odd in range(3, math.isqrt(number) + 1, 2)))
