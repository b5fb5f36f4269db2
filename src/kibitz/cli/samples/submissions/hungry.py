"""Captures if it can, and otherwise moves at random."""

import random

from kibitz import Limit, Position


def choose(position: Position, limit: Limit) -> str:
    moves = position.moves()
    captures = [move for move in moves if "x" in move]
    return random.choice(captures or moves)
