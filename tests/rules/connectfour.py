"""Connect Four: drop discs, four in a line win.

Red begins, sides alternate, and each turn drops one disc into a column that is not full. It falls onto the topmost
disc there, or to the bottom:

    6  . . . . . . .
    5  . . . . . . .
    4  . . . . . . .
    3  . . . . . . .
    2  . . . y . . .
    1  . . r r . . .
       a b c d e f g

Who gets four discs next to each other in a column, a row or a diagonal wins. A full board without that is a draw.

`rows`, `columns` and `connect`, the number of discs that win, are options: `connectfour.py,columns=8`.
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
    BadOption,
    BadPosition,
    Gesture,
    Layout,
    Piece,
    Rulebook,
    Symmetry,
    bits,
    in_range,
    notation,
    square_board,
)


class Options(NamedTuple):
    rows: int = 6
    columns: int = 7
    connect: int = 4


class Rules(NamedTuple):
    rows: int
    columns: int
    connect: int
    full: int  # all cells


class State(NamedTuple):
    """Bit 0 is a1, then up the column. Above each column one bit stays empty, so that no line wraps around."""

    red: int
    yellow: int
    side: int


def turn(state: State) -> int:
    return state.side


def moves(state: State, rules: Rules) -> Iterator[int]:
    """A move is a column."""
    discs = state.red | state.yellow
    for column in range(rules.columns):
        if not discs >> cell_at(rules.rows - 1, column, rules) & 1:
            yield column


def cell_at(row: int, column: int, rules: Rules) -> int:
    return column * (rules.rows + 1) + row


def play(state: State, move: int, rules: Rules) -> State:
    disc = landing(state, move, rules)
    if state.side == FIRST:
        return State(state.red | disc, state.yellow, SECOND)
    return State(state.red, state.yellow | disc, FIRST)


def landing(state: State, column: int, rules: Rules) -> int:
    """The cell where a disc comes to rest, as a set: adding one to a stack of discs carries to the cell above it."""
    discs = state.red | state.yellow
    return (discs + (1 << cell_at(0, column, rules))) & ~discs


def result(state: State, rules: Rules) -> int:
    if lines_of(state.red, rules):
        return FIRST_WINS
    if lines_of(state.yellow, rules):
        return SECOND_WINS
    return DRAW if state.red | state.yellow == rules.full else ONGOING


def lines_of(discs: int, rules: Rules) -> int:
    """The cells from which discs go on to the right, upwards or diagonally for as long as it takes to win."""
    height = rules.rows + 1
    found = 0
    for shift in (1, height - 1, height, height + 1):
        line = discs
        for _ in range(rules.connect - 1):
            line &= line >> shift
        found |= line
    return found


def transform(state: State, symmetry: int, rules: Rules) -> State:
    return State(mirrored(state.red, rules), mirrored(state.yellow, rules), state.side)


def transform_move(move: int, symmetry: int, rules: Rules) -> int:
    return rules.columns - 1 - move


def mirrored(discs: int, rules: Rules) -> int:
    stack = (1 << rules.rows) - 1
    found = 0
    for column in range(rules.columns):
        opposite = rules.columns - 1 - column
        found |= (discs >> cell_at(0, column, rules) & stack) << cell_at(0, opposite, rules)
    return found


# Set-up, notation, layout.


def rules_of(options: Options) -> Rules:
    rows = in_range("rows", options.rows, 2, 20)
    columns = in_range("columns", options.columns, 2, 20)
    connect = in_range("connect", options.connect, 2, max(rows, columns))
    if (rows + 1) * columns > 62:
        raise BadOption(
            f"{rows} rows and {columns} columns are too many, expected (rows + 1) * columns to be 62 at most"
        )
    stack = (1 << rows) - 1
    full = sum(stack << column * (rows + 1) for column in range(columns))
    return Rules(rows, columns, connect, full)


def start() -> State:
    return State(red=0, yellow=0, side=FIRST)


def max_moves(rules: Rules) -> int:
    return rules.columns


def pieces(state: State, rules: Rules) -> list[str]:
    """Cells are listed row by row from the bottom."""
    cells = [cell_at(row, column, rules) for row in range(rules.rows) for column in range(rules.columns)]
    return ["r" if state.red >> cell & 1 else "y" if state.yellow >> cell & 1 else "" for cell in cells]


def _top_row_first(cells: list[str], rules: Rules) -> list[str]:
    rows = [cells[at : at + rules.columns] for at in range(0, len(cells), rules.columns)]
    return [cell for row in reversed(rows) for cell in row]


def write(state: State, rules: Rules) -> str:
    """The rows from the top, then the side to move: `7/7/7/7/3y3/2rr3 y`."""
    board = notation.write_rows(_top_row_first(pieces(state, rules), rules), rules.columns)
    return f"{board} {'ry'[state.side]}"


def read(text: str, rules: Rules) -> State:
    board, side, _ = notation.parts(text, "ry")
    cells = _top_row_first(notation.read_rows(board, rules.rows, rules.columns, "ry"), rules)
    red, yellow = (_discs(cells, letter, rules) for letter in "ry")
    state = State(red, yellow, side)
    if bits.count(red) != bits.count(yellow) + side:
        expected = "as many of both" if side == FIRST else "one red disc more"
        raise BadPosition(
            f"{bits.count(red)} red and {bits.count(yellow)} yellow discs with {'ry'[side]} to move, "
            f"expected {expected}"
        )
    if (red | yellow) & ~((red | yellow) << 1 | _bottom(rules)):
        raise BadPosition(f"board '{board}' has a disc with nothing below it")
    if lines_of(red if side == FIRST else yellow, rules):
        raise BadPosition(f"{'ry'[side]} is to move and has won already")
    return state


def _discs(cells: list[str], letter: str, rules: Rules) -> int:
    places = (divmod(index, rules.columns) for index, cell in enumerate(cells) if cell == letter)
    return sum(1 << cell_at(row, column, rules) for row, column in places)


def _bottom(rules: Rules) -> int:
    return sum(1 << cell_at(0, column, rules) for column in range(rules.columns))


def gesture(state: State, move: int, rules: Rules) -> Gesture:
    """A disc is put where it will lie."""
    row = landing(state, move, rules).bit_length() - 1 - cell_at(0, move, rules)
    return Gesture((row * rules.columns + move,))


def protocol_text(state: State, move: int) -> str:
    """The number of the column, as solvers of the game write it."""
    return str(move + 1)


def layout(rules: Rules) -> Layout:
    return square_board(
        rules.rows,
        rules.columns,
        {"r": Piece("red disc", "r", FIRST), "y": Piece("yellow disc", "y", SECOND)},
    )


connectfour = Rulebook(
    name="connectfour",
    title="Connect Four",
    sides=("red", "yellow"),
    options=Options,
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    max_moves=max_moves,
    alternating=True,
    symmetries=(Symmetry("mirror"),),
    transform=transform,
    transform_move=transform_move,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    protocol_text=protocol_text,
)
