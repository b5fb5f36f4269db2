"""What the tests of heuristics hold them against: brute force, and small kernels around single slots."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import Game, Position
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST, FIRST_WINS, ONGOING, SECOND
from kibitz.core.seam import interpreting, specialise
from kibitz.core.seam.slots import evaluate, is_tactical, known_result, moves, play, result, turn


def forces(state: Any, rules: Any, side: int, depth: int, at: int, out: NDArray[np.int64]) -> int:
    """1 if this side wins within so many turns against any defence, else 0. `out` is free from `at` on."""
    ended = result(state, rules)
    if ended != ONGOING:
        return 1 if ended == FIRST_WINS + side else 0
    if depth == 0:
        return 0
    mover = turn(state, rules)
    end = moves(state, rules, out, at)
    for index in range(at, end):
        child = play(state, out[index], rules)
        left = depth if turn(child, rules) == mover and result(child, rules) == ONGOING else depth - 1
        found = forces(child, rules, side, left, end, out)
        if mover == side and found == 1:
            return 1
        if mover != side and found == 0:
            return 0
    return 1 if mover != side else 0


def weigh(state: Any, rules: Any, weights: NDArray[np.float64]) -> float:
    return float(evaluate(state, rules, weights, 0))


def see(state: Any, rules: Any) -> int:
    return int(known_result(state, rules))


def hear(state: Any, rules: Any, move: int) -> bool:
    return bool(is_tactical(state, move, rules))


class Oracle:
    """A heuristic's slots, and what brute force says about the same positions."""

    def __init__(self, game: Game, heuristic: Heuristic) -> None:
        self.game, self.heuristic = game, heuristic
        self.out = np.zeros(game.max_moves * 64, np.int64)

    def score(self, position: Position) -> float:
        weigh_here = specialise(self.game.rulebook, weigh, self.heuristic)
        return float(weigh_here(position.state, self.game.rules, self.heuristic.weight_array))

    def known_result(self, position: Position) -> int:
        return int(specialise(self.game.rulebook, see, self.heuristic)(position.state, self.game.rules))

    def is_tactical(self, position: Position, move: int) -> bool:
        hear_here = specialise(self.game.rulebook, hear, self.heuristic)
        return bool(hear_here(position.state, self.game.rules, move))

    def forces(self, position: Position, side: int, turns: int) -> bool:
        search = specialise(self.game.rulebook, forces)
        return bool(search(position.state, self.game.rules, side, turns, 0, self.out))

    def agrees(self, position: Position, claim: int) -> bool:
        """Is it so that this side wins in exactly so many turns?"""
        side, turns = (FIRST, claim) if claim > 0 else (SECOND, -claim)
        return self.forces(position, side, turns) and not self.forces(position, side, turns - 1)


def walks(game: Game, games: int, seed: int) -> Iterator[Position]:
    """The unfinished positions of random games."""
    dice = random.Random(seed)
    for _ in range(1 if interpreting() else games):
        position = game.new()
        while not position.over:
            yield position
            position = position.play(dice.choice(position.move_ids))


def turned(position: Position) -> Iterator[tuple[Position, int]]:
    """The position seen through each symmetry of its game, with the sign by which its worth changes."""
    game = position.game
    for number, symmetry in enumerate(game.symmetries):
        yield Position(game, game.transform(position.state, number)), -1 if symmetry.swaps else 1


def counts(heuristic: Heuristic, position: Position) -> dict[str, float]:
    """The features of a position by name, zeros left out."""
    return {name: count for name, count, _ in heuristic.explain(position).rows if count}
