"""What a kernel may call of a game: the table of slots. A kernel is written against these names; the seam fills them.

A slot is one row: a function with the signature that kernels use, whatever the author of the rules wrote, and a
decorator that says how it is filled. A new slot is a new row.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from kibitz.core.limit import UNBOUNDED
from kibitz.core.result import DRAW, ONGOING
from kibitz.core.seam import bodies
from kibitz.core.seam.generators import Form

Slot = Callable[..., Any]
Declared = TypeVar("Declared", bound=Slot)

UNKNOWN = UNBOUNDED  # what a probe answers where a table knows nothing: more turns than any game has


class UnfilledSlot(RuntimeError):
    """A kernel was called as it is, not as `kibitz.core.seam.specialise` returns it."""


class Row(NamedTuple):
    """How a slot is filled."""

    name: str
    parameters: tuple[str, ...]
    returns: Any  # int, bool, float, ...; Any stands for a state
    rules: tuple[str, ...]  # functions of the rulebook or the heuristic: the first one that is declared fills the slot
    form: Form
    default: str | None  # the expression that stands for their call where none is; None: the slot stays unfilled
    body: bodies.Body | None  # the function's lines, where they are more than that call


ROWS: dict[str, Row] = {}
SLOTS: dict[str, Slot] = {}


def slot(
    *,
    rules: tuple[str, ...] | None = None,
    form: Form = "plain",
    default: str | float | None = None,
    body: bodies.Body | str | None = None,
) -> Callable[[Declared], Declared]:
    """Make a row of the function: it stands in for the one that the seam makes of the author's. An author's function
    of the same name fills it unless `rules` names others.
    """

    def add_row(function: Declared) -> Declared:
        name, code = function.__name__, function.__code__
        ROWS[name] = Row(
            name,
            code.co_varnames[: code.co_argcount],
            get_type_hints(function)["return"],
            (name,) if rules is None else rules,
            form,
            None if default is None else str(default),
            (lambda book, heuristic: body) if isinstance(body, str) else body,
        )
        SLOTS[name] = function
        return function

    return add_row


# The game's rules.


@slot()
def turn(state: Any, rules: Any) -> int:
    """FIRST, SECOND or CHANCE."""
    raise UnfilledSlot


@slot(form="fill")
def moves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the moves to `out` from index `at` on; the index behind the last one."""
    raise UnfilledSlot


@slot(rules=("moves_once", "moves"), form="fill")
def moves_once(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Like `moves`, but only those moves that build each turn in one sequence."""
    raise UnfilledSlot


@slot(rules=("moves",), form="count")
def count_moves(state: Any, rules: Any) -> int:
    """How many moves there are, without writing them down."""
    raise UnfilledSlot


@slot()
def play(state: Any, move: int, rules: Any) -> Any:
    """The state after a move or an outcome."""
    raise UnfilledSlot


@slot(
    body=f"""
        found = whole({{result}})
        if found == {ONGOING} and {{plies_left}} <= 0:
            return whole({{at_limit}})
        return found
    """
)
def result(state: Any, rules: Any) -> int:
    """ONGOING, FIRST_WINS, SECOND_WINS or DRAW, the ply limit included."""
    raise UnfilledSlot


@slot(default=UNBOUNDED)
def plies_left(state: Any, rules: Any) -> int:
    """Turns until the ply limit; UNBOUNDED where there is none."""
    raise UnfilledSlot


@slot(default=DRAW)
def at_limit(state: Any, rules: Any) -> int:
    """The result at the ply limit; a draw by default."""
    raise UnfilledSlot


@slot(rules=("horizon", "plies_left"), default=UNBOUNDED)
def horizon(state: Any, rules: Any) -> int:
    """Turns until the number of plies played matters to the rules: two states that differ only in it are worth the
    same as long as no line reaches that far. UNBOUNDED where it never matters.
    """
    raise UnfilledSlot


@slot(form="odds", default="at")
def outcomes(state: Any, rules: Any, odds: NDArray[np.float64], out: NDArray[np.int64], at: int) -> int:
    """Write probabilities and outcomes from index `at` on; the index behind the last one."""
    raise UnfilledSlot


@slot(rules=("key",), default="state")
def key_state(state: Any, rules: Any) -> Any:
    """The state without what repetition ignores, such as the plies played."""
    raise UnfilledSlot


@slot(rules=(), body=bodies.hash_fields)
def key(state: Any, rules: Any) -> np.uint64:
    """A hash of what repetition compares."""
    raise UnfilledSlot


@slot(rules=(), body=bodies.write_fields)
def write_words(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the state's numbers as 64-bit words from index `at` on, an array as its length and its elements."""
    raise UnfilledSlot


@slot(rules=(), body=bodies.count_field_words)
def count_words(state: Any, rules: Any) -> int:
    """How many words `write_words` writes."""
    raise UnfilledSlot


@slot(rules=(), body=bodies.read_fields)
def read_words(words: NDArray[np.int64], at: int, rules: Any) -> Any:
    """The state whose numbers `write_words` wrote from index `at` on."""
    raise UnfilledSlot


@slot(default=-1)
def index(state: Any, rules: Any) -> int:
    """The number of the state in a perfect-play table; -1 where it has none."""
    raise UnfilledSlot


@slot()
def unindex(number: int, rules: Any) -> Any:
    """A state of this number; only where the game declares it."""
    raise UnfilledSlot


@slot(form="fill", default="at")
def unmoves(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Write the moves that may have led here from index `at` on; the index behind the last one."""
    raise UnfilledSlot


@slot(default="state")
def unplay(state: Any, move: int, rules: Any) -> Any:
    """The state before a move of `unmoves`."""
    raise UnfilledSlot


@slot(default="state")
def transform(state: Any, symmetry: int, rules: Any) -> Any:
    """The state seen through a symmetry."""
    raise UnfilledSlot


@slot(default="move")
def transform_move(move: int, symmetry: int, rules: Any) -> int:
    """The move seen through a symmetry."""
    raise UnfilledSlot


# What a heuristic says of a game.


@slot(rules=(), body=bodies.write_network_inputs)
def write_inputs(state: Any, rules: Any, weights: NDArray[np.int64], me: int, out: NDArray[np.int64], at: int) -> int:
    """Write the numbers of the network's inputs that are on from index `at` on; the index behind the last one."""
    raise UnfilledSlot


@slot(body="return {features}")
def features(state: Any, rules: Any, me: int) -> tuple[float, ...]:
    """What the heuristic counts, to be weighed; only where it declares features."""
    raise UnfilledSlot


@slot(default=0.0, body=bodies.weigh_features)
def evaluate(state: Any, rules: Any, weights: NDArray[Any], me: int) -> float:
    """How good the position is for the first player, as the side `me` that searches sees it; 0 by default."""
    raise UnfilledSlot


@slot(default=False)
def is_tactical(state: Any, move: int, rules: Any) -> bool:
    """Must a quiet search look at this move before it may stop? No by default."""
    raise UnfilledSlot


@slot(default=0)
def known_result(state: Any, rules: Any) -> int:
    """n: the first player surely wins in n turns, -n: the second one does, 0: that cannot be seen."""
    raise UnfilledSlot


@slot(rules=("candidates", "moves_once", "moves"), form="fill")
def candidates(state: Any, rules: Any, out: NDArray[np.int64], at: int) -> int:
    """Like `moves_once`, but only moves worth trying, the most promising first; all of them by default."""
    raise UnfilledSlot


# What a table of perfect play says of it. Its function is written against the other slots.


@slot(rules=(), default=UNKNOWN)
def probe(state: Any, rules: Any, header: NDArray[np.int64], data: NDArray[np.uint8]) -> int:
    """What a perfect-play table knows: 0 a draw, n the first player wins in n - 1 turns, -n the second one does;
    UNKNOWN. Both arrays are empty where there is no table, so that one compiled search serves with and without.
    """
    raise UnfilledSlot


class ProbeTable(NamedTuple):
    """A table of perfect play as searches take it: what reads it, how it is laid out, and its bytes. Both arrays are
    empty where there is no table.
    """

    probe: Slot | None = None
    header: NDArray[np.int64] = np.zeros(0, np.int64)
    data: NDArray[np.uint8] = np.zeros(0, np.uint8)


NO_PROBE_TABLE = ProbeTable()
