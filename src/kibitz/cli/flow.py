"""`kibitz flow`: Flow Free boards solved, generated, explained, rated and judged."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from kibitz.cli.progress import track
from kibitz.cli.texts import Json, print_json
from kibitz.core.errors import KibitzError
from kibitz.core.files import write_whole
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.puzzles import flow as puzzle
from kibitz.puzzles.flow.course import REPORTED, boards
from kibitz.puzzles.flow.published import PUBLISHED

flow = typer.Typer(help="Flow Free: solve, generate, hint, rate, check.", rich_markup_mode=None)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A puzzle, as text or JSON.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Puzzles, as text or JSON.")]
Seconds = Annotated[float, typer.Option(help="Give up on a board after so many seconds.")]
TouchOption = Annotated[
    Literal["strict", "no2x2", "free"] | None,
    typer.Option(help="May a path touch itself? By default as the file says."),
]
Fill = Annotated[bool | None, typer.Option("--fill/--no-fill", help="Must every cell be filled?")]
SvgFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture as SVG.")]


@flow.callback(invoke_without_command=True)
def _overview(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@dataclass
class _Row:
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


@flow.command()
def solve(
    files: Files,
    solver: Annotated[
        str | None, typer.Option(help="sweep, sat, dumb, smart or smarter; by default what suits.")
    ] = None,
    most: Annotated[int, typer.Option("--all", metavar="N", min=1, help="Show up to N solutions of each board.")] = 1,
    unique: Annotated[bool, typer.Option("--unique", help="Fail unless each board has exactly one solution.")] = False,
    svg: SvgFile = None,
    animate: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the solving as an animated SVG.")] = None,
    touch: TouchOption = None,
    fill: Fill = None,
    seconds: Seconds = 60,
    as_json: Json = False,
) -> None:
    """Solve boards, many at once; the last line says how many were solved and how many have one solution only."""
    if (svg or animate) and len(files) > 1:
        raise KibitzError(f"one picture is asked for {len(files)} files, expected one file")
    puzzles = [(path.name, puzzle.load(path).ruled(fill=fill, touch=touch)) for path in files]
    limit = Limit(seconds=seconds)
    in_range("all", most, 1, 10**9)
    rows = [
        _solved(name, board, solver, most, unique, limit) for name, board in track(puzzles, "solving", len(puzzles))
    ]
    _write_pictures(rows[0], svg, animate)
    if as_json:
        print_json([_facts(row) for row in rows])
    else:
        _print_rows(rows, shown=len(rows) == 1 or most > 1)
    if any(row.answer != "solved" or (unique and not row.unique) for row in rows):
        raise typer.Exit(1)


def _solved(name: str, board: puzzle.Board, solver: str | None, most: int, prove: bool, limit: Limit) -> _Row:
    """Search for the solutions asked for, and one more to see whether these are all."""
    answer = puzzle.solve(board, solver, limit)
    search = answer.search
    solutions = [answer.solution] if answer.solution else []
    if search.name in ("sweep", "sat") or prove or most > 1:
        solutions += islice(search, most)
    return _Row(
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


def _write_pictures(row: _Row, svg: Path | None, animate: Path | None) -> None:
    if svg is not None:
        write_whole(svg, puzzle.svg(row.board, row.solutions[0] if row.solutions else None))
    if animate is not None:
        if not row.solutions:
            raise KibitzError(f"{row.name} is not solved ({row.answer}), expected a solution to animate")
        write_whole(animate, puzzle.animation(row.board, row.solutions[0]))


def _print_rows(rows: Sequence[_Row], shown: bool) -> None:
    for row in rows if shown else ():
        for solution in row.solutions:
            print(f"{puzzle.terminal(row.board, solution, colour=sys.stdout.isatty())}\n")
    table = _table("board", "size", "colours", "answer", "solutions", "solver", "nodes", "ms", "note")
    for row in rows:
        nodes = f"{row.assignments:,} paths" if row.assignments else f"{row.nodes:,}"
        table.add_row(row.name, row.board.size, str(len(row.board.sources)), row.answer, row.number, row.solver, nodes,
                      f"{1000 * row.seconds:.1f}", row.note)  # fmt: skip
    _print(table)
    solved = sum(row.answer == "solved" for row in rows)
    print(f"solved {solved} of {len(rows)}, unique {sum(row.unique for row in rows)}")


def _facts(row: _Row) -> dict[str, Any]:
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


@flow.command()
def generate(
    size: Annotated[str, typer.Option(help="Columns x rows, as 14x14.")] = "8x8",
    count: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1,
    colours: Annotated[
        int | None, typer.Option(min=1, help="How many colours; by default what suits the size.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same boards.")] = None,
    difficulty: Annotated[
        Literal["easy", "medium", "hard", "expert"] | None, typer.Option(help="How hard they shall be.")
    ] = None,
    shape: Annotated[Literal["square", "hexagon"], typer.Option(help="What the cells are.")] = "square",
    wrap: Annotated[
        Literal["none", "across", "down", "both"], typer.Option(help="Where paths go round the edge.")
    ] = "none",
    holes: Annotated[int, typer.Option(min=0, help="Cells that are missing, at random places.")] = 0,
    walls: Annotated[int, typer.Option(min=0, help="Walls between cells, at random places.")] = 0,
    bridges: Annotated[int, typer.Option(min=0, help="Cells where two paths cross, at random places.")] = 0,
    seconds: Annotated[float, typer.Option(help="Give up on a board after so many seconds.")] = 60,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write each board to a file of its own.")] = None,
    as_json: Json = False,
) -> None:
    """Make boards, each proven to have exactly one solution."""
    columns, rows = _size(size)
    in_range("count", count, 1, 10**9)
    plan = puzzle.topology(
        rows, columns, hexagonal=shape == "hexagon", wrap=wrap, holes=holes, walls=walls, bridges=bridges, seed=seed
    )
    made = islice(puzzle.boards(puzzle.Order(plan, colours, difficulty), seed, Limit(seconds=seconds)), count)
    texts = (str(board) for board in track(made, "generating", count))
    if as_json:
        print_json(list(texts))
    elif out is not None:
        _write_boards(out, texts, count)
    else:
        for number, text in enumerate(texts):
            print(f"\n{text}" if number else text, flush=True)


def _size(text: str) -> tuple[int, int]:
    """Columns and rows."""
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if not found or not all(2 <= int(part) <= 60 for part in found.groups()):
        raise KibitzError(f"size is '{text}', expected columns x rows, each from 2 to 60, as 14x14")
    return int(found[1]), int(found[2])


def _write_boards(folder: Path, texts: Iterator[str], count: int) -> None:
    if not folder.is_dir():
        raise KibitzError(f"'{folder}' is no folder, expected one to write boards to")
    for number, text in enumerate(texts, 1):
        suffix = "json" if text.startswith("{") else "txt"
        write_whole(folder / f"board-{number:0{len(str(count))}}.{suffix}", text + "\n")
    print(f"wrote {count} boards to {folder}")


@flow.command()
def hint(
    file: File,
    steps: Annotated[int, typer.Option(min=1, help="How many steps to tell.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="Tell all steps until the board is solved.")] = False,
    svg: SvgFile = None,
    touch: TouchOption = None,
    seconds: Seconds = 60,
    as_json: Json = False,
) -> None:
    """Say what to do next, and why."""
    board = puzzle.load(file).ruled(touch=touch)
    found = puzzle.hints(board, Limit(seconds=seconds))
    told = list(found if everything else islice(found, steps))
    if svg is not None:
        write_whole(svg, puzzle.svg(board, marks={node for step in told for node in step.edge}))
    if as_json:
        print_json(
            [{"edge": list(step.edge), "joined": step.joined, "reason": step.title, "text": step.text} for step in told]
        )
        return
    for number, step in enumerate(told, 1):
        print(f"{number}. {step.text}")
    if everything:
        print(
            "solved" if all(step.kind != "solution" for step in told) else "solved, with steps quoted from the solution"
        )


@flow.command()
def rate(file: Files, touch: TouchOption = None, seconds: Seconds = 60, as_json: Json = False) -> None:
    """Say how hard boards are."""
    boards = [(path.name, puzzle.load(path).ruled(touch=touch)) for path in file]
    ratings = [(name, puzzle.rate(board, Limit(seconds=seconds))) for name, board in boards]
    if as_json:
        print_json([{"board": name, **vars(rating)} for name, rating in ratings])
        return
    table = _table("board", "score", "difficulty", "steps")
    for name, rating in ratings:
        steps = ", ".join(f"{number} {title}" for title, number in rating.kinds.items())
        table.add_row(name, f"{rating.score:.1f}", rating.difficulty, steps)
    _print(table)


@flow.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="PUZZLE", help="The puzzle.")],
    filled: Annotated[Path, typer.Argument(metavar="FILLED", help="The filled grid.")],
    touch: TouchOption = None,
    fill: Fill = None,
) -> None:
    """Judge a filled board: say everything that is wrong with it."""
    board = puzzle.load(file).ruled(fill=fill, touch=touch)
    faults = puzzle.faults(board, puzzle.load_filling(board, filled))
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else "correct")
    if faults:
        raise typer.Exit(1)


@flow.command()
def table(
    seconds: Annotated[float, typer.Option(help="Give up on a board after so many seconds.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the dumb solver.")] = 0,
    as_json: Json = False,
) -> None:
    """The report's table: attempted assignments and time of its solvers, as printed and run here, beside ours."""
    limit = Limit(seconds=seconds)
    rows = []
    for name, board in track(boards().items(), "solving", len(boards())):
        row: dict[str, Any] = {"board": name, "reported": REPORTED.get(name, {})}
        for solver in PUBLISHED:
            row[solver.name] = _attempt(solver(board, limit, seed))
        proof = puzzle.search(board)
        row["ours"] = {"solutions": len(list(islice(proof, 2))), "nodes": proof.nodes, "seconds": proof.seconds}
        rows.append(row)
    if as_json:
        print_json(rows)
        return
    shown = _table("board", "report: dumb", "smart", "smarter", "here: dumb", "smart", "smarter", "ours, with proof")
    for row in rows:
        ours = f"{row['ours']['nodes']} nodes, {1000 * row['ours']['seconds']:.2f} ms"
        names = [solver.name for solver in PUBLISHED]
        reported = [row["reported"].get(name, "") for name in names]
        shown.add_row(row["board"], *reported, *(_told(row[name]) for name in names), ours)
    _print(shown)


def _attempt(search: puzzle.Search) -> dict[str, Any]:
    next(search, None)
    return {"answer": search.status, "assignments": search.assignments, "seconds": search.seconds}


def _told(attempt: dict[str, Any]) -> str:
    told = f"{attempt['assignments']}, {attempt['seconds']:.3f} s"
    return told if attempt["answer"] == "solved" else f"gave up ({told})"


def _print(table: Table) -> None:
    Console(width=None if sys.stdout.isatty() else 200).print(table)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
