"""`kibitz engine`: Kibitz as a UCI and UGI engine for other programs."""

import sys
from typing import Annotated

import typer

from kibitz.cli.texts import GameText
from kibitz.games import catalog


def engine(
    game: GameText,
    agent: Annotated[str | None, typer.Option(help="Who thinks; the strongest there is for the game.")] = None,
) -> None:
    """Speak UCI or UGI on standard input and output, for programs that play or analyse."""
    from kibitz import agents
    from kibitz.protocols.engine import EngineLoop

    played = catalog.load(game)
    thinker = agents.read(agent or agents.default_agent(played))
    thinker.refuse_others(played)
    EngineLoop(played, thinker, sys.stdin, sys.stdout).run()
