"""The groups on a grid of vampires against werewolves, gathered once and then looked at many times."""

import numpy as np
from numpy.typing import NDArray

from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES, Rules, winning_chance

MOST = 24  # groups of a kind that are looked at; where there are more, the rest is overlooked
X, Y, SIZE = 0, 1, 2  # of a group
NUMBER, TOTAL = 0, 1  # of a kind: its groups that are noted, and all its creatures
FIRST_GROUP = 2
BLOCK = FIRST_GROUP + 3 * MOST

Groups = NDArray[np.int64]  # a block for each kind


def gathered(cells: NDArray[np.int16], rules: Rules) -> Groups:
    """All groups, found in one pass."""
    groups = np.empty(3 * BLOCK, np.int64)
    for kind in (HUMANS, VAMPIRES, WEREWOLVES):
        groups[block_of(kind) + NUMBER] = 0
        groups[block_of(kind) + TOTAL] = 0
    for cell in range(cells.size):
        if cells[cell] != 0:
            note(groups, cell, int(cells[cell]), rules)
    return groups


def note(groups: Groups, cell: int, content: int, rules: Rules) -> None:
    block, size = block_of(content >> 8), content & 255
    number = int(groups[block + NUMBER])
    groups[block + TOTAL] += size
    if number < MOST:
        at = block + FIRST_GROUP + 3 * number
        groups[at + X] = cell % rules.columns
        groups[at + Y] = cell // rules.columns
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


def expected_gain(attackers: int, defenders: int) -> float:
    """What attackers on enemies may hope for: enemies killed less creatures lost."""
    if 2 * attackers >= 3 * defenders:
        return float(defenders)
    win = winning_chance(attackers, defenders)
    return defenders * (1.0 - (1.0 - win) ** 2) - attackers * (1.0 - win * win)
