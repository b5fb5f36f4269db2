"""The transposition table: buckets of two entries, one cache line each, entries that verify themselves.

An entry is four words: a check word, the move, the facts, the score. The check word is the key combined with the other
three, so an entry that two threads wrote half and half belongs to no key.
"""

import numpy as np
from numpy.typing import NDArray

WORDS, BUCKET = 4, 8
CHECK, MOVE, FACTS, SCORE = 0, 1, 2, 3
LOWER, UPPER, EXACT = 1, 2, 3  # what the score is to the true value: it is at least, at most, or just that
AGES = 64


def bucket_of(key: int, words: int) -> int:
    """The index of the first word of a key's bucket; the number of buckets is a power of two."""
    return (key & (words // BUCKET - 1)) * BUCKET


def facts_of(depth: int, bound: int, age: int) -> int:
    return (depth + 256) << 16 | bound << 8 | age


def depth_of(facts: int) -> int:
    return (facts >> 16) - 256


def bound_of(facts: int) -> int:
    return facts >> 8 & 255


def entry_of(table: NDArray[np.int64], key: int) -> int:
    """The index of the key's entry, or -1."""
    at = bucket_of(key, table.size)
    for entry in range(at, at + BUCKET, WORDS):
        if table[entry + CHECK] ^ table[entry + MOVE] ^ table[entry + FACTS] ^ table[entry + SCORE] == key:
            return entry
    return -1


def store(
    table: NDArray[np.int64],
    scores: NDArray[np.float64],
    key: int,
    move: int,
    depth: int,
    bound: int,
    score: float,
    age: int,
) -> None:
    """Keep a result: over the key's own entry, else over the entry of the bucket that is worth least.

    `scores` is the same memory as `table`, seen as floating point numbers.
    """
    at = bucket_of(key, table.size)
    chosen, least = at, 1 << 40
    for entry in range(at, at + BUCKET, WORDS):
        facts = int(table[entry + FACTS])
        if table[entry + CHECK] ^ table[entry + MOVE] ^ facts ^ table[entry + SCORE] == key:
            chosen = entry
            if move < 0:
                move = int(table[entry + MOVE])
            break
        worth = depth_of(facts) - 8 * ((age - (facts & 255)) % AGES) if facts != 0 else -(1 << 30)
        if worth < least:
            chosen, least = entry, worth
    facts = facts_of(depth, bound, age)
    scores[chosen + SCORE] = score
    table[chosen + MOVE] = move
    table[chosen + FACTS] = facts
    table[chosen + CHECK] = key ^ move ^ facts ^ table[chosen + SCORE]


def new_table(megabytes: int) -> NDArray[np.int64]:
    """An empty table, the largest power of two of buckets that fits."""
    buckets = 1
    while buckets * 2 * BUCKET * 8 <= megabytes << 20:
        buckets *= 2
    return np.zeros(buckets * BUCKET, np.int64)
