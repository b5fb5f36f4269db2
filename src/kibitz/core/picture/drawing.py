"""A board as JSON for a program that draws it elsewhere: every path and colour is worked out here, once.

The keys are short words that `board.js` reads: a board is measured in hundredths of the distance of two neighbours.
"""

from typing import TYPE_CHECKING, Any

from kibitz.core.layout import Gesture, Layout, Piece
from kibitz.core.picture import palette
from kibitz.core.picture.board import Board, number, polyline
from kibitz.core.picture.figures import FIGURES, Part
from kibitz.core.picture.scene import labels_of, last_turn, status
from kibitz.core.result import CHANCE

if TYPE_CHECKING:
    from kibitz.core.position import Position

Json = dict[str, Any]


def drawing(layout: Layout) -> Json:
    """The empty board and the pieces that may stand on it."""
    board = Board(layout)
    return {
        "width": _rounded(board.right + board.margin),
        "height": _rounded(board.bottom + board.margin),
        "box": [_rounded(value) for value in (board.left, board.margin, board.right, board.bottom)],
        "text": _rounded(board.text),
        "shape": layout.shape,
        "cells": [_cell(board, index) for index in range(len(layout.cells))],
        "lines": "".join(polyline((board.spot(one), board.spot(other))) for one, other in layout.lines),
        "labels": _labels(board),
        "pieces": {letter: _piece(piece, labels_of(layout)[letter]) for letter, piece in layout.pieces.items()},
        "colours": {
            "frame": palette.FRAME,
            "edge": palette.FRAME_EDGE,
            "label": palette.LABEL,
            "line": palette.LINE,
            "field": palette.TONES["light"],
            "touched": palette.TOUCHED,
            "arrow": palette.ARROW,
            "captured": palette.CAPTURED,
            "marked": palette.MARKED,
        },
    }


def scene(position: "Position", *, moves: bool = False) -> Json:
    """What stands on the board, what the last turn did, and the legal moves if they are wanted."""
    facts: Json = {
        "pieces": position.game.pieces(position.state),
        "last": [gesture_facts(gesture) for gesture in last_turn(position).gestures],
        "status": status(position),
    }
    if moves:
        facts["moves"] = move_facts(position)
    return facts


def steps(before: "Position", after: "Position") -> list[Json]:
    """What happened between two positions of one line, gesture by gesture; nothing where one does not lead to the
    other.
    """
    found: list[Json] = []
    for position in after.trail():
        if position is before or position == before:
            return found[::-1]
        if position.before is None or position.last_move is None:
            break
        found.append(_step(position.before, position.last_move))
    return []


def _step(before: "Position", move: int) -> Json:
    game = before.game
    text = game.move_text(before.state, move)
    return {"text": text, "chance": before.turn == CHANCE, **gesture_facts(game.gesture(before.state, move))}


def move_facts(position: "Position") -> list[Json]:
    """The legal moves with what a hand does for each."""
    game, state = position.game, position.state
    return [
        {"text": game.move_text(state, code), **gesture_facts(game.gesture(state, code))} for code in position.move_ids
    ]


def gesture_facts(gesture: Gesture) -> Json:
    """A gesture as JSON."""
    return {"cells": list(gesture.cells), "amount": gesture.amount, "captured": list(gesture.captured)}


def _cell(board: Board, index: int) -> Json:
    cell, (x, y) = board.layout.cells[index], board.spot(index)
    return {
        "name": cell.name,
        "x": _rounded(x),
        "y": _rounded(y),
        "path": board.outline(index),
        "tone": cell.tone,
        "fill": palette.TONES[cell.tone],
        "label": cell.label,
    }


def _labels(board: Board) -> list[Json]:
    below = board.bottom + board.margin / 2
    rows = [(board.left / 2, board.y(y), text) for y, text in board.labels.items()]
    columns = [(board.x(x), below, text) for x, text in board.layout.columns.items()]
    return [{"x": _rounded(x), "y": _rounded(y), "text": text} for x, y, text in rows + columns]


def _piece(piece: Piece, label: str) -> Json:
    paints = palette.PAINTS[palette.colour_of(piece)]
    return {
        "name": piece.name,
        "glyph": piece.glyph,
        "side": piece.side,
        "colour": palette.colour_of(piece),
        "label": label,
        "numbered": piece.numbered,
        "ink": paints.detail,
        "parts": [_part(part, paints) for part in FIGURES[piece.figure]],
    }


def _part(part: Part, paints: palette.Paints) -> Json:
    fill = {"line": "none", "ink": paints.detail}.get(part.manner, paints.body)
    stroke = {"line": paints.detail, "body": paints.edge}.get(part.manner, "none")
    return {"path": part.path, "manner": part.manner, "fill": fill, "stroke": stroke}


def _rounded(value: float) -> float:
    return float(number(value))
