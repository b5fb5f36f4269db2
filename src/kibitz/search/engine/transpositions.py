"""The transposition table: buckets of two entries, one cache line each, entries that verify themselves.

An entry is four words: a check word, the move, the facts, the score. The check word is the key combined with the other
three, so an entry that two threads wrote half and half belongs to no key. What was checked is what is used: each word
is loaded once.

Behind the entries lie slots for the moves that threads are searching, so that others may try another one first
(simplified ABDADA: Kerrigan).
"""

import numpy as np
from numpy.typing import NDArray

WORDS, BUCKET = 4, 8
CHECK, MOVE, FACTS, SCORE = 0, 1, 2, 3
LOWER, UPPER, EXACT = 1, 2, 3  # what the score is to the true value: it is at least, at most, or just that
PROVEN_BIT = 4  # beside the bound
STATIC_RANGE = 1 << 15
STATIC_BIT = 1 << 62  # is there a static value?
AGES = 64
NOTHING = 0  # the facts of no entry
BUSY_SLOTS = 1 << 12


def bucket_of(key: int, words: int) -> int:
    """The index of the first word of a key's bucket; the number of buckets is a power of two."""
    return (key & ((words - BUSY_SLOTS) // BUCKET - 1)) * BUCKET


def facts_of(depth: int, bound: int, age: int) -> int:
    return (depth + 256) << 16 | bound << 8 | age


def with_static(facts: int, static: float) -> int:
    """The facts and a static value, a whole number from -STATIC_RANGE on, below STATIC_RANGE."""
    return facts | (int(static) + STATIC_RANGE) << 32 | STATIC_BIT


def static_of(facts: int) -> float:
    return float(((facts & ~STATIC_BIT) >> 32) - STATIC_RANGE)


def depth_of(facts: int) -> int:
    return (facts >> 16 & 65535) - 256


def bound_of(facts: int) -> int:
    return facts >> 8 & 255


def read_entry(table: NDArray[np.int64], key: int) -> tuple[int, int, float]:
    """The facts, move and score kept for a key; facts are NOTHING where there is no entry."""
    at = bucket_of(key, table.size)
    for entry in range(at, at + BUCKET, WORDS):
        check, move, facts, score = table[entry], table[entry + MOVE], table[entry + FACTS], table[entry + SCORE]
        if check ^ move ^ facts ^ score == key:
            return int(facts), int(move), float(np.int64(score).view(np.float64))
    return NOTHING, -1, 0.0


def write_entry(table: NDArray[np.int64], key: int, move: int, facts: int, score: float) -> None:
    """Keep a result: over the key's own entry, else over the entry of the bucket that is worth least."""
    at = bucket_of(key, table.size)
    age = facts & 255
    chosen, least = at, 1 << 40
    for entry in range(at, at + BUCKET, WORDS):
        old_move, old_facts = table[entry + MOVE], table[entry + FACTS]
        if table[entry + CHECK] ^ old_move ^ old_facts ^ table[entry + SCORE] == key:
            chosen = entry
            if move < 0:
                move = int(old_move)
            break
        worth = depth_of(old_facts) - 8 * ((age - (old_facts & 255)) % AGES) if old_facts != NOTHING else -(1 << 30)
        if worth < least:
            chosen, least = entry, worth
    bits = np.float64(score).view(np.int64)
    table[chosen + MOVE] = move
    table[chosen + FACTS] = facts
    table[chosen + SCORE] = bits
    table[chosen + CHECK] = key ^ move ^ facts ^ bits


def new_table(megabytes: int) -> NDArray[np.int64]:
    """An empty table, the largest power of two of buckets that fits."""
    buckets = 1
    while buckets * 2 * BUCKET * 8 <= megabytes << 20:
        buckets *= 2
    return np.zeros(buckets * BUCKET + BUSY_SLOTS, np.int64)


def busy_mark(key: int, move: int) -> int:
    """What stands for a move of a position among those that are being searched."""
    return key ^ (move + 1) * 0x9E3779B97F4A7C1 & 0x7FFFFFFFFFFFFFFF


def busy_slot(mark: int, words: int) -> int:
    return words - 1 - (mark & (BUSY_SLOTS - 1))


def is_busy(table: NDArray[np.int64], key: int, move: int) -> bool:
    """Is a thread searching this move?"""
    mark = busy_mark(key, move)
    return bool(table[busy_slot(mark, table.size)] == mark)


def write_busy(table: NDArray[np.int64], key: int, move: int, busy: bool) -> None:
    """Say that a thread begins or ends to search a move; two moves of one slot only cost some work done twice."""
    mark = busy_mark(key, move)
    table[busy_slot(mark, table.size)] = mark if busy else 0
