"""Breakthrough for proof-number search: positions in one integer, and what is known of one without a search.

The side to move always goes up. A position is its workers in the lowest bits, the enemy's above them, and above those
the plies in which the game has to be decided, where that is asked. A position and its mirror image are one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest
from kibitz.core.result import FIRST
from kibitz.games.breakthrough import State
from kibitz.proofs.breakthrough.last_rows import ATTACKERS, DEFENDERS, entry_of
from kibitz.proofs.slots import LOST
from kibitz.proofs.symmetry import pass_turn

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

OPEN, WON = 0, 1  # beside LOST: what is known of a position, for the side to move


class Board(NamedTuple):
    """What the search needs to know of a board."""

    images: Integers
    powers: Integers
    last_rows: Small
    cells: int
    columns: int
    west: int  # the cells of the leftmost column
    east: int
    all: int
    shift: int  # cells below the last rows
    lower: int  # cells of the last rows below the far one


def targets_of(own: int, enemy: int, way: int, board: Board) -> int:
    """Where the workers that go up could go: 0 to the left, 1 straight on, 2 to the right."""
    if way == 1:
        return int((own << board.columns) & board.all & ~(own | enemy))
    if way == 0:
        return int(((own & ~board.west) << board.columns - 1) & board.all & ~own)
    return int(((own & ~board.east) << board.columns + 1) & board.all & ~own)


def value_at_once(child: int, own: int, enemy: int, left: int, board: Board) -> int:
    """What is known of a position for the side to move. `own` and `enemy` are the same position as the side sees it
    that has just moved; `left` are the plies in which the game has to be decided, 0 for any number.

    Where plies are counted, one side has to win within them and the other one has to last: an odd number is left when
    it is the attacker's turn.
    """
    mover, other = child & board.all, child >> board.cells & board.all
    if mover == 0:
        return LOST
    steps, enemy_steps = lowest(enemy) // board.columns, lowest(other) // board.columns
    attacking, lasting = left & 1 != 0, left != 0 and left & 1 == 0
    moves = moves_to_break_through(mover, other, ATTACKERS, board)
    if moves <= enemy_steps and (not attacking or 2 * moves - 1 <= left):
        return WON
    enemy_moves = moves_to_break_through(own, enemy, DEFENDERS, board)
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


def moves_to_break_through(own: int, enemy: int, mover: int, board: Board) -> int:
    """In how many moves workers are through by the table of the last rows."""
    attack, defend = own >> board.shift, enemy >> board.shift
    return int(board.last_rows[entry_of(attack, defend, board.lower, board.powers)]) >> 4 * mover & 15


def list_children(code: int, at: int, children: Integers, board: Board) -> int:
    """Write the positions that a move leads to, but those that are lost by it; where one wins, write that alone,
    and the answer is LOST.
    """
    own, enemy = code & board.all, code >> board.cells & board.all
    left = code >> 2 * board.cells
    if left == 1:  # the last ply was not enough
        return at
    left = max(left - 1, 0)
    first = at
    threat = enemy & ((1 << 2 * board.columns) - 1)  # an enemy one step away must be taken
    for way in range(3):
        targets = targets_of(own, enemy, way, board)
        if threat:
            targets &= threat
        while targets:
            target = targets & -targets
            targets ^= target
            moved, standing = own ^ target >> board.columns - 1 + way | target, enemy & ~target
            child = pass_turn(moved, standing, left, board.images, board.cells)
            known = value_at_once(child, moved, standing, left, board)
            if known == LOST:
                children[first] = child
                return LOST
            if known == OPEN:
                children[at] = child
                at += 1
    return at


def list_all_children(code: int, children: Integers, board: Board) -> int:
    """Write every position that a move leads to; the loser's moves never end the game."""
    own, enemy = code & board.all, code >> board.cells & board.all
    at = 0
    for way in range(3):
        targets = targets_of(own, enemy, way, board)
        while targets:
            target = targets & -targets
            targets ^= target
            moved, standing = own ^ target >> board.columns - 1 + way | target, enemy & ~target
            children[at] = pass_turn(moved, standing, 0, board.images, board.cells)
            at += 1
    return at


def first_guess(code: int, board: Board) -> tuple[int, int]:
    """Every guess that was tried helped some boards and hurt others (docs/proofs.md)."""
    return 1, 1


def unpack_state(code: int, cells: int) -> Any:
    """The state of a code, the side to move as the first player."""
    return State(np.uint64(code & ((1 << cells) - 1)), np.uint64(code >> cells), FIRST)


def pack_state(state: Any, cells: int) -> int:
    """The code of a state in which the first player is to move."""
    return int(np.int64(state.white) | np.int64(state.black) << cells)
