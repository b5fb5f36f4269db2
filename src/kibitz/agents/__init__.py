"""What chooses a move. Each kind of agent is one file with a list KINDS, and a line below."""

from importlib import import_module

from kibitz import nets
from kibitz.agents.agent import Agent as Agent
from kibitz.agents.agent import AgentKind as AgentKind
from kibitz.agents.agent import AgentText, parse_agent
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position

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
    return "engine" if nets.find_heuristic(game).judges or "mcts" not in kinds() else "mcts"


def agent(text: str, game: Game) -> Agent:
    """The agent of this text, ready to play this game."""
    return read(text).ready_for(game)


def best_move(position: Position, seconds: float | None = None, agent: str = "") -> str:
    """What an agent, by default the strongest there is for the game, would play: a text for `position.play`.

    The moves of a long turn are joined by `+`. For the score and the lines behind it, ask the agent itself.
    """
    refuse_finished(position)
    report = (
        read(agent or default_agent(position.game)).ready_for(position.game).choose(position, Limit(seconds=seconds))
    )
    return turn_text(position, report.moves)


def refuse_finished(position: Position) -> None:
    """There is nothing to choose where a game is over."""
    if position.over:
        raise IllegalMove(f"the game is over in {position.game.text} position '{position.text}'")


def turn_text(here: Position, moves: tuple[int, ...]) -> str:
    """The moves of a turn as one token."""
    words = []
    for move in moves:
        words.append(here.game.move_text(here.state, move))
        here = here.play(move)
    return "+".join(words)
