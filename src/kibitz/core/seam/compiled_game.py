"""A game whose positions are played by machine code: for thousands of games in one process."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, ONGOING, Result
from kibitz.core.seam import specialise
from kibitz.core.seam.slots import moves, play, result, turn


def step(state: Any, rules: Any, move: int, out: NDArray[np.int64]) -> Any:
    """The state after a move, its result and turn, and how many moves it has; `out` gets them."""
    after = play(state, move, rules)
    found = result(after, rules)
    side = turn(after, rules)
    count = 0
    if found == ONGOING and side != CHANCE:
        count = moves(after, rules, out, 0)
    return after, found, side, count


class CompiledGame(Game):
    """The same game. A move, and the question what can be played after it, are one call of compiled code.

    Where repetition ends games, or chance is to move, what follows a move is asked of the rules as usual.
    """

    def after(self, position: Position, move: int) -> Position:
        out = np.empty(self.max_moves, np.int64)
        values, found, side, count = self._step(position.state, self.rules, move, out)
        following = Position(self, self._state(values, self.rulebook.play), position, move)
        vars(following)["turn"] = side
        if not self.rulebook.repetition and side != CHANCE:  # what Position would ask the rules for
            vars(following)["result"] = None if found == ONGOING else Result(found)
            vars(following)["move_ids"] = tuple(out[:count].tolist())
        return following

    @cached_property
    def _step(self) -> Callable[..., Any]:
        return specialise(self.rulebook, step)
