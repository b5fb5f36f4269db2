"""The work memory of one searching thread, laid out in a few flat arrays that every node passes on.

Passing an array costs a node seven words, so there are few of them: `work` holds everything that is an integer.
"""

MAX_LEVEL = 128  # nodes on the deepest line
HISTORY_SIZE = 1 << 12  # slots for moves of one side, found by hashing
CONTINUATION_SIZE = 1 << 16  # slots for pairs of moves

# Offsets in `work`.
KILLERS = 0  # two for each level
PV = KILLERS + 2 * MAX_LEVEL  # the best line from each level on
PV_LENGTH = PV + MAX_LEVEL * MAX_LEVEL
PATH = PV_LENGTH + MAX_LEVEL  # the keys of the nodes on the current line
TIED_TO = PATH + MAX_LEVEL  # for each level the highest node of the line that its value depends on by repetition
SEEN = TIED_TO + MAX_LEVEL  # keys that may not be reached once more, sorted
MOST_SEEN = 512
EXCLUDED = SEEN + MOST_SEEN  # root moves that other lines have taken
MOST_LINES = 64
HISTORY = EXCLUDED + MOST_LINES
CONTINUATION = HISTORY + 2 * HISTORY_SIZE
WORK_SIZE = CONTINUATION + CONTINUATION_SIZE

# Entries of `control`, which the caller shares with all threads except for the counters; STOP is entry 0.
NODES, NODE_LIMIT, HITS, CUTOFFS, AGE, ME, SEEN_COUNT, LINES_TAKEN, ROOT_DEPTH, DEEPEST = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
CONTROL_SIZE = 16
POSITIVE = 0x7FFFFFFFFFFFFFFF  # keys are kept in 63 bits

# Behind the weights of the heuristic, counted from the end.
WIN_VALUE, TURN_COST, UNIT = 3, 2, 1

UNTIED = MAX_LEVEL + 1
NO_MOVE = -1


def slot_of(move: int) -> int:
    """The slot of a move in a history table, by the golden ratio."""
    return ((move ^ (move >> 28)) & 0xFFFFFFF) * 0x9E3779B1 >> 24 & (HISTORY_SIZE - 1)


def pair_slot(before: int, move: int) -> int:
    """The slot of a move that answers another."""
    return ((before * 0x2545F + (move ^ (move >> 28))) & 0xFFFFFFF) * 0x9E3779B1 >> 24 & (CONTINUATION_SIZE - 1)
