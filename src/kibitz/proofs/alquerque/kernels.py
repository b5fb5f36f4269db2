"""Alquerque (`dm574`) for proof-number search: can the attacker win, or does the defender at least draw?

The side to move always goes up. A position is its pieces in the lowest bits, the enemy's above them, and above those a
bit that says whether the attacker is to move. A position and its mirror image are one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count
from kibitz.core.result import FIRST
from kibitz.games.alquerque import BOARD, FIELDS, State
from kibitz.proofs.alquerque.endgames import DRAWN, LOSS, POSITION, UNKNOWN, look_up
from kibitz.proofs.alquerque.moves import list_moves
from kibitz.proofs.slots import LOST

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

EVEN = 4  # a guess is this power of two where both sides have as many pieces


class Board(NamedTuple):
    """What the search needs to know of the board, and endgame tables up to so many pieces."""

    images: Integers
    places: Integers
    values: Small
    cells: int
    pieces: int


def list_children(code: int, at: int, children: Integers, board: Board) -> int:
    """Write the positions that a move leads to, but those that are lost by it; where one wins, write that alone,
    and the answer is LOST. The defender has won where the game is drawn.
    """
    own, enemy, attacking = code & BOARD, code >> FIELDS & BOARD, code >> 2 * FIELDS
    end = list_moves(own, enemy, 1 - attacking, at, children, board.images)
    if end == at and not attacking:
        return LOST
    if end < 0 or count(own) + count(enemy) > board.pieces + 1:
        return end
    kept = at
    for index in range(at, end):
        child = children[index]
        value = UNKNOWN
        if count(child & POSITION) <= board.pieces:
            value = look_up(child & POSITION, board.places, board.values)
        if value == UNKNOWN:
            children[kept] = child
            kept += 1
        elif value == LOSS or (value == DRAWN and not attacking):
            children[at] = child
            return LOST
    return kept


def list_all_children(code: int, children: Integers, board: Board) -> int:
    """Write every position that a move leads to; the loser never takes the last piece."""
    own, enemy, attacking = code & BOARD, code >> FIELDS & BOARD, code >> 2 * FIELDS
    return list_moves(own, enemy, 1 - attacking, 0, children, board.images)


def first_guess(code: int, board: Board) -> tuple[int, int]:
    """Who has more pieces is nearer to any goal."""
    lead = count(code & BOARD) - count(code >> FIELDS & BOARD)
    return 1 << max(0, EVEN - lead), 1 << max(0, EVEN + lead)


def unpack_state(code: int, cells: int) -> Any:
    """The state of a code, the side to move as the first player."""
    return State(code & BOARD, code >> FIELDS, FIRST, 0, 0, 0, 0)


def pack_state(state: Any, cells: int) -> int:
    """The code of a state in which the first player is to move."""
    return int(state.white | state.black << FIELDS)
