"""Trees drawn by hand, as a game: a state is a node, a move is a child, and each root is a tree of its own.

0 first   1 second  4 scores 3, 5 scores 5              worth 3
          2 second  6 scores 2, 7 scores 9              worth 2; 7 need not be seen
          3 a draw
8 first   9 second  10 scores 0, 11 scores 4            worth 0, two turns away
          12 a draw                                     worth 0, one turn away
13 first  14 second 15 first  17 scores 0               worth 0, three turns away
                    16 a draw                           worth 0, two turns away
20 first  21 chance 22 scores 8 (1/4), 23 scores 0      worth 2
          24 scores 1
25 first  26 first  27 scores 7, 28 scores 1            one turn of two moves, worth 7
          29 scores 5
30 first  31 second 33 first wins                       won in two turns
          32 first  34 first wins                       won in one turn of two moves
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kibitz.core.layout import placement, square_board
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND
from kibitz.core.rulebook import Rulebook

NODES = 35


class State(NamedTuple):
    node: int


def _filled(default: int, values: dict[int, int]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array([values.get(node, default) for node in range(NODES)], np.int64)


CHILDREN = {0: (1, 3), 1: (4, 5), 2: (6, 7), 8: (9, 9), 9: (10, 11), 13: (14, 14), 14: (15, 16), 15: (17, 17),
            20: (21, 21), 21: (22, 23), 25: (26, 26), 26: (27, 28),
            30: (31, 32), 31: (33, 33), 32: (34, 34)}  # fmt: skip
FROM = _filled(0, {node: children[0] for node, children in CHILDREN.items()})
TO = _filled(-1, {node: children[1] for node, children in CHILDREN.items()})
MORE = _filled(-1, {8: 12, 20: 24, 25: 29})  # a child that does not follow the others
FIRSTS = (0, 4, 5, 6, 7, 8, 10, 11, 13, 15, 20, 25, 26, 30, 32)
SIDE = _filled(SECOND, dict.fromkeys(FIRSTS, FIRST) | {21: CHANCE})
RESULT = _filled(ONGOING, {3: DRAW, 12: DRAW, 16: DRAW, 33: FIRST_WINS, 34: FIRST_WINS})
SCORE = _filled(0, {4: 3, 5: 5, 6: 2, 7: 9, 11: 4, 22: 8, 24: 1, 27: 7, 28: 1, 29: 5})


def turn(state: State) -> int:
    return int(SIDE[state.node])


def moves(state: State) -> Iterator[int]:
    for child in range(int(FROM[state.node]), int(TO[state.node]) + 1):  # noqa: UP028 - compiled rules
        yield child
    if MORE[state.node] >= 0:
        yield int(MORE[state.node])


def outcomes(state: State) -> Iterator[tuple[float, int]]:
    yield 0.25, int(FROM[state.node])
    yield 0.75, int(TO[state.node])


def play(state: State, move: int) -> State:
    return State(move)


def result(state: State) -> int:
    return int(RESULT[state.node])


def score(state: State) -> float:
    return float(SCORE[state.node])


trees = Rulebook(
    name="trees",
    title="Trees",
    sides=("first", "second"),
    state=State,
    start=lambda: State(0),
    turn=turn,
    moves=moves,
    outcomes=outcomes,
    play=play,
    result=result,
    max_moves=4,
    layout=lambda: square_board(1, NODES, {}),
    pieces=lambda state: [""] * NODES,
    gesture=placement,
    move_text=lambda state, move: str(move),
)
