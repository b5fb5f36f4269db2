"""Chinese checkers as a course report judged it (SJTU AU332, 2020; its authors' agent is FlappyAgent).

`flappy` speaks for `me`: 24 a row by which the own army is ahead on average, less 0.2 for what the rows of its marbles
deviate from their mean, less 0.6 for their distance from the middle column, each compared with the enemy's; and rewards
for own marbles in the goal. `flappy-shipped` has the slip of the program as it was handed in: for the second player the
enemy's rows are not divided by the number of marbles, and that sum also stands for their mean.

Everything is counted in whole numbers and divided once, so that equal positions are equal to the last bit.

`row-gain` is what the course's greedy agent looks at: rows.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST, SECOND
from kibitz.games.checkers import SPECIAL, Rules, State, belongs, filled
from kibitz.heuristics.checkers_endgame import RacePlanner

WON = 10_000.0
RIGHT_KIND, WRONG_KIND, SPECIAL_AT_THE_TIP = 5, -5, -50  # of a marble on a cell of its goal


def flappy(state: State, me: int, rules: Rules) -> float:
    return flappy_score(state.cells, me, False, rules.size, rules.goals, rules.wanted)


def flappy_shipped(state: State, me: int, rules: Rules) -> float:
    return flappy_score(state.cells, me, me == SECOND, rules.size, rules.goals, rules.wanted)


def flappy_score(
    cells: NDArray[np.int8], me: int, slip: bool, size: int, goals: NDArray[np.int16], wanted: NDArray[np.int8]
) -> float:
    if filled(cells, me, goals, wanted):
        return WON
    marbles = len(goals) // 2
    own, enemy = rows_gone(cells, me, size), rows_gone(cells, 1 - me, size)
    if slip:
        enemy *= marbles
    spread = deviation(cells, me, own, marbles, size) - deviation(cells, 1 - me, enemy, marbles, size)
    aside = off_centre(cells, me, size, wanted) - off_centre(cells, 1 - me, size, wanted)
    reward = rewards(cells, me, size, wanted)
    return (240 * (own - enemy) - 2 * spread - 3 * marbles * aside + 10 * marbles * reward) / (10 * marbles)


def gone(cell: int, side: int, size: int) -> int:
    """How many rows a cell lies from the tip of this side's home, that one counted as 1."""
    row = cell // size + cell % size + 1
    return 2 * size - row if side == FIRST else row


def rows_gone(cells: NDArray[np.int8], side: int, size: int) -> int:
    total = 0
    for cell in range(len(cells)):
        if belongs(int(cells[cell]), side):
            total += gone(cell, side, size)
    return total


def deviation(cells: NDArray[np.int8], side: int, mean: int, marbles: int, size: int) -> int:
    """How far the rows of the marbles deviate from the mean in all; this and the mean are times the marbles."""
    total = 0
    for cell in range(len(cells)):
        if belongs(int(cells[cell]), side):
            total += abs(marbles * gone(cell, side, size) - mean)
    return total


def off_centre(cells: NDArray[np.int8], side: int, size: int, wanted: NDArray[np.int8]) -> int:
    """Twice the distance from the middle column of the marbles outside the goal. In rows that have a middle cell one
    counts less, but 1 on the cell itself.
    """
    total = 0
    for cell in range(len(cells)):
        if belongs(int(cells[cell]), side) and not belongs(int(wanted[cell]), side):
            twice = abs(cell % size - cell // size)
            if twice % 2 == 1:
                total += twice
            else:
                total += 2 if twice == 0 else twice - 2
    return total


def rewards(cells: NDArray[np.int8], side: int, size: int, wanted: NDArray[np.int8]) -> int:
    total = 0
    for cell in range(len(cells)):
        marble = int(cells[cell])
        if belongs(marble, side) and belongs(int(wanted[cell]), side):
            total += RIGHT_KIND if marble == int(wanted[cell]) else WRONG_KIND
            if marble == SPECIAL + side and gone(cell, side, size) == 2 * size - 1:
                total += SPECIAL_AT_THE_TIP
    return total


def row_gain(state: State, rules: Rules) -> tuple[int]:
    return (rows_gone(state.cells, FIRST, rules.size) - rows_gone(state.cells, SECOND, rules.size),)


# On the largest board, of size 12, rows differ by at most 22; the slip makes that 24 * 10 * 23.
REPORT = [
    Heuristic(name="flappy", game="checkers", bounds=(-800.0, WON), unit=24.0, evaluate=flappy, planner=RacePlanner),
    Heuristic(
        name="flappy-shipped",
        game="checkers",
        bounds=(-6000.0, WON),
        unit=24.0,
        evaluate=flappy_shipped,
        planner=RacePlanner,
    ),
    Heuristic(
        name="row-gain",
        game="checkers",
        bounds=(-220.0, 220.0),
        unit=4.0,
        features=row_gain,
        weights={"rows": 1.0},
        planner=RacePlanner,
        greedy=True,
    ),
]
