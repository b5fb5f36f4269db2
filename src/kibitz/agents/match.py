"""One game between two agents, in this process."""

import random

from kibitz.agents.agent import Agent
from kibitz.core.game import Game
from kibitz.core.game_loop import play_game
from kibitz.core.limit import Limit
from kibitz.core.position import Position


def play(game: Game, first: Agent, second: Agent, limit: Limit, seed: int, opening: str = "") -> Position:
    """The position in which the game ends, with its history. `opening` is played before the agents begin; chance is
    rolled by the seed.
    """
    agents = (first, second)
    end = game.new().play(opening)
    for turn in play_game(end, lambda here: agents[here.turn].choose(here, limit).moves, random.Random(seed)):
        end = turn.after
    return end
