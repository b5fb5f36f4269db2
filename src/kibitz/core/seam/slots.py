"""What a kernel may call of a game. A kernel is written against these names; the seam puts the game's in.

Each is stated here with the signature that kernels use, whatever the author of the rules wrote.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Slot = Callable[..., Any]
SLOTS: dict[str, Slot] = {}


def slot(function: Slot) -> Slot:
    """Mark a function as a stand-in that the seam replaces."""
    SLOTS[function.__name__] = function
    return function


def _unfilled(name: str) -> RuntimeError:
    return RuntimeError(f"{name}() is a slot: run the kernel through kibitz.core.seam.specialise")


@slot
def turn(state: Any, rules: Any) -> int:
    """FIRST, SECOND or CHANCE."""
    raise _unfilled("turn")


@slot
def moves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the moves to `out` from index `at` on; the index behind the last one."""
    raise _unfilled("moves")


@slot
def moves_once(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Like `moves`, but only those moves that build each turn in one sequence."""
    raise _unfilled("moves_once")


@slot
def count_moves(state: Any, rules: Any) -> int:
    """How many moves there are, without writing them down."""
    raise _unfilled("count_moves")


@slot
def play(state: Any, move: int, rules: Any) -> Any:
    """The state after a move or an outcome."""
    raise _unfilled("play")


@slot
def result(state: Any, rules: Any) -> int:
    """ONGOING, FIRST_WINS, SECOND_WINS or DRAW, the ply limit included."""
    raise _unfilled("result")


@slot
def plies_left(state: Any, rules: Any) -> int:
    """Turns until the ply limit; a large number where there is none."""
    raise _unfilled("plies_left")


@slot
def horizon(state: Any, rules: Any) -> int:
    """Turns until the number of plies played matters to the rules: two states that differ only in it are worth the
    same as long as no line reaches that far. A large number where it never matters.
    """
    raise _unfilled("horizon")


@slot
def outcomes(state: Any, rules: Any, odds: NDArray[np.float64], out: NDArray[np.int64], at: int) -> int:
    """Write probabilities and outcomes from index `at` on; the index behind the last one."""
    raise _unfilled("outcomes")


@slot
def key(state: Any, rules: Any) -> np.uint64:
    """A hash of what repetition compares."""
    raise _unfilled("key")


@slot
def write_words(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the state's numbers as 64-bit words from index `at` on, an array as its length and its elements."""
    raise _unfilled("write_words")


@slot
def read_words(words: NDArray[np.int64], at: int, rules: Any) -> Any:
    """The state whose numbers `write_words` wrote from index `at` on."""
    raise _unfilled("read_words")


@slot
def keyed(state: Any, rules: Any) -> Any:
    """The state without what repetition ignores, such as the plies played."""
    raise _unfilled("keyed")


@slot
def index(state: Any, rules: Any) -> int:
    """The number of the state in a perfect-play table; -1 where it has none."""
    raise _unfilled("index")


@slot
def unindex(number: int, rules: Any) -> Any:
    """A state of this number; only where the game declares it."""
    raise _unfilled("unindex")


@slot
def unmoves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the moves that may have led here from index `at` on; the index behind the last one."""
    raise _unfilled("unmoves")


@slot
def unplay(state: Any, move: int, rules: Any) -> Any:
    """The state before a move of `unmoves`."""
    raise _unfilled("unplay")


@slot
def transform(state: Any, symmetry: int, rules: Any) -> Any:
    """The state seen through a symmetry."""
    raise _unfilled("transform")


@slot
def transform_move(move: int, symmetry: int, rules: Any) -> int:
    """The move seen through a symmetry."""
    raise _unfilled("transform_move")


# What a heuristic says of a game; where it says nothing, the slot answers as its docstring ends.


@slot
def evaluate(state: Any, rules: Any, weights: NDArray[np.float64], me: int) -> float:
    """How good the position is for the first player, as the side `me` that searches sees it; 0."""
    raise _unfilled("evaluate")


@slot
def is_tactical(state: Any, move: int, rules: Any) -> bool:
    """Must a quiet search look at this move before it may stop? No."""
    raise _unfilled("is_tactical")


@slot
def known_result(state: Any, rules: Any) -> int:
    """n: the first player surely wins in n turns, -n: the second one does, 0: that cannot be seen; 0."""
    raise _unfilled("known_result")


@slot
def candidates(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Like `moves_once`, but only moves worth trying, the most promising first; all of them."""
    raise _unfilled("candidates")


@slot
def probe(state: Any, rules: Any, header: NDArray[np.int64], data: NDArray[np.uint8]) -> int:
    """What a perfect-play table knows: 0 a draw, n the first player wins in n - 1 turns, -n the second one does;
    UNKNOWN. Both arrays are empty where there is no table, so that one compiled search serves with and without.
    """
    raise _unfilled("probe")


NO_LIMIT = 1 << 40
UNKNOWN = 1 << 40


class ProbeTable(NamedTuple):
    """A table of perfect play as searches take it: what reads it, how it is laid out, and its bytes. Both arrays are
    empty where there is no table.
    """

    probe: Slot | None = None
    header: NDArray[np.int64] = np.zeros(0, np.int64)
    data: NDArray[np.uint8] = np.zeros(0, np.uint8)


NO_PROBE_TABLE = ProbeTable()
