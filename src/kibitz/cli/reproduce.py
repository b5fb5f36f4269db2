"""`kibitz reproduce`: what the course reports claim, played again."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.interrupts import Stopped
from kibitz.cli.progress import show_bar
from kibitz.cli.streams import Console
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable, write_file


def reproduce(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Only what is claimed of these games, or of flow.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A look, with few games.")] = False,
    out: Annotated[Path, typer.Option(help="The page; what is found is kept beside it, as JSON.")] = Path(
        "reproduction.md"
    ),
    jobs: Annotated[int, typer.Option(help="Claims at a time.")] = 1,
    again: Annotated[bool, typer.Option("--again", help="Measure anew what is already known.")] = False,
) -> None:
    """Play what each report claims, and write a page that sets its figures beside ours. Ctrl-C stops; the same command
    goes on from there.
    """
    from kibitz.reproduction import claims
    from kibitz.reproduction.page import judgement_rows, page_text
    from kibitz.reproduction.runner import FindingsFile, pending, run

    wanted = claims(tuple(game or ()))
    in_range("jobs", jobs, 1, 256)
    check_writable(out)
    file = FindingsFile(out.with_suffix(".json"))
    if again:
        for claim in wanted:
            file.stored.pop(claim.key, None)
    todo = pending(file, wanted, quick)
    try:
        with show_bar(transient=True) as progress:
            progress.start("games", sum(claim.steps(quick) for claim in todo))

            def step(what: str) -> None:
                progress.advance(1)
                progress.describe(what)

            run(file, wanted, quick, jobs, step)
    except KeyboardInterrupt:
        done = len(wanted) - len(pending(file, wanted, quick))
        raise Stopped(
            f"after {done} of {len(wanted)} claims, kept in {file.path}; the same command{' without --again' * again} "
            "goes on from there"
        ) from None
    finally:
        # The page shows everything that is kept, of other games and of a quick look too.
        write_file(out, page_text(file, claims(), quick=True))
    _print(judgement_rows(file, wanted, quick))
    print(f"{out}: the page")


def _print(rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("claim", "sentence", "players", "seen", "verdict"):
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console()
    Console(width=None if console.is_terminal else 140).print(table, highlight=False, markup=False)
