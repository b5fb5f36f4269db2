"""Moves as actions 0 to n-1 and positions as planes of numbers: the fixed shapes that learning libraries want."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import SECOND

MOST_ACTIONS = 50_000  # beyond, a mask for each observation is too heavy; vampires on large maps are


class NoActions(KibitzError):
    """A game whose moves have no fixed coding that is small enough."""


@dataclass(frozen=True)
class Actions:
    """The coding of one game's moves. `stride` is 0 where an action is the move's own integer; in vampires an order's
    integer leaves 256 places for the number of creatures, and its action `stride`, the number there are.
    """

    game: str
    count: int
    stride: int = 0

    def action(self, code: int) -> int:
        """The action of a move."""
        action = code
        if self.stride and code:
            way, creatures = divmod(code, 256)
            action = 1 + way * self.stride + creatures - 1
        if not 0 <= action < self.count:
            raise NoActions(f"move {code} of {self.game} is beyond the {self.count} actions that its board suggests")
        return action

    def code(self, action: int) -> int:
        """The move of an action."""
        if not self.stride or action == 0:
            return action
        way, creatures = divmod(action - 1, self.stride)
        return way * 256 + creatures + 1

    def legal(self, position: Position) -> list[int]:
        """The actions of the side to move, sorted."""
        return sorted(self.action(code) for code in position.move_ids)


def actions_of(game: Game) -> Actions:
    """How a game's moves are coded, from what is known of their integers."""
    cells = len(game.layout.cells)
    name = game.rulebook.name
    if name == "vampires":
        stride = min(255, game.rules.creatures)
        coding = Actions(game.text, 1 + 8 * cells * stride, stride)
    else:
        known = {"breakthrough": cells * 64, "wolves": cells * 32, "alquerque": (cells + 1) * 32}
        coding = Actions(game.text, known.get(name, max(cells * cells, game.max_moves)))
    if coding.count > MOST_ACTIONS:
        raise NoActions(f"{game.text} has {coding.count} actions, expected at most {MOST_ACTIONS}: try a smaller board")
    return coding


def planes_shape(game: Game) -> tuple[int, int]:
    """A plane for each kind of piece and one for the side to move, each a number a cell."""
    return len(game.layout.pieces) + 1, len(game.layout.cells)


def planes(position: Position) -> NDArray[np.int16]:
    """How many of each kind stand on each cell; the last plane is all ones if the second side is to move."""
    game = position.game
    found = np.zeros(planes_shape(game), np.int16)
    kinds = {letter: index for index, letter in enumerate(game.layout.pieces)}
    for cell, piece in enumerate(game.pieces(position.state)):
        if piece:
            found[kinds[piece[0]], cell] = int(piece[1:] or 1)
    found[-1] = position.turn == SECOND
    return found


def returns(position: Position) -> tuple[float, float]:
    """What a game is worth to each side: 1 won, -1 lost, 0 drawn or not over."""
    winner: Any = None if position.result is None else position.result.winner
    if winner is None:
        return 0.0, 0.0
    return (-1.0, 1.0) if winner == SECOND else (1.0, -1.0)
