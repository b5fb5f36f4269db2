"""Who moves and who won: plain integers for the rules, an enumeration for people."""

from enum import IntEnum

FIRST, SECOND, CHANCE = 0, 1, 2
ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3


class Result(IntEnum):
    """How a game ended. An unfinished game has no result."""

    FIRST_WINS = FIRST_WINS
    SECOND_WINS = SECOND_WINS
    DRAW = DRAW

    @property
    def winner(self) -> int | None:
        """FIRST, SECOND, or None for a draw."""
        return {FIRST_WINS: FIRST, SECOND_WINS: SECOND}.get(self.value)


def win_for(side: int) -> int:
    """The result in which this side wins."""
    return FIRST_WINS + side


def swapped(result: int) -> int:
    """The result with the two sides exchanged."""
    return {FIRST_WINS: SECOND_WINS, SECOND_WINS: FIRST_WINS}.get(result, result)
