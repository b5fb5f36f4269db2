"""Kibitz: write a game's rules in plain Python; get a native-speed engine, an opponent and a board.

Rules files, agents and notebooks import what they need from here: `from kibitz import Rulebook, square_board, games`.
A name is looked up when it is first used, so that commands which need little start quickly.
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz import agents, games, heuristics
    from kibitz.core import (
        CHANCE,
        DRAW,
        FIRST,
        FIRST_WINS,
        ONGOING,
        SECOND,
        SECOND_WINS,
        ActionCoding,
        BadOption,
        BadPosition,
        Cell,
        Game,
        Gesture,
        Heuristic,
        IllegalMove,
        KibitzError,
        Layout,
        Limit,
        Piece,
        Position,
        Result,
        Rulebook,
        Symmetry,
        bits,
        from_to,
        in_range,
        notation,
        placement,
        square_board,
    )
    from kibitz.search.engine import Engine
    from kibitz.search.perft import perft

__all__ = [
    "CHANCE",
    "DRAW",
    "FIRST",
    "FIRST_WINS",
    "ONGOING",
    "SECOND",
    "SECOND_WINS",
    "ActionCoding",
    "BadOption",
    "BadPosition",
    "Cell",
    "Engine",
    "Game",
    "Gesture",
    "Heuristic",
    "IllegalMove",
    "KibitzError",
    "Layout",
    "Limit",
    "Piece",
    "Position",
    "Result",
    "Rulebook",
    "Symmetry",
    "agents",
    "bits",
    "from_to",
    "games",
    "heuristics",
    "in_range",
    "notation",
    "perft",
    "placement",
    "square_board",
]
__version__ = _version("kibitz")
_MODULES = ("agents", "games", "heuristics")
_NOT_IN_CORE = {"Engine": "kibitz.search.engine", "perft": "kibitz.search.perft"}


if not TYPE_CHECKING:  # a type checker knows the names above, and only those

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
        if name in _MODULES:
            return import_module(f"kibitz.{name}")
        value = getattr(import_module(_NOT_IN_CORE.get(name, "kibitz.core")), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
