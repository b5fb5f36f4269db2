"""Random positions for tests of searches."""

import random

from kibitz.core.position import Position
from kibitz.core.result import CHANCE


def walk(position: Position, moves: int, seed: int) -> Position:
    """After so many random moves, or the last position before the game ends; never one in which chance is to move."""
    dice = random.Random(seed)
    for _ in range(moves):
        after = position.roll(dice) if position.turn == CHANCE else position.play(dice.choice(position.move_ids))
        if after.over:
            return position
        position = after
    return position.roll(dice) if position.turn == CHANCE else position
