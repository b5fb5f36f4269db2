"""Kibitz: write a game's rules in plain Python; get a native-speed engine, an opponent and a board.

Rules files, agents and notebooks import what they need from here: `from kibitz import Rulebook, square_board, games`.
A name is looked up when it is first used, so that commands which need little start quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz import agents, games, heuristics
    from kibitz.agents import best_move
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
        Beside,
        Bits,
        Board,
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
        cells,
        from_to,
        grid,
        hexagon,
        hexagons,
        in_range,
        notation,
        placement,
        points,
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
    "Beside",
    "Bits",
    "Board",
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
    "best_move",
    "bits",
    "cells",
    "from_to",
    "games",
    "grid",
    "heuristics",
    "hexagon",
    "hexagons",
    "in_range",
    "notation",
    "perft",
    "placement",
    "points",
    "square_board",
]
__version__ = "0.2.0"
_MODULES = ("agents", "games", "heuristics")
_NOT_IN_CORE = {"best_move": "kibitz.agents", "Engine": "kibitz.search.engine", "perft": "kibitz.search.perft"}


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
