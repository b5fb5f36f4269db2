"""Ataxx: spread over the board and turn your neighbours.

On 7x7 squares without walls. Each side begins with two stones in opposite corners, red move first:

    diagram:
    7  x . . . . . o
    6  . . . . . . .
    5  . . . . . . .
    4  . . . . . . .
    3  . . . . . . .
    2  . . . . . . .
    1  o . . . . . x
       a b c d e f g

A stone grows a second one on an empty square next to it, also diagonally, or jumps to an empty square two away,
leaving its own. Then all enemy stones next to the new place change sides. Who cannot move passes. When nobody can
move, or a side has no stone left, the game is over, and who has more stones wins. The third occurrence of a position
is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kibitz import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Heuristic, Piece, Rulebook, bits, cells, grid

RED, BLUE = Piece("red stone", "x", FIRST, colour="red"), Piece("blue stone", "o", SECOND, colour="blue")
BOARD = grid(7, 7, red=RED, blue=BLUE, start="x5o/7/7/7/7/7/o5x", moves="from-to", symmetries="all")
ALL, STEPS, NEAR, PASS = BOARD.all, BOARD.steps(), BOARD.near, BOARD.pass_move
SQUARES = [(cell // 7, cell % 7) for cell in range(49)]
FAR = np.array(
    [BOARD.set_of(r * 7 + c for r, c in SQUARES if max(abs(r - row), abs(c - column)) == 2) for row, column in SQUARES]
)


class State(NamedTuple):
    red: int
    blue: int
    side: int


def moves(state: State) -> Iterator[int]:
    """Where a stone comes from and where it goes; one that grows is written as its new square alone."""
    own = state.red if state.side == FIRST else state.blue
    targets = reach_of(own) & ALL & ~(state.red | state.blue)
    if not targets:
        yield PASS
    for target in cells(targets):
        if NEAR[target] & own:
            yield target * 49 + target
        for origin in cells(FAR[target] & own):
            yield origin * 49 + target


def reach_of(own: int) -> int:
    """All squares at most two away."""
    return grow(grow(own))


def grow(stones: int) -> int:
    found = stones
    for shift, onto in STEPS:
        found |= bits.step(stones, shift, onto)
    return found


def play(state: State, move: int) -> State:
    if move == PASS:
        return State(state.red, state.blue, 1 - state.side)
    origin, target = move // 49, move % 49
    own, other = (state.red, state.blue) if state.side == FIRST else (state.blue, state.red)
    own = own & ~(1 << origin) if origin != target else own
    turned = other & NEAR[target]
    own, other = own | turned | 1 << target, other & ~turned
    return State(own, other, 1) if state.side == FIRST else State(other, own, 0)


def result(state: State) -> int:
    empty = ALL & ~(state.red | state.blue)
    if state.red and state.blue and (reach_of(state.red) | reach_of(state.blue)) & empty:
        return ONGOING
    red, blue = bits.count(state.red), bits.count(state.blue)
    return DRAW if red == blue else FIRST_WINS if red > blue else SECOND_WINS


def lead(state: State) -> float:
    return float(bits.count(state.red) - bits.count(state.blue))


game = Rulebook.of(__name__, board=BOARD, repetition=3, alternating=True, max_moves=49 * 9)
stones = Heuristic(name="stones", game="ataxx", evaluate=lead, bounds=(-49.0, 49.0), unit=2.0)
