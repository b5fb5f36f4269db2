"""Positions as text, from a view's data: rows of letters, the side to move, then words with numbers."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from kibitz.core.errors import BadPosition, did_you_mean, quoted
from kibitz.core.notation import read_row


def write_board(pieces: Sequence[str], rows: Sequence[Sequence[int]], counted: bool) -> str:
    """The rows from the top: `2b/w2`, or `s4,2/s12,1` where pieces have counts."""
    lines = []
    for row in rows:
        words: list[str] = []
        for standing, run in groupby((pieces[cell] for cell in row), key=bool):
            told = list(run)
            words += told if standing else [str(len(told))]
        lines.append(("," if counted else "").join(words))
    return "/".join(lines)


def read_board(text: str, data: Mapping[str, Any]) -> list[str]:
    """What stands on each cell of the board."""
    lines, rows = text.split("/"), data["rows"]
    if len(lines) != len(rows):
        raise BadPosition(f"board {quoted(text)} has {len(lines)} rows, expected {len(rows)}")
    found = [""] * data["size"]
    for index, (line, row) in enumerate(zip(lines, rows, strict=True)):
        reader = _read_counts if data["counted"] else read_row
        for cell, piece in zip(row, reader(line, index, len(row), data["letters"]), strict=True):
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
            raise BadPosition(f"row {index + 1} {quoted(line)}: {quoted(word)} is no cell")
    if len(cells) != columns:
        raise BadPosition(f"row {index + 1} {quoted(line)} has {len(cells)} cells, expected {columns}")
    return cells


def refuse_counts(pieces: Sequence[str], counts: Mapping[str, Sequence[int]]) -> None:
    """Nothing, or an error where there are more or fewer pieces of a kind than there can be."""
    for letter, (least, most) in counts.items():
        there = sum(piece == letter for piece in pieces)
        if not least <= there <= most:
            expected = str(least) if least == most else f"{least} to {most}"
            raise BadPosition(f"{there} pieces are {quoted(letter)}, expected {expected}")


def read_tail(
    words: Sequence[str], tail: Sequence[Mapping[str, Any]], found: Mapping[str, Any], cells: Sequence[str]
) -> dict[str, Any]:
    """The fields that the words behind the side fill."""
    known = {item["key"]: item for item in tail if item["kind"] != "word"}
    values: dict[str, Any] = {}
    for item in known.values():
        if item["kind"] == "number" and item["unless"]:
            values[item["field"]] = found[item["unless"]]
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and any(item["kind"] == "word" for item in tail) and re.fullmatch("[0-9]{1,9}|-", word):
            continue
        if not equals or key not in known:
            raise BadPosition(f"unexpected {quoted(word)} in position{did_you_mean(key, known)}")
        _read_item(known[key], value, values, cells)
    return values


def _read_item(item: Mapping[str, Any], text: str, values: dict[str, Any], cells: Sequence[str]) -> None:
    kind, field = item["kind"], item["field"]
    if kind == "place":
        if text not in cells:
            raise BadPosition(f"{item['key']} is {quoted(text)}, expected the name of a cell")
        values[field] = list(cells).index(text)
    elif kind == "moves":
        values["moves"] = text.split("+")
    elif kind == "pairs":
        pairs = [word.rpartition(":") for word in text.split("+")]
        if not all(cell in cells and amount.isdecimal() and int(amount) < 256 for cell, _, amount in pairs):
            raise BadPosition(f"{item['key']} is {quoted(text)}, expected a cell and an amount, as {cells[0]}:1")
        values[field] = [list(cells).index(cell) * 256 + int(amount) for cell, _, amount in pairs]
    else:
        numbers = text.split(",") if kind == "array" else [text]
        if not all(re.fullmatch("-?[0-9]{1,18}", number) for number in numbers):
            raise BadPosition(f"{item['key']} is {quoted(text)}, expected a number")
        if kind == "array" and len(numbers) != len(item["default"]):
            raise BadPosition(f"{item['key']} is {quoted(text)}, expected {len(item['default'])} numbers")
        read = [int(number) for number in numbers]
        values[field] = (
            read if kind == "array" else (1 << read[0] - 1 if read[0] else 0) if kind == "length" else read[0]
        )


def write_fields(fields: Sequence[Mapping[str, Any]], state: Any) -> str:
    """The text of a game that has none of its own: each field by name."""
    shown = []
    for field in fields:
        value = getattr(state, field["name"])
        text = ",".join(str(int(number)) for number in value) if field["array"] else str(int(value))
        shown.append(f"{field['name']}={text}")
    return " ".join(shown)


def read_fields(fields: Sequence[Mapping[str, Any]], text: str) -> dict[str, Any]:
    """What `write_fields` wrote."""
    words = dict(word.partition("=")[::2] for word in text.split())
    found: dict[str, Any] = {}
    for field in fields:
        name = field["name"]
        if name not in words:
            raise BadPosition(f"position {quoted(text)} lacks {name}, expected name=value for each field")
        numbers = [number for number in words[name].split(",") if number]
        if not all(re.fullmatch("-?[0-9]{1,19}", number) for number in numbers) or (not field["array"] and not numbers):
            raise BadPosition(f"{name} is {quoted(words[name])}, expected a number")
        found[name] = [int(number) for number in numbers] if field["array"] else int(numbers[0])
    return found
