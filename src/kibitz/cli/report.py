"""`kibitz report`: what a store of games says, in the terminal or as a page."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import ContestText, Json, RulesText, StoreFile, TrustGame, allow_rules, print_json


def report(
    store: StoreFile,
    html: Annotated[Path | None, typer.Option(help="Write a report: one page if FILE.html, else a folder.")] = None,
    contest: ContestText = None,
    as_json: Json = False,
    rules: RulesText = None,
    trust_game: TrustGame = False,
) -> None:
    """Show the standings of a match or a tournament, also while it is still being played."""
    from kibitz.arena.contest.store import Store
    from kibitz.arena.report import pages
    from kibitz.arena.stats.scores import Scores
    from kibitz.cli import contests

    allow_rules(rules, trust_game)
    with Store(store, create=False) as kept:
        number, chosen = kept.choose(contest)
        games, openings = kept.games(number), kept.openings(chosen.book)
        if html is not None:
            print(f"report: {pages.write(html, chosen, games, openings, kept.printed)}", file=sys.stderr)
    if as_json:
        print_json(contests.tournament_facts(chosen, Scores(games)))
    elif html is None:
        print(chosen.name)
        contests.print_tournament(chosen, Scores(games))
