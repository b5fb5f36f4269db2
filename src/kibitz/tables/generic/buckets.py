"""What the generic way works on: drawers that hold the positions met, and the trays that threads fill."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.tables.generic import backward_kernels, forward_kernels
from kibitz.tables.generic.forward_kernels import DRAWERS, EDGES, LOOKED, MET

START = 64  # positions that a drawer has room for at first
MANY = 1 << 25  # the most positions of a drawer that can be numbered
EACH, EACH_EDGE = 13, 8  # bytes of a position beside its state, and of a move that leads to one
SLACK, SLOTS = 1.25, 9  # room that is not used, and bytes of slots for a position, both on average
TRAY = 1 << 17  # notes on a tray, where memory allows


class Drawer:
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
    def met(self) -> int:
        return int(self.counts[MET])

    @property
    def looked(self) -> int:
        return int(self.counts[LOOKED])

    @property
    def edges(self) -> int:
        return int(self.counts[EDGES])

    def room(self, more: int) -> tuple[int, int, int]:
        """How many positions, slots and edges there must be room for before so many notes are taken."""
        slots = len(self.slots)
        while 2 * slots < 3 * (self.met + more):
            slots *= 2
        return _grown(len(self.codes), self.met + more), slots, _grown(len(self.targets), self.edges + more)

    def bytes_with(self, more: int) -> int:
        """The memory it will use then."""
        positions, slots, edges = self.room(more)
        return positions * (self.width + EACH) + 4 * slots + EACH_EDGE * edges

    def make_room(self, more: int) -> None:
        """Let arrays grow that would not hold so many more."""
        positions, slots, edges = self.room(more)
        if positions > len(self.codes):
            self.rows = longer(self.rows, positions * self.width)
            self.codes, self.kinds = longer(self.codes, positions), longer(self.kinds, positions)
            self.left = longer(self.left, positions)
        if slots > len(self.slots):
            self.slots = np.empty(slots, np.int32)
            specialise(None, forward_kernels.fill_slots)(self.codes, self.met, self.slots)
        if edges > len(self.targets):
            self.targets, self.sources = longer(self.targets, edges), longer(self.sources, edges)

    def turned_around(self) -> "Decided":
        """The same positions for the way back; what only the way there needs is let go."""
        begin, before = np.empty(self.met + 1, np.int32), np.empty(self.edges, np.int32)
        specialise(None, backward_kernels.turn_around)(self.targets, self.sources, begin, before)
        del self.slots, self.targets, self.sources
        return Decided(self, begin, before)


class Decided:
    """A drawer on the way back: those before each position, its value, and a queue of what is to be told."""

    def __init__(self, drawer: Drawer, begin: NDArray[np.int32], before: NDArray[np.int32]) -> None:
        self.name = drawer.name
        size = drawer.met
        self.rows, self.codes = drawer.rows, drawer.codes[:size]
        self.kinds, self.left = drawer.kinds[:size], drawer.left[:size]
        self.begin, self.before = begin, before
        self.values, self.queue = np.zeros(size, np.int32), np.empty(size, np.int32)
        self.counts = np.zeros(3, np.int64)
        specialise(None, backward_kernels.queue_ends)(self.kinds, self.values, self.queue, self.counts)

    @property
    def told(self) -> int:
        return int(self.counts[backward_kernels.TOLD])

    @property
    def queued(self) -> int:
        return int(self.counts[backward_kernels.QUEUED])


class Trays:
    """One tray for each thread: what was found, for which drawer, and in which order drawers take it."""

    def __init__(self, count: int, size: int, width: int) -> None:
        self.rows = np.empty((count, size * width), np.uint8)
        self.codes = np.empty((count, size), np.int64)
        self.sources = np.empty((count, size), np.int32)
        self.homes = np.empty((count, size), np.uint8)
        self.order = np.empty((count, size), np.int32)
        self.bounds = np.zeros((count, DRAWERS + 1), np.int64)
        self.filled = np.zeros((count, 1), np.int64)

    @staticmethod
    def bytes_each(width: int) -> int:
        """The memory of one note."""
        return width + 17

    def sort(self, tray: int) -> None:
        """Lay out what a thread has found by drawers."""
        kernel = specialise(None, forward_kernels.sort_tray)
        kernel(self.homes[tray], self.filled[tray], self.order[tray], self.bounds[tray])
        self.filled[tray] = 0

    @property
    def waiting(self) -> NDArray[np.int64]:
        """How many notes there are for each drawer."""
        counts: NDArray[np.int64] = np.diff(self.bounds, axis=1).sum(axis=0)
        return counts


def bytes_each(width: int, moves: float) -> float:
    """The memory that a position needs on average, where it has so many moves."""
    return SLACK * (width + EACH + EACH_EDGE * moves) + SLOTS


def _grown(size: int, needed: int) -> int:
    return size if needed <= size else max(needed, size + size // 2)


def longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with room for more."""
    grown = np.empty(size, array.dtype)
    grown[: len(array)] = array
    return grown
