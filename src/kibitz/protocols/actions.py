"""Moves as actions 0 to n-1 and positions as planes of numbers: the fixed shapes that learning libraries want."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.interop import ActionCoding
from kibitz.core.position import Position
from kibitz.core.result import SECOND
from kibitz.core.rulebook import call_rule

MOST_ACTIONS = 50_000  # beyond, a mask for each observation is too heavy; vampires on large maps are


class NoActions(KibitzError):
    """A game whose moves have no fixed coding that is small enough."""


@dataclass(frozen=True)
class Actions:
    """The actions of one game."""

    game: str
    coding: ActionCoding

    @property
    def count(self) -> int:
        return self.coding.count

    def action(self, move: int) -> int:
        """The action of a move."""
        action = self.coding.action(move)
        if not 0 <= action < self.count:
            raise NoActions(f"move {move} of {self.game} has no action, expected 0 to {self.count - 1}, not {action}")
        return action

    def move(self, action: int) -> int:
        """The move of an action."""
        return self.coding.move(action)

    def legal(self, position: Position) -> list[int]:
        """The actions of the side to move, sorted."""
        return sorted(self.action(move) for move in position.move_ids)


def actions_of(game: Game) -> Actions:
    """How a game's moves are coded: as it declares, or by their own integers, at a guess below the cells squared."""
    declared, cells = game.rulebook.actions, len(game.layout.cells)
    guess = ActionCoding(max(cells * cells, game.max_moves))
    found = Actions(game.text, guess if declared is None else call_rule(declared, game.rules))
    if found.count > MOST_ACTIONS:
        raise NoActions(f"{game.text} has {found.count} actions, expected at most {MOST_ACTIONS}: try a smaller board")
    return found


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
