"""A player as the referee sees it: something that gets ready, answers, and may misbehave."""

import time
from dataclasses import dataclass
from typing import Any, Protocol

from kibitz import agents
from kibitz.agents.agent import AgentText, UnknownAgent
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.arena.players.log import NOTHING, Log
from kibitz.arena.players.sandbox import Isolation
from kibitz.core.errors import BadOption, IllegalMove, KibitzError
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report


class Offence(Exception):
    """What a player did that loses it the game, as the record tells it: `late: 1.53 s of 1 s`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {printable(detail)}")


@dataclass(frozen=True, slots=True)
class Answer:
    """The moves of a turn, or of a part of it, what the player said about them, and how long it took."""

    moves: tuple[int, ...]
    seconds: float
    score: float | None = None  # for the side that moved
    depth: int = 0
    nodes: int = 0


class Player(Protocol):
    """Who sits at the board. `begin` and `ready` come before each game, in this order; both raise what is wrong."""

    @property
    def isolation(self) -> Isolation:
        """How it is kept from the rest of this machine."""
        ...

    @property
    def printed(self) -> Log:
        """What its process has printed, once it is closed."""
        ...

    def begin(self, start: Position, seed: int) -> None:
        """A new game: start to get ready for it, without waiting."""
        ...

    def ready(self) -> None:
        """Wait until the player is ready to think."""
        ...

    def choose(self, position: Position, limit: Limit, patience: float) -> Answer:
        """Ask for a turn; after so many seconds no answer is waited for any longer."""
        ...

    def close(self) -> None:
        """End the player and all that belongs to it."""
        ...


class InProcessPlayer:
    """An agent in the referee's own process: quick, and trusted."""

    isolation: Isolation = "trusted"

    printed = NOTHING  # it prints where the referee does

    def __init__(self, game: Game, agent: str) -> None:
        self.game = game
        self.text = agents.read(agent)
        self.agent: agents.Agent | None = None
        self.seed = 0

    def begin(self, start: Position, seed: int) -> None:
        self.seed = seed

    def ready(self) -> None:
        try:
            with keep_ctrl_c():
                self.agent = with_seed(self.text, self.seed).ready_for(self.game)
        except Exception as problem:
            if isinstance(problem, BadOption) and self.text.kind.is_ours:
                raise
            raise Offence("not ready", describe_error(problem)) from problem

    def choose(self, position: Position, limit: Limit, patience: float) -> Answer:
        assert self.agent is not None
        began = time.perf_counter()
        try:
            with keep_ctrl_c():
                report = self.agent.choose(position, limit)
        except Exception as problem:
            raise Offence(fault_of(problem), describe_error(problem)) from problem
        took = time.perf_counter() - began
        return Answer(report.moves, took, score_for(position, report), report.depth, report.nodes)

    def close(self) -> None:
        self.agent = None


def with_seed(text: AgentText, seed: int) -> AgentText:
    """The agent with this seed, where its own text leaves the seed open."""
    options: Any = text.options
    return text._replace(options=options._replace(seed=seed)) if getattr(options, "seed", None) == 0 else text


def score_for(position: Position, report: Report) -> float | None:
    """What a report says that the position is worth to the side to move."""
    score = report.score
    if score is None:
        return None
    return score.value if score.side == position.to_move else -score.value


def fault_of(problem: BaseException) -> str:
    """The kind of offence that an error is; `option` is none, but a mistake of whoever wrote the agent's text."""
    if isinstance(problem, BadOption | UnknownAgent):
        return "option"
    return "illegal" if isinstance(problem, IllegalMove) else "failed"


def printable(text: str, most: int = 300) -> str:
    """A stranger's text in one line, without what would move the cursor of a terminal or cannot be stored."""
    line = " ".join(text[: 4 * most].split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:most]


def describe_error(problem: BaseException) -> str:
    """An error in one line."""
    said = " ".join(str(problem).split())[:300]
    return said if isinstance(problem, KibitzError) else f"{type(problem).__name__}: {said}".removesuffix(": ")
