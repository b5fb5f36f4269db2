"""`kibitz analyse`: the best lines from a position, live."""

import sys
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from kibitz import heuristics
from kibitz.agents.engine import check_memory
from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.search.report import Report
from kibitz.tables import lookup
from kibitz.tables.probe_table import find_probe_table


def analyse(
    game: GameText,
    position: PositionText = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    seconds: Annotated[float | None, typer.Option(help="Think so long; 5 if nothing else bounds the search.")] = None,
    depth: Annotated[int | None, typer.Option(help="Look so many turns ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Visit so many nodes.")] = None,
    lines: Annotated[int, typer.Option(help="How many lines.")] = 1,
    threads: Annotated[int, typer.Option(help="How many threads.")] = 1,
    hash_mb: Annotated[int, typer.Option("--hash", help="Megabytes of table.")] = 64,
    heuristic: Annotated[str | None, typer.Option(help="Another heuristic than the default.")] = None,
    as_json: Json = False,
) -> None:
    """Search a position and show depth, score and lines while it runs. Ctrl-C stops and keeps the best so far."""
    here = catalog.position(game, position, line)
    unbounded = seconds is None and depth is None and nodes is None
    limit = Limit(seconds=5.0 if unbounded else seconds, depth=depth, nodes=nodes)
    in_range("lines", lines, 1, 64)
    in_range("threads", threads, 1, 256)
    chosen = heuristics.find(here.game.rulebook, heuristic)
    table = find_probe_table(here.game)
    engine = Engine(here.game, chosen, perfect=table, megabytes=check_memory(hash_mb), threads=threads)
    console = Console()
    if here.turn == CHANCE and not here.over:
        show_outcomes(engine, here, limit, lines, as_json)
        return
    if as_json or not console.is_terminal:
        report = engine.search(here, limit, lines=lines)
    else:
        with Live(console=console, auto_refresh=False) as live:
            report = engine.search(here, limit, lines=lines, watch=lambda seen: live.update(_table(seen), refresh=True))
    exact, sides = lookup.find_value(here), here.game.rulebook.sides
    if as_json:
        told = None if exact is None else lookup.describe(exact, sides)
        print_json({**facts(report, here.game.text, here.text), "exact": told})
        return
    if not console.is_terminal:
        console.print(_table(report))
    for remark in report.remarks:
        print(remark, file=sys.stderr)
    if exact is not None:
        print(f"exact: {exact.text(sides)}")
    print(f"best {report.lines[0].text.split()[0]}")


def show_outcomes(engine: Engine, here: Position, limit: Limit, lines: int, as_json: bool) -> None:
    """Where chance is to move: each outcome with its probability and what follows, in an equal share of the time."""
    outcomes = here.outcomes()
    share = limit if limit.seconds is None else replace(limit, seconds=limit.seconds / len(outcomes))
    rows = []
    for odds, outcome in outcomes:
        after = here.play(outcome)
        choosing = not after.over and after.turn != CHANCE
        report = engine.search(after, share, lines=lines) if choosing else None
        rows.append((odds, outcome, after, report))
    if as_json:
        followed = [
            {"odds": odds, "outcome": outcome, "then": report and facts(report, here.game.text, after.text)}
            for odds, outcome, after, report in rows
        ]
        print_json({"game": here.game.text, "position": here.text, "outcomes": followed})
        return
    table = Table(box=None, title="chance is to move", title_justify="left", pad_edge=False)
    for column in ("odds", "outcome", "score", "line"):
        table.add_column(column, no_wrap=column != "line")
    for odds, outcome, after, report in rows:
        score = str(report.score) if report else str(after.result or "chance again")
        table.add_row(f"{100 * odds:.1f} %", outcome, score, report.lines[0].text if report else "")
    Console().print(table)


def _table(report: Report) -> Table:
    title = f"depth {report.depth}   {report.nodes:,} nodes   {report.nodes_per_second / 1e6:.2f} M/s"
    table = Table(box=None, title=title, title_justify="left", pad_edge=False)
    table.add_column("score", no_wrap=True)
    table.add_column("line", overflow="fold")
    for found in report.lines:
        table.add_row(str(found.score), found.text)
    return table


def facts(report: Report, game: str, position: str) -> dict[str, object]:
    """A report for programs to read."""
    return {
        "game": game,
        "position": position,
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
        "nodes_per_second": round(report.nodes_per_second),
        "table_hits": report.table_hits,
        "cutoffs": report.cutoffs,
        "remarks": list(report.remarks),
        "lines": [
            {
                "score": found.score.value,
                "for": found.score.side,
                "win_in": found.score.win_in,
                "moves": found.text.split(),
            }
            for found in report.lines
        ],
    }
