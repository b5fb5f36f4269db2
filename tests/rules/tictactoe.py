"""Tic-tac-toe: three in a row.

Crosses begin, sides alternate, and each turn puts one mark on an empty cell:

    3  . . .
    2  . x .
    1  o . .
       a b c

Who has three marks in a row, a column or a diagonal wins. A full board without that
is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import (
    DRAW,
    FIRST,
    FIRST_WINS,
    ONGOING,
    SECOND,
    SECOND_WINS,
    BadPosition,
    Layout,
    Piece,
    Rulebook,
    Symmetry,
    bits,
    notation,
    placement,
    square_board,
)

# The rules. These functions run as the Python you see, and compiled: so they keep to
# numbers, tuples, numpy arrays, loops and each other. No lists, dicts or strings.


class State(NamedTuple):
    """All there is to know about a position. It never changes: `play` makes a new one.

    A set of cells is an integer. Bit 0 is a1, then along the row: b1, c1, a2, ...
    """

    crosses: int
    noughts: int
    side: int  # who is to move


BOARD = 0b111_111_111
LINES = (
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
)


def turn(state: State) -> int:
    return state.side


def moves(state: State) -> Iterator[int]:
    """A move is an integer of your choice; here it is the cell of the new mark."""
    empty = BOARD & ~(state.crosses | state.noughts)
    while empty:
        yield bits.lowest(empty)
        empty &= empty - 1  # without its lowest bit


def play(state: State, move: int) -> State:
    if state.side == FIRST:
        return State(state.crosses | 1 << move, state.noughts, SECOND)
    return State(state.crosses, state.noughts | 1 << move, FIRST)


def result(state: State) -> int:
    if lines_of(state.crosses) > 0:
        return FIRST_WINS
    if lines_of(state.noughts) > 0:
        return SECOND_WINS
    return DRAW if state.crosses | state.noughts == BOARD else ONGOING


def lines_of(marks: int) -> int:
    """How many lines are filled with these marks."""
    filled = 0
    for line in LINES:
        if marks & line == line:
            filled += 1
    return filled


# Symmetries, if the game has any, let a search look at one of several equal positions.

SYMMETRIES = (
    "rotate-90",
    "rotate-180",
    "rotate-270",
    "mirror",
    "mirror-90",
    "mirror-180",
    "mirror-270",
)


def transform(state: State, symmetry: int) -> State:
    crosses = image_of_all(state.crosses, symmetry)
    noughts = image_of_all(state.noughts, symmetry)
    return State(crosses, noughts, state.side)


def transform_move(move: int, symmetry: int) -> int:
    return image_of(move, symmetry)


def image_of(cell: int, symmetry: int) -> int:
    """Where a symmetry brings a cell: quarter turns first, then perhaps the mirror."""
    row, column = cell // 3, cell % 3
    for _ in range((symmetry + 1) % 4):
        row, column = 2 - column, row
    if symmetry >= 3:
        column = 2 - column
    return row * 3 + column


def image_of_all(cells: int, symmetry: int) -> int:
    found = 0
    while cells:
        found |= 1 << image_of(bits.lowest(cells), symmetry)
        cells &= cells - 1
    return found


# What people see. From here on it is ordinary Python.


def start() -> State:
    return State(crosses=0, noughts=0, side=FIRST)


def layout() -> Layout:
    """The board as data; terminal, pictures and browser draw it."""
    cross = Piece("cross", "x", FIRST, "cross")
    nought = Piece("nought", "o", SECOND, "ring")
    return square_board(3, 3, {"x": cross, "o": nought})


def pieces(state: State) -> list[str]:
    """What stands on each cell of the layout."""
    cells = [""] * 9
    for cell in bits.cells_of(state.crosses):
        cells[cell] = "x"
    for cell in bits.cells_of(state.noughts):
        cells[cell] = "o"
    return cells


def write(state: State) -> str:
    """A position as text, top row first: `3/1x1/o2 x` is the one above."""
    board = notation.write_rows(top_row_first(pieces(state)), 3)
    return f"{board} {'xo'[state.side]}"


def read(text: str) -> State:
    """The other way round. A position that cannot come about is refused."""
    board, side, _ = notation.parts(text, "xo")
    cells = top_row_first(notation.read_rows(board, 3, 3, "xo"))
    crosses = sum(1 << cell for cell, mark in enumerate(cells) if mark == "x")
    noughts = sum(1 << cell for cell, mark in enumerate(cells) if mark == "o")
    if bits.count(crosses) != bits.count(noughts) + side:
        expected = "as many crosses as noughts" if side == FIRST else "one cross more"
        found = f"{bits.count(crosses)} crosses and {bits.count(noughts)} noughts"
        raise BadPosition(f"{found} with {'xo'[side]} to move, expected {expected}")
    if lines_of(crosses if side == FIRST else noughts) > 0:
        raise BadPosition(f"{'xo'[side]} is to move and has won already")
    return State(crosses, noughts, side)


def top_row_first(cells: list[str]) -> list[str]:
    return cells[6:] + cells[3:6] + cells[:3]


tictactoe = Rulebook(
    name="tictactoe",
    title="Tic-tac-toe",
    sides=("crosses", "noughts"),
    state=State,
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    max_moves=9,  # the most that any position has
    alternating=True,  # every move ends its turn; leave it out where one may not
    symmetries=tuple(Symmetry(name) for name in SYMMETRIES),
    transform=transform,
    transform_move=transform_move,
    start=start,
    layout=layout,
    pieces=pieces,
    gesture=placement,  # a hand puts a mark on the cell that is the move
    read=read,
    write=write,
)
