"""Openings of the user's: a file in one of several forms.

- a line of moves for each opening; empty lines and what follows a `#` do not count
- records, as text or as JSON lines: the opening of each game, or all its moves if it names none
- JSON: a list of lines
- CSV with a column `moves` or `line`
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.contest.openings import BadOpening
from kibitz.arena.records import game_text, json_lines
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.input_file import MB, read_text
from kibitz.core.json_text import BadJson, parse_json
from kibitz.core.result import CHANCE

LARGEST = 16 * MB  # of a file of openings
COLUMNS = ("moves", "line", "opening")
Placed = tuple[str, str]  # a line of moves, and where it stands


def read_book(path: Path, game: Game) -> tuple[str, ...]:
    """The openings of a file, each checked against the rules."""
    text = read_text(path, LARGEST, BadOpening, "the openings")
    lines = []
    for line, place in _openings(text, path):
        _check(game, line, place)
        lines.append(line)
    if not lines:
        raise BadOpening(f"no opening in '{path}', expected a line of moves for each")
    return tuple(lines)


def _openings(text: str, path: Path) -> Iterator[Placed]:
    """The form is seen from the file's ending and its first character."""
    head = text.lstrip()[:1]
    if path.suffix == ".csv":
        return _of_csv(text, path)
    if head == "{":
        return _of_records(_json_records(text, path), path)
    if path.suffix == ".json":
        return _of_list(text, path)
    if head == "[":
        return _of_records(game_text.read(text, path.name), path)
    return _of_lines(text, path)


def _of_lines(text: str, path: Path) -> Iterator[Placed]:
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if line:
            yield line, f"{path}:{number}"


def _of_csv(text: str, path: Path) -> Iterator[Placed]:
    rows = csv.DictReader(io.StringIO(text))
    column = next((name for name in COLUMNS if name in (rows.fieldnames or ())), None)
    if column is None:
        raise BadOpening(f"{path}:1: no column is called {' or '.join(COLUMNS)}")
    for row in rows:
        if row[column] and row[column].strip():
            yield row[column].strip(), f"{path}:{rows.line_num}"


def _of_list(text: str, path: Path) -> Iterator[Placed]:
    try:
        found = parse_json(text)
    except BadJson:
        found = None
    if not isinstance(found, list) or not all(isinstance(line, str) for line in found):
        raise BadOpening(f"'{path}' holds no list of texts, expected one line of moves for each opening")
    for number, line in enumerate(found, start=1):
        yield line, f"{path}, opening {number}"


def _json_records(text: str, path: Path) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield json_lines.read(line, f"{path.name}:{number}")


def _of_records(records: Iterator[Record], path: Path) -> Iterator[Placed]:
    for number, record in enumerate(records, start=1):
        plies = record.plies[: record.opening] or record.plies
        yield " ".join(ply.text for ply in plies), f"{path}, game {number}"


def _check(game: Game, line: str, place: str) -> None:
    try:
        end = game.new().play(line)
    except KibitzError as error:
        raise BadOpening(f"{place}: {error}") from None
    if end.over or end.turn == CHANCE:
        state = "the game is over" if end.over else "chance is to move"
        raise BadOpening(f"{place}: {state} after {quoted(line)}, expected a position in which a player is to move")
