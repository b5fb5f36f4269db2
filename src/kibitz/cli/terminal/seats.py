"""Who plays which side: a human, or an agent by its text or its level."""

import warnings
from collections.abc import Callable

from kibitz import agents
from kibitz.agents.agent import Agent
from kibitz.agents.levels import LEAST, MOST
from kibitz.core.errors import KibitzError, KibitzWarning, quoted
from kibitz.core.game import Game
from kibitz.core.options import in_range

HUMAN = "human"
USUAL = 4  # the level where nobody names one


def seat_text(text: str, game: Game, level: int | None) -> str:
    """The canonical text of whoever is meant: empty is the machine at this level, a number that level."""
    if text == HUMAN:
        return HUMAN
    if text.isdigit():
        return _machine_text(game, int(text))
    return str(agents.read(text)) if text else _machine_text(game, level)


def _machine_text(game: Game, level: int | None) -> str:
    """The strongest agent at this level, or at the usual one; where it has no levels, asking for one is answered."""
    if level is not None:
        in_range("level", level, LEAST, MOST)
    machine = agents.default_agent(game)
    if machine == "engine":
        return f"{machine}:level={level or USUAL}"
    if level is not None:
        reason = f"{game.rulebook.name} has no heuristic, so {machine} plays it, which has no levels"
        warnings.warn(f"level {level} has no effect: {reason}", KibitzWarning, stacklevel=2)
    return machine


def safe_seat(text: str, trusted: bool) -> str:
    """Who played a recorded game; one who would start a program or run a file plays on only if the user says so."""
    if trusted or text == HUMAN or text.isdigit() or agents.read(text).kind.web:
        return text
    raise KibitzError(
        f"the record names the player {quoted(text)}, who would run a program or a file; "
        "name the players with --first and --second, or say --trust-game"
    )


def seated(text: str, game: Game) -> Agent | None:
    """The agent, ready; None for a human."""
    return None if text == HUMAN else agents.agent(text, game)


def asked_seats(game: Game, level: int | None, ask: Callable[[str], str | None]) -> tuple[str, str]:
    """Ask who plays each side, until the answers make sense."""
    known = f"{HUMAN}, a level from {LEAST} to {MOST}, or an agent such as mcts"
    print(f"Who plays? {known}; Enter takes what is in brackets.")
    first, second = game.rulebook.sides
    chosen = _asked_seat(game, first, HUMAN, ask)
    machine = seat_text("", game, level).removeprefix("engine:level=")
    return chosen, _asked_seat(game, second, machine if chosen == HUMAN else HUMAN, ask)


def _asked_seat(game: Game, side: str, default: str, ask: Callable[[str], str | None]) -> str:
    while True:
        answer = ask(f"{side} [{default}]> ")
        if answer is None:
            raise KeyboardInterrupt
        try:
            text = seat_text(answer or default, game, None)
            if text != HUMAN:
                agents.read(text)
            return text
        except KibitzError as problem:
            print(problem)
