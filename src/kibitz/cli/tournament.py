"""`kibitz tournament`: many agents, or a folder of them, and a leaderboard."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.contest_options import FILES, ContestOptions
from kibitz.cli.option_groups import option, takes
from kibitz.cli.texts import GameText, print_json

if TYPE_CHECKING:
    from kibitz.arena.contest.contest import Contest


class FormatName(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"


@takes(ContestOptions, "options")
def tournament(
    game: GameText,
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT...", help="Agents, NAME=AGENT, or folders of students' agents.")
    ],
    options: ContestOptions,
    form: Annotated[FormatName, typer.Option("--format", help="Who meets whom.")] = FormatName.ROUND_ROBIN,
    games: Annotated[int, typer.Option(help="Games of two agents against each other (in a round, if Swiss).")] = 2,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.")] = None,
    board: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="Another map or preset; boards take turns. Repeatable.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Play nothing: try every entry and say what is wrong with it.")
    ] = False,
    store: Annotated[Path | None, option(FILES, "Where games are kept; kibitz-GAME.db if left out.")] = None,
    html: Annotated[Path | None, option(FILES, "Write a report: one page if FILE.html, else a folder.")] = None,
) -> None:
    """Let many agents play each other and rank them. Stopped at any moment, the same command goes on from there."""
    from kibitz.arena.contest.settings import make_tournament
    from kibitz.arena.contest.store import Store
    from kibitz.arena.records import files
    from kibitz.arena.report import pages
    from kibitz.cli import contests
    from kibitz.games import catalog

    if dry_run:
        _rehearse(make_tournament([game, *(board or ())], agents, form.value, games, options.settings, tried=False))
        return
    test = options.test
    name = catalog.load(game).rulebook.name
    place = store or Path(f"kibitz-{name}.db")
    report = html or (Path(f"kibitz-{name}-report") if any(os.path.isdir(text) for text in agents) else None)
    if report is not None:
        pages.check(report)
    contests.check(place, options.record)
    players = contests.team(options.jobs, options.cluster, options.affinity)
    contest = make_tournament(
        [game, *(board or ())], agents, form.value, games, options.settings, rounds, None if options.as_json else _tell
    )
    outcome = contests.run(contest, place, players, test, quiet=options.as_json)
    if options.as_json:
        print_json(contests.tournament_facts(outcome.contest, outcome.scores, outcome.progress))
    else:
        contests.print_tournament(outcome.contest, outcome.scores, outcome.progress)
        contests.print_lateness(outcome)
    if options.record is not None:
        files.save(options.record, [game.record for game in outcome.games])
    if report is not None:
        with Store(place, create=False) as kept:
            written = pages.write(report, outcome.contest, outcome.games, outcome.openings, kept.printed)
        print(f"report: {written}", file=sys.stderr)
    print(f"games: {place}", file=sys.stderr)
    contests.say_how_to_go_on(outcome, place)


def _rehearse(contest: "Contest") -> None:
    """Say of each entry what is wrong with it; the exit status is 1 if anything is."""
    from kibitz.arena.contest.rehearsal import rehearse

    wrong = 0
    for one in rehearse(contest):
        fine = f"ready in {one.ready:.1f} s, longest of {one.turns} turns {one.longest:.2f} s"
        print(f"{one.name}: {one.problem or fine}", flush=True)
        wrong += bool(one.problem)
    print(f"{len(contest.entrants) - wrong} of {len(contest.entrants)} entries can play")
    if wrong:
        raise typer.Exit(1)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
