"""Preferences: what a side that has to hold at Alquerque wants to see after its own move.

A preference is a count and its weight. The side plays the move with the highest score, unless a book says otherwise.
Preferences prove nothing: they keep the search narrow and the book short.
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
MANY, FEW = 0, 1  # the rows of `weights`: with more pieces on the board than `few`, and with fewer

FAR_ROW, HOME_ROW = 0b11111, 0b11111 << 20
FAR_CORNERS, HOME_CORNERS = 0b10001, 0b10001 << 20
LEFT_EDGE = 0b00001_00001_00001_00001_00001
EDGES = LEFT_EDGE | LEFT_EDGE << 4
POINT = 1 << 2 * FIELDS  # a point of score against any code of a position

FILES = LEFT_EDGE | LEFT_EDGE << FIELDS  # the leftmost file of both halves of a code


def canonical(code: int) -> int:
    """Of a position and its mirror image the one with the smaller code."""
    second, middle = FILES << 1, FILES << 2
    swapped = (code & FILES) << 4 | (code & second) << 2 | code & middle | code >> 2 & second | code >> 4 & FILES
    return int(min(code, swapped))


def score(own: int, enemy: int, captured: int, weights: Integers, few: int) -> int:
    """The score of a position for the side that has just moved, and that goes up. Only mirror images score the same."""
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
    total = (
        weights[row, 0] * captured
        + weights[row, 1] * enemy_moves
        + weights[row, 2] * enemy_captures
        + weights[row, 3] * count(own & HOME_CORNERS)
        + weights[row, 4] * count(own & FAR_CORNERS)
        + weights[row, 5] * count(own & HOME_ROW)
        + weights[row, 6] * moves
        + weights[row, 7] * captures
        + weights[row, 8] * count(own & EDGES)
        + weights[row, 9] * count(own & FAR_ROW)
        + weights[row, 10] * count(enemy & HOME_ROW)
        + weights[row, 11] * count(enemy & (HOME_CORNERS | FAR_CORNERS))
    )
    return int(total * POINT - canonical(own | enemy << FIELDS))


class Preferences(NamedTuple):
    """The weight of each preference, with many pieces on the board and with few."""

    weights: Integers
    few: int  # so many pieces are few


def make_preferences(few: int, with_many: dict[str, Any], with_few: dict[str, Any]) -> Preferences:
    """Preferences by name; one that is not named has no weight."""
    unknown = (with_many.keys() | with_few.keys()) - set(NAMES)
    if unknown:
        raise ValueError(f"no preference is called {min(unknown)}")
    rows = [[int(row.get(name, 0)) for name in NAMES] for row in (with_many, with_few)]
    return Preferences(np.array(rows, np.int64), int(few))


def weights_by_name(given: Preferences) -> tuple[dict[str, int], dict[str, int]]:
    """The weights by name, with many pieces and with few."""
    many, few = ({name: int(value) for name, value in zip(NAMES, row, strict=True) if value} for row in given.weights)
    return many, few


# White's and Black's, tuned until the strategies that begin at the start had few positions and a short book.
PREFERENCES = (
    make_preferences(
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
    make_preferences(
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
