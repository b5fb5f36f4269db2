"""Breakthrough as the proof search sees it: positions in one integer, and what can be told of one without a search.

The side to move always goes up. A position is its workers in the lowest bits, the enemy's above them, and above those
the plies in which the game has to be decided, where that is asked. A position and its mirror image are one.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.proofs.breakthrough.last_rows import ATTACKERS, DEFENDERS, entry_of, last_rows
from kibitz.proofs.symmetry import CELLS, MOST_CELLS, Ground, images_of, passed_on, upside_down

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

# Entries of `plan`.
COLUMNS, WEST, EAST, BOARD, SHIFT, LOWER = range(CELLS + 1, CELLS + 7)
LOST, OPEN, WON = -1, 0, 1  # what is known of a position, for the side to move


def targets_of(own: int, enemy: int, way: int, plan: Integers) -> int:
    """Where the workers that go up could go: 0 to the left, 1 straight on, 2 to the right."""
    if way == 1:
        return int((own << plan[COLUMNS]) & plan[BOARD] & ~(own | enemy))
    if way == 0:
        return int(((own & ~plan[WEST]) << plan[COLUMNS] - 1) & plan[BOARD] & ~own)
    return int(((own & ~plan[EAST]) << plan[COLUMNS] + 1) & plan[BOARD] & ~own)


def verdict(kid: int, own: int, enemy: int, left: int, powers: Integers, rows: Small, plan: Integers) -> int:
    """What is known of a position for the side to move. `own` and `enemy` are the same position as the side sees it
    that has just moved; `left` are the plies in which the game has to be decided, 0 for any number.

    Where plies are counted, one side has to win within them and the other one has to last: an odd number is left when
    it is the attacker's turn.
    """
    mover, other = kid & plan[BOARD], kid >> plan[CELLS] & plan[BOARD]
    if mover == 0:
        return LOST
    steps, enemy_steps = lowest(enemy) // plan[COLUMNS], lowest(other) // plan[COLUMNS]
    attacking, lasting = left & 1 != 0, left != 0 and left & 1 == 0
    moves = broken_through(mover, other, ATTACKERS, powers, rows, plan)
    if moves <= enemy_steps and (not attacking or 2 * moves - 1 <= left):
        return WON
    enemy_moves = broken_through(own, enemy, DEFENDERS, powers, rows, plan)
    if enemy_moves < steps and (not lasting or 2 * enemy_moves <= left):
        return LOST
    if attacking and 2 * steps - 1 > left and 2 * count_up_to(other, left) - 1 > left:
        return LOST
    return OPEN


def count_up_to(cells: int, most: int) -> int:
    """How many cells there are, though never more than asked for."""
    found = 0
    while cells and found <= most:
        cells &= cells - 1
        found += 1
    return found


def broken_through(own: int, enemy: int, mover: int, powers: Integers, rows: Small, plan: Integers) -> int:
    """In how many moves workers are through by the table of the last rows."""
    attack, defend = own >> plan[SHIFT], enemy >> plan[SHIFT]
    return int(rows[entry_of(attack, defend, plan[LOWER], powers)]) >> 4 * mover & 15


def list_children(
    code: int, at: int, kids: Integers, images: Integers, powers: Integers, rows: Small, plan: Integers
) -> int:
    """Write the positions that a move leads to, but those that are lost by it; where one wins, write that alone,
    and the answer is LOST.
    """
    own, enemy = code & plan[BOARD], code >> plan[CELLS] & plan[BOARD]
    left = code >> 2 * plan[CELLS]
    if left == 1:  # the last ply was not enough
        return at
    left = max(left - 1, 0)
    first = at
    threat = enemy & ((1 << 2 * plan[COLUMNS]) - 1)  # an enemy one step away must be taken
    for way in range(3):
        targets = targets_of(own, enemy, way, plan)
        if threat:
            targets &= threat
        while targets:
            target = targets & -targets
            targets ^= target
            moved, standing = own ^ target >> plan[COLUMNS] - 1 + way | target, enemy & ~target
            kid = passed_on(moved, standing, left, images, plan)
            known = verdict(kid, moved, standing, left, powers, rows, plan)
            if known == LOST:
                kids[first] = kid
                return LOST
            if known == OPEN:
                kids[at] = kid
                at += 1
    return at


def list_all(code: int, kids: Integers, images: Integers, plan: Integers) -> int:
    """Write every position that a move leads to; the loser's moves never end the game."""
    own, enemy = code & plan[BOARD], code >> plan[CELLS] & plan[BOARD]
    at = 0
    for way in range(3):
        targets = targets_of(own, enemy, way, plan)
        while targets:
            target = targets & -targets
            targets ^= target
            moved, standing = own ^ target >> plan[COLUMNS] - 1 + way | target, enemy & ~target
            kids[at] = passed_on(moved, standing, 0, images, plan)
            at += 1
    return at


def ground(game: Game) -> Ground:
    """What the search needs to know of a board."""
    rows, columns, base = game.options.rows, game.options.columns, game.options.base
    cells = rows * columns
    if base != 1 or cells > MOST_CELLS:
        raise BadOption(f"{game.text}: proofs are for one worker to base and at most {MOST_CELLS} cells")
    table = last_rows(rows, columns)
    west = sum(1 << columns * row for row in range(rows))
    shift, lower = columns * (rows - table.rows), columns * (table.rows - 1)
    plan = [cells, columns, west, west << (columns - 1), (1 << cells) - 1, shift, lower]
    return Ground(images_of(rows, columns), table.powers, table.entries, np.array(plan, np.int64))


def code_of(position: Position, given: Ground, within: int = 0) -> int:
    """A position as the search sees it, with the plies in which the game has to be decided."""
    white, black = int(position.state.white), int(position.state.black)
    if position.state.side == FIRST:
        white, black = upside_down(black, given.images), upside_down(white, given.images)
    return passed_on(white, black, within, given.images, given.plan)
