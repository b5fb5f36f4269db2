"""What a game says of itself to other programs and libraries, where they cannot find it out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class ActionCoding:
    """Moves as actions 0 to `count` - 1, the fixed shape that learning libraries want. An action is the move's own
    integer; a game whose moves leave many integers out declares a coding that is closer.
    """

    count: int

    def action(self, move: int) -> int:
        """The action of a move."""
        return move

    def move(self, action: int) -> int:
        """The move of an action."""
        return action


class Variant(NamedTuple):
    """A game as UCI engines can be taught it by a file of variants: how it differs from one that they know."""

    base: str  # the variant that they know
    rows: int
    columns: int
    settings: Mapping[str, str]
