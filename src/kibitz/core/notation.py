"""Positions as text: rows of letters with runs of empty cells as numbers, a side, then `key=value` words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.bits import cells_of
from kibitz.core.errors import BadPosition, did_you_mean, quoted
from kibitz.core.fields import Field


class Parts(NamedTuple):
    """A position's text taken apart."""

    board: str
    side: int
    extras: dict[str, str]


def parts(text: str, sides: str, extras: Iterable[str] = ()) -> Parts:
    """Split `BOARD SIDE [key=value ...]`; `sides` are the letters of the first and the second player."""
    words = text.split()
    if not words:
        raise BadPosition("position is empty, expected a board and a side")
    if len(words) < 2 or words[1] not in tuple(sides):
        found = quoted(words[1]) if len(words) > 1 else "missing"
        raise BadPosition(f"side to move is {found}, expected {' or '.join(sides)} after the board")
    return Parts(words[0], sides.index(words[1]), read_extras(words[2:], extras))


def read_extras(words: Sequence[str], known: Iterable[str]) -> dict[str, str]:
    """The `key=value` words that follow a board."""
    names = tuple(known)
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in names:
            raise BadPosition(f"unexpected {quoted(word)} in position{did_you_mean(key, names)}")
        if key in found:
            raise BadPosition(f"'{key}' stands twice in the position")
        found[key] = value
    return found


def write_extras(values: Mapping[str, object]) -> str:
    """The words for values that are not empty or zero, each with a space before it."""
    return "".join(f" {key}={value}" for key, value in values.items() if value)


def number(text: str, what: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise BadPosition(f"{what} is {quoted(text)}, expected a number from {low} to {high}")
    return int(text)


def read_rows(board: str, rows: int, columns: int, letters: str) -> list[str]:
    """The cells of `ab2/4/...`, top row first: a letter each, '' where empty."""
    lines = board.split("/")
    if len(lines) != rows:
        raise BadPosition(f"board {quoted(board)} has {len(lines)} rows, expected {rows}")
    return [cell for index, line in enumerate(lines) for cell in read_row(line, index, columns, letters)]


def read_row(line: str, index: int, columns: int, letters: str) -> list[str]:
    """The cells of one row, for boards whose rows differ in length."""
    cells: list[str] = []
    for token in re.findall(r"\d+|.", line, re.DOTALL):
        if token.isdecimal() and token.isascii():
            if len(token) > 4 or int(token) > columns - len(cells) or int(token) == 0:
                raise BadPosition(f"row {index + 1} {quoted(line)}: a run of {token[:9]} does not fit {columns} cells")
            cells += [""] * int(token)
        elif token in tuple(letters):
            cells.append(token)
        else:
            raise BadPosition(
                f"row {index + 1} {quoted(line)}: {quoted(token)} is no piece, expected {', '.join(letters)}"
            )
    if len(cells) != columns:
        raise BadPosition(f"row {index + 1} {quoted(line)} has {len(cells)} cells, expected {columns}")
    return cells


def write_rows(cells: Sequence[str], columns: int) -> str:
    """The text of cells listed from the top row on.

    >>> write_rows(["", "", "b", "w", "", ""], 3)
    '2b/w2'
    """
    rows = ["".join(cell or "." for cell in cells[at : at + columns]) for at in range(0, len(cells), columns)]
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def letters_on(size: int, sets: Mapping[str, Any]) -> list[str]:
    """What stands on each of `size` cells, from the set of cells that each letter stands on.

    >>> letters_on(4, {"w": 0b0001, "b": 0b0100})
    ['w', '', 'b', '']
    """
    cells = [""] * size
    for letter, members in sets.items():
        for cell in cells_of(members):
            cells[cell] = letter
    return cells


def sets_on(cells: Sequence[str], letters: str) -> list[int]:
    """For each letter the set of the cells it stands on.

    >>> sets_on(["w", "", "b", ""], "wb")
    [1, 4]
    """
    return [sum(1 << index for index, cell in enumerate(cells) if cell == letter) for letter in letters]


def write_fields(state: Any) -> str:
    """The text of a state whose game has none of its own: each field by name."""
    shown = {
        name: ",".join(map(str, value.tolist())) if hasattr(value, "tolist") and value.ndim else int(value)
        for name, value in zip(state._fields, state, strict=True)
    }
    return " ".join(f"{name}={value}" for name, value in shown.items())


def read_fields(text: str, kind: type, fields: Sequence[Field]) -> Any:
    """The state that `write_fields` wrote."""
    found = read_extras(text.split(), [field.name for field in fields])
    missing = [field.name for field in fields if field.name not in found]
    if missing:
        raise BadPosition(f"position {quoted(text)} lacks {', '.join(missing)}, expected name=value for each field")
    values = []
    for field in fields:
        try:
            numbers = [int(word) for word in found[field.name].split(",") if word]
            values.append(field.cast(np.array(numbers, field.dtype) if field.array else numbers[0]))
        except (ValueError, IndexError, OverflowError):
            raise BadPosition(f"{field.name} is {quoted(found[field.name])}, expected {field}") from None
    return kind(*values)
