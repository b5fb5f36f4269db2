"""Who plays which side: a human, or an agent by its text or its level."""

from collections.abc import Callable

from kibitz import agents
from kibitz.agents.agent import Agent
from kibitz.agents.engine import FULL
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.options import in_range

HUMAN = "human"


def seat_text(text: str, game: Game, level: int) -> str:
    """The canonical text of whoever is meant: empty is the machine at this level, a number that level."""
    in_range("level", level, 1, FULL)
    if text == HUMAN:
        return HUMAN
    machine = agents.default_agent(game)
    if text.isdigit():
        return seat_text("", game, int(text))
    if not text:
        return f"{machine}:level={level}" if machine == "engine" and level < FULL else machine
    return str(agents.read(text))


def seated(text: str, game: Game) -> Agent | None:
    """The agent, ready; None for a human."""
    return None if text == HUMAN else agents.agent(text, game)


def asked_seats(game: Game, level: int, ask: Callable[[str], str | None]) -> tuple[str, str]:
    """Ask who plays each side, until the answers make sense."""
    print(f"Who plays? {HUMAN}, a level from 1 to {FULL}, or an agent such as mcts; Enter takes what is in brackets.")
    first, second = game.rulebook.sides
    chosen = _asked_seat(game, first, HUMAN, level, ask)
    return chosen, _asked_seat(game, second, str(level) if chosen == HUMAN else HUMAN, level, ask)


def _asked_seat(game: Game, side: str, default: str, level: int, ask: Callable[[str], str | None]) -> str:
    while True:
        answer = ask(f"{side} [{default}]> ")
        if answer is None:
            raise KeyboardInterrupt
        try:
            text = seat_text(answer or default, game, level)
            if text != HUMAN:
                agents.read(text)
            return text
        except KibitzError as problem:
            print(problem)
