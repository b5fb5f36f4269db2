"""What the generic solver works on: buckets of the positions found, and the buffers that threads fill."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.tables.generic import backward_kernels, forward_kernels
from kibitz.tables.generic.backward_kernels import DecidedArrays
from kibitz.tables.generic.forward_kernels import (
    BUCKETS,
    EDGES,
    EXPANDED,
    FOUND,
    BucketArrays,
    BufferArrays,
    SortedBuffers,
)

START = 64  # positions that a bucket has room for at first
MANY = 1 << 25  # the most positions of a bucket that can be numbered
EACH, EACH_EDGE = 13, 8  # bytes of a position beside its state, and of a move that leads to one
SLACK, SLOTS = 1.25, 9  # room that is not used, and bytes of slots for a position, both on average
BUFFER_SIZE = 1 << 17  # entries of a buffer, where memory allows


class Bucket:
    """The positions whose codes begin alike, in arrays that grow, and who leads to each of them."""

    def __init__(self, name: int, width: int) -> None:
        self.name = name
        self.width = width
        self.counts = np.zeros(3, np.int64)
        self.rows = np.empty(START * width, np.uint8)
        self.codes = np.empty(START, np.int64)
        self.kinds = np.empty(START, np.uint8)
        self.left = np.empty(START, np.int32)
        self.slots = np.full(2 * START, forward_kernels.NONE, np.int32)
        self.targets = np.empty(START, np.int32)
        self.sources = np.empty(START, np.int32)

    @property
    def arrays(self) -> BucketArrays:
        return BucketArrays(
            self.rows, self.codes, self.kinds, self.left, self.slots, self.targets, self.sources, self.counts
        )

    @property
    def found(self) -> int:
        return int(self.counts[FOUND])

    @property
    def expanded(self) -> int:
        return int(self.counts[EXPANDED])

    @property
    def edges(self) -> int:
        return int(self.counts[EDGES])

    def room(self, more: int) -> tuple[int, int, int]:
        """How many positions, slots and edges there must be room for before so many entries are taken."""
        slots = len(self.slots)
        while 2 * slots < 3 * (self.found + more):
            slots *= 2
        return _grow(len(self.codes), self.found + more), slots, _grow(len(self.targets), self.edges + more)

    def bytes_with(self, more: int) -> int:
        """The memory it will use then."""
        positions, slots, edges = self.room(more)
        return positions * (self.width + EACH) + 4 * slots + EACH_EDGE * edges

    def make_room(self, more: int) -> None:
        """Let arrays grow that would not hold so many more."""
        positions, slots, edges = self.room(more)
        if positions > len(self.codes):
            self.rows = lengthen(self.rows, positions * self.width)
            self.codes, self.kinds = lengthen(self.codes, positions), lengthen(self.kinds, positions)
            self.left = lengthen(self.left, positions)
        if slots > len(self.slots):
            self.slots = np.empty(slots, np.int32)
            specialise(None, forward_kernels.fill_slots)(self.codes, self.found, self.slots)
        if edges > len(self.targets):
            self.targets, self.sources = lengthen(self.targets, edges), lengthen(self.sources, edges)

    def reverse(self) -> "DecidedBucket":
        """The same positions for the way back; what only the way there needs is let go."""
        begin, before = np.empty(self.found + 1, np.int32), np.empty(self.edges, np.int32)
        specialise(None, backward_kernels.index_predecessors)(self.targets, self.sources, begin, before)
        del self.slots, self.targets, self.sources
        return DecidedBucket(self, begin, before)


class DecidedBucket:
    """A bucket on the way back: those before each position, its value, and a queue of what is to be sent."""

    def __init__(self, bucket: Bucket, begin: NDArray[np.int32], before: NDArray[np.int32]) -> None:
        self.name = bucket.name
        size = bucket.found
        self.rows, self.codes = bucket.rows, bucket.codes[:size]
        self.arrays = DecidedArrays(
            kinds=bucket.kinds[:size],
            left=bucket.left[:size],
            values=np.zeros(size, np.int32),
            begin=begin,
            before=before,
            queue=np.empty(size, np.int32),
            counts=np.zeros(3, np.int64),
        )
        kernel = specialise(None, backward_kernels.queue_finished)
        kernel(self.arrays.kinds, self.arrays.values, self.arrays.queue, self.arrays.counts)

    @property
    def sent(self) -> int:
        return int(self.arrays.counts[backward_kernels.SENT])

    @property
    def queued(self) -> int:
        return int(self.arrays.counts[backward_kernels.QUEUED])


class Buffers:
    """One buffer for each thread: what it found, for which bucket, and in which order buckets take it."""

    def __init__(self, count: int, size: int, width: int) -> None:
        self.rows = np.empty((count, size * width), np.uint8)
        self.codes = np.empty((count, size), np.int64)
        self.sources = np.empty((count, size), np.int32)
        self.buckets = np.empty((count, size), np.uint8)
        self.order = np.empty((count, size), np.int32)
        self.bounds = np.zeros((count, BUCKETS + 1), np.int64)
        self.filled = np.zeros((count, 1), np.int64)

    @staticmethod
    def bytes_each(width: int) -> int:
        """The memory of one entry."""
        return width + 17

    def of_thread(self, at: int) -> BufferArrays:
        """One buffer, for kernels."""
        return BufferArrays(self.rows[at], self.codes[at], self.sources[at], self.buckets[at], self.filled[at])

    @property
    def in_order(self) -> SortedBuffers:
        """All buffers once they are sorted, for kernels."""
        return SortedBuffers(self.rows, self.codes, self.sources, self.order, self.bounds)

    def sort(self, at: int) -> None:
        """Lay out what a thread has found by buckets."""
        kernel = specialise(None, forward_kernels.sort_buffer)
        kernel(self.buckets[at], self.filled[at], self.order[at], self.bounds[at])
        self.filled[at] = 0

    @property
    def waiting(self) -> NDArray[np.int64]:
        """How many entries there are for each bucket."""
        counts: NDArray[np.int64] = np.diff(self.bounds, axis=1).sum(axis=0)
        return counts


def bytes_each(width: int, moves: float) -> float:
    """The memory that a position needs on average, where it has so many moves."""
    return SLACK * (width + EACH + EACH_EDGE * moves) + SLOTS


def _grow(size: int, needed: int) -> int:
    return size if needed <= size else max(needed, size + size // 2)


def lengthen(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with room for more."""
    grown = np.empty(size, array.dtype)
    grown[: len(array)] = array
    return grown
