"""`kibitz tournament`: many agents, or a folder of them, and a leaderboard."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import GameText, Json, print_json


class FormatName(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"


def tournament(
    game: GameText,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agents, or folders of students' agents.")],
    form: Annotated[FormatName, typer.Option("--format", help="Who meets whom.")] = FormatName.ROUND_ROBIN,
    games: Annotated[int, typer.Option(help="Games of two agents against each other (in a round, if Swiss).")] = 2,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds a move; 1 if nothing else bounds it.")] = None,
    clock: Annotated[str | None, typer.Option(metavar="T+I", help="Seconds for the game plus increment.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes a move: games can be repeated exactly.")] = None,
    depth: Annotated[int | None, typer.Option(help="Turns that an agent may look ahead.")] = None,
    jobs: Annotated[int, typer.Option(help="Games at a time.")] = 1,
    store: Annotated[Path | None, typer.Option(help="Where games are kept; kibitz-GAME.db if left out.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report: one page if FILE.html, else a folder.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write all games: .jsonl as JSON lines, else as text.")] = None,
    openings: Annotated[Path | None, typer.Option(help="Begin with the lines of this file.")] = None,
    plies: Annotated[str, typer.Option(metavar="A-B", help="Random turns an opening has; 0: none.")] = "4-8",
    balance: Annotated[float, typer.Option(help="Pieces by which an opening may favour a side; 0: any.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of openings, chances and agents.")] = 1,
    memory: Annotated[int, typer.Option(help="Megabytes that an agent and its children may hold.")] = 4096,
    trusted: Annotated[bool, typer.Option("--trusted", help="Agents inside the referee: quick, unguarded.")] = False,
    cluster: Annotated[str | None, typer.Option(help="Play on Dask: tcp://HOST:PORT, or local:4.")] = None,
    as_json: Json = False,
) -> None:
    """Let many agents play each other and rank them. Stopped at any moment, the same command goes on from there."""
    from kibitz.arena import record_files, report, terms
    from kibitz.cli import contests
    from kibitz.games import catalog

    settings = terms.Terms(
        seconds=seconds,
        clock=clock,
        nodes=nodes,
        depth=depth,
        openings=openings,
        plies=plies,
        balance=balance,
        seed=seed,
        memory=memory,
        trusted=trusted,
    )
    name = catalog.load(game).rulebook.name
    place = store or Path(f"kibitz-{name}.db")
    pages = html or (Path(f"kibitz-{name}-report") if any(os.path.isdir(text) for text in agents) else None)
    if pages is not None:
        report.check(pages)
    contests.check(place, record)
    players = contests.team(jobs, cluster)
    contest = terms.tournament(game, agents, form.value, games, settings, rounds, tell=None if as_json else _tell)
    held = contests.held(contest, place, players, quiet=as_json)
    if as_json:
        print_json(contests.tournament_facts(held.contest, held.scores))
    else:
        contests.print_tournament(held.contest, held.scores)
    if record is not None:
        record_files.save(record, [game.record for game in held.games])
    if pages is not None:
        written = report.write(pages, held.contest, held.games, held.openings)
        print(f"report: {written}", file=sys.stderr)
    print(f"games: {place}", file=sys.stderr)
    contests.say_how_to_go_on(held, place)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
