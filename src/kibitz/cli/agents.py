"""`kibitz agents`: who can play."""

from typing import Annotated, Any

import typer
from rich.table import Table

from kibitz import agents as known_agents
from kibitz import nets
from kibitz.agents.agent import AgentKind
from kibitz.cli.streams import Console
from kibitz.cli.texts import Json, print_json
from kibitz.core.game import Game
from kibitz.core.options import shown
from kibitz.games import catalog


def agents(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="List those that play this game; all if left out.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List the agents, what they are, and their options with their defaults."""
    played = catalog.load(game) if game else None
    kinds = [kind for kind in known_agents.kinds().values() if played is None or plays(kind, played)]
    if as_json:
        print_json([_facts(kind) for kind in kinds])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("agent", "what it is", "options", *(() if played else ("games",))):
        table.add_column(heading, overflow="fold")
    for kind in kinds:
        options = " ".join(f"{key}={shown(value)}" for key, value in kind.options()._asdict().items())
        table.add_row(kind.name, kind.summary, options, *(() if played else (", ".join(kind.games) or "all",)))
    Console().print(table)
    print(f"\nan agent is written name[:key=value,...], as {_sample(played)}")
    if played is not None:
        names = [heuristic.name for heuristic in nets.heuristics_of(played)]
        print(f"heuristics of {played.rulebook.name}, the default first: {', '.join(names) or 'none'}")


def plays(kind: AgentKind, game: Game) -> bool:
    """Is this an agent for the game?"""
    return not kind.games or game.rulebook.name in kind.games


def _sample(game: Game | None) -> str:
    best = known_agents.default_agent(game) if game else "engine"
    return {"engine": "engine:level=5,hash=128", "mcts": "mcts:nodes=5000"}[best]


def _facts(kind: AgentKind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "summary": kind.summary,
        "options": kind.options()._asdict(),
        "games": list(kind.games),
    }
