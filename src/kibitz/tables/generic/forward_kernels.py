"""The forward pass of the generic solver, for any game without chance: find every position that can come about, and who
leads to whom.

Positions lie in buckets by the first bits of their codes. A thread that expands positions writes what it finds into its
buffer; then each bucket takes what belongs to it from all buffers. So no two threads write to one place, and what is
found does not depend on who comes first. A position's number is its place in its bucket.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.seam.control import STOP
from kibitz.core.seam.slots import key_state, moves, play, read_words, result, turn, write_words
from kibitz.tables.probe import hash_of

CLASH, WIDER, STUCK, LONG = range(1, 5)  # of a control array, behind STOP
FOUND, EXPANDED, EDGES = range(3)  # of a bucket's counts
FILLED = 0  # of a buffer's counts
BUCKETS, BUCKET_SHIFT = 64, 56  # codes have 62 bits
FINISHED, WON_BY_FIRST, WON_BY_SECOND = 2, 3, 4  # kinds from FINISHED on, a draw, are ends; the others the side to move
NONE = -1


class BucketArrays(NamedTuple):
    """The arrays of a bucket, for kernels."""

    rows: NDArray[np.uint8]
    codes: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    left: NDArray[np.int32]  # moves of each position
    slots: NDArray[np.int32]  # a hash table of numbers
    targets: NDArray[np.int32]  # of each edge: the number it leads to
    sources: NDArray[np.int32]  # and where it comes from: number * BUCKETS + bucket
    counts: NDArray[np.int64]


class BufferArrays(NamedTuple):
    """What one thread has found: positions, where each comes from, and to which bucket it belongs."""

    rows: NDArray[np.uint8]
    codes: NDArray[np.int64]
    sources: NDArray[np.int32]
    buckets: NDArray[np.uint8]
    filled: NDArray[np.int64]


class SortedBuffers(NamedTuple):
    """The buffers of all threads, and in which order buckets take from them."""

    rows: NDArray[np.uint8]
    codes: NDArray[np.int64]
    sources: NDArray[np.int32]
    order: NDArray[np.int32]
    bounds: NDArray[np.int64]


def expand(
    rules: Any,
    name: int,
    start: int,
    stop: int,
    salt: int,
    widths: NDArray[np.int64],
    bucket: BucketArrays,
    buffer: BufferArrays,
    out: NDArray[np.int64],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Expand positions of a bucket until the buffer may be full; the first one that was not expanded."""
    width = widths.sum()
    for number in range(start, stop):
        if control[STOP] != 0 or buffer.filled[FILLED] + len(out) > len(buffer.codes):
            return number
        here = unpack(number, rules, widths, bucket.rows, words)
        kind = kind_of(here, rules)
        count = 0 if kind >= FINISHED else moves(here, rules, out, 0)
        bucket.kinds[number], bucket.left[number] = kind, count
        if kind < FINISHED and count == 0:
            control[STUCK], control[STOP] = 1 + name, 1
            return number
        for at in range(count):
            child = key_state(play(here, out[at], rules), rules)
            if turn(child, rules) == kind:
                control[LONG] = 1
            if write_words(child, rules, words, 0) != len(widths):
                control[WIDER], control[STOP] = 1, 1
                return number
            entry = buffer.filled[FILLED]
            pack(entry * width, widths, buffer.rows, words)
            buffer.codes[entry] = hash_of(words, len(widths), salt)
            buffer.sources[entry] = number * BUCKETS + name
            buffer.buckets[entry] = buffer.codes[entry] >> BUCKET_SHIFT
            buffer.filled[FILLED] += 1
    return stop


def kind_of(state: Any, rules: Any) -> int:
    """Whose move it is, or how the game has ended."""
    found = result(state, rules)
    if found == ONGOING:
        return int(turn(state, rules))
    return WON_BY_FIRST if found == FIRST_WINS else WON_BY_SECOND if found == SECOND_WINS else FINISHED


def pack(place: int, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]) -> None:
    """Keep as many bytes of each word as its field has."""
    for at in range(len(widths)):
        for byte in range(widths[at]):
            rows[place] = (words[at] >> 8 * byte) & 255
            place += 1


def unpack(
    number: int, rules: Any, widths: NDArray[np.int64], rows: NDArray[np.uint8], words: NDArray[np.int64]
) -> Any:
    """The state of a number."""
    place = number * widths.sum()
    for at in range(len(widths)):
        word = np.int64(0)
        for byte in range(widths[at]):
            word |= np.int64(rows[place]) << np.int64(8 * byte)
            place += 1
        words[at] = word
    return read_words(words, 0, rules)


def sort_buffer(
    buckets: NDArray[np.uint8], filled: NDArray[np.int64], order: NDArray[np.int32], bounds: NDArray[np.int64]
) -> None:
    """What belongs to bucket b are the entries `order[bounds[b]:bounds[b + 1]]`."""
    bounds[:] = 0
    for entry in range(filled[FILLED]):
        bounds[buckets[entry] + 1] += 1
    for bucket in range(BUCKETS):
        bounds[bucket + 1] += bounds[bucket]
    for entry in range(filled[FILLED] - 1, -1, -1):
        # bounds[b + 1] runs down from where bucket b ends to where it begins
        bounds[buckets[entry] + 1] -= 1
        order[bounds[buckets[entry] + 1]] = entry
    for bucket in range(BUCKETS):
        bounds[bucket] = bounds[bucket + 1]
    bounds[BUCKETS] = filled[FILLED]


def absorb(name: int, width: int, buffers: SortedBuffers, bucket: BucketArrays, control: NDArray[np.int64]) -> None:
    """Put what all buffers hold for this bucket into it: positions that are new, and who leads to each."""
    counts = bucket.counts
    for buffer in range(len(buffers.order)):
        for place in range(buffers.bounds[buffer, name], buffers.bounds[buffer, name + 1]):
            entry = buffers.order[buffer, place]
            slot = slot_of(buffers.codes[buffer, entry], bucket.codes, bucket.slots)
            number = bucket.slots[slot]
            if number == NONE:
                number = np.int32(counts[FOUND])
                bucket.slots[slot] = number
                bucket.codes[number] = buffers.codes[buffer, entry]
                for byte in range(width):
                    bucket.rows[number * width + byte] = buffers.rows[buffer, entry * width + byte]
                counts[FOUND] += 1
            else:
                for byte in range(width):
                    if bucket.rows[number * width + byte] != buffers.rows[buffer, entry * width + byte]:
                        control[CLASH], control[STOP] = 1, 1
            bucket.targets[counts[EDGES]] = number
            bucket.sources[counts[EDGES]] = buffers.sources[buffer, entry]
            counts[EDGES] += 1


def slot_of(code: int, codes: NDArray[np.int64], slots: NDArray[np.int32]) -> int:
    """Where the number of this code is, or is to be put."""
    slot = code & (len(slots) - 1)
    while slots[slot] != NONE and codes[slots[slot]] != code:
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


def fill_slots(codes: NDArray[np.int64], found: int, slots: NDArray[np.int32]) -> None:
    """Put the positions found into a new hash table."""
    slots[:] = NONE
    for number in range(found):
        slots[slot_of(codes[number], codes, slots)] = number
