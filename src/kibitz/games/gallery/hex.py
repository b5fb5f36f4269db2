"""Hex: join your two edges of the board.

Red begins, sides alternate, and each turn puts one stone on an empty cell. Red wins with a chain of neighbouring
stones from the top row to the bottom row, blue with one from the left column to the right column. One of the two
always comes about, so there are no draws. There is no swap of sides after the first move.

`size` is 11, or anything from 2 on: `hex,size=5`.
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
    Board,
    Heuristic,
    Piece,
    Rulebook,
    hexagons,
    in_range,
)

RED, BLUE = Piece("red stone", "r", FIRST, colour="red"), Piece("blue stone", "b", SECOND, colour="blue")
FAR = 999  # further than any path


class Options(NamedTuple):
    size: int = 11


class Rules(NamedTuple):
    size: int  # of an edge
    neighbours: NDArray[np.int64]


class State(NamedTuple):
    cells: NDArray[np.int8]
    side: int
    joined: bool = False  # has the last stone joined two edges?


def board(options: Options) -> Board:
    size = in_range("size", options.size, 2, 11)
    return hexagons(size, size, red=RED, blue=BLUE, symmetries="rotate-180")


def moves(state: State, rules: Rules) -> Iterator[int]:
    for cell in range(rules.size**2):
        if state.cells[cell] == 0:
            yield cell


def play(state: State, move: int, rules: Rules) -> State:
    cells = state.cells.copy()
    cells[move] = state.side + 1
    return State(cells, 1 - state.side, joins_edges(cells, move, rules))


def joins_edges(cells: NDArray[np.int8], cell: int, rules: Rules) -> bool:
    """Does the chain of this stone reach both edges of its side?"""
    chain, seen = np.empty(cells.size, np.int64), np.zeros(cells.size, np.bool_)
    chain[0], seen[cell], found = cell, True, 1
    low = high = False
    at = 0
    while at < found:
        line = chain[at] // rules.size if cells[cell] == 1 else chain[at] % rules.size
        low, high = low or line == 0, high or line == rules.size - 1
        for way in range(6):
            other = rules.neighbours[chain[at], way]
            if other >= 0 and cells[other] == cells[cell] and not seen[other]:
                chain[found], seen[other] = other, True
                found += 1
        at += 1
    return low and high


def result(state: State) -> int:
    if not state.joined:
        return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def valid(state: State, rules: Rules) -> bool:
    """As many stones of both, one red more if blue is to move, and edges joined only by the last to move, if at all."""
    red, blue = np.flatnonzero(state.cells == 1), np.flatnonzero(state.cells == 2)
    joined = [any(joins_edges(state.cells, int(cell), rules) for cell in stones) for stones in (red, blue)]
    return len(red) == len(blue) + state.side and joined == [state.joined and side != state.side for side in (0, 1)]


def count_missing(cells: NDArray[np.int8], code: int, rules: Rules) -> int:
    """How many stones a side lacks, at least, to join its edges: sweeps over the board to and fro, until they agree."""
    size, last = rules.size, cells.size - 1
    needed = np.full(cells.size, FAR, np.int64)
    forward = changed = True
    while changed:
        changed = False
        for index in range(cells.size):
            cell = index if forward else last - index
            if cells[cell] == 0 or cells[cell] == code:
                best = 0 if (cell < size if code == 1 else cell % size == 0) else FAR
                for way in range(6):
                    other = rules.neighbours[cell, way]
                    if other >= 0:
                        best = min(best, needed[other])
                best += cells[cell] == 0
                if best < needed[cell]:
                    needed[cell], changed = best, True
        forward = not forward
    least = FAR
    for line in range(size):
        least = min(least, needed[(size - 1) * size + line if code == 1 else line * size + size - 1])
    return least


def race(state: State, rules: Rules) -> float:
    return float(count_missing(state.cells, 2, rules) - count_missing(state.cells, 1, rules))


game = Rulebook.of(__name__, board=board, alternating=True)
paths = Heuristic(name="paths", game="hex", evaluate=race, bounds=(-999.0, 999.0), unit=1.0)
