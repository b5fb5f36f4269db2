"""Gomoku: five in a row on a large board.

Black begins, sides alternate, and each turn puts one stone on an empty point of the board of 15x15. Who gets five or
more stones next to each other in a row, a column or a diagonal wins. A full board without that is a draw.

This is the free form of the game: no point is forbidden to either side, and more than five win as well.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Heuristic, Piece, Rulebook, grid

BLACK, WHITE = Piece("black stone", "x", FIRST, colour="black"), Piece("white stone", "o", SECOND, colour="white")
BOARD = grid(15, 15, black=BLACK, white=WHITE, symmetries="all")
SIZE, CENTRE, WAYS, RAYS = BOARD.size, BOARD.cell("h8"), BOARD.ways, BOARD.rays
# Where each row, column and diagonal of five or more begins, and in which direction it goes.
LINES = np.array([(c, w) for w in range(4) for c in range(SIZE) if WAYS[w + 4, c] < 0 <= RAYS[c, w, 3]])
WORTH = (0, 1, 6, 30, 150, 1000)  # of a line of five cells with so many stones of one side, and none of the other


class State(NamedTuple):
    cells: NDArray[np.int8]
    side: int
    five: bool = False  # has the last stone made a line?


def moves(state: State) -> Iterator[int]:
    for cell in range(SIZE):
        if state.cells[cell] == 0:
            yield cell


def play(state: State, move: int) -> State:
    cells = state.cells.copy()
    cells[move] = state.side + 1
    return State(cells, 1 - state.side, makes_five(cells, move))


def makes_five(cells: NDArray[np.int8], cell: int) -> bool:
    longest = 0
    for way in range(4):
        longest = max(longest, 1 + count_on(cells, cell, way) + count_on(cells, cell, way + 4))
    return longest >= 5


def count_on(cells: NDArray[np.int8], cell: int, way: int) -> int:
    """How many stones of the same side follow in this direction."""
    count, after = 0, WAYS[way, cell]
    while after >= 0 and cells[after] == cells[cell]:
        count, after = count + 1, WAYS[way, after]
    return count


def result(state: State) -> int:
    if state.five:
        return SECOND_WINS if state.side == FIRST else FIRST_WINS
    for cell in range(SIZE):
        if state.cells[cell] == 0:
            return ONGOING
    return DRAW


def valid(state: State) -> bool:
    """As many stones of both, one black more if white is to move, and a line only where `five` says so."""
    black, white = (int(np.sum(state.cells == code)) for code in (1, 2))
    lines = {int(state.cells[cell]) for cell in np.flatnonzero(state.cells) if makes_five(state.cells, int(cell))}
    return black == white + state.side and lines == ({2 - state.side} if state.five else set())


def evaluate(state: State) -> float:
    """The lines of five that are still open to one side alone, seen by a window that slides along each line."""
    score = 0
    for line in range(LINES.shape[0]):
        head, way = LINES[line, 0], LINES[line, 1]
        tail, length, black, white = head, 0, 0, 0
        while head >= 0:
            black, white, length = black + (state.cells[head] == 1), white + (state.cells[head] == 2), length + 1
            if length > 5:
                black, white = black - (state.cells[tail] == 1), white - (state.cells[tail] == 2)
                tail = WAYS[way, tail]
            if length >= 5 and (black == 0 or white == 0):
                score += WORTH[black] - WORTH[white]
            head = WAYS[way, head]
    return float(score)


def candidates(state: State) -> Iterator[int]:
    """Points near a stone; the centre of an empty board."""
    alone = True
    for cell in range(SIZE):
        if state.cells[cell] == 0 and has_stone_near(state.cells, cell):
            alone = False
            yield cell
    if alone:
        yield CENTRE


def has_stone_near(cells: NDArray[np.int8], cell: int) -> bool:
    for way in range(8):
        for far in range(2):
            other = RAYS[cell, way, far]
            if other >= 0 and cells[other] != 0:
                return True
    return False


game = Rulebook.of(__name__, board=BOARD, alternating=True)
open_lines = Heuristic(
    name="open-lines", game="gomoku", evaluate=evaluate, candidates=candidates, bounds=(-9e5, 9e5), unit=100.0
)
