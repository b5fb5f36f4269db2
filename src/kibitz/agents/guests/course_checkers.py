"""Guests of the Chinese checkers course (SJTU AU332): a class with `getAction(state)` that sets `self.action`.

The course stops it when its second is over and plays the last action it has set. So do we, at the limit of the match.
"""

import copy
import random
from typing import Any, Literal, NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.agents.guests.checkers_board import Board, ChineseChecker, course_modules
from kibitz.agents.guests.deadline import CannotStop, run_until
from kibitz.agents.guests.errors import GuestFailed, illegal_answer
from kibitz.agents.guests.loader import GuestFile, path_of, to_int
from kibitz.core.errors import BadOption, IllegalMove, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games.checkers import cell_at, row_length
from kibitz.search.clock import Allowance
from kibitz.search.report import Report

COURSE_SECONDS = 1.0


class Options(NamedTuple):
    file: str = ""  # FILE::Class
    seconds: float = 0.0  # 0: as the match says; the course's one second where it says nothing
    missing: Literal["forfeit", "random"] = "forfeit"  # no action or an illegal one: the course plays a random move
    seed: int = 0  # of those; 0: another one each time


class CourseCheckers:
    """The guest's object. The course keeps it from game to game, and so do we."""

    def __init__(self, game: Game, options: Options) -> None:
        name, colons, kind = options.file.rpartition("::")
        if not colons or not kind:
            raise BadOption(f"guest {quoted(options.file)} names no class, expected FILE::Class")
        self.options = options
        self.dice = random.Random(options.seed or None)
        self.source = GuestFile(path_of(name, "file"), course_modules())
        self.guest = self.source.call(self._class(kind), ChineseChecker(game))

    def choose(self, position: Position, limit: Limit) -> Report:
        try:
            return Report((self._move(position, self._action(position, limit)),))
        except (IllegalMove, GuestFailed) as error:
            if self.options.missing == "forfeit":
                raise
            return Report((self.dice.choice(position.move_ids),), remarks=(f"random move: {error}",))

    def _class(self, name: str) -> Any:
        known = [key for key, value in vars(self.source.module).items() if isinstance(value, type)]
        if name not in known:
            raise GuestFailed(f"{self.source.file.name} has no class {quoted(name)}{did_you_mean(name, known)}")
        return self.source.function(name)

    def _action(self, position: Position, limit: Limit) -> Any:
        """The last action that the guest sets within its time."""
        state = (position.turn + 1, self._board(position))
        before = getattr(self.guest, "action", None)
        seconds = self._seconds(limit)
        try:
            self.source.call(run_until, lambda: self.guest.getAction(state), seconds)
        except CannotStop:
            raise GuestFailed(f"{self.source.file.name} cannot be stopped after {seconds:g} s") from None
        action = getattr(self.guest, "action", None)
        if action is None or action is before:
            raise GuestFailed(f"{self.source.file.name} set no action within {seconds:g} s")
        return action

    def _board(self, position: Position) -> Any:
        """A copy of the board for the guest: of its own class where it brought a board.py."""
        board = Board(position.game, position.state)
        if not (self.source.place.parent / "board.py").is_file():
            return copy.deepcopy(board)
        own = self.source.call(self.source.sibling("board").Board, board.size, board.piece_rows)
        own.board_status = dict(board.board_status)
        return own

    def _seconds(self, limit: Limit) -> float:
        own = self.options.seconds or COURSE_SECONDS
        bounds = [bound for bound in (limit.seconds, Allowance.of(limit, 0.0).hard) if bound is not None]
        return min([*bounds, own] if self.options.seconds or not bounds else bounds)

    def _move(self, position: Position, action: Any) -> int:
        size = position.game.rules.size
        try:
            places = [(to_int(row), to_int(column)) for row, column in action]
            (row, column), (to_row, to_column) = places
        except (TypeError, ValueError):
            raise illegal_answer(self.source.file.name, repr(action)[:60], position) from None
        on_board = all(0 < at < 2 * size and 0 < across <= row_length(at, size) for at, across in places)
        move = cell_at(row, column, size) * size * size + cell_at(to_row, to_column, size) if on_board else -1
        if move not in position.move_ids:
            raise illegal_answer(self.source.file.name, f"{row},{column}-{to_row},{to_column}", position)
        return move


KINDS = [
    AgentKind(
        name="course-checkers",
        summary="a student's class with getAction, as course-checkers:FILE::Class",
        make=CourseCheckers,
        options=Options,
        games=("checkers",),
        stopped=True,
        main="file",
        takes_class=True,
    ),
]
