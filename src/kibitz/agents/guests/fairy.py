"""Boards that Fairy-Stockfish does not know, taught to it by a file of variants."""

from typing import NamedTuple

from kibitz.core.game import Game
from kibitz.core.interop import Variant
from kibitz.core.rulebook import call_rule

MOST_ROWS, MOST_COLUMNS = 10, 12  # of its build for large boards, which is Debian's


class VariantFile(NamedTuple):
    """A file of one variant: the name it is given there, the one it is derived from, and the file's text."""

    name: str
    base: str
    text: str


def variant_file(game: Game) -> VariantFile | None:
    """The game as a file of variants, where it declares how and the board is not too large."""
    declared = game.rulebook.variant
    found: Variant | None = None if declared is None else call_rule(declared, game.rules)
    if found is None or found.rows > MOST_ROWS or found.columns > MOST_COLUMNS:
        return None
    name = f"kibitz-{found.rows}x{found.columns}"
    settings = {"maxRank": found.rows, "maxFile": found.columns, "startFen": game.new().text, **found.settings}
    lines = [f"[{name}:{found.base}]", *(f"{key} = {value}" for key, value in settings.items())]
    return VariantFile(name, found.base, "\n".join(lines) + "\n")
