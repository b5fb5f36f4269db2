"""Konane: Hawaiian checkers; who cannot jump has lost.

The board is full of stones, black and white like the squares of a chessboard. Black begins and takes up one of the
black stones in a corner or in the middle of the board; white takes up a stone beside that gap. From then on each turn
is a jump: a stone leaps over an enemy stone next to it, along a row or a column, onto the empty square behind, and
may go on in the same direction for as long as there are stones to leap over. What is leapt over leaves the board. Who
cannot jump has lost.

`size` is 8, or another even number from 4 on: `konane:6x6`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import (
    FIRST,
    FIRST_WINS,
    ONGOING,
    SECOND,
    SECOND_WINS,
    BadOption,
    Bits,
    Board,
    Heuristic,
    Piece,
    Rulebook,
    bits,
    cells,
    grid,
    in_range,
)

BLACK, WHITE = Piece("black stone", "x", FIRST, colour="black"), Piece("white stone", "o", SECOND, colour="white")


class Options(NamedTuple):
    size: int = 8


class Rules(NamedTuple):
    all: Bits
    cells: int
    openings: Bits  # where black may begin
    shifts: NDArray[np.int64]
    onto: NDArray[np.uint64]


class State(NamedTuple):
    black: Bits
    white: Bits
    side: int


def board(options: Options) -> Board:
    size = in_range("size", options.size, 4, 8)
    if size % 2:
        raise BadOption(f"option size is {size}, expected an even number")
    start = "/".join(["ox" * (size // 2), "xo" * (size // 2)] * (size // 2))
    same_colours = ("rotate-180", "diagonal", "antidiagonal")
    return grid(size, size, black=BLACK, white=WHITE, start=start, moves="from-to", symmetries=same_colours, wide=True)


def rules(options: Options) -> Rules:
    made, last, middle = board(options), options.size - 1, options.size // 2
    places = [(0, 0), (last, last), (middle - 1, middle - 1), (middle, middle)]
    openings = made.set_of(row * options.size + column for row, column in places)
    return Rules(made.all, made.size, openings, made.shifts[::2], made.onto[::2])


def moves(state: State, rules: Rules) -> Iterator[int]:
    """Where a stone comes from and where it goes; a stone that is taken up stays where it is."""
    empty = rules.all & ~(state.black | state.white)
    if bits.count(empty) < 2:
        for cell in cells(rules.openings if not empty else beside(empty, rules)):
            yield cell * rules.cells + cell
        return
    own, other = (state.black, state.white) if state.side == FIRST else (state.white, state.black)
    for way in range(4):
        landed, far = jumps_of(own, other, empty, way, rules), 2 * rules.shifts[way]
        while landed:
            for target in cells(landed):
                yield (target - far) * rules.cells + target
            landed, far = jumps_of(landed, other, empty, way, rules), far + 2 * rules.shifts[way]


def jumps_of(own: Bits, other: Bits, empty: Bits, way: int, rules: Rules) -> Bits:
    over = bits.step(own, rules.shifts[way], rules.onto[way]) & other
    landed: Bits = bits.step(over, rules.shifts[way], rules.onto[way]) & empty
    return landed


def beside(gap: Bits, rules: Rules) -> Bits:
    found: Bits = bits.NONE
    for way in range(4):
        found |= bits.step(gap, rules.shifts[way], rules.onto[way])
    return found


def play(state: State, move: int, rules: Rules) -> State:
    origin, target = move // rules.cells, move % rules.cells
    gone, put = bits.one(origin), bits.NONE
    if origin != target:
        gone, put = gone | between(origin, target, rules), bits.one(target)
    black, white = state.black & ~gone, state.white & ~gone
    return State(black | put, white, 1) if state.side == FIRST else State(black, white | put, 0)


def between(origin: int, target: int, rules: Rules) -> Bits:
    size = rules.shifts[1]
    step = size if (target - origin) % size == 0 else 1
    step = step if target > origin else -step
    found, cell = bits.NONE, origin + step
    while cell != target:
        found |= bits.one(cell)
        cell += step
    return found


def count_jumps(own: Bits, other: Bits, rules: Rules) -> int:
    count = 0
    for way in range(4):
        count += bits.count(jumps_of(own, other, rules.all & ~(own | other), way, rules))
    return count


def result(state: State, rules: Rules) -> int:
    own, other = (state.black, state.white) if state.side == FIRST else (state.white, state.black)
    opening = bits.count(rules.all & ~(own | other)) < 2
    if opening or count_jumps(own, other, rules):
        return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def mobility(state: State, rules: Rules) -> float:
    return float(count_jumps(state.black, state.white, rules) - count_jumps(state.white, state.black, rules))


game = Rulebook.of(__name__, board=board, presets={"6x6": {"size": 6}}, alternating=True, max_moves=128)
jumps = Heuristic(name="jumps", game="konane", evaluate=mobility, bounds=(-128.0, 128.0), unit=2.0)
