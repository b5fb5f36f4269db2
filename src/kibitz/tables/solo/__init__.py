"""One side alone on its board: how far every arrangement of its pieces is from home.

A game joins with a module here that has `RULEBOOK` and `solve(game, jobs, progress)`.
"""

import pkgutil
from importlib import import_module
from types import ModuleType

from kibitz.core.game import Game
from kibitz.tables.errors import CannotSolve


def find_solver(game: Game) -> ModuleType:
    """The module that solves one side of this game alone."""
    modules = [import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    for module in modules:
        if game.rulebook == module.RULEBOOK:
            return module
    known = ", ".join(module.RULEBOOK.name for module in modules)
    raise CannotSolve(f"{game.text} has no side that walks alone, expected {known}")
