"""`kibitz report`: what a store of games says, in the terminal or as a page."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import Json, print_json


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A file that a match or a tournament has kept.")],
    html: Annotated[Path | None, typer.Option(help="Write a report: one page if FILE.html, else a folder.")] = None,
    contest: Annotated[int | None, typer.Option(help="Which contest of the store; the latest if left out.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the contests in the store.")] = False,
    as_json: Json = False,
) -> None:
    """Show the standings of a match or a tournament, also while it is still being played."""
    from kibitz.arena import report as pages
    from kibitz.arena.scores import Scores
    from kibitz.arena.store import BadStore, Store
    from kibitz.cli import contests

    with Store(store, create=False) as kept:
        known = kept.contests()
        if not known:
            raise BadStore(f"'{store}' holds no contest yet")
        if list_:
            for number, one in known.items():
                print(f"{number}  {one.name}  ({len(kept.games(number))} games)")
            return
        chosen = max(known) if contest is None else contest
        if chosen not in known:
            raise BadStore(f"'{store}' has no contest {chosen} (it has {', '.join(map(str, known))})")
        games, openings = kept.games(chosen), kept.openings(chosen)
    if html is not None:
        print(f"report: {pages.write(html, known[chosen], games, openings)}", file=sys.stderr)
    if as_json:
        print_json(contests.tournament_facts(known[chosen], Scores(games)))
    elif html is None:
        print(known[chosen].name)
        contests.print_tournament(known[chosen], Scores(games))
