"""Domineering: dominoes, upright against lying.

Vertical begins and puts a domino on two empty squares one above the other, horizontal one on two side by side. Who
finds no room has lost.

`rows` and `columns` are 8, or anything from 1 to 8.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import (
    FIRST,
    FIRST_WINS,
    ONGOING,
    SECOND,
    SECOND_WINS,
    Bits,
    Board,
    Gesture,
    Heuristic,
    Piece,
    Rulebook,
    bits,
    cells,
    grid,
    in_range,
)

UPRIGHT, LYING = Piece("upright domino", "v", FIRST, "post", "blue"), Piece("lying domino", "h", SECOND, "bar", "red")


class Options(NamedTuple):
    rows: int = 8
    columns: int = 8


class Rules(NamedTuple):
    all: Bits
    columns: int
    inner: Bits  # the squares that have another to their right


class State(NamedTuple):
    vertical: Bits
    horizontal: Bits
    side: int


def board(options: Options) -> Board:
    rows, columns = in_range("rows", options.rows, 1, 8), in_range("columns", options.columns, 1, 8)
    return grid(rows, columns, vertical=UPRIGHT, horizontal=LYING, wide=True)


def rules(options: Options) -> Rules:
    made = board(options)
    return Rules(made.all, options.columns, made.all & ~made.column(options.columns - 1))


def moves(state: State, rules: Rules) -> Iterator[int]:
    """A move is the lower or left square of the domino."""
    yield from cells(rooms_of(state, state.side, rules))


def rooms_of(state: State, side: int, rules: Rules) -> Bits:
    free = rules.all & ~(state.vertical | state.horizontal)
    return free & free >> rules.columns if side == FIRST else free & free >> 1 & rules.inner


def play(state: State, move: int, rules: Rules) -> State:
    if state.side == FIRST:
        return State(state.vertical | bits.one(move) | bits.one(move + rules.columns), state.horizontal, 1)
    return State(state.vertical, state.horizontal | bits.one(move) | bits.one(move + 1), 0)


def result(state: State, rules: Rules) -> int:
    if rooms_of(state, state.side, rules):
        return ONGOING
    return SECOND_WINS if state.side == FIRST else FIRST_WINS


def gesture(state: State, move: int, rules: Rules) -> Gesture:
    return Gesture((move, move + rules.columns if state.side == FIRST else move + 1))


def room(state: State, rules: Rules) -> tuple[int, int]:
    """Places for a domino, and places that only oneself can use."""
    free = rules.all & ~(state.vertical | state.horizontal)
    upright, lying = rooms_of(state, 0, rules), rooms_of(state, 1, rules)
    beside = free & (free >> 1 & rules.inner | (free & rules.inner) << 1)
    above = free & (free >> rules.columns | free << rules.columns)
    safe = bits.count(upright & ~beside & ~(beside >> rules.columns)) - bits.count(lying & ~above & ~(above >> 1))
    return bits.count(upright) - bits.count(lying), safe


game = Rulebook.of(__name__, board=board, alternating=True, max_moves=64)
space = Heuristic(
    name="space",
    game="domineering",
    features=room,
    weights={"places": 1.0, "safe": 2.0},
    bounds=(-200.0, 200.0),
    unit=2.0,
)
