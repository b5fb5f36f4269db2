"""`kibitz analyse`: the best lines from a position, live."""

import sys
from dataclasses import replace
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from kibitz import nets
from kibitz.agents.engine import check_memory
from kibitz.cli.streams import Console
from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.seam.control import StopSignal
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.search.report import Report, win_chance
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
    chosen = nets.find_heuristic(here.game, heuristic)
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
            report = engine.search(
                here, limit, lines=lines, watch=lambda seen: live.update(_table(seen, chosen.unit), refresh=True)
            )
    exact, sides = lookup.find_value(here), here.game.rulebook.sides
    if as_json:
        exact_facts = None if exact is None else lookup.describe(exact, sides)
        print_json({**facts(report, here.game.text, here.text), "exact": exact_facts})
        return
    if not console.is_terminal:
        console.print(_table(report, chosen.unit))
    for remark in report.remarks:
        print(remark, file=sys.stderr)
    if exact is not None:
        print(f"exact: {exact.text(sides)}")
    print(f"best {report.lines[0].text.split()[0]}")


def show_outcomes(engine: Engine, here: Position, limit: Limit, lines: int, as_json: bool) -> None:
    """Where chance is to move: each outcome with its probability and what follows, in an equal share of the limit.
    Ctrl-C keeps the outcomes that were searched.
    """
    outcomes = here.outcomes()
    share = replace(
        limit,
        seconds=None if limit.seconds is None else limit.seconds / len(outcomes),
        nodes=None if limit.nodes is None else max(1, limit.nodes // len(outcomes)),
    )
    rows: list[tuple[float, str, Position, Report | None]] = []
    for odds, outcome in outcomes:
        after = here.play(outcome)
        choosing = not after.over and after.turn != CHANCE
        stop = StopSignal()
        rows.append((odds, outcome, after, engine.search(after, share, lines=lines, stop=stop) if choosing else None))
        if stop.interrupted:
            break
    if as_json:
        followed = [_outcome_facts(here, *row) for row in rows]
        print_json({"game": here.game.text, "position": here.text, "outcomes": followed})
        return
    Console().print(_outcome_table(rows))
    for remark in {remark: None for *_, report in rows if report for remark in report.remarks}:
        print(remark, file=sys.stderr)


def _outcome_table(rows: list[tuple[float, str, Position, Report | None]]) -> Table:
    table = Table(box=None, title="chance is to move", title_justify="left", pad_edge=False)
    for column in ("odds", "outcome", "score", "line"):
        table.add_column(column, no_wrap=column != "line")
    for odds, outcome, after, report in rows:
        if report is None:
            table.add_row(f"{100 * odds:.1f} %", outcome, _without_choice(after), "")
            continue
        for number, line in enumerate(report.lines):
            first = ("", "") if number else (f"{100 * odds:.1f} %", outcome)
            table.add_row(*first, str(line.score), line.text)
    return table


def _outcome_facts(
    here: Position, odds: float, outcome: str, after: Position, report: Report | None
) -> dict[str, object]:
    then = {"result": _without_choice(after)} if report is None else facts(report, here.game.text, after.text)
    return {"odds": odds, "outcome": outcome, "then": then}


def _without_choice(after: Position) -> str:
    """What there is to say of a position in which nobody chooses."""
    if after.result is None:
        return "chance again"
    winner = after.result.winner
    return "a draw" if winner is None else f"{after.game.rulebook.sides[winner]} has won"


def _table(report: Report, unit: float) -> Table:
    """The lines with their chances; the best first, its move to be seen at once."""
    title = f"depth {report.depth}   {report.nodes:,} nodes   {report.nodes_per_second / 1e6:.2f} M/s"
    table = Table(box=None, title=title, title_justify="left", pad_edge=False)
    table.add_column("win", no_wrap=True, justify="right")
    table.add_column("score", no_wrap=True, style="cyan")
    table.add_column("line", overflow="fold")
    for number, found in enumerate(report.lines):
        move, _, rest = found.text.partition(" ")
        line = Text.assemble((move, "bold green" if number == 0 else "bold"), f" {rest}" if rest else "")
        table.add_row(Text(f"{100 * win_chance(found.score, unit):.0f} %", "bold"), str(found.score), line)
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
