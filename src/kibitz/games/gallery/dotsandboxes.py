"""Dots and Boxes: draw the fourth side of a box and it is yours.

Each turn draws a line between two dots next to each other. Who draws the fourth side of a box owns it and must draw
another line; who closes none is followed by the other side. When all lines are drawn, who owns more boxes wins. Red
begins.

    diagram: b7 a6 b5 f3 c6

`rows` and `columns` count boxes: 3 by 3, or anything from 1 on up to 3 by 4.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import (
    DRAW,
    FIRST,
    FIRST_WINS,
    ONGOING,
    SECOND_WINS,
    BadOption,
    Board,
    Heuristic,
    Piece,
    Rulebook,
    bits,
    cells,
    grid,
    in_range,
)
from kibitz.core.layout import Tone


class Options(NamedTuple):
    rows: int = 3
    columns: int = 3


class Rules(NamedTuple):
    width: int
    lines: int  # the cells for lines
    boxes: int


class State(NamedTuple):
    red: int
    blue: int
    across: int  # lines
    upright: int
    side: int


def tone(row: int, column: int) -> Tone:
    """Dots are dark."""
    return "dark" if row % 2 == column % 2 == 0 else "light"


def board(options: Options) -> Board:
    rows, columns = in_range("rows", options.rows, 1, 15) * 2 + 1, in_range("columns", options.columns, 1, 15) * 2 + 1
    if rows * columns > 63:
        raise BadOption(
            f"{options.rows} rows and {options.columns} columns of boxes are too many, expected 3 by 4 at most"
        )
    pieces = {
        "red": Piece("red box", "r", 0, colour="red"),
        "blue": Piece("blue box", "b", 1, colour="blue"),
        "across": Piece("line across", "-", None, "bar", "black"),
        "upright": Piece("line upwards", "|", None, "post", "black"),
    }
    return grid(rows, columns, pieces=pieces, symmetries=["mirror", "flip", "rotate-180"], tone=tone)


def rules(options: Options) -> Rules:
    width = options.columns * 2 + 1
    places = [divmod(cell, width) for cell in range(width * (options.rows * 2 + 1))]
    lines = sum(1 << row * width + column for row, column in places if (row + column) % 2)
    return Rules(width, lines, sum(1 << row * width + column for row, column in places if row % 2 and column % 2))


def moves(state: State, rules: Rules) -> Iterator[int]:
    yield from cells(rules.lines & ~(state.across | state.upright))


def play(state: State, move: int, rules: Rules) -> State:
    across, upright, red, blue = state.across, state.upright, state.red, state.blue
    if move // rules.width % 2:
        upright |= 1 << move
    else:
        across |= 1 << move
    new = closed_by(across | upright, rules) & ~(red | blue)
    if state.side == FIRST:
        red |= new
    else:
        blue |= new
    return State(red, blue, across, upright, state.side if new else 1 - state.side)


def closed_by(lines: int, rules: Rules) -> int:
    """The boxes with a line on all four sides."""
    return rules.boxes & lines << 1 & lines >> 1 & lines << rules.width & lines >> rules.width


def result(state: State, rules: Rules) -> int:
    if state.across | state.upright != rules.lines:
        return ONGOING
    red, blue = bits.count(state.red), bits.count(state.blue)
    return DRAW if red == blue else FIRST_WINS if red > blue else SECOND_WINS


def valid(state: State, rules: Rules) -> bool:
    """Lines lie where lines are drawn, and a box is owned if and only if it is closed."""
    rows = [cell // rules.width for cell in bits.cells_of(state.across)]
    columns = [cell % rules.width for cell in bits.cells_of(state.upright)]
    drawn = not (state.across | state.upright) & ~rules.lines and not any(place % 2 for place in rows + columns)
    return drawn and closed_by(state.across | state.upright, rules) == state.red | state.blue


def lead(state: State) -> float:
    return float(bits.count(state.red) - bits.count(state.blue))


game = Rulebook.of(__name__, board=board, max_moves=31)
owned = Heuristic(name="owned", game="dotsandboxes", evaluate=lead, bounds=(-12.0, 12.0), unit=1.0)
