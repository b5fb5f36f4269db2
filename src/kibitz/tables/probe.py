"""Looking up a position in compiled code: for searches, and for many positions at once.

A table is two arrays: a few numbers that say how it is laid out, and its bytes. Where there is no table both are empty,
so that a search compiled with `probe=probe` serves with and without one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.slots import UNKNOWN, index, key_state, read_words, result, turn, write_words
from kibitz.tables.file.values import EVEN_SPLIT, NOBODY, distance_of, winner_of

KIND, SIZE, WIDTH, SALT, HEADER = range(5)  # of the header; WIDTH: words of a state
SPLIT = WIDTH  # of an indexed table: see `values`; 0 where it is even
INDEXED, SORTED = 1, 2
HASH_BITS = (1 << 62) - 1
HALF = (1 << 32) - 1
ODD = 0x2545F4914F6CDD1D
NO_HEADER, NO_DATA = np.zeros(0, np.int64), np.zeros(0, np.uint8)


def probe(state: Any, rules: Any, header: NDArray[np.int64], data: NDArray[np.uint8]) -> int:
    """What the table knows: 0 a draw, n the first player wins in n - 1 turns, -n the second one does; or UNKNOWN.
    Ply limits and repetition are ignored.
    """
    if len(header) == 0:
        return UNKNOWN
    here = key_state(state, rules)
    found = result(here, rules)
    if found != ONGOING:
        return 1 if found == FIRST_WINS else -1 if found == SECOND_WINS else 0
    if header[KIND] == INDEXED:
        number = index(here, rules)
        if number < 0 or number >= header[SIZE]:
            return UNKNOWN
        return sign_of(int(data[number]), turn(here, rules), split_of(header))
    return find_sorted(hash_state(here, rules, header), header, data)


def split_of(header: NDArray[np.int64]) -> int:
    """Up to which code the second player wins."""
    return int(header[SPLIT]) if header[SPLIT] > 0 else EVEN_SPLIT


def sign_of(code: int, side: int, split: int) -> int:
    """A code as `probe` returns it."""
    winner = winner_of(code, split)
    if winner == NOBODY:
        return 0
    distance = distance_of(code, side, split) + 1
    return distance if winner == FIRST else -distance


def hash_state(state: Any, rules: Any, header: NDArray[np.int64]) -> int:
    """The code of a state in a table without an index."""
    words = np.empty(header[WIDTH], np.int64)
    return hash_of(words, write_words(state, rules, words, 0), header[SALT])


def hash_of(words: NDArray[np.int64], end: int, salt: int) -> int:
    """62 bits that hardly any two states share; the same in Python, whose integers know no end."""
    code = int(salt)
    for at in range(end):
        word = int(words[at])
        for half in (word & HALF, word >> 32 & HALF):  # the product of a whole word would forget its highest bits
            code = (code ^ half) * ODD & HASH_BITS
            code ^= code >> 29
    code = code * ODD & HASH_BITS
    return code ^ code >> 32


def find_sorted(code: int, header: NDArray[np.int64], data: NDArray[np.uint8]) -> int:
    """Find a code among the sorted ones in front; the values lie behind them."""
    size = int(header[SIZE])
    codes = data[: 8 * size].view(np.int64)
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low == size or codes[low] != code:
        return UNKNOWN
    return int(data[8 * size : 12 * size].view(np.int32)[low])


def probe_words(
    rules: Any,
    words: NDArray[np.int64],
    width: int,
    header: NDArray[np.int64],
    data: NDArray[np.uint8],
    found: NDArray[np.int64],
) -> None:
    """What the table knows of states that lie one behind the other, so many words each."""
    for number in range(len(found)):
        found[number] = probe(read_words(words, number * width, rules), rules, header, data)
