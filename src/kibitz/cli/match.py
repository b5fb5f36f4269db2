"""`kibitz match`: two agents, many games, and what follows from them."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import GameText, Json, print_json


def match(
    game: GameText,
    first: Annotated[str, typer.Argument(metavar="A", help="An agent, such as engine:level=5.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    games: Annotated[int, typer.Option(help="How many games; each opening is played twice, sides swapped.")] = 100,
    seconds: Annotated[float | None, typer.Option(help="Seconds a move; 1 if nothing else bounds it.")] = None,
    clock: Annotated[str | None, typer.Option(metavar="T+I", help="Seconds for the game plus increment.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Nodes a move: games can be repeated exactly.")] = None,
    depth: Annotated[int | None, typer.Option(help="Turns that an agent may look ahead.")] = None,
    jobs: Annotated[int, typer.Option(help="Games at a time.")] = 1,
    sprt: Annotated[tuple[float, float] | None, typer.Option(metavar="ELO0 ELO1", help="Stop when decided.")] = None,
    logistic: Annotated[bool, typer.Option("--logistic", help="Bounds of the SPRT in plain Elo.")] = False,
    store: Annotated[Path | None, typer.Option(help="Keep games here, and go on from those already there.")] = None,
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
    """Let two agents play, and say who is stronger and how sure that is. Ctrl-C stops and counts what was played."""
    from kibitz.arena import record_files, terms
    from kibitz.arena.sprt import Sprt
    from kibitz.cli import contests

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
    test = None if sprt is None else Sprt(*sprt, model="logistic" if logistic else "normalised")
    players = contests.team(jobs, cluster)
    contests.check(store, record)
    contest = terms.match(game, first, second, games, settings)
    held = contests.held(contest, store, players, test, quiet=as_json)
    if as_json:
        print_json(contests.match_facts(held))
    else:
        contests.print_match(held)
    if record is not None:
        record_files.save(record, [game.record for game in held.games])
    contests.say_how_to_go_on(held, store)
