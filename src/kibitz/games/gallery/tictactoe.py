"""Tic-tac-toe: three in a row.

Crosses begin, sides alternate, and each turn puts one mark on an empty cell:

    diagram: b2 a1
    3  . . .
    2  . x .
    1  o . .
       a b c

Who has three marks in a row, a column or a diagonal wins. A full board without that is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Rulebook, bits, cells, grid

BOARD = grid(3, 3, crosses="x", noughts="o", symmetries="all")
ALL, LINES = BOARD.all, BOARD.lines(3)


class State(NamedTuple):
    crosses: int
    noughts: int
    side: int


def moves(state: State) -> Iterator[int]:
    yield from cells(ALL & ~(state.crosses | state.noughts))


def play(state: State, move: int) -> State:
    if state.side == FIRST:
        return State(state.crosses | 1 << move, state.noughts, SECOND)
    return State(state.crosses, state.noughts | 1 << move, FIRST)


def result(state: State) -> int:
    for line in LINES:
        if state.crosses & line == line:
            return FIRST_WINS
        if state.noughts & line == line:
            return SECOND_WINS
    return DRAW if state.crosses | state.noughts == ALL else ONGOING


def valid(state: State) -> bool:
    return bits.count(state.crosses) == bits.count(state.noughts) + state.side


game = Rulebook.of(__name__, board=BOARD, alternating=True)
