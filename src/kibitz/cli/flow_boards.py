"""What `kibitz flow` makes of many boards: those that were read and those that were not, and what became of each."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import typer
from rich.table import Table

from kibitz.cli.streams import Console
from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.output_file import write_file
from kibitz.puzzles import flow as puzzle


@dataclass
class Row:
    """What became of one board."""

    name: str
    board: puzzle.Board
    answer: str
    solutions: list[puzzle.Solution]  # as many as were asked for
    found: int
    complete: bool  # there are no others than those found
    solver: str
    nodes: int
    assignments: int
    seconds: float
    note: str

    @property
    def unique(self) -> bool:
        return self.complete and self.found == 1

    @property
    def number(self) -> str:
        """How many solutions, for people."""
        if self.unique:
            return "unique"
        return f"{self.found}" + ("" if self.complete else " or more")


def load_entries(
    files: Sequence[Path], fill: bool | None = None, touch: puzzle.Touch | None = None
) -> list[puzzle.Entry]:
    """All boards of the files under the rules asked for, and what is none."""
    entries = [entry for path in files for entry in puzzle.load_all(path)]
    return [
        entry._replace(board=entry.board.ruled(fill=fill, touch=touch)) if entry.board else entry for entry in entries
    ]


def boards_of(entries: Sequence[puzzle.Entry]) -> list[tuple[str, puzzle.Board]]:
    """The boards with their names. If there is only one entry, and it is bad, that is an error at once."""
    if len(entries) == 1 and entries[0].problem:
        raise entries[0].problem
    return [(entry.name, entry.board) for entry in entries if entry.board]


def bad_facts(entries: Sequence[puzzle.Entry]) -> list[dict[str, str]]:
    """What could not be read, for programs."""
    return [{"board": entry.name, "problem": str(entry.problem)} for entry in entries if entry.problem]


def problems_of(entries: Sequence[puzzle.Entry]) -> list[str]:
    return [str(entry.problem) for entry in entries if entry.problem]


def fail_for_bad_boards(entries: Sequence[puzzle.Entry]) -> None:
    """Name what could not be read, after all else is done."""
    problems = problems_of(entries)
    if problems:
        listed = "".join(f"\n  {problem}" for problem in problems)
        print(f"{len(problems)} of {len(entries)} boards could not be read:{listed}", file=sys.stderr)
        raise typer.Exit(2)


def solve_board(name: str, board: puzzle.Board, solver: str | None, most: int, prove: bool, limit: Limit) -> Row:
    """Search for the solutions asked for, and one more to see whether these are all."""
    answer = puzzle.solve(board, solver, limit)
    search = answer.search
    solutions = [answer.solution] if answer.solution else []
    if search.proves or prove or most > 1:
        solutions += islice(search, most)
    return Row(
        name=name,
        board=board,
        answer=search.status,
        solutions=solutions[:most],
        found=search.found,
        complete=search.finished,
        solver=search.name,
        nodes=search.nodes,
        assignments=search.assignments,
        seconds=search.seconds,
        note=answer.note or search.reason,
    )


def write_pictures(row: Row, svg: Path | None, animate: Path | None) -> None:
    if svg is not None:
        write_file(svg, puzzle.svg(row.board, row.solutions[0] if row.solutions else None))
    if animate is not None:
        if not row.solutions:
            raise KibitzError(f"{row.name} is not solved ({row.answer}), expected a solution to animate")
        write_file(animate, puzzle.animation(row.board, row.solutions[0]))


def print_rows(rows: Sequence[Row], shown: bool) -> None:
    for row in rows if shown else ():
        for solution in row.solutions:
            print(f"{puzzle.terminal(row.board, solution, colour=sys.stdout.isatty())}\n")
    table = new_table("board", "size", "colours", "answer", "solutions", "solver", "nodes", "ms", "note")
    for row in rows:
        nodes = f"{row.assignments:,} paths" if row.assignments else f"{row.nodes:,}"
        table.add_row(row.name, row.board.size, str(len(row.board.sources)), row.answer, row.number, row.solver, nodes,
                      f"{1000 * row.seconds:.1f}", row.note)  # fmt: skip
    print_table(table)
    solved = sum(row.answer == "solved" for row in rows)
    print(f"solved {solved} of {len(rows)}, unique {sum(row.unique for row in rows)}")


def row_facts(row: Row) -> dict[str, Any]:
    return {
        "board": row.name,
        "answer": row.answer,
        "solutions": [str(solution).split("\n") for solution in row.solutions],
        "found": row.found,
        "complete": row.complete,
        "unique": row.unique,
        "solver": row.solver,
        "nodes": row.nodes,
        "assignments": row.assignments,
        "seconds": row.seconds,
        "note": row.note,
    }


def print_table(table: Table) -> None:
    Console(width=None if sys.stdout.isatty() else 200).print(table)


def new_table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
