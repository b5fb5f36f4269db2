"""Puzzles and fillings as text.

A puzzle is one row a line, or rows parted by `/` on one line: `_` or `.` an empty cell, a letter or digit a source, `#`
a hole, `+` a bridge. Upper and lower case are different colours. Cells may have blanks between them. Lines that begin
with `;`, `//` or `# ` are comments. A text may hold several puzzles with blank lines between them. Walls, hexagons,
wrapping round and rule flags need the JSON form, whose `rows` are the same text; several of them stand one after
another or in a list.

A filling is the same grid with a letter on every filled cell; a bridge stays `+`, for its colours are those of the
cells beside it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.core.errors import quoted
from kibitz.core.input_file import read_bytes
from kibitz.puzzles.flow.board import BadPuzzle, Board
from kibitz.puzzles.flow.graph import Graph, Node, Place
from kibitz.puzzles.flow.grids import (
    BRIDGE,
    EMPTY,
    HOLE,
    Rows,
    board_of,
    check_rows,
    grid,
    place_of,
    plan_of,
    puzzle_rows,
)
from kibitz.puzzles.flow.json_form import board_from_json, parse_values, rows_in_json, to_json

_LARGEST_FILE = 16_000_000
_COMMENT = re.compile(r"\s*(;|//|#$|# (?!\S( \S)+$))")  # `# A _ A` is a hole and three cells with blanks between


class Entry(NamedTuple):
    """One board of a file, or why it is none."""

    name: str
    board: Board | None
    problem: BadPuzzle | None = None


def load(path: Path) -> Board:
    """The puzzle in a file that holds one."""
    return read(_file_text(path), str(path))


def load_all(path: Path) -> Iterator[Entry]:
    """All boards in a file; one that is none, or a file that cannot be read, is an entry with its problem."""
    try:
        text = _file_text(path)
    except BadPuzzle as problem:
        yield Entry(path.name, None, problem)
        return
    yield from read_all(text, str(path))


def load_filling(board: Board, path: Path) -> tuple[str, ...]:
    """The filling of a puzzle in a file."""
    return read_filling(board, _file_text(path), str(path))


def read(text: str, name: str = "board") -> Board:
    """The puzzle of a text, plain or JSON; mistakes are reported as `name:line: what is wrong, what was expected`."""
    makers = list(_makers(text, name))
    if len(makers) > 1:
        raise BadPuzzle(f"{name}:{makers[1][0]}: a second board begins, expected one")
    if not makers:
        raise BadPuzzle(f"{name}:1: holds no board, expected one")
    return makers[0][1]()


def read_all(text: str, name: str) -> Iterator[Entry]:
    """The boards of a text one after another."""
    short = Path(name).name
    try:
        makers = list(_makers(text, name))
    except BadPuzzle as problem:
        yield Entry(short, None, problem)
        return
    for number, (_, make) in enumerate(makers, 1):
        called = short if len(makers) == 1 else f"{short}#{number}"
        try:
            yield Entry(called, make())
        except BadPuzzle as problem:
            yield Entry(called, None, problem)


def _makers(text: str, name: str) -> Iterator[tuple[int, Callable[[], Board]]]:
    """For each board of a text its line and a function that makes it."""
    if text.lstrip()[:1] in ("{", "["):
        for line, value in parse_values(text, name):
            yield line, partial(_board_of_value, value, name, line)
    else:
        for grid in _grids(text, name):
            yield grid.lines[0] if grid.lines else 1, partial(_plain_board, grid)


def _board_of_value(value: Any, name: str, line: int) -> Board:
    if isinstance(value, str):
        return read(value, f"{name}:{line}")
    if not isinstance(value, dict):
        raise BadPuzzle(f"{name}:{line}: {quoted(str(value))} is no board, expected an object with 'rows'")
    return board_from_json(value, name, line)


def _plain_board(grid: Rows) -> Board:
    check_rows(grid)
    return board_of(grid, plan_of(grid))


def _grids(text: str, name: str) -> list[Rows]:
    """The grids of a plain text: parted by blank lines, or one a line with `/` between its rows."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        row = line.rstrip()
        if not row:
            blocks.append([])
        elif "/" in row and not _COMMENT.match(row):
            blocks += [[(number, part) for part in row.strip().split("/")], []]
        elif not _COMMENT.match(row):
            blocks[-1].append((number, row))
    filled = [block for block in blocks if block]
    if len(filled) > 1 and all(len(block) == 1 for block in filled):
        filled = [[block[0] for block in filled]]  # a blank line after every row
    return [Rows([_cells(row) for _, row in block], name, [line for line, _ in block]) for block in filled or [[]]]


def _cells(row: str) -> str:
    """A row whose cells may have blanks between them."""
    spaced = row.split(" ") if " " in row else []
    return "".join(spaced) if spaced and all(len(cell) == 1 for cell in spaced) else row


def written(board: Board) -> str:
    """The text of a puzzle: plain where that says everything, else JSON."""
    plan = board.graph.plan
    plain = plan and not plan.hexagonal and plan.wrap == "none" and not plan.walls
    if plain and board.fill and board.touch == "strict":
        return "\n".join(puzzle_rows(board))
    return to_json(board)


def read_filling(board: Board, text: str, name: str = "filling") -> tuple[str, ...]:
    """The letter of every node in a filled grid."""
    rows = _filled_rows(text, name)
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


def _filled_rows(text: str, name: str) -> Sequence[str]:
    if text.lstrip().startswith("{"):
        line, facts = next(parse_values(text, name))
        return rows_in_json(facts, name, line).rows
    grid = _grids(text, name)[0]
    check_rows(grid)
    return grid.rows


def written_filling(board: Board, filling: Sequence[str]) -> str:
    """The filled grid."""
    plan = board.graph.plan
    if plan is None:
        return "".join(letter or "_" for letter in filling)
    return "\n".join(grid(plan, {place_of(node): filling[index] for index, node in enumerate(board.graph.nodes)}))


def _file_text(path: Path) -> str:
    data = read_bytes(path, _LARGEST_FILE, BadPuzzle, "the puzzle")
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
    place = node.row, node.column
    for _ in range(max(plan.rows, plan.columns)):
        place = plan.moved(place, step)
        if place not in graph.places:
            return ""
        if place not in plan.bridges:
            held = rows[place[0]][place[1]]
            return "" if held in EMPTY else held
    return ""
