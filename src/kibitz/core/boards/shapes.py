"""The shapes of boards: squares, hexagons, points joined by lines."""

import re
from cmath import exp
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot, radians, sqrt
from typing import Any

from kibitz.core.boards.beside import Beside
from kibitz.core.boards.board import HOLE, Board, Coding
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.layout import LETTERS, Cell, Figure, Piece, Tone, square_board, square_name
from kibitz.core.result import FIRST, SECOND

Kind = str | Piece
Thing = Figure | Beside
Symmetries = str | Sequence[str]

_FIGURES: Mapping[str, Figure] = {"x": "cross", "X": "cross", "o": "ring", "O": "ring"}
_AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
# A turn in degrees, and whether the board is turned over before: by twice the angle of the axis.
_ISOMETRIES: Mapping[str, tuple[int, bool]] = {
    "mirror": (180, True),
    "flip": (0, True),
    **{f"rotate-{turn}": (turn, False) for turn in (180, 90, 270, 60, 120, 240, 300)},
    "diagonal": (90, True),
    "antidiagonal": (270, True),
    **{f"reflect-{turn // 2}": (turn, True) for turn in (60, 120, 240, 300)},
}
ROW = sqrt(3) / 2  # from one row of hexagons to the next


def chequered(row: int, column: int) -> Tone:
    """The tones of a chessboard, a1 dark."""
    return "dark" if (row + column) % 2 == 0 else "light"


def grid(
    rows: int,
    columns: int,
    *,
    pieces: Mapping[str, Kind] | None = None,
    moves: Coding = "cell",
    symmetries: Symmetries = (),
    start: str = "",
    wide: bool = False,
    places: Sequence[str] = (),
    beside: Mapping[str, Thing] | None = None,
    holes: Sequence[str] = (),
    tone: Callable[[int, int], Tone] = chequered,
    **kinds: Kind,
) -> Board:
    """A board of squares, a1 at the bottom left, numbered row by row from there.

    What may stand on it is given as `field="letter"`; the first kind is the first side's, the second the second's,
    others are neutral. A Piece in the letter's place says more. `pieces` takes the same as a mapping. Squares named in
    `holes` are no part of the board: they keep their numbers, but no set and no neighbourhood has them.
    """
    named = make_pieces({**(pieces or {}), **kinds})
    plain = square_board(rows, columns, {}, tone=tone)
    cells, links = _without(holes, plain.cells, _links_of_squares(rows, columns))
    images = find_images(cells, links)
    return Board(
        cells=cells,
        kinds=named,
        links=links,
        rows=plain.rows,
        columns=plain.columns,
        images=images,
        symmetries=choose_symmetries(symmetries, list(images)),
        moves=moves,
        start=start,
        wide=wide,
        places=tuple(places),
        beside=make_beside(beside or {}),
    )


def hexagons(
    rows: int,
    columns: int,
    *,
    pieces: Mapping[str, Kind] | None = None,
    moves: Coding = "cell",
    symmetries: Symmetries = (),
    start: str = "",
    wide: bool = False,
    places: Sequence[str] = (),
    beside: Mapping[str, Thing] | None = None,
    **kinds: Kind,
) -> Board:
    """A rhombus of hexagons, a1 at the top left: each row stands half a cell to the right of the one above."""
    at = {(row, column): (column + row / 2, row * ROW) for row in range(rows) for column in range(columns)}
    cells = [Cell(square_name(row, column), *spot) for (row, column), spot in at.items()]
    columns_below = {column + (rows - 1) / 2: square_name(0, column)[:-1] for column in range(columns)}
    return _board_of_hexagons(
        cells,
        make_pieces({**(pieces or {}), **kinds}),
        symmetries,
        rows={row * ROW: str(row + 1) for row in range(rows)},
        columns=columns_below,
        moves=moves,
        start=start,
        wide=wide,
        places=tuple(places),
        beside=make_beside(beside or {}),
    )


def hexagon(
    side: int,
    *,
    pieces: Mapping[str, Kind] | None = None,
    moves: Coding = "cell",
    symmetries: Symmetries = (),
    start: str = "",
    wide: bool = False,
    places: Sequence[str] = (),
    beside: Mapping[str, Thing] | None = None,
    **kinds: Kind,
) -> Board:
    """A hexagon of hexagons with so many cells on each side, named row by row from the bottom, each row from a on."""
    widths = [2 * side - 1 - abs(row - side + 1) for row in range(2 * side - 1)]
    cells = [
        Cell(square_name(row, column), column - (width - 1) / 2 + side - 1, (2 * side - 2 - row) * ROW)
        for row, width in enumerate(widths)
        for column in range(width)
    ]
    return _board_of_hexagons(
        cells,
        make_pieces({**(pieces or {}), **kinds}),
        symmetries,
        moves=moves,
        start=start,
        wide=wide,
        places=tuple(places),
        beside=make_beside(beside or {}),
    )


def _board_of_hexagons(cells: Sequence[Cell], kinds: Mapping[str, Piece], symmetries: Symmetries, **more: Any) -> Board:
    near = [
        (one, other) for one in range(len(cells)) for other in range(len(cells)) if _touch(cells[one], cells[other])
    ]
    links = frozenset(near)
    images = find_images(cells, links)
    chosen = choose_symmetries(symmetries, list(images))
    return Board(
        cells=tuple(cells), kinds=kinds, links=links, shape="hexagon", images=images, symmetries=chosen, **more
    )


def _touch(one: Cell, other: Cell) -> bool:
    return 0 < hypot(one.x - other.x, one.y - other.y) < 1.1


def points(
    lines: Sequence[str],
    *,
    at: Mapping[str, tuple[float, float]] | None = None,
    pieces: Mapping[str, Kind] | None = None,
    moves: Coding = "cell",
    symmetries: Symmetries = (),
    start: str = "",
    wide: bool = False,
    places: Sequence[str] = (),
    beside: Mapping[str, Thing] | None = None,
    **kinds: Kind,
) -> Board:
    """Points joined by lines, each line given by its points: `points(["a1 d1 g1", "a1 a4 a7", ...])`.

    A point called like a square lies where that square would; `at` says where others are, y growing upwards. They are
    numbered row by row from the bottom.
    """
    ways = [line.split() for line in lines]
    spots = {name: (at or {}).get(name) or _spot(name) for way in ways for name in way}
    names = sorted(spots, key=lambda name: (spots[name][1], spots[name][0]))
    top = max(y for _, y in spots.values())
    cells = [Cell(name, spots[name][0], top - spots[name][1]) for name in names]
    drawn = [(names.index(one), names.index(other)) for way in ways for one, other in pairwise(way)]
    links = frozenset(pair for one, other in drawn for pair in ((one, other), (other, one)))
    images = find_images(cells, links)
    return Board(
        cells=tuple(cells),
        kinds=make_pieces({**(pieces or {}), **kinds}),
        links=links,
        shape="point",
        lines_drawn=tuple(drawn),
        rows={} if at else {top - y: str(int(y) + 1) for _, y in spots.values()},
        columns={} if at else {x: square_name(0, int(x))[:-1] for x, _ in spots.values()},
        images=images,
        symmetries=choose_symmetries(symmetries, list(images)),
        moves=moves,
        start=start,
        wide=wide,
        places=tuple(places),
        beside=make_beside(beside or {}),
    )


def _spot(name: str) -> tuple[float, float]:
    """Where a point lies that is called like a square."""
    if not re.fullmatch(r"[a-z][1-9][0-9]?", name):
        raise KibitzError(f"the point {quoted(name)} has no place, expected a name like b4, or at={{{name!r}: (x, y)}}")
    return float(LETTERS.index(name[0])), float(int(name[1:]) - 1)


def find_images(cells: Sequence[Cell], links: frozenset[tuple[int, int]]) -> dict[str, tuple[int, ...]]:
    """Every turn and reflection about the middle that brings cells to cells and neighbours to neighbours."""
    middle = complex(sum(cell.x for cell in cells), -sum(cell.y for cell in cells)) / len(cells)
    spots = [complex(cell.x, -cell.y) - middle for cell in cells]
    known = {(*_rounded(spot), cells[index].tone == HOLE): index for index, spot in enumerate(spots)}
    found = {}
    for name, (turn, reflects) in _ISOMETRIES.items():
        factor = exp(1j * radians(turn))
        turned = [_rounded(factor * (spot.conjugate() if reflects else spot)) for spot in spots]
        moved = [known.get((*spot, cell.tone == HOLE)) for spot, cell in zip(turned, cells, strict=True)]
        whole = [index for index in moved if index is not None]
        if len(whole) == len(cells) and {(whole[one], whole[other]) for one, other in links} == links:
            found[name] = tuple(whole)
    return found


def _rounded(spot: complex) -> tuple[float, float]:
    return round(spot.real, 2) + 0.0, round(spot.imag, 2) + 0.0


def _links_of_squares(rows: int, columns: int) -> frozenset[tuple[int, int]]:
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return frozenset(
        (row * columns + column, (row + up) * columns + column + right)
        for row, column in places
        for up, right in _AROUND
        if 0 <= row + up < rows and 0 <= column + right < columns
    )


def _without(
    holes: Sequence[str], cells: tuple[Cell, ...], links: frozenset[tuple[int, int]]
) -> tuple[tuple[Cell, ...], frozenset[tuple[int, int]]]:
    """The cells with those of these names marked as no part of the board, and the links between the others."""
    names = [cell.name for cell in cells]
    for name in holes:
        if name not in names:
            raise KibitzError(f"the hole {quoted(name)} is no cell of the board, expected {names[0]} to {names[-1]}")
    left = tuple(replace(cell, tone=HOLE) if cell.name in holes else cell for cell in cells)
    return left, frozenset(pair for pair in links if not any(left[cell].tone == HOLE for cell in pair))


def choose_symmetries(wanted: Symmetries, known: Sequence[str]) -> tuple[str, ...]:
    """The symmetries by name; `all` stands for those of the shape."""
    if wanted == "all":
        return tuple(known)
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in names:
        if name.removesuffix("+swap") not in known:
            raise KibitzError(
                f"the board has no symmetry {quoted(name)}, expected some of {', '.join(known)}, or 'all'"
            )
    return names


def make_pieces(kinds: Mapping[str, Kind]) -> dict[str, Piece]:
    """What may stand on a board, by field: the first kind is FIRST's, the second SECOND's, the others are neutral."""
    sides = [FIRST, SECOND, *[None] * len(kinds)] if len(kinds) > 1 else [None]
    found = {name: _piece(name, kind, side) for (name, kind), side in zip(kinds.items(), sides, strict=False)}
    letters = [piece.glyph for piece in found.values()]
    if len(set(letters)) < len(letters):
        raise KibitzError(f"two pieces have the same letter: {', '.join(letters)}")
    return found


def make_beside(things: Mapping[str, Thing]) -> dict[str, Beside]:
    """What lies beside a board, by field; a word alone is its figure."""
    return {name: thing if isinstance(thing, Beside) else Beside(thing) for name, thing in things.items()}


def _piece(name: str, kind: Kind, side: int | None) -> Piece:
    if isinstance(kind, Piece):
        return kind
    if len(kind) != 1 or not kind.isprintable() or kind.isdigit() or kind in "/ .=,":
        raise KibitzError(f"the letter of {name} is {quoted(kind)}, expected one letter")
    return Piece(name.replace("_", " "), kind, side, _FIGURES.get(kind, "disc"))
