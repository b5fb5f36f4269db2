"""Rows of characters and the boards they stand for."""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.errors import quoted
from kibitz.puzzles.flow.board import BadPuzzle, Board, Touch
from kibitz.puzzles.flow.graph import Graph, Node, Place, Plan

MOST = 100  # rows and columns
EMPTY, HOLE, BRIDGE = "_.", "#", "+"


def checked_rows(text: str, name: str) -> list[str]:
    """The rows of a grid, all of one length and of known characters."""
    rows = [line.rstrip("\r") for line in text.split("\n" if "\n" in text else "/")]
    while rows and not rows[-1].strip(" \t"):
        rows.pop()
    if not rows:
        raise BadPuzzle(f"{name}:1: is empty, expected rows of '_' and letters")
    for number, row in enumerate(rows, 1):
        unknown = next((cell for cell in row if not cell.isalnum() and cell not in EMPTY + HOLE + BRIDGE), None)
        if unknown is not None:
            raise BadPuzzle(f"{name}:{number}: {quoted(unknown)} is no cell, expected '_', a letter, '#' or '+'")
        if len(row) != len(rows[0]):
            raise BadPuzzle(f"{name}:{number}: row has {len(row)} cells, expected {len(rows[0])}")
        if len(row) > MOST or number > MOST:
            what = f"row has {len(row)} cells" if len(row) > MOST else "one row too many"
            raise BadPuzzle(f"{name}:{number}: {what}, expected at most {MOST} rows of at most {MOST} cells")
    return rows


def plan_of(rows: Sequence[str], name: str, **edits: Any) -> Plan:
    marked: dict[str, frozenset[Place]] = {
        mark: frozenset((row, at) for row, line in enumerate(rows) for at, cell in enumerate(line) if cell == mark)
        for mark in (HOLE, BRIDGE)
    }
    plan = Plan(len(rows), len(rows[0]), holes=marked[HOLE], bridges=marked[BRIDGE], **edits)
    if plan.hexagonal and plan.bridges:
        row = min(plan.bridges)[0] + 1
        raise BadPuzzle(f"{name}:{row}: '+' on hexagons, expected bridges on squares only")
    return plan


def board_of(rows: Sequence[str], plan: Plan, name: str, fill: bool = True, touch: Touch = "strict") -> Board:
    graph = plan.graph
    seen: dict[str, list[Place]] = {}
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            if cell.isalnum():
                seen.setdefault(cell, []).append((row, column))
    _check_sources(seen, name)
    sources = {letter: _pair(graph, places) for letter, places in sorted(seen.items())}
    return Board(graph, sources, fill, touch)


def _check_sources(seen: Mapping[str, Sequence[Place]], name: str) -> None:
    if not seen:
        raise BadPuzzle(f"{name}:1: no sources, expected each colour's letter twice")
    for letter, places in seen.items():
        other = letter.swapcase()
        if other != letter and other in seen and len(seen) <= 27:  # one case is enough for 26 colours
            row = max(places[0], seen[other][0])[0] + 1
            both = " and ".join(f"'{case}'" for case in sorted((letter, other)))
            raise BadPuzzle(f"{name}:{row}: {both} are both used, expected a letter in one case")
        if len(places) != 2:
            row = places[-1 if len(places) < 2 else 2][0] + 1
            times = {1: "once", 3: "three times"}.get(len(places), f"{len(places)} times")
            raise BadPuzzle(f"{name}:{row}: letter '{letter}' stands {times}, expected twice")


def _pair(graph: Graph, places: Sequence[Place]) -> tuple[int, int]:
    return graph.places[places[0]][0], graph.places[places[1]][0]


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
