"""Alquerque as a course report judged it (SDU DM574, 2023): how many enemy pieces are gone. It speaks for `me`."""

from kibitz.core.bits import count
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.alquerque import PIECES, State


def count_captures(state: State, me: int) -> int:
    """The other side's pieces that are off the board."""
    return PIECES - count(state.black if me == FIRST else state.white)


REPORT = [Heuristic(name="dm574", game="alquerque", bounds=(-12.0, 12.0), unit=1.0, evaluate=count_captures)]
