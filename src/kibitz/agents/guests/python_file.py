"""A Python file as an agent: a function `choose(position, limit)`, and `prepare(game)` if it likes.

`choose` returns a move as text (those of a long turn joined by `+`), as the game's integer, or a sequence of integers.
"""

from typing import Any, NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.agents.guests.errors import illegal_answer
from kibitz.agents.guests.loader import GuestFile, path_of, to_int
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report


class Options(NamedTuple):
    file: str = ""


class PythonFile:
    """The file's functions. It is imported once, and keeps its globals from game to game."""

    def __init__(self, game: Game, options: Options) -> None:
        self.source = GuestFile(path_of(options.file, "file"))
        self.think = self.source.function("choose")
        if hasattr(self.source.module, "prepare"):
            self.source.call(self.source.function("prepare"), game)

    def choose(self, position: Position, limit: Limit) -> Report:
        answer = self.source.call(self.think, position, limit)
        if isinstance(answer, Report):
            return answer
        return Report(self._moves(position, answer))

    def _moves(self, position: Position, answer: Any) -> tuple[int, ...]:
        """The moves of the whole turn; where one suffices, it may stand alone."""
        here, moves = position, []
        try:
            for word in answer.split("+") if isinstance(answer, str) else _numbers(answer):
                here = here.play(word)
                assert here.last_move is not None
                moves.append(here.last_move)
        except (IllegalMove, TypeError):
            raise illegal_answer(self.source.file.name, repr(answer)[:60], position) from None
        if not moves or (here.turn == position.turn and not here.over):
            raise illegal_answer(self.source.file.name, f"{repr(answer)[:60]}, which is no whole turn,", position)
        return tuple(moves)


def _numbers(answer: Any) -> list[int]:
    return [to_int(answer)] if hasattr(answer, "__index__") else [to_int(part) for part in answer]


KINDS = [
    AgentKind(
        name="python",
        summary="a Python file with choose(position, limit), as python:FILE",
        make=PythonFile,
        options=Options,
        main="file",
    ),
]
