"""Laws of what people see: the board, the pieces on it, the gestures of a hand."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

from kibitz.core.game import Game
from kibitz.core.layout import Figure, Gesture, Shape, Tone
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND
from kibitz.laws.law import NotApplicable, expect
from kibitz.laws.sample import choices


def the_layout_is_a_board(game: Game) -> None:
    layout = game.layout
    cells = range(len(layout.cells))
    expect(bool(cells), "the layout has no cells")
    _expect_different([cell.name for cell in layout.cells], "cells are called")
    _expect_different([(cell.x, cell.y) for cell in layout.cells], "cells lie at")
    _expect_different([piece.glyph for piece in layout.pieces.values()], "pieces have the glyph")
    _expect_known([layout.shape], get_args(Shape), "the shape of the layout")
    _expect_known([cell.tone for cell in layout.cells], get_args(Tone), "the tone of a cell")
    _expect_known([piece.figure for piece in layout.pieces.values()], get_args(Figure), "the figure of a piece")
    _expect_known([piece.side for piece in layout.pieces.values()], (FIRST, SECOND, None), "the side of a piece")
    _expect_known([end for line in layout.lines for end in line], cells, "the end of a line")
    for piece in layout.pieces.values():
        expect(len(piece.glyph) == 1, f"the glyph of {piece.name} is '{piece.glyph}', expected one character")


def _expect_different(things: Sequence[Any], what: str) -> None:
    twice = [thing for thing, times in Counter(things).items() if times > 1]
    expect(not twice, f"several {what} {twice[0] if twice else ''}")


def _expect_known(things: Sequence[Any], known: Sequence[Any], what: str) -> None:
    wrong = [thing for thing in things if thing not in known]
    shown = f"{known[0]} to {known[-1]}" if isinstance(known, range) else ", ".join(map(str, known))
    expect(not wrong, f"{what} is {wrong[0] if wrong else ''!r}, expected {shown}")


def the_pieces_fit_the_layout(position: Position) -> None:
    layout, found = position.game.layout, position.game.pieces(position.state)
    cells = len(layout.cells)
    expect(len(found) == cells, f"pieces() gives {len(found)} cells, but the layout has {cells}", position)
    for cell, piece in zip(layout.cells, found, strict=True):
        letter = re.sub(r"(?<=.)[0-9]+$", "", piece)
        reason = f"{piece!r} stands on {cell.name}, expected one of {', '.join(layout.pieces)}, perhaps with a count"
        expect(piece == "" or letter in layout.pieces, reason, position)


def gestures_touch_only_cells_of_the_board(position: Position) -> None:
    cells = len(position.game.layout.cells)
    for text, gesture in _gestures(position):
        wrong = [cell for cell in (*gesture.cells, *gesture.captured) if cell not in range(cells)]
        expect(not wrong, f"the gesture of '{text}' touches the cells {wrong}, expected 0 to {cells - 1}", position)
        amount = gesture.amount
        expect(amount is None or amount > 0, f"the gesture of '{text}' moves {amount}, expected 1 or more", position)


def gestures_tell_the_moves_apart(position: Position) -> None:
    if position.turn == CHANCE:
        raise NotApplicable("only chance moves")
    known: dict[tuple[tuple[int, ...], int | None], str] = {}
    for text, gesture in _gestures(position):
        twin = known.setdefault((gesture.cells, gesture.amount), text)
        expect(twin == text, f"'{twin}' and '{text}' have the same gesture {gesture.cells}", position)


def _gestures(position: Position) -> list[tuple[str, Gesture]]:
    """The gestures of the moves here, and of the outcomes: nobody makes those, but they are shown."""
    game, state = position.game, position.state
    codes = [] if position.over else choices(position)
    return [(game.move_text(state, code), game.gesture(state, code)) for code in codes]
