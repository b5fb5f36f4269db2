"""Rows of characters and the boards they stand for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kibitz.core.errors import quoted
from kibitz.puzzles.flow.board import BadPuzzle, Board, Touch
from kibitz.puzzles.flow.graph import Node, Place, Plan

MOST = 200  # rows and columns
EMPTY, HOLE, BRIDGE = "_.", "#", "+"
_ROW = re.compile(r"[\w.#+]+")
_LETTER = re.compile(r"[^\W_]")


_SQUARE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_HEXAGON_STEPS = (*_SQUARE_STEPS, (1, -1), (-1, 1))


class Rows(NamedTuple):
    """The rows of one grid, where they come from, and the line of each."""

    rows: Sequence[str]
    name: str
    lines: Sequence[int]

    def fault(self, row: int, what: str) -> BadPuzzle:
        """What is wrong with a row."""
        line = self.lines[row] if self.lines else 1
        return BadPuzzle(f"{self.name}:{line}: {what}")


def check_rows(grid: Rows) -> None:
    """All rows are of one length and of known characters, and there are not too many."""
    if not grid.rows:
        raise grid.fault(0, "is empty, expected rows of '_' and letters")
    width = len(grid.rows[0])
    for at, row in enumerate(grid.rows):
        if not _ROW.fullmatch(row):
            unknown = next(cell for cell in row if not _ROW.fullmatch(cell)) if row else ""
            raise grid.fault(at, f"{quoted(unknown)} is no cell, expected '_', a letter, '#' or '+'")
        if len(row) > MOST or at >= MOST:
            what = f"row has {len(row)} cells" if len(row) > MOST else "one row too many"
            raise grid.fault(at, f"{what}, expected at most {MOST} rows of at most {MOST} cells")
        if len(row) != width:
            raise grid.fault(at, f"row has {len(row)} cells, expected {width}")


def plan_of(grid: Rows, **edits: Any) -> Plan:
    rows = grid.rows
    marked = {mark: _places(rows, mark) for mark in (HOLE, BRIDGE)}
    plan = Plan(len(rows), len(rows[0]), holes=marked[HOLE], bridges=marked[BRIDGE], **edits)
    if plan.hexagonal and plan.bridges:
        raise grid.fault(min(plan.bridges)[0], "'+' on hexagons, expected bridges on squares only")
    return plan


def _places(rows: Sequence[str], mark: str) -> frozenset[Place]:
    if not any(mark in row for row in rows):
        return frozenset()
    return frozenset((row, at) for row, line in enumerate(rows) for at, cell in enumerate(line) if cell == mark)


def board_of(grid: Rows, plan: Plan, fill: bool = True, touch: Touch = "strict") -> Board:
    seen: dict[str, list[int]] = {}
    for found in _LETTER.finditer("".join(grid.rows)):
        seen.setdefault(found[0], []).append(found.start())
    _check_sources(seen, grid, plan)
    node = plan.graph.first_node
    return Board(
        plan.graph, {letter: (node[one], node[two]) for letter, (one, two) in sorted(seen.items())}, fill, touch
    )


def _check_sources(seen: Mapping[str, Sequence[int]], grid: Rows, plan: Plan) -> None:
    if not seen:
        raise grid.fault(0, "no sources, expected each colour's letter twice")
    for letter, cells in seen.items():
        if len(cells) != 2:
            row = cells[-1 if len(cells) < 2 else 2] // plan.columns
            times = {1: "once", 3: "three times"}.get(len(cells), f"{len(cells)} times")
            other = letter.swapcase()
            cases = f" (upper and lower case are different colours: '{other}' is there too)" if other in seen else ""
            raise grid.fault(row, f"letter '{letter}' stands {times}, expected twice{cases}")
    walled = {place for pair in plan.walls for place in pair}
    everywhere = bool(plan.holes) or min(plan.rows, plan.columns) == 1
    for letter, cells in seen.items() if everywhere or walled else ():
        for cell in cells:
            place = divmod(cell, plan.columns)
            if (everywhere or place in walled) and not _has_way_out(plan, place):
                where = f"source '{letter}' in column {place[1] + 1} is walled in on all sides"
                raise grid.fault(place[0], f"{where}, expected an open side")


def _has_way_out(plan: Plan, place: Place) -> bool:
    steps = _HEXAGON_STEPS if plan.hexagonal else _SQUARE_STEPS
    return any(plan.are_neighbours(place, plan.moved(place, step)) for step in steps)


def place_of(node: Node) -> Place:
    return node.row, node.column


def puzzle_rows(board: Board) -> list[str]:
    assert board.graph.plan is not None
    return grid(board.graph.plan, {place_of(board.graph.nodes[at]): letter for at, letter in board.letter_at.items()})


def grid(plan: Plan, letters: Mapping[Place, str]) -> list[str]:
    def cell(place: Place) -> str:
        mark = HOLE if place in plan.holes else BRIDGE if place in plan.bridges else ""
        return mark or letters.get(place) or "_"

    return ["".join(cell((row, column)) for column in range(plan.columns)) for row in range(plan.rows)]
