"""A small neural network as an evaluation, in whole numbers from its inputs to its score.

An input is on or off. Each input that is on adds its row of weights to a row of sums, one sum for each unit; a sum is
cut to the range from 0 to 1, squared and weighed once more. What comes out is the logarithm of the odds of winning for
the side to move, 100 points to one. Every input, row and weight is data in one array of 64-bit words, and so is the
room to work in: each thread has an array of its own. How many units there are is compiled in.

Sums are 16 bits wide and the total 32. `Network` refuses weights with which any set of inputs could exceed that, so
that nothing ever overflows, and compiled and interpreted code agree to the bit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import ONE, lowest
from kibitz.core.errors import KibitzError
from kibitz.core.result import SECOND

POINTS = 100  # to one unit of the logarithm of the odds
MOST_POINTS = 12 * POINTS  # no score lies outside
BITS = 65  # numbers kept for an integer: one for each bit, and one that stands for no bit
SQUARE_BITS = 10  # of a squared sum
LARGEST_SUM = 32767
LARGEST_TOTAL = 2**31 - 1

UNITS = 16  # set where a network is compiled

# The first words of the array say where things lie: MASKS to ROOM in words, TABLE to SUMS in 16-bit steps.
MASKS, LEVELS, OFFSETS, ROOM, MAPS, CODES, PHASES, ROWS, BIASES, OUTPUTS, SUMS = range(11)
MOST_ACTIVE, PHASE_COUNT, UNIT_BITS, OUTPUT_BITS = 11, 12, 13, 14
HEADER = 16

Words = NDArray[np.int64]


class BadNetwork(KibitzError):
    """Weights that make no network."""


class Shape(NamedTuple):
    """What of a network is compiled: its size, and which parts of a state it looks at."""

    units: int
    numbers: tuple[str, ...]  # integer fields, of which every bit is an input
    arrays: tuple[tuple[str, int], ...]  # array fields and their sizes; each value of a cell is an input
    features: int  # how many features of a heuristic; each range of values is an input


# What compiled code calls.


def write_bits(bits: Any, first: int, out: Words, at: int) -> int:
    """Write the numbers of the bits that are set, counted from `first`; the index behind the last one."""
    while bits:
        out[at] = first + lowest(bits)
        at += 1
        bits &= bits - ONE
    return at


def write_value(value: Any, weights: Words, levels: int, count: int, first: int, out: Words, at: int) -> int:
    """Write the number of the range that a value lies in, unless zero lies in it too."""
    found = 0
    while found < count and weights[levels + 1 + found] <= value:
        found += 1
    if found != weights[levels]:
        out[at] = first + found
        at += 1
    return at


def write_cells(cells: Any, weights: Words, levels: int, count: int, first: int, out: Words, at: int) -> int:
    """Write the numbers of the values in the cells of an array."""
    for cell in range(cells.size):
        at = write_value(cells[cell], weights, levels, count, first + cell * (count + 1), out, at)
    return at


def score_inputs(weights: Words, view: int, first: int, end: int) -> int:
    """The score for the first player, where the numbers of the inputs that are on stand from `first` to `end`."""
    table = weights.view(np.int16)
    codes = np.int64(weights[CODES])
    maps, rows, sums = weights[MAPS] + view * codes, np.uint64(weights[ROWS]), np.uint64(weights[SUMS])
    for place in range(end, end + 3):
        weights[place] = codes - 1
    start = np.uint64(weights[BIASES] + view * UNITS)
    for unit in range(UNITS):
        table[sums + np.uint64(unit)] = table[start + np.uint64(unit)]
    for place in range(first, end, 4):
        one = rows + np.uint64(table[maps + weights[place]]) * np.uint64(UNITS)
        two = rows + np.uint64(table[maps + weights[place + 1]]) * np.uint64(UNITS)
        three = rows + np.uint64(table[maps + weights[place + 2]]) * np.uint64(UNITS)
        four = rows + np.uint64(table[maps + weights[place + 3]]) * np.uint64(UNITS)
        add_rows(table, sums, one, two, three, four)
    phase = np.int64(table[weights[PHASES] + min(end - first, weights[MOST_ACTIVE])])
    column = view * weights[PHASE_COUNT] + phase
    total = weigh_sums(table, sums, np.uint64(weights[OUTPUTS] + column * UNITS), np.int32(weights[UNIT_BITS]))
    points = ((np.int64(total) + weights[weights[OFFSETS] + column]) * POINTS) >> weights[OUTPUT_BITS]
    points = min(max(points, -MOST_POINTS), MOST_POINTS)
    return int(-points if view == SECOND else points)


def add_rows(table: Any, sums: Any, one: Any, two: Any, three: Any, four: Any) -> None:
    """Add four rows to the sums at once."""
    for unit in range(UNITS):
        at = np.uint64(unit)
        table[sums + at] = np.int16(
            table[sums + at] + table[one + at] + table[two + at] + table[three + at] + table[four + at]
        )


def weigh_sums(table: Any, sums: Any, weights: Any, unit_bits: Any) -> Any:
    """The sums, cut, squared and weighed."""
    total, low, high = np.int32(0), np.int32(0), np.int32(1 << unit_bits)
    shift = np.int32(2 * unit_bits - SQUARE_BITS)
    for unit in range(UNITS):
        at = np.uint64(unit)
        cut = np.int32(min(max(np.int32(table[sums + at]), low), high))
        square = np.int32(np.int32(cut * cut) >> shift)
        total = np.int32(total + np.int32(square * np.int32(table[weights + at])))
    return total


# What Python knows of it.


@dataclass(frozen=True, eq=False)
class Network:
    """A network as data. `maps[view]` says which row each input's number adds, 0 for none; a view is the side to move,
    or chance.
    """

    shape: Shape
    levels: tuple[tuple[int, ...], ...]  # of each array, then of each feature: where a new range of values begins
    maps: NDArray[np.int16]  # views x numbers
    rows: NDArray[np.int16]  # rows x units; the first is all zero
    biases: NDArray[np.int16]  # views x units
    outputs: NDArray[np.int16]  # views x phases x units
    offsets: NDArray[np.int64]  # views x phases
    phases: NDArray[np.int16]  # which outputs serve, by how many inputs are on; the last one for all beyond
    unit_bits: int  # a sum of 1 is 2 ** unit_bits
    output_bits: int  # an output of 1 is 2 ** output_bits

    def __post_init__(self) -> None:
        self._check_sizes()
        self._check_ranges()

    def _check_sizes(self) -> None:
        views = len(self.maps)
        units, phases = self.shape.units, self.outputs.shape[1]
        wanted = {
            "maps": (views, count_numbers(self.shape, self.levels) + 1),
            "rows": (len(self.rows), units),
            "biases": (views, units),
            "outputs": (views, phases, units),
            "offsets": (views, phases),
        }
        for name, size in wanted.items():
            found = getattr(self, name)
            if found.shape != size or found.dtype != (np.int64 if name == "offsets" else np.int16):
                raise BadNetwork(f"{name} is {found.dtype}{list(found.shape)}, expected {list(size)}")
        if units < 8 or units % 8 or views not in (2, 3) or not len(self.rows) or not self.phases.size:
            raise BadNetwork(f"{units} units and {views} views, expected a multiple of 8 and 2 or 3")
        if not SQUARE_BITS // 2 <= self.unit_bits <= 14 or not 0 <= self.output_bits <= 30:
            raise BadNetwork("its scales are out of range")

    def _check_ranges(self) -> None:
        """What is looked up must be there, and no set of inputs may exceed the width of a sum."""
        if self.maps.min() < 0 or self.maps.max() >= len(self.rows) or self.rows[0].any() or self.maps[:, -1].any():
            raise BadNetwork("an input has no row")
        if self.phases.min() < 0 or self.phases.max() >= self.outputs.shape[1]:
            raise BadNetwork("a phase has no outputs")
        if np.abs(self.offsets).max() > LARGEST_TOTAL << 8 or self.largest_sum > LARGEST_SUM:
            raise BadNetwork(f"sums reach {self.largest_sum}, expected at most {LARGEST_SUM}")
        largest = int(np.abs(self.outputs.astype(np.int64)).sum(axis=2).max()) << SQUARE_BITS
        if largest > LARGEST_TOTAL:
            raise BadNetwork(f"totals reach {largest}, expected at most {LARGEST_TOTAL}")

    @cached_property
    def largest_sum(self) -> int:
        """No set of inputs makes a sum larger, above or below zero, nor do those of a part of it."""
        most = 0
        for view in range(len(self.maps)):
            rows = self.rows[self.maps[view]].astype(np.int64)
            bias = np.abs(self.biases[view].astype(np.int64))
            most = max(most, int((bias + reach_of(rows, self.shape, self.levels)).max()))
        return most

    @property
    def most_active(self) -> int:
        """So many inputs can be on at once, at most."""
        shape = self.shape
        return 64 * len(shape.numbers) + sum(size for _, size in shape.arrays) + shape.features

    @cached_property
    def _packed(self) -> Words:
        levels = [_level_words(row) for row in self.levels]
        wide: list[Words] = [np.zeros(HEADER, np.int64)]
        narrow: list[NDArray[np.int16]] = []
        header = wide[0]

        def put(place: int, words: Words) -> None:
            header[place] = sum(part.size for part in wide)
            wide.append(words)

        put(MASKS, self._masks())
        put(LEVELS, np.array([word for row in levels for word in row], np.int64))
        put(OFFSETS, self.offsets.ravel())
        put(ROOM, np.zeros(self.most_active + 4, np.int64))
        at = 4 * sum(part.size for part in wide)
        parts = (self.maps, self.phases, self.rows, self.biases, self.outputs)
        for place, part in zip((MAPS, PHASES, ROWS, BIASES, OUTPUTS), parts, strict=True):
            header[place] = at
            padded = np.zeros(-(-part.size // 32) * 32, np.int16)  # whole cache lines
            padded[: part.size] = part.ravel()
            narrow.append(padded)
            at += padded.size
        header[SUMS], header[CODES], header[MOST_ACTIVE] = at, self.maps.shape[1], self.phases.size - 1
        header[PHASE_COUNT], header[UNIT_BITS] = self.outputs.shape[1], self.unit_bits
        header[OUTPUT_BITS] = self.output_bits + SQUARE_BITS
        narrow.append(np.zeros(-(-self.shape.units // 32) * 32, np.int16))
        return np.concatenate([*wide, np.concatenate(narrow).view(np.int64)])

    def _masks(self) -> Words:
        """For each number of the state the bits that any view looks at."""
        masks = []
        for index in range(len(self.shape.numbers)):
            used = np.flatnonzero(self.maps[:, BITS * index : BITS * index + 64].any(axis=0))
            masks.append(sum(1 << int(bit) for bit in used))
        return np.array(masks, np.uint64).view(np.int64)

    def weight_array(self) -> Words:
        """The network as kernels take it, with room to work in: one for each thread."""
        return self._packed.copy()


def _level_words(levels: tuple[int, ...]) -> list[int]:
    """The range that holds zero, then where the ranges begin."""
    return [sum(level <= 0 for level in levels), *levels]


def count_numbers(shape: Shape, levels: tuple[tuple[int, ...], ...]) -> int:
    """How many numbers inputs have."""
    return numbers_of(shape, levels)[-1]


def numbers_of(shape: Shape, levels: tuple[tuple[int, ...], ...]) -> list[int]:
    """Where the numbers of each field and feature begin, and where the last ones end."""
    first = [BITS * index for index in range(len(shape.numbers))]
    at = BITS * len(shape.numbers)
    sizes = [size for _, size in shape.arrays] + [1] * shape.features
    for size, row in zip(sizes, levels, strict=True):
        first.append(at)
        at += size * (len(row) + 1)
    return [*first, at]


def reach_of(rows: NDArray[Any], shape: Shape, levels: tuple[tuple[int, ...], ...]) -> NDArray[Any]:
    """How far any set of inputs can move each unit's sum from zero: bits come together, ranges exclude each other."""
    edge = BITS * len(shape.numbers)
    up, down = np.maximum(rows[:edge], 0).sum(axis=0), np.maximum(-rows[:edge], 0).sum(axis=0)
    for first, row, size in zip(
        numbers_of(shape, levels)[len(shape.numbers) :],
        levels,
        [size for _, size in shape.arrays] + [1] * shape.features,
        strict=False,
    ):
        block = rows[first : first + size * (len(row) + 1)].reshape(size, len(row) + 1, -1)
        up = up + np.maximum(block, 0).max(axis=1).sum(axis=0)
        down = down + np.maximum(-block, 0).max(axis=1).sum(axis=0)
    reach: NDArray[Any] = np.maximum(up, down)
    return reach
