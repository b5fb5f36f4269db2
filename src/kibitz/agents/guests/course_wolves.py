"""Guests of the wolves and sheep course (CityU CS4386): a module with `AIAlgorithm(filename, movemade)`.

The board lies in a text file, `round0/state_17.txt` before ply 17, five lines of five digits: 0 empty, 1 sheep, 2 wolf.
`movemade` is True for wolves. The answer is (row, column, row, column), counted from 0 at the top left.
"""

from typing import Any, NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.agents.guests.errors import illegal_answer
from kibitz.agents.guests.loader import GuestFile, path_of, to_int
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.search.report import Report

DIGITS = {"": "0", "s": "1", "w": "2"}


class Options(NamedTuple):
    file: str = ""


class CourseWolves:
    """The guest's module. Each game has a folder of its own, with every state that was on the board."""

    def __init__(self, game: Game, options: Options) -> None:
        self.source = GuestFile(path_of(options.file, "file"))
        self.think = self.source.function("AIAlgorithm")
        self._round = -1
        self._ply = 1 << 60

    def choose(self, position: Position, limit: Limit) -> Report:
        name = self._write_states(position)
        answer = self.source.call(self.think, name, position.turn == FIRST)
        return Report((self._move(position, answer),))

    def _write_states(self, position: Position) -> str:
        """The file of this state, by the name that guests take apart; a ply that goes back is another game."""
        if position.state.ply <= self._ply:
            self._round += 1
            self._ply = -1
            (self.source.folder / f"round{self._round}").mkdir(exist_ok=True)
        for place in position.trail():
            if place.state.ply <= self._ply:
                break
            (self.source.folder / self._name(place)).write_text(board_text(place))
        self._ply = position.state.ply
        return self._name(position)

    def _name(self, position: Position) -> str:
        return f"round{self._round}/state_{position.state.ply}.txt"

    def _move(self, position: Position, answer: Any) -> int:
        try:
            row, column, to_row, to_column = (to_int(part) for part in answer)
        except (TypeError, ValueError):
            raise illegal_answer(self.source.file.name, repr(answer)[:60], position) from None
        move = (row * 5 + column) * 32 + to_row * 5 + to_column
        on_board = all(0 <= part < 5 for part in (row, column, to_row, to_column))
        if not on_board or move not in position.move_ids:
            raise illegal_answer(self.source.file.name, f"({row},{column})-({to_row},{to_column})", position)
        return move


def board_text(position: Position) -> str:
    """Five lines of five digits with commas between."""
    digits = [DIGITS[piece] for piece in position.game.pieces(position.state)]
    return "\n".join(",".join(digits[at : at + 5]) for at in range(0, 25, 5))


KINDS = [
    AgentKind(
        name="course-wolves",
        summary="a student's module with AIAlgorithm, as course-wolves:FILE",
        make=CourseWolves,
        options=Options,
        games=("wolves",),
        main="file",
    ),
]
