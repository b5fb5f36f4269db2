"""The games. Adding one is a file here and a line below; one in `gallery` needs no line.

`games.othello` is a game of the gallery, loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from kibitz.core.rulebook import Rulebook
from kibitz.games import catalog
from kibitz.games.alquerque import alquerque as alquerque
from kibitz.games.breakthrough import breakthrough as breakthrough
from kibitz.games.catalog import load as load
from kibitz.games.catalog import position as position
from kibitz.games.checkers import checkers as checkers
from kibitz.games.vampires import vampires as vampires
from kibitz.games.wolves import wolves as wolves

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Rulebook:
        if name in catalog.gallery.names():
            return catalog.rulebook(name)
        raise AttributeError(f"module 'kibitz.games' has no attribute {name!r}")
