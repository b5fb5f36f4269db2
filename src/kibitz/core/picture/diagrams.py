"""The diagrams of a rulebook: positions that the text at the head of a rules file asks for, to be drawn as boards.

An indented block that begins with `diagram:` is one. After the colon stands a line of play from the start, nothing for
the start itself, or `position` and a position's text. The lines below may draw it in characters, for those who read the
file:

    diagram: b2 a1
    3  . . .
    2  . x .
    1  o . .
"""

import inspect
import re
from typing import TYPE_CHECKING

from kibitz.core.errors import KibitzError
from kibitz.core.picture.drawing import Json, scene

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.position import Position

_WANTED = re.compile(r"(?:\A|\n\s*\n)    diagram:[ \t]*(.*)")


def rules_text(game: "Game") -> str:
    """The rulebook: what stands at the head of the rules file."""
    return inspect.cleandoc(game.rulebook.play.__globals__.get("__doc__") or game.rulebook.title)


def diagrams(game: "Game") -> list[Json | None]:
    """What stands on each diagram of the rulebook; None where these options do not have the position."""
    return [_drawn(game, wanted.strip()) for wanted in _WANTED.findall(rules_text(game))]


def _drawn(game: "Game", wanted: str) -> Json | None:
    try:
        return scene(_position(game, wanted))
    except KibitzError:
        return None


def _position(game: "Game", wanted: str) -> "Position":
    kind, _, text = wanted.partition(" ")
    if kind == "position":
        return game.position(text)
    return game.new().play(wanted) if wanted else game.new()
