"""How a state keeps what stands on a board: a set of cells for each kind, or an array with a number for each cell."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.bits import WORD, cells_of
from kibitz.core.boards.board import Board
from kibitz.core.errors import KibitzError
from kibitz.core.fields import Field

CODES = "cells"  # the field that holds a code for each cell, where kinds have no field of their own


class Storage(NamedTuple):
    """Which fields of a state hold what. A code is the number of a kind in this order, 0 is an empty cell."""

    sets: tuple[str, ...] = ()  # kinds in one number
    words: tuple[str, ...] = ()  # kinds in an array of 64-bit words
    counts: tuple[str, ...] = ()  # kinds in an array that counts them on each cell
    codes: tuple[str, ...] = ()  # kinds in the array CODES

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that hold the board."""
        return (*self.sets, *self.words, *self.counts, *([CODES] if self.codes else []))


def find_storage(board: Board, fields: Iterable[Field]) -> Storage:
    """How a state with these fields keeps this board, or the reason why it cannot."""
    known = {field.name: field for field in fields}
    own = [name for name in board.kinds if name in known]
    codes = tuple(name for name in board.kinds if name not in known)
    if codes and not (CODES in known and known[CODES].array):
        raise KibitzError(
            f"the board has {codes[0]!r}, but State has no such field, expected '{codes[0]}: int' for a set of cells,"
            f" or '{CODES}: NDArray[np.int8]' with a code for each cell"
        )
    numbers = [name for name in own if not known[name].array]
    if numbers and board.size > 64:
        raise KibitzError(
            f"field '{numbers[0]}' of State is one number, but the board has {board.size} cells, expected"
            f" '{numbers[0]}: NDArray[np.uint64]', or '{CODES}: NDArray[np.int8]' with a code for each cell"
        )
    narrow = [name for name in numbers if known[name].dtype.itemsize * 8 - (known[name].dtype.kind == "i") < board.size]
    if narrow:
        raise KibitzError(
            f"field '{narrow[0]}' of State is {known[narrow[0]]}, which is too small for {board.size} cells,"
            f" expected '{narrow[0]}: Bits'"
        )
    arrays = [name for name in own if known[name].array]
    return Storage(
        sets=tuple(numbers),
        words=tuple(name for name in arrays if known[name].dtype == np.uint64),
        counts=tuple(name for name in arrays if known[name].dtype != np.uint64),
        codes=codes,
    )


def read_letters(board: Board, storage: Storage, state: Any) -> list[str]:
    """What stands on each cell: a letter, with a count behind it where pieces are counted."""
    cells = [""] * board.size
    for name in (*storage.sets, *storage.words):
        for cell in cells_of(_one_number(getattr(state, name))):
            if cell < board.size:
                cells[cell] = board.kinds[name].glyph
    for name in storage.counts:
        for cell, count in enumerate(getattr(state, name)[: board.size]):
            if count:
                cells[cell] = f"{board.kinds[name].glyph}{count}"
    if storage.codes:
        glyphs = ["", *(board.kinds[name].glyph for name in storage.codes)]
        for cell, code in enumerate(getattr(state, CODES)[: board.size]):
            cells[cell] = glyphs[code] or cells[cell]
    return cells


def _one_number(members: Any) -> int:
    if isinstance(members, np.ndarray):
        return sum(int(word) << 64 * index for index, word in enumerate(members))
    return int(members) & WORD


def write_letters(board: Board, storage: Storage, cells: Sequence[str], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The fields of a state with this on its cells."""
    found: dict[str, Any] = {}
    for name in (*storage.sets, *storage.words):
        members = sum(1 << cell for cell, piece in enumerate(cells) if piece == board.kinds[name].glyph)
        words = [members >> 64 * word & WORD for word in range(board.words)]
        found[name] = np.array(words, np.uint64) if fields[name].array else members
    for name in storage.counts:
        glyph = board.kinds[name].glyph
        counts = [int(piece[1:] or 1) if piece[:1] == glyph else 0 for piece in cells]
        found[name] = np.array(counts, fields[name].dtype)
    if storage.codes:
        codes = {board.kinds[name].glyph: code for code, name in enumerate(storage.codes, 1)}
        found[CODES] = np.array([codes.get(piece, 0) for piece in cells], fields[CODES].dtype)
    return found
