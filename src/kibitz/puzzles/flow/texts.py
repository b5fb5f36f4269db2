"""Puzzles and fillings as text.

A puzzle is one row a line, or rows parted by `/` on one line: `_` or `.` an empty cell, a letter or digit a source, `#`
a hole, `+` a bridge. Walls, hexagons, wrapping round and rule flags need the JSON form, whose `rows` are the same text.
A filling is the same grid with a letter on every filled cell; a bridge stays `+`, for its colours are those of the
cells beside it.
"""

from collections.abc import Sequence
from pathlib import Path

from kibitz.core.errors import quoted
from kibitz.puzzles.flow.board import BadPuzzle, Board
from kibitz.puzzles.flow.graph import Graph, Node, Place
from kibitz.puzzles.flow.grids import (
    BRIDGE,
    EMPTY,
    HOLE,
    MOST,
    board_of,
    checked_rows,
    grid,
    place_of,
    plan_of,
    puzzle_rows,
)
from kibitz.puzzles.flow.json_form import from_json, rows_in_json, to_json

_LARGEST_FILE = 1_000_000


def load(path: Path) -> Board:
    """The puzzle in a file."""
    return read(_file_text(path), str(path))


def load_filling(board: Board, path: Path) -> tuple[str, ...]:
    """The filling of a puzzle in a file."""
    return read_filling(board, _file_text(path), str(path))


def read(text: str, name: str = "board") -> Board:
    """The puzzle of a text, plain or JSON; mistakes are told as `name:row: what is wrong, what was expected`."""
    if text.lstrip().startswith("{"):
        return from_json(text, name)
    rows = checked_rows(text, name)
    return board_of(rows, plan_of(rows, name), name)


def written(board: Board) -> str:
    """The text of a puzzle: plain where that says everything, else JSON."""
    plan = board.graph.plan
    plain = plan and not plan.hexagonal and plan.wrap == "none" and not plan.walls
    if plain and board.fill and board.touch == "strict":
        return "\n".join(puzzle_rows(board))
    return to_json(board)


def read_filling(board: Board, text: str, name: str = "filling") -> tuple[str, ...]:
    """The letter of every node in a filled grid."""
    rows = rows_in_json(text, name) if text.lstrip().startswith("{") else checked_rows(text, name)
    plan = board.graph.plan
    if plan is None:
        if len(rows) != 1 or len(rows[0]) != len(board.graph.nodes):
            raise BadPuzzle(f"{name}:1: expected one row with a letter for each of {len(board.graph.nodes)} nodes")
        return tuple("" if cell in EMPTY else cell for cell in rows[0])
    if (len(rows), len(rows[0])) != (plan.rows, plan.columns):
        raise BadPuzzle(f"{name}:1: {len(rows[0])}x{len(rows)} cells, expected {plan.columns}x{plan.rows}")
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            wanted = HOLE if (row, column) in plan.holes else BRIDGE if (row, column) in plan.bridges else ""
            if wanted and cell != wanted:
                raise BadPuzzle(f"{name}:{row + 1}: column {column + 1} is {quoted(cell)}, expected '{wanted}'")
            if not wanted and cell in HOLE + BRIDGE:
                raise BadPuzzle(f"{name}:{row + 1}: column {column + 1} is '{cell}', expected a letter")
    return tuple(_cell(board.graph, rows, node) for node in board.graph.nodes)


def written_filling(board: Board, filling: Sequence[str]) -> str:
    """The filled grid."""
    plan = board.graph.plan
    if plan is None:
        return "".join(letter or "_" for letter in filling)
    return "\n".join(grid(plan, {place_of(node): filling[index] for index, node in enumerate(board.graph.nodes)}))


def _file_text(path: Path) -> str:
    if path.is_dir():
        raise BadPuzzle(f"{path}:1: is a folder, expected a file with a puzzle")
    try:
        data = path.read_bytes()[: _LARGEST_FILE + 1]
    except OSError as problem:
        raise BadPuzzle(f"{path}:1: cannot be read ({problem.strerror}), expected a file with a puzzle") from None
    if len(data) > _LARGEST_FILE:
        raise BadPuzzle(f"{path}:1: more than {_LARGEST_FILE} bytes, expected at most {MOST} rows of {MOST} cells")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        row = data[: problem.start].count(b"\n") + 1
        raise BadPuzzle(f"{path}:{row}: is not text, expected rows of '_' and letters") from None


def _cell(graph: Graph, rows: Sequence[str], node: Node) -> str:
    """What a filled grid says of a node; a layer of a bridge is coloured where both its ends agree."""
    if not node.layer:
        held = rows[node.row][node.column]
        return "" if held in EMPTY else held
    step = (0, 1) if node.layer == "across" else (1, 0)
    ends = {_beyond(graph, rows, node, step), _beyond(graph, rows, node, (-step[0], -step[1]))}
    return ends.pop() if len(ends) == 1 else ""


def _beyond(graph: Graph, rows: Sequence[str], node: Node, step: Place) -> str:
    """The letter of the first cell in a direction that is no bridge."""
    plan = graph.plan
    assert plan is not None
    row, column = node.row, node.column
    for _ in range(max(plan.rows, plan.columns)):
        row, column = row + step[0], column + step[1]
        if plan.wrap in ("down", "both"):
            row %= plan.rows
        if plan.wrap in ("across", "both"):
            column %= plan.columns
        if (row, column) not in graph.places:
            return ""
        if (row, column) not in plan.bridges:
            held = rows[row][column]
            return "" if held in EMPTY else held
    return ""
