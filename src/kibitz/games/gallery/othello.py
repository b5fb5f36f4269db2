"""Othello: enclose enemy discs to turn them.

Black begins. The middle of the board is filled at the start:

    diagram:
    8  . . . . . . . .
    7  . . . . . . . .
    6  . . . . . . . .
    5  . . . b w . . .
    4  . . . w b . . .
    3  . . . . . . . .
    2  . . . . . . . .
    1  . . . . . . . .
       a b c d e f g h

A move puts a disc on an empty square so that a straight line of enemy discs, along a row, a column or a diagonal, lies
between it and another disc of one's own. All discs enclosed that way, in all directions, are turned over:

    diagram: d3

Who has no such move passes; nobody else may. When neither side can move, the game is over, and who has more discs wins.

`size` is 8, 6 or 4; `othello:6x6` is the small board.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import (
    DRAW,
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
)

BLACK, WHITE = Piece("black disc", "b", FIRST, colour="black"), Piece("white disc", "w", SECOND, colour="white")


class Options(NamedTuple):
    size: int = 8


class Rules(NamedTuple):
    """What rules may ask of the board, filled in by name."""

    all: Bits
    pass_move: int
    shifts: NDArray[np.int64]
    onto: NDArray[np.uint64]


class State(NamedTuple):
    black: Bits
    white: Bits
    side: int


def board(options: Options) -> Board:
    if options.size not in (4, 6, 8):
        raise BadOption(f"option size is {options.size}, expected 4, 6 or 8")
    half = options.size // 2 - 1
    empty = "/".join([str(options.size)] * half)
    start = f"{empty}/{half}bw{half}/{half}wb{half}/{empty}"
    return grid(options.size, options.size, black=BLACK, white=WHITE, start=start, symmetries="all")


def moves(state: State, rules: Rules) -> Iterator[int]:
    own, other = (state.black, state.white) if state.side == FIRST else (state.white, state.black)
    targets = targets_of(own, other, rules)
    if not targets:
        yield rules.pass_move
    yield from cells(targets)


def targets_of(own: Bits, other: Bits, rules: Rules) -> Bits:
    """The squares where a disc encloses others."""
    empty, found = rules.all & ~(own | other), bits.NONE
    for way in range(8):
        shift, onto = rules.shifts[way], rules.onto[way]
        line = bits.step(own, shift, onto) & other
        for _ in range(5):
            line |= bits.step(line, shift, onto) & other
        found |= bits.step(line, shift, onto) & empty
    return found


def play(state: State, move: int, rules: Rules) -> State:
    if move == rules.pass_move:
        return State(state.black, state.white, 1 - state.side)
    own, other = (state.black, state.white) if state.side == FIRST else (state.white, state.black)
    turned = bits.one(move)
    for way in range(8):
        shift, onto = rules.shifts[way], rules.onto[way]
        line, ahead = bits.NONE, bits.step(bits.one(move), shift, onto)
        while ahead & other:
            line |= ahead
            ahead = bits.step(ahead, shift, onto)
        if ahead & own:
            turned |= line
    own, other = own | turned, other & ~turned
    return State(own, other, 1) if state.side == FIRST else State(other, own, 0)


def result(state: State, rules: Rules) -> int:
    if targets_of(state.black, state.white, rules) or targets_of(state.white, state.black, rules):
        return ONGOING
    black, white = bits.count(state.black), bits.count(state.white)
    return DRAW if black == white else FIRST_WINS if black > white else SECOND_WINS


def features(state: State, rules: Rules) -> tuple[int, int, int]:
    """Corners, which can never be turned, then places to play, then discs."""
    black, white = targets_of(state.black, state.white, rules), targets_of(state.white, state.black, rules)
    corners = rules.all & ~(rules.onto[0] & rules.onto[4]) & ~(rules.onto[2] & rules.onto[6])
    return (
        bits.count(state.black & corners) - bits.count(state.white & corners),
        bits.count(black) - bits.count(white),
        bits.count(state.black) - bits.count(state.white),
    )


game = Rulebook.of(__name__, board=board, presets={"6x6": {"size": 6}}, alternating=True)
corners = Heuristic(
    name="corners", game="othello", features=features, weights={"corners": 30.0, "places": 4.0, "discs": 1.0},
    bounds=(-500.0, 500.0), unit=20.0,
)  # fmt: skip
