"""Amazons: move like a queen, shoot an arrow, take away the ground.

The Game of the Amazons. White begins. In each turn an amazon moves as a queen does in chess, any number of empty
squares along a row, a column or a diagonal; then it shoots an arrow, which flies the same way and blocks the square
where it lands for the rest of the game. Nothing passes amazons or arrows. Who cannot move has lost.

The usual board has 10x10 squares and four amazons a side; `amazons:6x6` has two.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import FIRST, FIRST_WINS, ONGOING, SECOND_WINS, Board, Heuristic, Piece, Rulebook, grid

STARTS = {
    10: "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3",
    6: "3b2/6/w5/5b/6/2w3",
}
EMPTY, ARROW = 0, 3


class Options(NamedTuple):
    size: Literal[6, 10] = 10


class Rules(NamedTuple):
    size: int  # squares
    rays: NDArray[np.int64]


class State(NamedTuple):
    cells: NDArray[np.int8]
    side: int
    shooter: int  # the amazon that has moved and must shoot, or -1


def board(options: Options) -> Board:
    pieces = {
        "white": Piece("white amazon", "w", 0, "pawn"),
        "black": Piece("black amazon", "b", 1, "pawn"),
        "arrows": Piece("arrow", "#", None, "cross"),
    }
    start = STARTS[options.size]
    return grid(
        options.size, options.size, pieces=pieces, start=start, moves="from-to", symmetries="all", places=["shooter"]
    )


def rules(options: Options) -> Rules:
    made = board(options)
    return Rules(made.size, made.rays)


def moves(state: State, rules: Rules) -> Iterator[int]:
    """Where an amazon comes from and where it goes; an arrow is written as the square that it blocks."""
    for cell in range(rules.size):
        if state.cells[cell] == state.side + 1 and state.shooter in (-1, cell):
            for way in range(8):
                far = 0
                while True:
                    target = rules.rays[cell, way, far]
                    if target < 0 or state.cells[target] != EMPTY:
                        break
                    yield (cell if state.shooter < 0 else target) * rules.size + target
                    far += 1


def play(state: State, move: int, rules: Rules) -> State:
    origin, target = move // rules.size, move % rules.size
    cells = state.cells.copy()
    if origin == target:
        cells[target] = ARROW
        return State(cells, 1 - state.side, -1)
    cells[origin], cells[target] = EMPTY, state.side + 1
    return State(cells, state.side, target)


def result(state: State, rules: Rules) -> int:
    if state.shooter >= 0 or count_freedom(state.cells, state.side + 1, rules):
        return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def count_freedom(cells: NDArray[np.int8], code: int, rules: Rules) -> int:
    """How many empty squares lie next to the amazons of a side."""
    count = 0
    for cell in range(rules.size):
        if cells[cell] == code:
            for way in range(8):
                target = rules.rays[cell, way, 0]
                count += target >= 0 and cells[target] == EMPTY
    return count


def count_reach(cells: NDArray[np.int8], code: int, rules: Rules) -> int:
    """How many moves the amazons of a side have."""
    count = 0
    for cell in range(rules.size):
        if cells[cell] == code:
            for way in range(8):
                far = 0
                while rules.rays[cell, way, far] >= 0 and cells[rules.rays[cell, way, far]] == EMPTY:
                    far += 1
                count += far
    return count


def freedom(state: State, rules: Rules) -> tuple[int, int]:
    near = count_freedom(state.cells, 1, rules) - count_freedom(state.cells, 2, rules)
    return near, count_reach(state.cells, 1, rules) - count_reach(state.cells, 2, rules)


game = Rulebook.of(__name__, board=board, presets={"6x6": {"size": 6}, "10x10": {"size": 10}}, max_moves=140)
mobility = Heuristic(
    name="mobility",
    game="amazons",
    features=freedom,
    weights={"near": 2.0, "reach": 1.0},
    bounds=(-300.0, 300.0),
    unit=5.0,
)
