"""Agents that do not look ahead."""

import random
from typing import NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report


class RandomOptions(NamedTuple):
    seed: int = 0  # 0: another one each time


class RandomAgent:
    """Moves at random; a turn of several moves, move by move."""

    def __init__(self, game: Game, options: RandomOptions) -> None:
        self.dice = random.Random(options.seed or None)

    def choose(self, position: Position, limit: Limit) -> Report:
        here = position
        moves: list[int] = []
        while not here.over and here.turn == position.turn:
            moves.append(self.dice.choice(here.move_ids))
            here = here.play(moves[-1])
        return Report(tuple(moves))


KINDS: list[AgentKind] = [
    AgentKind(name="random", summary="moves at random", make=RandomAgent, web=True, options=RandomOptions),
]
