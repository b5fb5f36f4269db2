"""A position put together piece by piece, in games whose text is a picture of the board: rows parted by `/`."""

import re

from kibitz.core.errors import BadPosition
from kibitz.core.game import Game
from kibitz.core.position import Position


def compose_position(game: Game, pieces: list[str], turn: int) -> Position:
    """The position with these pieces and this side to move.

    The text of the start is taken as a pattern: its rows are replaced, and where another word of it must change for the
    side to move, every letter that the game knows is tried. What comes out is read back and compared.
    """
    cells = game.layout.cells
    if len(pieces) != len(cells):
        raise BadPosition(f"{len(pieces)} cells are given, expected {len(cells)}")
    board, *rest = game.new().text.split(" ")
    start = game.pieces(game.new().state)
    placed = [at for at, cell in enumerate(cells) if cell.tone != "beside"]
    rows = sorted({round(cells[at].y, 3) for at in placed})
    order = [sorted((at for at in placed if round(cells[at].y, 3) == row), key=lambda at: cells[at].x) for row in rows]
    if [_row(start, row, board) for row in order] != board.split("/"):
        raise BadPosition(f"positions of {game.label} cannot be put together cell by cell, expected a position's text")
    text = "/".join(_row(pieces, row, board) for row in order)
    for tail in _tails(game, rest):
        try:
            found = game.position(" ".join([text, *tail]))
        except BadPosition:
            continue
        shown = game.pieces(found.state)
        if found.turn == turn and all(shown[at] == pieces[at] for at in placed):
            return found
    game.position(" ".join([text, *rest]))  # says what is wrong with the pieces themselves
    raise BadPosition(f"these pieces with {game.rulebook.sides[turn]} to move are no position of {game.label}")


def _row(pieces: list[str], row: list[int], pattern: str) -> str:
    """A row as text: empty cells are counted, or joined by commas where the game writes commas."""
    words = [pieces[cell] or "1" for cell in row]
    if "," in pattern:
        return ",".join(_counted(words))
    return "".join(_counted(words))


def _counted(words: list[str]) -> list[str]:
    found: list[str] = []
    empty = 0
    for word in [*words, ""]:
        if word == "1":
            empty += 1
            continue
        if empty:
            found.append(str(empty))
            empty = 0
        found.append(word)
    return found[:-1]


def _tails(game: Game, rest: list[str]) -> list[list[str]]:
    """What may follow the rows: as at the start, or with its first word standing for the other side."""
    if not rest:
        return [[]]
    letters = [side[:1] for side in game.rulebook.sides] + list(game.layout.pieces)
    words = [rest[0], *(letter for letter in letters if re.fullmatch(r"\w", letter))]
    return [[word, *rest[1:]] for word in dict.fromkeys(words)]
