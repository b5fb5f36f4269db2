"""What a table says about a position, in one byte.

Sides alternate, so who is to move and who wins tell whether the distance is odd or even: half of it is kept. Wins of
the second player are counted up from below, those of the first one down from above. They meet where the two longest
wins of a game want it: up to the split the second player wins, behind it the first one.
"""

from kibitz.core.result import FIRST, SECOND

OPEN, TOUCHED, DRAWN = 0, 1, 2  # OPEN: nothing is known yet, and where nothing ever is, nobody can force a win
WON_BY_SECOND, WON_BY_FIRST = 3, 255  # at distance 0 or 1; farther ones come behind and before it
EVEN_SPLIT = 128
FARTHEST = 2 * (WON_BY_FIRST - WON_BY_SECOND)  # of one player, where the other one hardly wins
NOBODY = -1


def win_code(winner: int, distance: int) -> int:
    """The code of a win at this distance."""
    half = distance >> 1
    return WON_BY_SECOND + half if winner == SECOND else WON_BY_FIRST - half


def winner_of(code: int, split: int) -> int:
    """FIRST, SECOND or NOBODY."""
    if code <= DRAWN:
        return NOBODY
    return SECOND if code <= split else FIRST


def distance_of(code: int, side: int, split: int) -> int:
    """The turns until a win, where this side is to move."""
    winner = winner_of(code, split)
    half = code - WON_BY_SECOND if winner == SECOND else WON_BY_FIRST - code
    return 2 * half + (1 if winner == side else 0)


def split_for(first: int, second: int) -> int | None:
    """Where codes are split if these are the longest wins of both players, in the middle if possible."""
    highest, lowest = win_code(SECOND, second), win_code(FIRST, first)
    return min(max(EVEN_SPLIT, highest), lowest - 1) if highest < lowest else None
