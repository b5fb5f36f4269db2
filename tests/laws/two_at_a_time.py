"""Two at a time: a little game whose turns are of two moves, for tests. Who has the middle cells in the end wins."""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core.layout import Layout, Piece, placement, square_board
from kibitz.core.result import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.rulebook import Rulebook

CELLS = 6
MIDDLE = 0b001100


class State(NamedTuple):
    first: int
    second: int
    side: int
    last: int  # the cell taken in this turn, or -1


def turn(state: State) -> int:
    return state.side


def moves(state: State) -> Iterator[int]:
    for cell in range(CELLS):
        if not (state.first | state.second) >> cell & 1:
            yield cell


def moves_once(state: State) -> Iterator[int]:
    for cell in range(state.last + 1, CELLS):
        if not (state.first | state.second) >> cell & 1 and (state.last >= 0 or has_room_behind(state, cell)):
            yield cell


def has_room_behind(state: State, cell: int) -> bool:
    return (state.first | state.second | (2 << cell) - 1) != (1 << CELLS) - 1


def play(state: State, move: int) -> State:
    first = state.first | 1 << move if state.side == 0 else state.first
    second = state.second | 1 << move if state.side == 1 else state.second
    if state.last < 0:
        return State(first, second, state.side, move)
    return State(first, second, 1 - state.side, -1)


def result(state: State) -> int:
    if (state.first | state.second) != (1 << CELLS) - 1:
        return ONGOING
    if state.first & MIDDLE == MIDDLE:
        return FIRST_WINS
    return SECOND_WINS if state.second & MIDDLE == MIDDLE else DRAW


def start() -> State:
    return State(0, 0, 0, -1)


def pieces(state: State) -> list[str]:
    return ["x" if state.first >> cell & 1 else "o" if state.second >> cell & 1 else "" for cell in range(CELLS)]


def layout() -> Layout:
    return square_board(1, CELLS, {"x": Piece("cross", "x", 0), "o": Piece("nought", "o", 1)})


two_at_a_time = Rulebook(
    name="two_at_a_time",
    title="Two at a time",
    sides=("crosses", "noughts"),
    state=State,
    turn=turn,
    moves=moves,
    moves_once=moves_once,
    play=play,
    result=result,
    max_moves=CELLS,
    start=start,
    pieces=pieces,
    layout=layout,
    gesture=placement,
)
