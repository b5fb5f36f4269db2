"""Layouts, gestures and positions as plain data, ready to be sent."""

from typing import Any

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.layout import Layout
from kibitz.core.picture import drawing
from kibitz.core.picture.diagrams import diagrams, rules_text
from kibitz.core.position import Position
from kibitz.core.result import Result
from kibitz.search.report import Line, Score, win_chance

TOKENS = {Result.FIRST_WINS: "1-0", Result.SECOND_WINS: "0-1", Result.DRAW: "1/2-1/2"}
Facts = dict[str, Any]


def layout_facts(layout: Layout) -> Facts:
    """The board as data."""
    return {
        "shape": layout.shape,
        "cells": [{"name": cell.name, "x": cell.x, "y": cell.y, "tone": cell.tone} for cell in layout.cells],
        "pieces": {
            letter: {
                "name": piece.name,
                "glyph": piece.glyph,
                "side": piece.side,
                "figure": piece.figure,
                "colour": piece.colour,
                "label": piece.label,
                "numbered": piece.numbered,
            }
            for letter, piece in layout.pieces.items()
        },
        "lines": [list(line) for line in layout.lines],
        "rows": [[y, label] for y, label in layout.rows.items()],
        "columns": [[x, label] for x, label in layout.columns.items()],
    }


def game_facts(game: Game) -> Facts:
    """What is needed to draw a game."""
    start = game.new()
    return {
        "game": game.text,
        "name": game.label,
        "title": game.rulebook.title,
        "sides": list(game.rulebook.sides),
        "rules": rules_text(game),
        "diagrams": diagrams(game),
        "layout": layout_facts(game.layout),
        "drawing": drawing(game.layout),
        "start": {"text": start.text, "turn": start.turn, "pieces": game.pieces(start.state)},
    }


def gesture_facts(game: Game, state: Any, code: int, text: str | None = None) -> Facts:
    """What a hand does for a move."""
    gesture = game.gesture(state, code)
    return {
        "text": game.move_text(state, code) if text is None else text,
        "cells": [int(cell) for cell in gesture.cells],
        "amount": None if gesture.amount is None else int(gesture.amount),
        "captured": [int(cell) for cell in gesture.captured],
    }


def outcome_facts(game: Game, state: Any, code: int) -> Facts:
    """What chance did, as a gesture without a hand."""
    return {"text": game.move_text(state, code), "cells": [], "amount": None, "captured": []}


def moves_facts(position: Position) -> list[Facts]:
    """The legal moves, by text."""
    game = position.game
    named = sorted((game.move_text(position.state, code), code) for code in position.move_ids)
    return [gesture_facts(game, position.state, code, text) for text, code in named]


def pieces_of(position: Position) -> list[str]:
    """What stands on each cell."""
    return position.game.pieces(position.state)


def score_facts(score: Score, turn: int, heuristic: Heuristic) -> Facts:
    """A score for the side to move, in pieces where the heuristic counts them; `share` is what the first side may
    expect of the game, 0 to 1. `win_in` is there only where it is proven.
    """
    mine = win_chance(score, heuristic.unit)
    return {
        "score": round(score.value / heuristic.unit if heuristic.unit_name else score.value, 4),
        "unit": heuristic.unit_name,
        "win_in": score.win_in,
        "side": turn,
        "text": str(score),
        "share": round(mine if turn == 0 else 1 - mine, 4),
    }


def line_facts(position: Position, line: Line, heuristic: Heuristic) -> Facts:
    """A line of play as gestures."""
    here, moves = position, []
    for code in line.moves:
        told = outcome_facts if here.turn == 2 else gesture_facts
        moves.append(told(here.game, here.state, code) | {"side": here.turn, "code": int(code)})
        here = here.play(int(code))
    return score_facts(line.score, position.turn, heuristic) | {"text": line.text, "moves": moves}
