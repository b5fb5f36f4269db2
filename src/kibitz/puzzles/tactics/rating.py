"""How hard a puzzle is: the lowest level of the engine that finds its first turn."""

from kibitz.agents.engine import EngineAgent, EngineOptions
from kibitz.agents.levels import LEAST, MOST
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam.control import StopSignal
from kibitz.puzzles.tactics.puzzle import HARDEST
from kibitz.puzzles.tactics.turns import WholeTurn

TRIES = 3  # a level errs by chance, and finds what it finds each time
NODES = 20_000  # that a level has at most, also where a turn is long


class Levels:
    """The engine at every level but the highest; levels use no table of perfect play."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[int, list[EngineAgent]] = {}

    def rate(self, position: Position, solution: WholeTurn) -> int:
        """The lowest level that finds the turn in all its tries."""
        for level in range(LEAST, MOST):
            if all(_finds(agent, position, solution) for agent in self._agents(level)):
                return level
        return HARDEST

    def _agents(self, level: int) -> list[EngineAgent]:
        """Made when they are first needed."""
        if level not in self._known:
            options = [EngineOptions(level=level, hash=1, seed=seed) for seed in range(1, TRIES + 1)]
            self._known[level] = [EngineAgent(self.game, one) for one in options]
        return self._known[level]


def _finds(agent: EngineAgent, position: Position, solution: WholeTurn) -> bool:
    agent.dice.seed(agent.options.seed)  # the same answer whatever was asked before
    stop = StopSignal()
    here = position
    for move in agent.choose(position, Limit(nodes=NODES), stop=stop).moves:
        here = here.play(move)
    if stop.interrupted:
        raise KeyboardInterrupt
    return here.key == solution.after.key
