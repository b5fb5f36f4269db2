"""`kibitz flow`: Flow Free boards solved, generated, explained, rated and judged."""

import datetime
import re
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from kibitz.cli.flow_boards import (
    bad_facts,
    boards_of,
    fail_for_bad_boards,
    load_entries,
    new_table,
    print_rows,
    print_table,
    row_facts,
    solve_board,
    write_pictures,
)
from kibitz.cli.interrupts import Stopped
from kibitz.cli.progress import collect, track
from kibitz.cli.texts import Json, print_json
from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable, write_file
from kibitz.puzzles import flow as puzzle
from kibitz.puzzles.flow.course import REPORTED, boards
from kibitz.puzzles.flow.report_solvers import PUBLISHED

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


@flow.command()
def solve(
    files: Files,
    solver: Annotated[
        str | None, typer.Option(help="propagate, sweep, sat, dumb, smart or smarter; by default what suits.")
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
    in_range("all", most, 1, 10**9)
    entries = load_entries(files, fill, touch)
    boards_read = boards_of(entries)
    if (svg or animate) and len(boards_read) > 1:
        raise KibitzError(f"one picture is asked for {len(boards_read)} boards, expected one board")
    limit = Limit(seconds=seconds)
    rows = [
        solve_board(name, board, solver, most, unique, limit)
        for name, board in track(boards_read, "solving", len(boards_read))
    ]
    if rows:
        write_pictures(rows[0], svg, animate)
    if as_json:
        print_json([*(row_facts(row) for row in rows), *bad_facts(entries)])
    else:
        print_rows(rows, shown=len(rows) == 1 or most > 1)
    fail_for_bad_boards(entries)
    if any(row.answer != "solved" or (unique and not row.unique) for row in rows):
        raise typer.Exit(1)


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
    if out is not None and not out.is_dir():
        raise KibitzError(f"'{out}' is no folder, expected one to write boards to")
    made = islice(puzzle.boards(puzzle.Order(plan, colours, difficulty), seed, Limit(seconds=seconds)), count)
    texts = (str(board) for board in track(made, "generating", count))
    if out is None and not as_json:
        for number, text in enumerate(texts):
            print(f"\n{text}" if number else text, flush=True)
        return
    finished = collect(texts)
    files = _write_boards(out, finished, count) if out is not None else []
    if as_json:
        print_json([{"file": str(file), "board": text} for file, text in zip(files, finished, strict=True)]
                   if out is not None else finished)  # fmt: skip
    else:
        print(f"wrote {len(finished)} boards to {out}")
    if len(finished) < count:
        raise Stopped(f"after {len(finished)} of {count} boards, which are kept")


def _size(text: str) -> tuple[int, int]:
    """Columns and rows."""
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if not found or not all(2 <= int(part) <= 60 for part in found.groups()):
        raise KibitzError(f"size is '{text}', expected columns x rows, each from 2 to 60, as 14x14")
    return int(found[1]), int(found[2])


def _write_boards(folder: Path, texts: Sequence[str], count: int) -> list[Path]:
    """One file a board, when all are there: if one cannot be made, nothing is left behind."""
    files = [
        folder / f"board-{number:0{len(str(count))}}.{'json' if text.startswith('{') else 'txt'}"
        for number, text in enumerate(texts, 1)
    ]
    for file, text in zip(files, texts, strict=True):
        write_file(file, text + "\n")
    return files


@flow.command()
def pack(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")],
    count: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 150,
    seed: Annotated[int, typer.Option(help="The same seed gives the same book.")] = 1,
    mixed: Annotated[bool, typer.Option("--mixed", help="Every kind of board: walls, hexagons, bridges ...")] = False,
    title: Annotated[str, typer.Option(help="What stands above it.")] = "Flow puzzles",
    seconds: Annotated[float, typer.Option(help="Give up if one puzzle takes longer.")] = 60,
    as_json: Json = False,
) -> None:
    """Make a book of puzzles by rising difficulty: one page to print, with solutions behind, and to play on."""
    in_range("count", count, 1, 2000)
    check_writable(out)
    made = puzzle.make_pack(count, seed, mixed, Limit(seconds=seconds))
    puzzles = collect(track(made, "generating", count))
    if not puzzles:
        raise Stopped("before the first puzzle was made; nothing is written")
    write_file(out, puzzle.pack_page(puzzles, title))
    counts = Counter(one.rating.difficulty for one in puzzles)
    if as_json:
        print_json({"file": str(out), "title": title, "seed": seed, "puzzles": len(puzzles), "difficulties": counts})
    else:
        told = ", ".join(f"{number} {difficulty}" for difficulty, number in counts.items())
        print(f"wrote {len(puzzles)} puzzles ({told}) to {out}")
    if len(puzzles) < count:
        raise Stopped(f"after {len(puzzles)} of {count} puzzles, which are a book already")


@flow.command()
def daily(
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Another day; today if left out.")] = None,
    as_json: Json = False,
) -> None:
    """The puzzle of the day, the same for everybody."""
    try:
        day = datetime.date.fromisoformat(date) if date else datetime.date.today()
    except ValueError:
        raise KibitzError(f"date is '{date}', expected a day as 2026-12-31") from None
    board = puzzle.daily(day)
    if as_json:
        rating = puzzle.rate(board)
        print_json({"date": str(day), "board": str(board), "score": rating.score, "difficulty": rating.difficulty})
    else:
        print(board)


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
        write_file(svg, puzzle.svg(board, marks={node for step in told for node in step.edge}))
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
    entries = load_entries(file, touch=touch)
    boards_read = boards_of(entries)
    ratings = [(name, puzzle.rate(board, Limit(seconds=seconds))) for name, board in boards_read]
    if as_json:
        print_json([*({"board": name, **vars(rating)} for name, rating in ratings), *bad_facts(entries)])
    else:
        shown = new_table("board", "score", "difficulty", "steps")
        for name, rating in ratings:
            steps = ", ".join(f"{number} {title}" for title, number in rating.kinds.items())
            shown.add_row(name, f"{rating.score:.1f}", rating.difficulty, steps)
        print_table(shown)
    fail_for_bad_boards(entries)


@flow.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="PUZZLE", help="The puzzle.")],
    filled: Annotated[Path, typer.Argument(metavar="FILLED", help="The filled grid.")],
    touch: TouchOption = None,
    fill: Fill = None,
    as_json: Json = False,
) -> None:
    """Judge a filled board: say everything that is wrong with it."""
    board = puzzle.load(file).ruled(fill=fill, touch=touch)
    faults = puzzle.faults(board, puzzle.load_filling(board, filled))
    if as_json:
        print_json({"correct": not faults, "faults": faults})
    else:
        for fault in faults:
            print(fault)
        print(f"{len(faults)} faults" if faults else "correct")
    if faults:
        raise typer.Exit(1)


@flow.command()
def explain(
    file: File,
    solver: Annotated[Literal["dumb", "smart", "smarter"], typer.Option(help="A solver of the report.")] = "smart",
    steps: Annotated[int, typer.Option(min=1, help="Tell at most so many steps.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the dumb solver.")] = 0,
    touch: TouchOption = None,
    seconds: Annotated[float, typer.Option(help="Stop searching after so many seconds.")] = 10,
    as_json: Json = False,
) -> None:
    """Tell how a solver of the course report works: each choice, each path tried, and why a branch dies."""
    in_range("steps", steps, 1, 1_000_000)
    board = puzzle.load(file).ruled(touch=touch)
    found = puzzle.trace(board, solver, steps, Limit(seconds=seconds), seed)
    search = found.search
    if as_json:
        listed = [{**step._asdict(), "text": puzzle.describe(board, step)} for step in found.steps]
        counts = {"assignments": search.assignments, "nodes": search.nodes, "steps": found.number}
        print_json({"solver": solver, "answer": search.status, **counts, "deaths": found.deaths, "listed": listed})
        return
    for number, step in enumerate(found.steps, 1):
        print(f"{number:4} {'  ' * step.depth}{puzzle.describe(board, step)}")
    if found.cut:
        print(f"... and {found.number - len(found.steps):,} more steps (--steps tells more of them)")
    if found.solution:
        print(f"\n{puzzle.terminal(board, found.solution, colour=sys.stdout.isatty())}\n")
    deaths = ", ".join(f"{count:,} {name}" for name, count in found.deaths.items())
    print(f"{solver}: {search.status}{f' ({search.reason})' if search.reason else ''}; "
          f"{search.assignments:,} assignments, {search.nodes:,} nodes, {search.seconds:.3f} s")  # fmt: skip
    print(f"branches that died at once: {deaths or 'none'}")


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
    shown = new_table("board", "report: dumb", "smart", "smarter", "here: dumb", "smart", "smarter", "ours, with proof")
    for row in rows:
        ours = f"{row['ours']['nodes']} nodes, {1000 * row['ours']['seconds']:.2f} ms"
        names = [solver.name for solver in PUBLISHED]
        reported = [row["reported"].get(name, "") for name in names]
        shown.add_row(row["board"], *reported, *(_told(row[name]) for name in names), ours)
    print_table(shown)


def _attempt(search: puzzle.Search) -> dict[str, Any]:
    next(search, None)
    return {"answer": search.status, "assignments": search.assignments, "seconds": search.seconds}


def _told(attempt: dict[str, Any]) -> str:
    told = f"{attempt['assignments']}, {attempt['seconds']:.3f} s"
    return told if attempt["answer"] == "solved" else f"gave up ({told})"
