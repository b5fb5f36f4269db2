"""What a module offers: the rules and one node's search, on states as rows of 64-bit words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import slots
from kibitz.core.seam.slots import count_words, key, read_words, turn, write_words
from kibitz.search.engine.kernel import visit as visit_node
from kibitz.search.engine.memory import POSITIVE, Memory

TURN, RESULT, KEY, FACTS = 0, 1, 2, 3  # where `facts` writes what, and how many

Words = NDArray[np.int64]
Numbers = NDArray[np.float64]


def facts(words: Words, rules: Any, out: Words) -> int:
    """Whose turn it is, the result by the rules, and the key as the search compares it."""
    state = read_words(words, 0, rules)
    out[TURN] = turn(state, rules)
    out[RESULT] = slots.result(state, rules)
    out[KEY] = int(key(state, rules) & np.uint64(POSITIVE))
    return FACTS


def moves(words: Words, rules: Any, out: Words) -> int:
    """How many moves there are; `out` gets them."""
    return slots.moves(read_words(words, 0, rules), rules, out, 0)


def play(words: Words, rules: Any, move: int, out: Words) -> int:
    """The words of the state after a move or an outcome, and how many; none are written where `out` is too small."""
    after = slots.play(read_words(words, 0, rules), move, rules)
    count = count_words(after, rules)
    return write_words(after, rules, out, 0) if count <= out.size else count


def outcomes(words: Words, rules: Any, odds: Numbers, out: Words) -> int:
    """How many outcomes there are; `odds` and `out` get them."""
    return slots.outcomes(read_words(words, 0, rules), rules, odds, out, 0)


def evaluate(words: Words, rules: Any, weights: Any, me: int) -> float:
    """What the heuristic says, for the first player, as the side `me` sees it."""
    return slots.evaluate(read_words(words, 0, rules), rules, weights, me)


def visit(
    words: Words, rules: Any, depth: int, alpha: float, beta: float, side: int, fresh: int, previous: int,
    memory: Memory,
) -> float:  # fmt: skip
    """The value of a root, as the engine's own kernel has it."""
    no = depth - depth  # not a literal: a recursive function has one signature
    state = read_words(words, 0, rules)
    return visit_node(state, rules, depth, alpha, beta, side, fresh, no, no, no, previous, no, memory)
