"""`kibitz solve`: a table of perfect play."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table as Grid

from kibitz.cli.progress import show_bar
from kibitz.cli.streams import Console
from kibitz.cli.texts import GameText
from kibitz.core.errors import KibitzError
from kibitz.core.options import in_range
from kibitz.games import catalog


def solve(
    game: GameText,
    out: Annotated[
        Path | None, typer.Option(help="Write the table here; by default into the folder of tables.")
    ] = None,
    memory: Annotated[float | None, typer.Option(help="Gigabytes to use; by default most of what is free.")] = None,
    jobs: Annotated[int, typer.Option(help="Threads; 0 for one on each core.")] = 0,
    verify: Annotated[
        Literal["sample", "full"], typer.Option(help="Look again at a million positions, or at all of them.")
    ] = "sample",
    alone: Annotated[bool, typer.Option("--alone", help="Checkers: one army alone, the fewest moves home.")] = False,
) -> None:
    """Solve a game: who wins every position, and in how many turns. Ply limits and repetition are ignored.

    A run that was stopped goes on where it was when the same command is given again.
    """
    from kibitz.tables import folder, solo, solver

    here = catalog.load(game)
    if alone:
        solo_solver = solo.find_solver(here)
        with show_bar() as progress:
            counts = solo_solver.solve(here, in_range("jobs", jobs, 0, 1024), progress)
        _print_distances(counts)
        return
    path = out or _make_folder(folder.path_for(here))
    with show_bar() as progress:
        table = solver.solve(solver.SolveTask(here, path, memory, jobs, verify), progress)
    start = here.new()
    sides = here.rulebook.sides
    Console(width=None if sys.stdout.isatty() else 120).print(_grid(solver.label_rows(table.about, sides), sides))
    value = table.probe(start.state)
    assert value is not None
    print(f"start: {value.text(sides)}; infinite play is a draw, ply limits and repetition are ignored")
    print(f"kept in {path} ({path.stat().st_size / 1e6:.1f} MB)")


def _make_folder(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path.parent}': {problem.strerror}") from None
    return path


def _print_distances(counts: list[int]) -> None:
    for moves, armies in enumerate(counts):
        print(f"{moves:3} moves  {armies:12,} armies")


def _grid(rows: list[dict[str, object]], sides: tuple[str, str]) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    names = {
        "layer": "layer",
        "side": "to move",
        "first_wins": f"won by {sides[0]}",
        "second_wins": f"won by {sides[1]}",
        "draws": "drawn",
        "longest_first": f"longest by {sides[0]}",
        "longest_second": f"longest by {sides[1]}",
    }
    for key, title in names.items():
        grid.add_column(title, justify="left" if key == "side" else "right", no_wrap=True)
    for row in rows:
        grid.add_row(*(f"{row[key]:,}" if isinstance(row[key], int) else str(row[key]) for key in names))
    return grid
