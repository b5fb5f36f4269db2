"""Tables of the last rows of Breakthrough: can the attackers that are there already break through by themselves?

Workers never go back. So a defender that has left the last rows will never be seen there again, and the fight for them
is a little game of its own. Here the attackers of the last rows play alone, every turn, against the defenders of those
rows, who may also leave downwards or pass, for on the whole board they may have something else to do. What the
attackers win so, in so many moves, they win on the whole board, unless the enemy is through sooner elsewhere. (After
Isaac and Lorentz, "Using partial tablebases in Breakthrough", 2016.)

An entry holds two distances in moves of the attackers: when they are to move (its lower half), when the defenders are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

NO_BREAK = 15  # never, or later than can be written down
ATTACKERS, DEFENDERS = 0, 1  # who is to move
LARGEST = 40_000_000  # entries; a larger table would no longer be worth its place


def entry_of(attack: int, defend: int, lower: int, powers: Integers) -> int:
    """The place of a fight in the table: defenders on the far row in binary, the rows before it in base three."""
    last = powers.size - 1
    return int((defend >> lower) * (2 * powers[last] + 1) + powers[attack] + 2 * powers[defend & last])


def distance(
    mover: int, attack: int, defend: int, lower: int, columns: int, west: int, powers: Integers, out: Small
) -> int:
    """In how many moves the attackers are through; every answer is kept in `out`."""
    entry = entry_of(attack, defend, lower, powers)
    known = int(out[entry]) >> 4 * mover & NO_BREAK
    if known != 0:
        return known
    east = west << columns - 1
    home = (1 << columns) - 1
    other = 1 - mover
    if mover == ATTACKERS:
        moves = NO_BREAK
        if attack >> lower - columns:
            moves = 1
        for way in range(3):
            shift = columns - 1 + way
            from_here = attack & ~west if way == 0 else attack & ~east if way == 2 else attack
            targets = (from_here << shift) & ~(attack | defend if way == 1 else attack)
            while targets and moves > 2:
                target = targets & -targets
                targets ^= target
                after = attack ^ target >> shift | target
                moves = min(moves, 1 + distance(other, after, defend & ~target, lower, columns, west, powers, out))
    else:
        moves = distance(other, attack, defend, lower, columns, west, powers, out)
        leaving = defend & home
        while leaving and moves < NO_BREAK:
            target = leaving & -leaving
            leaving ^= target
            moves = max(moves, distance(other, attack, defend ^ target, lower, columns, west, powers, out))
        for way in range(3):
            shift = columns - 1 + way
            staying = defend & ~home
            from_here = staying & ~east if way == 0 else staying & ~west if way == 2 else staying
            targets = (from_here >> shift) & ~(attack | defend if way == 1 else defend)
            while targets and moves < NO_BREAK:
                target = targets & -targets
                targets ^= target
                after = defend ^ target << shift | target
                moves = max(moves, distance(other, attack & ~target, after, lower, columns, west, powers, out))
    moves = min(moves, NO_BREAK)
    out[entry] |= np.uint8(moves << 4 * mover)
    return int(moves)


def fill_table(rows: int, columns: int, west: int, powers: Integers, out: Small) -> int:
    """Every entry of the table."""
    lower = (rows - 1) * columns
    first, second = int(np.int64(ATTACKERS)), int(np.int64(DEFENDERS))  # the recursion knows one type of argument
    for defend in range(1 << rows * columns):
        free = ((1 << lower) - 1) & ~defend
        attack = free
        while True:
            distance(first, attack, defend, lower, columns, west, powers, out)
            distance(second, attack, defend, lower, columns, west, powers, out)
            if attack == 0:
                break
            attack = (attack - 1) & free
    return 0


class LastRows(NamedTuple):
    """A filled table and what is needed to look something up in it."""

    rows: int
    powers: Integers
    entries: Small


def make_last_rows(rows: int, columns: int) -> LastRows:
    """The table for boards of this size: as many rows as are worth it, but never the attackers' own home row."""
    taken = 3
    while taken < rows - 1 and table_size(taken + 1, columns) <= LARGEST:
        taken += 1
    out = np.zeros(table_size(taken, columns), np.uint8)
    powers = ternary_numbers((taken - 1) * columns)
    west = sum(1 << columns * row for row in range(taken))
    specialise(None, fill_table)(taken, columns, west, powers, out)
    return LastRows(taken, powers, out)


def table_size(rows: int, columns: int) -> int:
    return int(2**columns * 3 ** ((rows - 1) * columns))


def ternary_numbers(lower: int) -> Integers:
    """For each set of cells, the number it is in base three."""
    found = np.zeros(1 << lower, np.int64)
    for cell in range(lower):
        found[1 << cell : 2 << cell] = found[: 1 << cell] + 3**cell
    return found
