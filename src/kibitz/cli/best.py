"""`kibitz best`: what an agent would play."""

from typing import Annotated

import typer

from kibitz import agents, heuristics
from kibitz.cli.texts import GameText, PositionText
from kibitz.core.limit import Limit
from kibitz.games import catalog


def best(
    game: GameText,
    position: PositionText = None,
    agent: Annotated[str | None, typer.Option(help="Who is asked; the strongest there is for the game.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds to think.")] = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
) -> None:
    """Ask an agent for its move; the last line is the move."""
    here = catalog.position(game, position, line)
    agents.refuse_finished(here)
    asked = agents.read(agent or agents.default_agent(here.game))
    report = asked.ready_for(here.game).choose(here, Limit(seconds=seconds))
    for remark in report.remarks:
        print(remark)
    if report.score is not None:
        chances = report.score.describe(heuristics.find(here.game.rulebook).unit)
        print(f"{asked}: {chances}, depth {report.depth}, {report.nodes:,} nodes, {report.seconds:.2f} s")
    print(agents.turn_text(here, report.moves))
