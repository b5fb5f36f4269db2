"""The modules `board` and `move` that guests of the Alquerque course know (SDU DM574), on our rules.

Names are the course's. Fields count from 1 to 25, row by row from the top left. A board is changed in place by `move`.
"""

from types import ModuleType
from typing import NamedTuple

from kibitz.core.bits import cells_of
from kibitz.core.game import Game
from kibitz.core.result import FIRST, ONGOING
from kibitz.games.alquerque import State


class Move(NamedTuple):
    """A step or a jump."""

    source: int
    target: int


class Board:
    """A board of the course: whose turn it is and where the pieces are."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state


def white_plays(b: Board) -> bool:
    return b.state.side == FIRST


def white(b: Board) -> list[int]:
    """The fields of the white pieces."""
    return [cell + 1 for cell in cells_of(b.state.white)]


def black(b: Board) -> list[int]:
    """The fields of the black pieces."""
    return [cell + 1 for cell in cells_of(b.state.black)]


def legal_moves(b: Board) -> list[Move]:
    """All moves, by source, then by target."""
    return sorted(Move((code >> 5) + 1, (code & 31) + 1) for code in b.game.moves(b.state))


def is_legal(m: Move, b: Board) -> bool:
    return m in legal_moves(b)


def move(m: Move, b: Board) -> None:
    """Play a move, on this board."""
    b.state = b.game.play(b.state, move_id(m.source, m.target))


def is_game_over(b: Board) -> bool:
    return b.game.result(b.state) != ONGOING


def copy_board(b: Board) -> Board:
    return Board(b.game, b.state)


def move_id(source: int, target: int) -> int:
    """The move as our rules number it."""
    return (source - 1) * 32 + target - 1


def course_modules(game: Game) -> dict[str, ModuleType]:
    """The course's modules, for a guest that did not bring them along."""
    board, moves = ModuleType("board"), ModuleType("move")
    for function in (white_plays, white, black, legal_moves, is_legal, move, is_game_over):
        setattr(board, function.__name__, function)
    vars(board).update(Board=Board, copy=copy_board, make_board=lambda: Board(game, game.new().state))
    vars(moves).update(Move=Move, make_move=Move, source=lambda m: m.source, target=lambda m: m.target)
    return {"board": board, "move": moves}
