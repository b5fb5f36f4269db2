"""An agent for any game: it wins at once if it can, and otherwise moves at random.

`choose` is called with the position and the limit of thinking time; it returns the text of a move, or its integer.
"""

import random

from kibitz import Limit, Position


def choose(position: Position, limit: Limit) -> str:
    moves = position.moves()
    random.shuffle(moves)
    for move in moves:
        after = position.play(move)
        if after.result is not None and after.result.winner == position.turn:
            return move
    return moves[0]
