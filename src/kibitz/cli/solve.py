"""`kibitz solve`: a table of perfect play."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

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
    from kibitz.tables import checkers_army as armies
    from kibitz.tables import folder, solver

    here = catalog.load(game)
    if alone:
        with _Screen() as screen:
            counts = armies.solve(here, in_range("jobs", jobs, 0, 1024), screen)
        _print_distances(counts)
        return
    path = out or _made_folder(folder.place(here))
    with _Screen() as screen:
        table = solver.solve(solver.Order(here, path, memory, jobs, verify), screen)
    start = here.new()
    sides = here.rulebook.sides
    Console(width=None if sys.stdout.isatty() else 120).print(_grid(solver.shown(table.about, sides), sides))
    value = table.probe(start.state)
    assert value is not None
    print(f"start: {value.text(sides)}; infinite play is a draw, ply limits and repetition are ignored")
    print(f"kept in {path} ({path.stat().st_size / 1e6:.1f} MB)")


def _made_folder(path: Path) -> Path:
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


class _Screen:
    """Says on standard error how a long run gets on."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns, console=console, disable=not console.is_terminal, speed_estimate_period=600)
        self.task: TaskID | None = None

    def __enter__(self) -> "_Screen":
        self.progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.progress.stop()

    def say(self, line: str) -> None:
        self.progress.console.print(line, highlight=False, soft_wrap=True)

    def stage(self, name: str, total: int | None) -> None:
        if self.task is not None:
            self.progress.remove_task(self.task)
        self.task = self.progress.add_task(name, total=total)

    def expect(self, total: int) -> None:
        assert self.task is not None
        self.progress.update(self.task, total=total)

    def advance(self, count: int) -> None:
        assert self.task is not None
        self.progress.advance(self.task, count)
