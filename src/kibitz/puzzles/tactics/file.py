"""A file of puzzles: one line of JSON about the set, then one line for each puzzle.

Nothing in it is run: the game is a text that `catalog.load_known` finds or refuses. What is read is bounded in bytes,
in puzzles and in the length of every text, each line is looked at once, and whatever does not fit is refused with its
line.
"""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError, quoted
from kibitz.core.input_file import MB, read_text
from kibitz.core.json_text import BadJson, parse_json
from kibitz.core.output_file import write_file
from kibitz.puzzles.tactics.puzzle import EVIDENCE, GOALS, HARDEST, Puzzle, PuzzleSet

FORMAT = 1
LARGEST = 16 * MB
MOST_PUZZLES = 20_000
LONGEST_POSITION, LONGEST_TURN, LONGEST_LINE, LONGEST_ORIGIN = 4000, 400, 64, 200
MOST = 1 << 31  # of any whole number in it


class BadPuzzleFile(KibitzError):
    """A file that holds no puzzles, or damaged ones."""


def format_set(puzzles: PuzzleSet) -> str:
    """The text of a file."""
    head = {
        "kibitz": "puzzles",
        "format": FORMAT,
        "game": puzzles.game,
        "rules": puzzles.rules,
        "looked_at": puzzles.looked_at,
        "made": puzzles.made,
    }
    return "".join(json.dumps(row, allow_nan=False) + "\n" for row in [head, *map(_values, puzzles.puzzles)])


def _values(puzzle: Puzzle) -> dict[str, Any]:
    values = {field.name: getattr(puzzle, field.name) for field in fields(puzzle)}
    return {name: value for name, value in values.items() if value is not None} | {"line": list(puzzle.line)}


def save(path: Path, puzzles: PuzzleSet) -> None:
    """Write the file whole or not at all."""
    write_file(path, format_set(puzzles))


def load(path: Path) -> PuzzleSet:
    """The puzzles of a file."""
    return parse(read_text(path, LARGEST, BadPuzzleFile, "the puzzles"), path.name)


def parse(text: str, name: str) -> PuzzleSet:
    """The puzzles of a text; `name` says whose in messages."""
    lines = text.split("\n")
    head = _object(lines[0], f"{name}:1")
    if head.get("kibitz") != "puzzles":
        raise BadPuzzleFile(f"{name}:1: this is no file of puzzles, expected one that kibitz puzzles has written")
    version = head.get("format")
    if type(version) is not int or version != FORMAT:
        raise BadPuzzleFile(f"{name}:1: format {quoted(str(version))}, this Kibitz reads {FORMAT}")
    known = {"kibitz", "format", *HEAD}
    _check(head, {**HEAD, "kibitz": _word, "format": _count}, known, f"{name}:1")
    rows = [(number, line) for number, line in enumerate(lines[1:], 2) if line.strip()]
    if len(rows) > MOST_PUZZLES:
        raise BadPuzzleFile(f"{name}: {len(rows)} puzzles, expected at most {MOST_PUZZLES}")
    puzzles = tuple(_puzzle(_object(line, f"{name}:{number}"), f"{name}:{number}") for number, line in rows)
    return PuzzleSet(
        game=head["game"], rules=head["rules"], puzzles=puzzles, made=head["made"], looked_at=head["looked_at"]
    )


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        found = parse_json(line)
    except BadJson as problem:
        raise BadPuzzleFile(f"{place}: {quoted(line)} is not JSON ({problem})") from None
    if not isinstance(found, dict):
        raise BadPuzzleFile(f"{place}: {quoted(line)} is no object")
    return found


def _puzzle(row: dict[str, Any], place: str) -> Puzzle:
    _check(row, ROW, set(ROW) - {"turns", "margin"}, place)
    if row["goal"] == "best" and "margin" not in row:
        raise BadPuzzleFile(f"{place}: there is no 'margin'")
    return Puzzle(**row | {"line": tuple(row["line"])})


def _check(row: dict[str, Any], kinds: dict[str, "Kind"], needed: set[str], place: str) -> None:
    """Every value known and of its kind, and none that is needed missing."""
    for name in sorted(needed - row.keys()):
        raise BadPuzzleFile(f"{place}: there is no '{name}'")
    for name, value in row.items():
        if name not in kinds:
            raise BadPuzzleFile(f"{place}: nothing is known of {quoted(name)}")
        if not kinds[name](value):
            raise BadPuzzleFile(f"{place}: '{name}' is {quoted(str(value))}, which does not fit it")


Kind = Callable[[Any], bool]


def _text(most: int) -> Kind:
    return lambda value: isinstance(value, str) and 0 < len(value) <= most and value.isprintable()


def _number(low: int, high: int) -> Kind:
    return lambda value: type(value) is int and low <= value <= high


_word, _count = _text(100), _number(0, MOST)
_turn = _text(LONGEST_TURN)


def _is_line(value: Any) -> bool:
    """Whole turns, an odd number of them, each one token."""
    return (
        isinstance(value, list)
        and len(value) <= LONGEST_LINE
        and len(value) % 2 == 1
        and all(_turn(turn) and len(turn.split()) == 1 for turn in value)
    )


HEAD: dict[str, Kind] = {
    "game": _text(400),
    "rules": _word,
    "looked_at": _count,
    "made": lambda value: isinstance(value, dict),
}
ROW: dict[str, Kind] = {
    "position": _text(LONGEST_POSITION),
    "goal": lambda value: value in GOALS,
    "line": _is_line,
    "turns": _number(1, MOST),
    "margin": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "choices": _count,
    "level": _number(1, HARDEST),
    "evidence": lambda value: value in EVIDENCE,
    "origin": _text(LONGEST_ORIGIN),
}
