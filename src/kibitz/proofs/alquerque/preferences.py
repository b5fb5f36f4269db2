"""Habits: what a side that has to hold at Alquerque likes to see after its own move.

A habit is a count and what it is worth. The side plays the move it likes best, unless a book knows better. Habits prove
nothing: they keep the search narrow and the book short.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count
from kibitz.games.alquerque import BOARD, FIELDS, landings, shifted

Integers = NDArray[np.int64]

NAMES = (
    "captured", "enemy_moves", "enemy_captures", "home_corners", "far_corners", "home_row", "moves", "captures",
    "edges", "far_row", "enemy_on_home_row", "enemy_in_corners",
)  # fmt: skip
MANY, FEW = 0, 1  # the rows of `worth`: with more pieces on the board than `few`, and with fewer

FAR_ROW, HOME_ROW = 0b11111, 0b11111 << 20
FAR_CORNERS, HOME_CORNERS = 0b10001, 0b10001 << 20
LEFT_EDGE = 0b00001_00001_00001_00001_00001
EDGES = LEFT_EDGE | LEFT_EDGE << 4
SCORE = 1 << 2 * FIELDS  # a point of score against any code of a position

FILES = LEFT_EDGE | LEFT_EDGE << FIELDS  # the leftmost file of both halves of a code


def one_of_two(code: int) -> int:
    """Of a position and its mirror image the one with the smaller code."""
    second, middle = FILES << 1, FILES << 2
    swapped = (code & FILES) << 4 | (code & second) << 2 | code & middle | code >> 2 & second | code >> 4 & FILES
    return int(min(code, swapped))


def liking(own: int, enemy: int, captured: int, worth: Integers, few: int) -> int:
    """How well a position is liked by the side that has just moved, and that goes up. Only mirror images are liked
    equally well.
    """
    row = FEW if count(own) + count(enemy) <= few else MANY
    empty = BOARD & ~(own | enemy)
    captures = enemy_captures = 0
    for direction in range(8):
        captures += count(landings(own, enemy, empty, direction))
        enemy_captures += count(landings(enemy, own, empty, direction))
    moves, enemy_moves = captures, enemy_captures
    for direction in range(3):
        moves += count(shifted(own, direction) & empty)
        enemy_moves += count(shifted(enemy, 7 - direction) & empty)
    score = (
        worth[row, 0] * captured
        + worth[row, 1] * enemy_moves
        + worth[row, 2] * enemy_captures
        + worth[row, 3] * count(own & HOME_CORNERS)
        + worth[row, 4] * count(own & FAR_CORNERS)
        + worth[row, 5] * count(own & HOME_ROW)
        + worth[row, 6] * moves
        + worth[row, 7] * captures
        + worth[row, 8] * count(own & EDGES)
        + worth[row, 9] * count(own & FAR_ROW)
        + worth[row, 10] * count(enemy & HOME_ROW)
        + worth[row, 11] * count(enemy & (HOME_CORNERS | FAR_CORNERS))
    )
    return int(score * SCORE - one_of_two(own | enemy << FIELDS))


class Habits(NamedTuple):
    """What each habit is worth, with many pieces on the board and with few."""

    worth: Integers
    few: int  # so many pieces are few


def habits(few: int, with_many: dict[str, Any], with_few: dict[str, Any]) -> Habits:
    """Habits by name; one that is not named is worth nothing."""
    unknown = (with_many.keys() | with_few.keys()) - set(NAMES)
    if unknown:
        raise ValueError(f"no habit is called {min(unknown)}")
    rows = [[int(row.get(name, 0)) for name in NAMES] for row in (with_many, with_few)]
    return Habits(np.array(rows, np.int64), int(few))


def named(given: Habits) -> tuple[dict[str, int], dict[str, int]]:
    """What the habits are worth by name, with many pieces and with few."""
    many, few = ({name: int(value) for name, value in zip(NAMES, row, strict=True) if value} for row in given.worth)
    return many, few


# White's and Black's, tuned until the strategies that begin at the start had few positions and a short book.
HABITS = (
    habits(
        13,
        {
            "captured": 36, "enemy_moves": -5, "enemy_captures": -3, "far_corners": 9, "home_row": -1, "moves": 1,
            "captures": -1, "edges": 4, "far_row": -3, "enemy_on_home_row": 6, "enemy_in_corners": 2,
        },
        {
            "captured": 18, "enemy_moves": -5, "enemy_captures": -3, "home_corners": -4, "far_corners": 4,
            "home_row": -1, "moves": 1, "captures": 1, "edges": 5, "far_row": 2, "enemy_on_home_row": 2,
            "enemy_in_corners": 2,
        },
    ),
    habits(
        13,
        {
            "captured": 20, "enemy_moves": -3, "enemy_captures": -4, "home_corners": 2, "far_corners": 3,
            "home_row": -2, "far_row": -2, "enemy_on_home_row": 4, "enemy_in_corners": -1,
        },
        {
            "captured": 14, "enemy_moves": -3, "enemy_captures": -4, "home_corners": 2, "far_corners": 3,
            "home_row": -6, "moves": 1, "edges": 2, "far_row": 3, "enemy_on_home_row": 4, "enemy_in_corners": 2,
        },
    ),
)  # fmt: skip
