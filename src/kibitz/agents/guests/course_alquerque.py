"""Guests of the Alquerque course (SDU DM574): a folder with `minimax.py`, its own `board.py` and `move.py` or ours."""

import inspect
from typing import Any, NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.agents.guests import alquerque_modules
from kibitz.agents.guests.errors import GuestFailed, illegal_answer
from kibitz.agents.guests.loader import GuestFile, path_of, to_int
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.games.alquerque import alquerque
from kibitz.search.report import Report

USUAL_DEPTH = 3  # for a guest that must be given one


class Options(NamedTuple):
    folder: str = ""
    depth: int = 0  # the course's level 1 to 7; 0: as the guest likes


class CourseAlquerque:
    """The guest's modules. Its board is set up anew for every move, by playing the game so far on it."""

    def __init__(self, game: Game, options: Options) -> None:
        if game.options != alquerque().options:
            raise BadOption(f"agent course-alquerque plays the course's rules, alquerque, not {game.text}")
        folder = path_of(options.folder, "folder")
        self.depth = in_range("depth", options.depth, 0, 100)
        self.source = GuestFile(folder / "minimax.py", alquerque_modules.course_modules(game))
        self.board, self.move = self.source.sibling("board"), self.source.sibling("move")
        self.think = self.source.function("next_move")
        self.ours = isinstance(self.source.call(self.board.make_board), alquerque_modules.Board)

    def choose(self, position: Position, limit: Limit) -> Report:
        board = self._board(position)
        answer = self.source.call(self.think, board, **self._depth())
        return Report((self._code(position, answer),))

    def _depth(self) -> dict[str, int]:
        parameter = inspect.signature(self.think).parameters.get("depth")
        if parameter is None:
            return {}
        depth = self.depth or (USUAL_DEPTH if parameter.default is inspect.Parameter.empty else 0)
        return {"depth": depth} if depth else {}

    def _board(self, position: Position) -> Any:
        if self.ours:
            return alquerque_modules.Board(position.game, position.state)
        *later, root = position.trail()
        if root != position.game.new():
            raise GuestFailed(f"{self.source.file.name} has a board of its own, which begins at the start only")
        board = self.source.call(self.board.make_board)
        for place in reversed(later):
            assert place.last_move is not None
            move = self.source.call(self.move.make_move, (place.last_move >> 5) + 1, (place.last_move & 31) + 1)
            self.source.call(self.board.move, move, board)
        return board

    def _code(self, position: Position, answer: Any) -> int:
        try:
            source, target = (to_int(self.source.call(part, answer)) for part in (self.move.source, self.move.target))
        except (TypeError, GuestFailed):
            raise illegal_answer(self.source.file.name, repr(answer)[:60], position) from None
        code = alquerque_modules.move_id(source, target)
        if not (1 <= source <= 25 and 1 <= target <= 25) or code not in position.move_ids:
            raise illegal_answer(self.source.file.name, f"{source}-{target}", position)
        return code


KINDS = [
    AgentKind(
        name="course-alquerque",
        summary="a student's folder with minimax.py, as course-alquerque:FOLDER",
        make=CourseAlquerque,
        options=Options,
        games=("alquerque",),
        main="folder",
    ),
]
