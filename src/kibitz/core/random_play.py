"""Playing at random: how openings, samples and tests come to a position."""

import random

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

TRIES = 1000  # games that ended too soon before it is said that all do


def play_turns(position: Position, turns: int, dice: random.Random) -> Position | None:
    """The position after so many random turns and what chance does after them; None where the game ends."""
    taken, side = 0, None  # type: int, int | None
    while not position.over:
        if position.turn == CHANCE:
            position, side = position.roll(dice), None
            continue
        if position.turn != side:
            if taken == turns:
                return position
            taken, side = taken + 1, position.turn
        position = position.play(dice.choice(position.move_ids))
    return None


def random_opening(game: Game, turns: int, dice: random.Random) -> Position:
    """A position after so many random turns from the start, in which a side is to move."""
    found = _opening(game, turns, dice)
    if found is None:
        raise KibitzError(f"{game.text}: games end within {turns} random turns, expected shorter openings")
    return found


def first_decision(game: Game) -> Position | None:
    """The start of the game, or where that is chance's, a position after it in which a side is to move. None where
    chance seems to end every game.
    """
    return _opening(game, 0, random.Random(1))


def _opening(game: Game, turns: int, dice: random.Random) -> Position | None:
    tries = (play_turns(game.new(), turns, dice) for _ in range(TRIES))
    return next((found for found in tries if found is not None), None)
