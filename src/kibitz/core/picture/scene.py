"""What there is to see in a position, before anyone decides how to draw it."""

from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.layout import Gesture, Piece
from kibitz.core.result import CHANCE

if TYPE_CHECKING:
    from kibitz.core.position import Position


class Stack(NamedTuple):
    """A piece on a cell, and how many of it where the game counts them."""

    cell: int
    piece: Piece
    count: str = ""


def stacks(position: "Position") -> list[Stack]:
    """What stands on the board, in the order of the cells."""
    kinds = position.game.layout.pieces
    found = enumerate(position.game.pieces(position.state))
    return [Stack(cell, kinds[text[0]], text[1:]) for cell, text in found if text]


class Trace(NamedTuple):
    """The cells that the last turn touched, and those where it captured."""

    gestures: tuple[Gesture, ...]

    @property
    def ends(self) -> set[int]:
        """Where a hand let go."""
        return {gesture.cells[-1] for gesture in self.gestures if gesture.cells}

    @property
    def path(self) -> set[int]:
        """Where a hand came by before that."""
        return {cell for gesture in self.gestures for cell in gesture.cells[:-1]} - self.ends

    @property
    def captured(self) -> set[int]:
        return {cell for gesture in self.gestures for cell in gesture.captured}


def last_turn(position: "Position") -> Trace:
    """All that the side which moved last did in one go; what chance made of it is left out."""
    played = [(after.before, after.last_move) for after in position.trail()]
    moved = [(before, move) for before, move in played if before is not None and move is not None]
    turn = list(dropwhile(lambda pair: pair[0].turn == CHANCE, moved))
    same = takewhile(lambda pair: pair[0].turn == turn[0][0].turn, turn)
    gestures = [before.game.gesture(before.state, move) for before, move in same]
    return Trace(tuple(reversed(gestures)))


def status(position: "Position") -> str:
    """Who is to move, or how the game ended."""
    if position.result is None:
        return f"{position.to_move} to move"
    winner = position.result.winner
    return "drawn" if winner is None else f"won by {position.game.rulebook.sides[winner]}"
