"""What a table says about a position, in one byte.

Sides alternate, so who is to move and who wins tell whether the distance is odd or even: half of it is kept.
"""

from kibitz.core.result import FIRST, SECOND

OPEN, TOUCHED, DRAWN = 0, 1, 2  # OPEN: nothing is known yet, and where nothing ever is, nobody can force a win
WON_BY_SECOND, WON_BY_FIRST = 3, 255  # at distance 0 or 1; farther ones come behind and before it
MOST_HALF = 125
FARTHEST = 2 * MOST_HALF
NOBODY = -1


def won(winner: int, distance: int) -> int:
    """The code of a win at this distance."""
    half = distance >> 1
    return WON_BY_SECOND + half if winner == SECOND else WON_BY_FIRST - half


def winner_of(code: int) -> int:
    """FIRST, SECOND or NOBODY."""
    if code <= DRAWN:
        return NOBODY
    return SECOND if code <= WON_BY_SECOND + MOST_HALF else FIRST


def distance_of(code: int, side: int) -> int:
    """The turns until a win, where this side is to move."""
    winner = winner_of(code)
    half = code - WON_BY_SECOND if winner == SECOND else WON_BY_FIRST - code
    return 2 * half + (1 if winner == side else 0)
