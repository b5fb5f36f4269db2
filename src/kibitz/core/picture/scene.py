"""What there is to see in a position, before anyone decides how to draw it."""

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.errors import RulesError, quoted
from kibitz.core.fields import where
from kibitz.core.layout import Gesture, Layout, Piece
from kibitz.core.picture.palette import colour_of
from kibitz.core.result import CHANCE

if TYPE_CHECKING:
    from kibitz.core.position import Position


class Stack(NamedTuple):
    """A piece on a cell, and how many of it where the game counts them."""

    cell: int
    piece: Piece
    letter: str
    amount: str = ""


def stacks(position: "Position") -> list[Stack]:
    """What stands on the board, in the order of the cells."""
    found = enumerate(position.game.pieces(position.state))
    return [Stack(cell, _piece(position, cell, text), text[0], text[1:]) for cell, text in found if text]


def _piece(position: "Position", cell: int, text: str) -> Piece:
    game = position.game
    try:
        return game.layout.pieces[text[0]]
    except KeyError:
        raise RulesError(
            f"{where(game.rulebook.pieces)}: pieces() puts {quoted(text)} on cell '{game.layout.cells[cell].name}',"
            f" expected a piece of the layout ({', '.join(game.layout.pieces)})"
        ) from None


def labels_of(layout: Layout) -> dict[str, str]:
    """For each letter what is drawn on its piece: its label, or its glyph where another would look the same."""
    looks = Counter((piece.figure, colour_of(piece)) for piece in layout.pieces.values() if piece.glyph.isalnum())
    alike = {
        letter: piece.glyph.isalnum() and not piece.numbered and looks[piece.figure, colour_of(piece)] > 1
        for letter, piece in layout.pieces.items()
    }
    return {letter: piece.label or piece.glyph * alike[letter] for letter, piece in layout.pieces.items()}


class Trace(NamedTuple):
    """What the last turn did, gesture by gesture."""

    gestures: tuple[Gesture, ...] = ()

    @property
    def ends(self) -> set[int]:
        """Where a hand let go for good: the landings within a chain of jumps are on its path."""
        found: set[int] = set()
        for gesture in self.gestures:
            found = (found - set(gesture.cells[:1])) | set(gesture.cells[-1:])
        return found

    @property
    def path(self) -> set[int]:
        """Where a hand came by before that."""
        return {cell for gesture in self.gestures for cell in gesture.cells} - self.ends

    @property
    def captured(self) -> set[int]:
        """Where something was taken."""
        return {cell for gesture in self.gestures for cell in gesture.captured}


def last_turn(position: "Position") -> Trace:
    """All that the side which moved last did in one go; what chance made of it is left out."""
    steps = ((after.before, after.last_move) for after in position.trail())
    played = ((before, move) for before, move in steps if before is not None and move is not None)
    for side, turn in groupby(played, key=lambda step: step[0].turn):
        if side != CHANCE:
            gestures = [before.game.gesture(before.state, move) for before, move in turn]
            return Trace(tuple(reversed(gestures)))
    return Trace()


def row_labels(layout: Layout) -> dict[float, str]:
    """The labels at the left, by y; a board without any is labelled with the name of each row's first cell."""
    if layout.rows or layout.columns:
        return dict(layout.rows)
    by_place = sorted(layout.cells, key=lambda cell: (cell.y, -cell.x))
    return {round(cell.y, 3): cell.name for cell in by_place}


def status(position: "Position") -> str:
    """Who is to move, or how the game ended."""
    if position.result is None:
        return f"{position.to_move} to move"
    winner = position.result.winner
    return "drawn" if winner is None else f"won by {position.game.rulebook.sides[winner]}"
