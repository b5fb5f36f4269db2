"""What one searching thread works with: a record of named fields, and the arrays whose size depends on the game.

A node is handed the record as one pointer; every array more costs it words to pass on, so there are few of them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_LEVEL = 128  # nodes on the deepest line
MOST_SEEN = 512  # earlier positions of the game that repetition looks at
MOST_LINES = 64
HISTORY_SIZE = 1 << 12  # slots for the moves of one side, found by hashing
PAIR_SIZE = 1 << 16  # slots for pairs of moves, likewise

NO_MOVE = -1
POSITIVE = 0x7FFFFFFFFFFFFFFF  # keys are kept in 63 bits
INDEPENDENT = MAX_LEVEL + 1  # a value that depends on no node of its path

RECORD = np.dtype(
    [
        # What is asked.
        ("me", np.int64),  # the side that searches
        ("node_limit", np.int64),
        ("threads", np.int64),
        ("root_depth", np.int64),
        ("age", np.int64),  # of this search in the transposition table
        ("near_turns", np.int64),  # so near to the ply limit, the turns left are part of a position's key
        ("seen_count", np.int64),
        ("seen", np.int64, MOST_SEEN),  # keys of the game that end it as a draw when they come up once more
        ("seen_hash", np.int64),  # of all of them
        ("excluded_count", np.int64),
        ("excluded", np.int64, MOST_LINES),  # root moves that other lines have taken
        ("overlook", np.int64),  # a move is not seen where its random number is below this; 0: all are seen
        ("overlook_seed", np.int64),
        # What scores mean.
        ("win", np.float64),  # a win now
        ("turn_cost", np.float64),  # what each turn takes off it
        ("unit", np.float64),  # about what a piece is worth: the scale of margins
        ("reach", np.float64),  # no estimate lies outside
        # What is counted.
        ("nodes", np.int64),
        ("table_hits", np.int64),
        ("cutoffs", np.int64),
        ("root_value", np.float64),  # of the best line so far, if there is one
        ("root_proven", np.int64),
        # For each level of the line at hand.
        ("line_length", np.int64, MAX_LEVEL),
        ("line", np.int64, (MAX_LEVEL, MAX_LEVEL)),  # the best moves from there on
        ("path", np.int64, MAX_LEVEL),  # the key
        ("path_dependence", np.int64, MAX_LEVEL),  # the highest level that the value depends on; -1: the game
        ("proven", np.int64, MAX_LEVEL),  # is the value a win or loss by the rules alone?
        ("killers", np.int64, (MAX_LEVEL, 2)),
        ("static", np.float64, MAX_LEVEL),  # what the heuristic says, for each turn of the line rather
        # What is remembered of moves that cut.
        ("history", np.int64, (2, HISTORY_SIZE)),
        ("pairs", np.int64, PAIR_SIZE),
    ],
    align=True,
)


class Memory(NamedTuple):
    """The arguments that every node passes on as they are."""

    record: Any  # one RECORD, in an array
    moves: NDArray[np.int64]  # a stack: each level's moves lie behind those of the level above
    ranks: NDArray[np.int64]  # how promising each of them is
    odds: NDArray[np.float64]
    weights: NDArray[np.float64]
    table: NDArray[np.int64]
    header: NDArray[np.int64]  # of a table of perfect play
    data: NDArray[np.uint8]
    stop: NDArray[np.int64]  # not zero: give up


def new_record() -> Any:
    """A record with nothing in it."""
    return np.zeros(1, RECORD).view(np.recarray)


def slot_of(move: int) -> int:
    """The slot of a move in a history table, by the golden ratio."""
    return ((move ^ (move >> 28)) & 0xFFFFFFF) * 0x9E3779B1 >> 24 & (HISTORY_SIZE - 1)


def pair_slot(before: int, move: int) -> int:
    """The slot of a move that answers another."""
    return ((before * 0x2545F + (move ^ (move >> 28))) & 0xFFFFFFF) * 0x9E3779B1 >> 24 & (PAIR_SIZE - 1)
