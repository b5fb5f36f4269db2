"""What proof-number search and the checker may call of a game. A game's adapter puts its own functions in their place.

A position is one integer, its code: the pieces of the side to move in the lowest bits, the enemy's above them, and
above those whatever else the question needs. `board` is a record of the game's; it has at least `cells`, their number.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

LOST = -1  # instead of a list of children: a move leads to a position that is lost for the enemy


def _unfilled(name: str) -> RuntimeError:
    return RuntimeError(f"{name}() is a slot: the game's proof adapter fills it")


def list_children(code: int, at: int, children: Integers, board: Any) -> int:
    """Write the positions that a move leads to from `at` on, but those that are known to be lost by it; the index
    behind the last one. Where a move wins, its position alone is written, and the answer is LOST.
    """
    raise _unfilled("list_children")


def list_all_children(code: int, children: Integers, board: Any) -> int:
    """Write every position that a move leads to; how many there are."""
    raise _unfilled("list_all_children")


def first_guess(code: int, board: Any) -> tuple[int, int]:
    """The proof numbers phi and delta of a position nobody has looked at."""
    raise _unfilled("first_guess")


def unpack_state(code: int, cells: int) -> Any:
    """The state of a code, the side to move as the first player."""
    raise _unfilled("unpack_state")


def pack_state(state: Any, cells: int) -> int:
    """The code of a state in which the first player is to move."""
    raise _unfilled("pack_state")
