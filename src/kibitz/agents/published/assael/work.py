"""What the report's search works on: a list of entries (cell, kind, count) for every level of its tree.

The order of a list matters: our first entry is the group that a leaf looks at.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.games.vampires.rules import VAMPIRES, WEREWOLVES

CELL, KIND, COUNT = 0, 1, 2  # of an entry
SOURCE, SENT, WAY, TARGET = 0, 1, 2, 3  # of a group on its way

# The ways out of a cell in the program's order, as steps across and down, by rows (top, middle, bottom) and columns.
AROUND = (
    ((0, 1), (1, 1), (1, 0)),
    ((-1, 0), (1, 0), (-1, 1), (1, 1), (0, 1)),
    ((-1, 0), (-1, 1), (0, 1)),
    ((0, -1), (0, 1), (1, 1), (1, -1), (1, 0)),
    ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)),
    ((0, -1), (0, 1), (-1, -1), (-1, 1), (-1, 0)),
    ((0, -1), (1, -1), (1, 0)),
    ((-1, 0), (1, 0), (-1, -1), (1, -1), (0, -1)),
    ((-1, 0), (-1, -1), (0, -1)),
)
WAYS = np.array([(*ways, *((0, 0),) * (8 - len(ways))) for ways in AROUND], np.int64)


Work = NDArray[np.int64]

LEVELS = 5
ROOM = 1024  # entries of a list; MOST_LISTED of them are the root's
MOST_LISTED = 768

# Where things stand in the one array that every function passes on: arrays are dear to pass and slow to compile.
ROWS, COLUMNS, ME, PLIES, DEPTH, SHIPPED = 0, 1, 2, 3, 4, 5
LENGTHS = 6  # of the drafted parts of a new list, see `turns`
SIZES = LENGTHS + 3  # of the lists
LISTS = SIZES + LEVELS
GROUPS = LISTS + LEVELS * ROOM * 3  # those who move, by levels
DRAFTS = GROUPS + LEVELS * ROOM * 4
CHOICE = DRAFTS + 3 * ROOM * 3  # the target of each of our groups in the best turn
WORK_SIZE = CHOICE + ROOM


def entry(level: int, at: int) -> int:
    return LISTS + (level * ROOM + at) * 3


def mover(level: int, index: int) -> int:
    return GROUPS + (level * ROOM + index) * 4


def draft_slot(part: int, index: int) -> int:
    return DRAFTS + (part * ROOM + index) * 3


def enemy(work: Work) -> int:
    return VAMPIRES + WEREWOLVES - int(work[ME])


def is_group(work: Work, level: int, at: int, kind: int) -> bool:
    """Does this entry hold such a group? A count below zero, which the shipped program makes, is one."""
    return bool(work[entry(level, at) + KIND] == kind and work[entry(level, at) + COUNT] != 0)


def headcount(work: Work, level: int, kind: int) -> int:
    total = 0
    for at in range(work[SIZES + level]):
        if work[entry(level, at) + KIND] == kind:
            total += int(work[entry(level, at) + COUNT])
    return total


def target_of(work: Work, cell: int, way: int) -> int:
    """The cell at the end of the way; -1 where there is no such way."""
    rows, columns = int(work[ROWS]), int(work[COLUMNS])
    x, y = cell % columns, cell // columns
    across = 0 if x == 0 else 2 if x == columns - 1 else 1
    down = 0 if y == 0 else 2 if y == rows - 1 else 1
    step_x, step_y = int(WAYS[down * 3 + across, way, 0]), int(WAYS[down * 3 + across, way, 1])
    x, y = x + step_x, y + step_y
    if (step_x == 0 and step_y == 0) or x < 0 or x >= columns or y < 0 or y >= rows:
        return -1
    return y * columns + x
