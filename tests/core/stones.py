"""The smallest game, as text that tests write to a file and edit: take one to three stones, the last one wins."""

STONES = '''"""Stones: take one to three, who takes the last one wins."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.layout import placement, square_board
from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.rulebook import Rulebook

MOST = 3


class State(NamedTuple):
    heap: int
    side: int


def turn(state: State) -> int:
    return state.side


def moves(state: State) -> Iterator[int]:
    for stones in range(1, min(MOST, state.heap) + 1):
        yield stones


def play(state: State, move: int) -> State:
    return State(state.heap - move, 1 - state.side)


def result(state: State) -> int:
    if state.heap > 0:
        return ONGOING
    return SECOND_WINS if state.side == 0 else FIRST_WINS


stones = Rulebook(
    name="stones",
    title="Stones",
    sides=("first", "second"),
    state=State,
    start=lambda: State(9, 0),
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    max_moves=3,
    alternating=True,
    layout=lambda: square_board(1, 4, {}),
    pieces=lambda state: [""] * 4,
    gesture=placement,
)
'''


def edited(*changes: tuple[str, str]) -> str:
    """The rules with some text replaced."""
    text = STONES
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
