"""What chooses a move. Each kind of agent is one file with a list KINDS, and a line below."""

from importlib import import_module

from kibitz import heuristics
from kibitz.agents.agent import Agent as Agent
from kibitz.agents.agent import AgentKind as AgentKind
from kibitz.agents.agent import AgentText, parse_agent
from kibitz.core.game import Game

MODULES = (
    "simple",
    "engine",
    "textbook",
    "mcts",
    "perfect",
    "published",
    "guests.uci",
    "guests.ugi",
    "guests.course_wolves",
    "guests.course_checkers",
    "guests.course_alquerque",
    "guests.python_file",
    "guests.vampires_client",
)


def kinds() -> dict[str, AgentKind]:
    """Every kind of agent by name."""
    return {kind.name: kind for module in MODULES for kind in import_module(f"kibitz.agents.{module}").KINDS}


def read(text: str) -> AgentText:
    """An agent's text, understood; it round-trips through `str`."""
    return parse_agent(text, kinds())


def default_agent(game: Game) -> str:
    """Who plays a game best: the engine where a heuristic guides it, sampling where there is none."""
    return "engine" if heuristics.heuristics_of(game.rulebook) or "mcts" not in kinds() else "mcts"


def agent(text: str, game: Game) -> Agent:
    """The agent of this text, ready to play this game."""
    return read(text).ready_for(game)
