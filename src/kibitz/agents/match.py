"""One game between two agents, in this process."""

import random

from kibitz.agents.agent import Agent
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE


def play(game: Game, first: Agent, second: Agent, limit: Limit, seed: int, opening: str = "") -> Position:
    """The position in which the game ends, with its history. `opening` is played before the agents begin; chance is
    rolled by the seed.
    """
    dice = random.Random(seed)
    position = game.new().play(opening)
    while not position.over:
        if position.turn == CHANCE:
            position = position.roll(dice)
        else:
            position = _turn((first, second)[position.turn], position, limit)
    return position


def _turn(agent: Agent, position: Position, limit: Limit) -> Position:
    moves = agent.choose(position, limit).moves
    if not moves:
        raise IllegalMove(f"no move from {position.to_move} in {position.game.text} position '{position.text}'")
    for move in moves:
        position = position.play(move)
    return position
