"""What positions are worth, by plain minimax: the plainest thing that is obviously right, for games that end."""

from functools import cache
from typing import Any

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.puzzles.tactics.puzzle import Puzzle, positions_of
from kibitz.puzzles.tactics.turns import list_turns


class Oracle:
    """1 where the first side wins, -1 where the second does, 0 for a draw."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known = cache(self._value)
        self._states: dict[Any, Any] = {}

    def value(self, position: Position) -> int:
        return self._of(position.state)

    def _of(self, state: Any) -> int:
        key = (*self.game.key(state), self.game.turn(state))
        self._states[key] = state
        return self._known(key)

    def _value(self, key: Any) -> int:
        state = self._states[key]
        result = self.game.result(state)
        if result:
            return {1: 1, 2: -1}.get(result, 0)
        values = [self._of(self.game.play(state, move)) for move in self.game.moves(state)]
        return max(values) if self.game.turn(state) == 0 else min(values)


def faults_of(puzzle: Puzzle, oracle: Oracle) -> list[str]:
    """Where the line of a puzzle is not the only one that reaches its goal."""
    positions = positions_of(puzzle, oracle.game)
    found = []
    for here, after in zip(positions[::2], positions[1::2], strict=True):
        mine = 1 if here.turn == 0 else -1
        goal = {"win": 1, "draw": 0}[puzzle.goal]
        turns = list_turns(here)
        assert turns is not None
        for turn in turns:
            value = mine * oracle.value(turn.after)
            right = turn.after.key == after.key
            if (value != goal) if right else (value >= goal):
                found.append(f"{puzzle.position}: {turn.text} is worth {value}")
    return found
