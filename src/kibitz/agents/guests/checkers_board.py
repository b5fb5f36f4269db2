"""The board and the game that guests of the Chinese checkers course know (SJTU AU332), on our rules.

Names are the course's. Positions are (row, column) from 1; the codes on them are 1 and 3 for the first player's
ordinary and special marbles, 2 and 4 for the second's. A state is (player, board).
"""

import copy
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.result import FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.games.checkers import (
    State,
    cell_at,
    filled,
    overdue,
    overstayed,
    place_of,
    row_length,
)

Place = tuple[int, int]
Action = tuple[Place, Place]


class Board:
    """Who stands where. A guest may change it: it is given a copy."""

    def __init__(self, game: Game, state: State) -> None:
        self._game = game
        self.size: int = game.rules.size
        self.piece_rows: int = game.options.home
        places = sorted(place_of(cell, self.size) for cell in range(self.size * self.size))
        self.board_status: dict[Place, int] = {place: int(state.cells[cell_at(*place, self.size)]) for place in places}

    def __deepcopy__(self, memo: dict[int, Any]) -> "Board":
        twin = copy.copy(self)
        twin.board_status = dict(self.board_status)
        return twin

    def getColNum(self, row: int) -> int:  # noqa: N802 - the course's name
        """How many cells a row has."""
        return row_length(row, self.size)

    def isEmptyPosition(self, pos: Place) -> bool:  # noqa: N802
        return self.board_status[pos] == 0

    def leftPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0], pos[1] - 1)

    def rightPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0], pos[1] + 1)

    def upLeftPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0] - 1, pos[1] - (pos[0] <= self.size))

    def upRightPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0] - 1, pos[1] + (pos[0] > self.size))

    def downLeftPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0] + 1, pos[1] - (pos[0] >= self.size))

    def downRightPosition(self, pos: Place) -> Place | None:  # noqa: N802
        return self._there(pos[0] + 1, pos[1] + (pos[0] < self.size))

    def adjacentPositions(self, pos: Place) -> list[Place]:  # noqa: N802
        """The neighbours: left, right, then up and down, left before right."""
        return [place for step in self._steps() if (place := step(pos)) is not None]

    def getPlayerPiecePositions(self, player: int) -> list[Place]:  # noqa: N802
        """Where a player's marbles are, both kinds, row by row."""
        return [place for place, code in self.board_status.items() if code in (player, player + 2)]

    def getAllHopPositions(self, pos: Place) -> list[Place]:  # noqa: N802
        """Where chains of hops lead, nearest first; the marble's own cell counts as empty and is left out."""
        marble, self.board_status[pos] = self.board_status[pos], 0
        reached = [pos]
        for place in reached:
            for step in self._steps():
                landed = self._landing(place, step)
                if landed is not None and landed not in reached:
                    reached.append(landed)
        self.board_status[pos] = marble
        return reached[1:]

    def ifPlayerWin(self, player: int, iter: int = 0) -> bool:  # noqa: A002, N802
        """Has this player won after so many plies?"""
        rules, cells = self._game.rules, self._cells()
        if filled(cells, player - 1, rules.goals, rules.wanted):
            return True
        if not overdue(iter, rules.home_turns, rules.overstay):
            return False
        return overstayed(cells, rules.overstay, rules.goals, rules.wanted) == (FIRST_WINS, SECOND_WINS)[player - 1]

    def isEnd(self, iter: int = 0) -> tuple[bool, int | None]:  # noqa: A002, N802
        """Is the game over after so many plies, and who has won it?"""
        ended = self._game.result(State(self._cells(), 0, iter))
        return ended != ONGOING, {FIRST_WINS: 1, SECOND_WINS: 2}.get(ended)

    def _there(self, row: int, column: int) -> Place | None:
        return (row, column) if (row, column) in self.board_status else None

    def _steps(self) -> tuple[Callable[[Place], Place | None], ...]:
        return (
            self.leftPosition,
            self.rightPosition,
            self.upLeftPosition,
            self.upRightPosition,
            self.downLeftPosition,
            self.downRightPosition,
        )

    def _landing(self, place: Place, step: Callable[[Place], Place | None]) -> Place | None:
        """Over the first marble on the line, as far behind it as we stand before it."""
        distance, at = 1, step(place)
        while at is not None and self.isEmptyPosition(at):
            distance, at = distance + 1, step(at)
        for _ in range(distance):
            at = None if at is None else step(at)
            if at is None or not self.isEmptyPosition(at):
                return None
        return at

    def _cells(self) -> Any:
        cells = np.zeros(self.size * self.size, np.int8)
        for (row, column), code in self.board_status.items():
            cells[cell_at(row, column, self.size)] = code
        return cells


GuestState = tuple[int, Board]


class ChineseChecker:
    """The game as the course's agents are given it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.size: int = game.rules.size
        self.piece_rows: int = game.options.home

    def startState(self) -> GuestState:  # noqa: N802
        return 1, Board(self._game, self._game.new().state)

    def isEnd(self, state: GuestState, iter: int = 0) -> tuple[bool, int | None]:  # noqa: A002, N802
        return state[1].isEnd(iter)

    def actions(self, state: GuestState) -> list[Action]:
        """All steps, marble by marble, then all chains of hops."""
        player, board = state
        marbles = board.getPlayerPiecePositions(player)
        steps = [(place, to) for place in marbles for to in board.adjacentPositions(place) if board.isEmptyPosition(to)]
        hops = [(place, to) for place in marbles for to in board.getAllHopPositions(place)]
        return list(dict.fromkeys(steps + hops))

    def player(self, state: GuestState) -> int:
        return state[0]

    def succ(self, state: GuestState, action: Action) -> GuestState:
        """The state after an action, on a board of its own."""
        player, board = state
        after = copy.deepcopy(board)
        after.board_status[action[1]] = after.board_status[action[0]]
        after.board_status[action[0]] = 0
        return 3 - player, after


class Agent:
    """What the course's agents derive from."""

    def __init__(self, game: ChineseChecker) -> None:
        self.game = game
        self.action: Any = None

    def getAction(self, state: GuestState) -> None:  # noqa: N802
        raise NotImplementedError("an agent has a getAction of its own")


def course_modules() -> dict[str, ModuleType]:
    """The course's modules, for a guest that imports them and did not bring them along."""
    contents: dict[str, dict[str, type]] = {
        "agent": {"Agent": Agent},
        "board": {"Board": Board},
        "game": {"ChineseChecker": ChineseChecker},
    }
    modules = {}
    for name, members in contents.items():
        modules[name] = ModuleType(name)
        vars(modules[name]).update(members)
    return modules
