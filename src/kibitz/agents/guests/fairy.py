"""Breakthrough on other boards than 8x8, told to Fairy-Stockfish by a file of variants."""

from typing import NamedTuple

from kibitz.core.game import Game

MOST_ROWS, MOST_COLUMNS = 10, 12  # of its build for large boards, which is Debian's


class Variant(NamedTuple):
    """A variant as the file names it, and the file's text."""

    name: str
    text: str


def expressible(game: Game) -> bool:
    """Can a file of variants say this game? Several workers to base are beyond the versions about."""
    if game.rulebook.name != "breakthrough":
        return False
    rows, columns, base = game.rules.rows, game.rules.columns, game.rules.base
    return bool(base == 1 and rows <= MOST_ROWS and columns <= MOST_COLUMNS)


def variant(game: Game) -> Variant:
    """The game as a relative of the engine's own Breakthrough; flags are set under their old and their new name."""
    rows, columns = game.rules.rows, game.rules.columns
    name = f"kibitz-{rows}x{columns}"
    lines = [
        f"[{name}:breakthrough]",
        f"maxRank = {rows}",
        f"maxFile = {columns}",
        f"startFen = {game.new().text}",
        f"whiteFlag = *{rows}",
        "blackFlag = *1",
        f"flagRegionWhite = *{rows}",
        "flagRegionBlack = *1",
    ]
    return Variant(name, "\n".join(lines) + "\n")
