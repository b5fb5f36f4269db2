"""Random games, for what must hold in every position."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

LONGEST = 400  # moves of one game


class Played(NamedTuple):
    """A move in a random game, with the states around it."""

    before: Position
    move: int
    after: Position


def play_positions(game: Game, count: int, seed: int) -> list[Position]:
    """So many positions of random games from the start."""
    found: list[Position] = []
    dice = random.Random(seed)
    while len(found) < count:
        for position in _walk(game, dice):
            found.append(position)
            if len(found) == count:
                break
    return found


def _walk(game: Game, dice: random.Random) -> Iterator[Position]:
    here = game.new()
    for _ in range(LONGEST):
        yield Position(game, here.state)
        if here.over:
            return
        here = here.roll(dice) if here.turn == CHANCE else game.after(here, dice.choice(here.move_ids))


def play_moves(positions: list[Position], most: int, seed: int) -> list[Played]:
    """Some legal moves and outcomes of each position, with where they lead."""
    found: list[Played] = []
    dice = random.Random(seed)
    for position in positions:
        if position.over:
            continue
        game, state = position.game, position.state
        ids = [code for _, code in game.outcomes(state)] if position.turn == CHANCE else list(position.move_ids)
        chosen = ids if len(ids) <= most else dice.sample(ids, most)
        found += [Played(position, move, game.after(position, move)) for move in chosen]
    return found
