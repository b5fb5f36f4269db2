"""What is good: one file a game, of the game's name, each with a list HEURISTICS whose first is the default."""

from importlib import import_module
from importlib.util import find_spec

from kibitz.core.errors import BadOption, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic, nothing
from kibitz.core.rulebook import Rulebook


def heuristics_of(game: Rulebook | Game) -> list[Heuristic]:
    """The heuristics of a game, the default first; those of a user's game stand in its own file."""
    book = game.rulebook if isinstance(game, Game) else game
    module = f"{__name__}.{book.name}"
    if book.play.__module__.startswith("kibitz.games.") and find_spec(module) is not None:
        found: list[Heuristic] = import_module(module).HEURISTICS
        return found
    return [value for value in book.play.__globals__.values() if isinstance(value, Heuristic)]


def find(game: Rulebook | Game, name: str | None = None) -> Heuristic:
    """The heuristic of this name, or the default; a game without any has `nothing`."""
    book = game.rulebook if isinstance(game, Game) else game
    known = heuristics_of(book)
    if name is None:
        return known[0] if known else nothing(book.name)
    for heuristic in known:
        if heuristic.name == name:
            return heuristic
    if name == "nothing":
        return nothing(book.name)
    names = [heuristic.name for heuristic in known]
    raise BadOption(f"{book.name} has no heuristic {quoted(name)}{did_you_mean(name, [*names, 'nothing'])}")
