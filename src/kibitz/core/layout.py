"""How a board looks, as data: cells at coordinates, lines between them, pieces. Drawing it is `picture`'s job."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Shape = Literal["square", "hexagon", "point"]
Tone = Literal["light", "dark", "first", "second", "mark", "beside"]
Figure = Literal[
    "disc", "ring", "cross", "pawn", "star", "wolf", "sheep", "human", "bat", "diamond", "die", "counter", "bar", "post"
]
Colour = Literal["white", "black", "teal", "blue", "yellow", "red", "green"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board. One unit is the distance of two neighbours; y grows downwards."""

    name: str
    x: float
    y: float
    tone: Tone = "light"  # `first` and `second` are the homes of the two sides, `beside` is no part of the board
    label: str = ""  # a word at the cell


@dataclass(frozen=True, slots=True)
class Piece:
    """What can stand on a cell. `glyph` is one character for the terminal, `figure` the shape drawn elsewhere."""

    name: str
    glyph: str
    side: int | None  # FIRST, SECOND, or None for a neutral piece
    figure: Figure = "disc"
    colour: Colour | None = None  # by default white for the first side, black for the second, teal for neither
    label: str = ""  # letters drawn on it; where two pieces would look the same, their glyphs are
    numbered: bool = False  # is the count behind its letter a number on it, rather than how many there are?


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole board. The order of the cells is the one that `pieces(state)` and gestures count in."""

    cells: tuple[Cell, ...]
    pieces: Mapping[str, Piece]  # by the letter that `pieces(state)` uses
    shape: Shape = "square"
    lines: tuple[tuple[int, int], ...] = ()  # pairs of cells joined by a drawn line
    rows: Mapping[float, str] = field(default_factory=dict)  # labels at the left, by y
    columns: Mapping[float, str] = field(default_factory=dict)  # labels below, by x


class Gesture(NamedTuple):
    """The cells a hand touches for a move, in order: picked, path, dropped. One cell alone is a placement, and
    none is a button, such as the end of a turn.
    """

    cells: tuple[int, ...]
    amount: int | None = None  # how many creatures, marbles, ... go along
    captured: tuple[int, ...] = ()


def placement(move: int) -> Gesture:
    """The gesture of a game whose moves are the cells where a piece is put."""
    return Gesture((move,))


def from_to(cells: int) -> Callable[[int], Gesture]:
    """The gesture of a game whose moves are `origin * cells + target`."""
    return lambda move: Gesture(divmod(move, cells))


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def square_name(row: int, column: int) -> str:
    """The name of a square, rows counted from 0 at the bottom: a1, b1, ...; beyond z: aa, ab, ..."""
    letters = LETTERS[column % 26] if column < 26 else LETTERS[column // 26 - 1] + LETTERS[column % 26]
    return f"{letters}{row + 1}"


def square_board(
    rows: int,
    columns: int,
    pieces: Mapping[str, Piece],
    *,
    from_top: bool = False,
    tone: Callable[[int, int], Tone] = lambda row, column: "dark" if (row + column) % 2 == 0 else "light",
) -> Layout:
    """A board of squares named a1, b1, ... with a1 at the bottom left.

    Cells are listed row by row from the bottom, or from the top. `tone` is asked with rows counted from the bottom.
    """
    order = range(rows - 1, -1, -1) if from_top else range(rows)
    return Layout(
        cells=tuple(
            Cell(square_name(row, column), column, rows - 1 - row, tone(row, column))
            for row in order
            for column in range(columns)
        ),
        pieces=pieces,
        rows={rows - 1 - row: str(row + 1) for row in range(rows)},
        columns={column: square_name(0, column)[:-1] for column in range(columns)},
    )
