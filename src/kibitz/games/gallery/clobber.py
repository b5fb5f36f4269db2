"""Clobber: step onto an enemy stone, or lose.

The board of 5x6 squares is full of stones, black and white like a chessboard. Each turn a stone moves onto an enemy
stone next to it, along a row or a column, and takes its place. Who cannot do so has lost. Black begins.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS, Heuristic, Piece, Rulebook, bits, cells, grid

BLACK, WHITE = Piece("black stone", "x", FIRST, colour="black"), Piece("white stone", "o", SECOND, colour="white")
START = "xoxoxo/oxoxox/xoxoxo/oxoxox/xoxoxo"
BOARD = grid(5, 6, black=BLACK, white=WHITE, start=START, moves="from-to", symmetries="all")
STEPS = BOARD.steps("orthogonal")


class State(NamedTuple):
    black: int
    white: int
    side: int


def moves(state: State) -> Iterator[int]:
    own, other = (state.black, state.white) if state.side == FIRST else (state.white, state.black)
    for shift, onto in STEPS:
        for target in cells(bits.step(own, shift, onto) & other):
            yield (target - shift) * 30 + target


def play(state: State, move: int) -> State:
    origin, target = 1 << move // 30, 1 << move % 30
    if state.side == FIRST:
        return State(state.black & ~origin | target, state.white & ~target, 1)
    return State(state.black & ~target, state.white & ~origin | target, 0)


def result(state: State) -> int:
    for shift, onto in STEPS:
        if bits.step(state.black, shift, onto) & state.white:
            return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def movable(state: State) -> float:
    """How many stones of each side touch an enemy; every such pair is a move for both."""
    black = white = 0
    for shift, onto in STEPS:
        black |= bits.step(state.white, shift, onto) & state.black
        white |= bits.step(state.black, shift, onto) & state.white
    return float(bits.count(black) - bits.count(white))


game = Rulebook.of(__name__, board=BOARD, alternating=True, max_moves=49)
contact = Heuristic(name="contact", game="clobber", evaluate=movable, bounds=(-30.0, 30.0), unit=1.0)
