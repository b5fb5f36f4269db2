"""Boards as text: rows from the top, letters and numbers of empty cells; with commas where pieces are counted."""

import re
from collections.abc import Sequence
from itertools import groupby

from kibitz.core import notation
from kibitz.core.boards.board import HOLE, Board
from kibitz.core.errors import BadPosition, quoted


def write_board(board: Board, cells: Sequence[str], counted: bool) -> str:
    """The rows of a board: `2b/w2`, or `s4,2/s12,1,s1` where pieces have counts."""
    rows = [[cells[cell] for cell in row] for row in board.text_rows]
    if counted:
        return "/".join(",".join(_write_counts(row)) for row in rows)
    return "/".join(notation.write_rows(row, len(row)) for row in rows)


def _write_counts(row: Sequence[str]) -> list[str]:
    found: list[str] = []
    for standing, run in groupby(row, key=bool):
        words = list(run)
        found += words if standing else [str(len(words))]
    return found


def read_board(board: Board, text: str, counted: bool) -> list[str]:
    """What stands on each cell, in the order of the cells."""
    lines, rows = text.split("/"), board.text_rows
    if len(lines) != len(rows):
        raise BadPosition(f"board {quoted(text)} has {len(lines)} rows, expected {len(rows)}")
    letters = "".join(piece.glyph for piece in board.kinds.values())
    read = _read_counts if counted else notation.read_row
    found = [""] * board.size
    for index, (line, row) in enumerate(zip(lines, rows, strict=True)):
        for cell, piece in zip(row, read(line, index, len(row), letters), strict=True):
            if piece and board.cells[cell].tone == HOLE:
                raise BadPosition(f"row {index + 1} {quoted(line)}: {board.cells[cell].name} is no part of the board")
            found[cell] = piece
    return found


def _read_counts(line: str, index: int, columns: int, letters: str) -> list[str]:
    cells: list[str] = []
    for word in line.split(","):
        if re.fullmatch("[1-9][0-9]{0,2}", word, re.ASCII):
            cells += [""] * int(word)
        elif re.fullmatch(f"[{re.escape(letters)}][1-9][0-9]{{0,2}}", word, re.ASCII):
            cells.append(word)
        else:
            expected = f"a number of empty cells, or {' or '.join(f'{letter}1' for letter in letters)}"
            raise BadPosition(f"row {index + 1} {quoted(line)}: {quoted(word)} is no cell, expected {expected}")
    if len(cells) != columns:
        raise BadPosition(f"row {index + 1} {quoted(line)} has {len(cells)} cells, expected {columns}")
    return cells
