"""EinStein würfelt nicht: six stones, one die, a race to the corner.

Ingo Althöfer's game of 2004 on 5x5 squares. Each side has six stones with the numbers 1 to 6, here written a to f and
A to F, and always set up alike:

    diagram:
    5  a b d . .
    4  c e . . .
    3  f . . . F
    2  . . . E C
    1  . . D B A
       a b c d e

In each turn a die is thrown, and the stone of that number moves one square; if it is gone, the next lower or the next
higher one that is left, as one likes. White's stones, a to f, move right, down or diagonally right and down, black's
the other way. A stone that stands on the target, also one of one's own, is taken off. Who reaches the
opposite corner, or takes the last enemy stone, wins.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import CHANCE, FIRST_WINS, ONGOING, SECOND_WINS, Heuristic, Piece, Rulebook, grid

PIECES = {
    f"{side}{number}": Piece(f"{side} {number}", letters[number - 1], owner, label=str(number))
    for owner, (side, letters) in enumerate((("white", "abcdef"), ("black", "ABCDEF")))
    for number in range(1, 7)
}
BOARD = grid(5, 5, pieces=PIECES, start="abd2/ce3/f3F/3EC/2DBA", moves="from-to", beside={"die": "die"})
NEAR, GOAL_OF_FIRST, GOAL_OF_SECOND = BOARD.neighbours, BOARD.cell("e1"), BOARD.cell("a5")
WAYS = (0, 6, 7), (4, 2, 3)  # right, down, both; and back


class State(NamedTuple):
    cells: NDArray[np.int8]  # 1 to 6 white's stones, 7 to 12 black's
    side: int
    die: int = 0  # 0: to be thrown


def turn(state: State) -> int:
    return state.side if state.die else CHANCE


def outcomes(state: State) -> Iterator[tuple[float, int]]:
    for number in range(1, 7):
        yield 1 / 6, number


def moves(state: State) -> Iterator[int]:
    lower, higher = next_lower(state), next_higher(state)
    for cell in range(25):
        code = state.cells[cell]
        if code and code in (lower, higher):
            for way in WAYS[state.side]:
                if NEAR[cell, way] >= 0:
                    yield cell * 25 + NEAR[cell, way]


def next_lower(state: State) -> int:
    """The code of the stone with the die's number, or of the next lower one; 0 if there is none."""
    found = 0
    for code in state.cells:
        if found < code <= state.die + 6 * state.side and code > 6 * state.side:
            found = code
    return found


def next_higher(state: State) -> int:
    """The same of the next higher one; it is the stone itself where that is left."""
    found = 13
    for code in state.cells:
        if state.die + 6 * state.side <= code < found and code <= 6 + 6 * state.side:
            found = code
    return found


def play(state: State, move: int) -> State:
    if state.die == 0:
        return State(state.cells, state.side, move)
    cells = state.cells.copy()
    cells[move % 25], cells[move // 25] = cells[move // 25], 0
    return State(cells, 1 - state.side, 0)


def result(state: State) -> int:
    first, second = count_stones(state.cells)
    if second == 0 or 0 < state.cells[GOAL_OF_FIRST] <= 6:
        return FIRST_WINS
    return SECOND_WINS if first == 0 or state.cells[GOAL_OF_SECOND] > 6 else ONGOING


def count_stones(cells: NDArray[np.int8]) -> tuple[int, int]:
    first = second = 0
    for code in cells:
        first += 0 < code <= 6
        second += code > 6
    return first, second


def race(state: State) -> float:
    """How much nearer white's foremost stone is to its corner."""
    first = second = 5
    for cell in range(25):
        if state.cells[cell] > 6:
            second = min(second, max(4 - cell // 5, cell % 5))
        elif state.cells[cell] > 0:
            first = min(first, max(cell // 5, 4 - cell % 5))
    return float(second - first)


game = Rulebook.of(__name__, board=BOARD, sides=("white", "black"), max_moves=6)
distance = Heuristic(name="distance", game="einstein", evaluate=race, bounds=(-5.0, 5.0), unit=1.0)
