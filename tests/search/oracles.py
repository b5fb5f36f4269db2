"""The plainest searches that are obviously right, and positions to try them on."""

import random
from collections.abc import Callable
from typing import Any

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, DRAW, FIRST, ONGOING, win_for
from kibitz.core.rulebook import asks
from kibitz.search.report import WIN


def expectiminimax(
    game: Game, state: Any, depth: int, score: Callable[[Any], float], me: int, turns: int = 0
) -> float:  # fmt: skip
    """The value of a state for `me`, so many turns ahead."""
    ended, side = game.result(state), game.turn(state)
    if ended != ONGOING:
        return 0.0 if ended == DRAW else WIN - turns if ended == win_for(me) else turns - WIN
    if side == CHANCE:
        rolls = game.outcomes(state)
        return sum(odds * expectiminimax(game, game.play(state, code), depth, score, me, turns) for odds, code in rolls)
    if depth == 0:
        return score(state)
    values = []
    for code in game.moves_once(state):
        child = game.play(state, code)
        passed = game.turn(child) != side or game.result(child) != ONGOING
        values.append(expectiminimax(game, child, depth - passed, score, me, turns + passed))
    return max(values) if side == me else min(values)


def score_for(game: Game, heuristic: Heuristic, me: int) -> Callable[[Any], float]:
    """What a heuristic says to one side."""
    rule = heuristic.features or heuristic.evaluate
    sign = 1 if me == FIRST or (rule is not None and asks(rule, "me")) else -1
    return lambda state: sign * heuristic.explain(Position(game, state), me).total


def walked(game: Game, steps: int, seed: int) -> Position:
    """A position after random moves in which a side is to move; a game that ends on the way begins again."""
    dice = random.Random(seed)
    position = game.new()
    while steps > 0 or position.over or position.turn == CHANCE:
        if position.over:
            position = game.new()
        elif position.turn == CHANCE:
            position = position.roll(dice)
        else:
            position = position.play(dice.choice(position.move_ids))
        steps -= 1
    return position
