"""The groups on a grid of vampires against werewolves, gathered once and then looked at many times."""

import numpy as np
from numpy.typing import NDArray

from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES, Rules, State, winning_chance

MOST = 24  # groups of a kind that are looked at; where there are more, the rest is overlooked
X, Y, SIZE = 0, 1, 2  # of a group
NUMBER, TOTAL = 0, 1  # of a kind: its groups that are noted, and all its creatures
FIRST_GROUP = 2
BLOCK = FIRST_GROUP + 3 * MOST
ROWS, COLUMNS, SIDE = 3 * BLOCK, 3 * BLOCK + 1, 3 * BLOCK + 2  # behind the blocks, what else a look at the grid needs

Groups = NDArray[np.int64]  # a block for each kind


def gather_groups(state: State, rules: Rules) -> Groups:
    """All groups, found in one pass."""
    cells = state.cells
    groups = np.empty(3 * BLOCK + 3, np.int64)
    groups[ROWS], groups[COLUMNS], groups[SIDE] = rules.rows, rules.columns, state.side
    for kind in (HUMANS, VAMPIRES, WEREWOLVES):
        groups[block_of(kind) + NUMBER] = 0
        groups[block_of(kind) + TOTAL] = 0
    for cell in range(cells.size):
        if cells[cell] != 0:
            note(groups, cell, int(cells[cell]))
    return groups


def note(groups: Groups, cell: int, content: int) -> None:
    block, size = block_of(content >> 8), content & 255
    number = int(groups[block + NUMBER])
    groups[block + TOTAL] += size
    if number < MOST:
        at = block + FIRST_GROUP + 3 * number
        groups[at + X] = cell % groups[COLUMNS]
        groups[at + Y] = cell // groups[COLUMNS]
        groups[at + SIZE] = size
        groups[block + NUMBER] = number + 1


def block_of(kind: int) -> int:
    return (kind - HUMANS) * BLOCK


def number_of(groups: Groups, kind: int) -> int:
    return int(groups[block_of(kind) + NUMBER])


def total_of(groups: Groups, kind: int) -> int:
    return int(groups[block_of(kind) + TOTAL])


def group_at(kind: int, index: int) -> int:
    """Where the numbers of a group begin."""
    return block_of(kind) + FIRST_GROUP + 3 * index


def steps(groups: Groups, at: int, x: int, y: int) -> int:
    """How many turns this group needs to come to a cell."""
    return max(abs(int(groups[at + X]) - x), abs(int(groups[at + Y]) - y))


def own_kind(groups: Groups) -> int:
    """The kind of the side to move."""
    return VAMPIRES + int(groups[SIDE])


def enemy_kind(groups: Groups) -> int:
    return WEREWOLVES - int(groups[SIDE])


def expected_gain(attackers: int, defenders: int) -> float:
    """What attackers on enemies may hope for: enemies killed less creatures lost."""
    if 2 * attackers >= 3 * defenders:
        return float(defenders)
    win = winning_chance(attackers, defenders)
    return defenders * (1.0 - (1.0 - win) ** 2) - attackers * (1.0 - win * win)
