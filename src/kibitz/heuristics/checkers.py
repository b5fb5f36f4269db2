"""What is good in two-colour Chinese checkers: to be ahead in the race, and to bring everybody along.

Every feature compares the two armies and is positive where Blue stands better. Rows, columns and goals are those of the
board at hand, so the weights serve every size.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST, SECOND
from kibitz.games.checkers import EMPTY, Rules, State, belongs, targets
from kibitz.heuristics.checkers_distance import beside_its_place, class_changes, class_of, rows_left
from kibitz.heuristics.checkers_endgame import RacePlanner
from kibitz.heuristics.checkers_report import REPORT


class Army(NamedTuple):
    """How one army stands."""

    rows: int  # its marbles have still to go so many to the tip of the goal
    squares: int  # of these rows
    last: int  # the rows of the marble farthest behind
    aside: int  # twice the distance of its marbles outside the goal from the middle column
    placed: int  # marbles on cells for their kind
    misplaced: int  # marbles in the goal on cells of the other kind
    corked: int  # special ones among them on the tip, which is hard to leave
    turns: int  # in fewer it cannot fill its goal, whatever the enemy does


def features(state: State, rules: Rules) -> tuple[int, ...]:
    blue = army(state.cells, FIRST, rules.size, rules.goals, rules.wanted, rules.step, rules.reach)
    red = army(state.cells, SECOND, rules.size, rules.goals, rules.wanted, rules.step, rules.reach)
    return (
        red.rows - blue.rows,
        red.squares - blue.squares,
        red.last - blue.last,
        red.aside - blue.aside,
        blue.placed - red.placed,
        red.misplaced - blue.misplaced,
        red.corked - blue.corked,
        red.turns - blue.turns,
        1 if state.side == FIRST else -1,
    )


def army(
    cells: NDArray[np.int8],
    side: int,
    size: int,
    goals: NDArray[np.int16],
    wanted: NDArray[np.int8],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
) -> Army:
    """Turns: a marble that is not on a cell for its kind moves once at least. A hop changes both coordinates of a cell
    by even numbers, so the cells fall into four classes that only a step leads out of; a marble that has to change its
    class moves twice, but where its step ends on a cell for its kind.
    """
    rows, squares, last, aside, placed, misplaced, corked, near, held = 0, 0, 0, 0, 0, 0, 0, 0, 0
    for cell in range(len(cells)):
        marble = int(cells[cell])
        if marble == EMPTY or not belongs(marble, side):
            continue
        left = rows_left(cell, side, size)
        rows += left
        squares += left * left
        last = max(last, left)
        held += 1 << class_of(marble, cell, size)
        near += 1 if beside_its_place(marble, cell, wanted, steps, reach) else 0
        if marble == int(wanted[cell]):
            placed += 1
        elif belongs(int(wanted[cell]), side):
            misplaced += 1
            corked += 1 if left == 0 else 0
        else:
            aside += abs(cell // size - cell % size)
    marbles, needed = len(goals) // 2, 0
    for at in range(side * marbles, (side + 1) * marbles):
        cell = int(goals[at])
        needed += 1 << class_of(int(wanted[cell]), cell, size)
    turns = marbles - placed + max(0, class_changes(held, needed) - near)
    return Army(rows, squares, last, aside, placed, misplaced, corked, turns)


# Which moves to try.

MOST_BACK = 1  # rows; out of the goal one more


def candidates(state: State, rules: Rules) -> Iterator[int]:
    """The moves that do not go back far, the farthest forwards first; among equals those of the rear marbles."""
    found = np.empty(len(rules.goals) // 2 * (len(state.cells) - len(rules.goals)), np.int64)
    gains = np.empty(len(found), np.int64)
    count, back = 0, MOST_BACK
    while count == 0:
        count = list_moves(
            state.cells, state.side, back, rules.size, rules.wanted, rules.step, rules.reach, found, gains
        )
        back += 1
    ordered = most_first(found[:count], gains[:count])
    for index in range(count):
        yield int(ordered[index])


def most_first(found: NDArray[np.int64], gains: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same moves, those that gain most first, equal ones as they came."""
    most = int(gains.max())
    places = np.zeros(most - int(gains.min()) + 2, np.int64)
    for index in range(len(gains)):
        places[most - gains[index] + 1] += 1
    for at in range(1, len(places)):
        places[at] += places[at - 1]
    ordered = np.empty(len(found), np.int64)
    for index in range(len(found)):
        behind = most - gains[index]
        ordered[places[behind]] = found[index]
        places[behind] += 1
    return ordered


def list_moves(
    cells: NDArray[np.int8],
    side: int,
    most_back: int,
    size: int,
    wanted: NDArray[np.int8],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
    found: NDArray[np.int64],
    gains: NDArray[np.int64],
) -> int:
    """Write down the moves and the rows that they gain, roughly from the rear; how many there are."""
    board = cells.copy()
    queue = np.empty(len(cells), np.int16)
    reached = np.zeros(len(cells), np.int16)
    count = 0
    for number in range(len(cells)):
        origin = len(cells) - 1 - number if side == FIRST else number
        if not belongs(int(board[origin]), side):
            continue
        least = -most_back - (1 if belongs(int(wanted[origin]), side) else 0)
        end = targets(board, origin, queue, reached, steps, reach)
        for at in range(1, end):
            target = int(queue[at])
            gain = rows_left(origin, side, size) - rows_left(target, side, size)
            if gain >= least:
                found[count] = origin * len(cells) + target
                gains[count] = gain
                count += 1
    return count


# Set by hand and tried out in matches; a row is worth 10.
RACER = {
    "rows": 10.0,
    "squares": 0.2,
    "last": 2.0,
    "aside": 0.4,
    "placed": 20.0,
    "misplaced": 20.0,
    "corked": 200.0,
    "turns": 5.0,
    "tempo": 10.0,
}
# On the largest board, of size 12, ten marbles have 22 rows to go at most and stand 11 cells aside.
MOST = {
    "rows": 220.0,
    "squares": 4840.0,
    "last": 22.0,
    "aside": 110.0,
    "placed": 10.0,
    "misplaced": 10.0,
    "corked": 1.0,
    "turns": 20.0,
    "tempo": 1.0,
}


def make_heuristic(name: str, weights: dict[str, float]) -> Heuristic:
    """A heuristic with these weights; no score lies outside every feature at its largest."""
    most = sum(abs(weight) * MOST[feature] for feature, weight in weights.items())
    return Heuristic(
        name=name,
        game="checkers",
        bounds=(-most, most),
        unit=400.0,  # the enemy's next chain may gain ten rows or more: narrower margins cut off too much
        features=features,
        weights=weights,
        candidates=candidates,
        planner=RacePlanner,
    )


HEURISTICS = [make_heuristic("racer", RACER), *REPORT]
