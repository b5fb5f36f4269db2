"""How much one server gives, and how much of it one visitor may take."""

import os
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import BadLimit

MOST_SECONDS = 60.0  # for a move
MOST_ANALYSIS = 24 * 3600.0  # for the analysis of one position: as long as somebody looks at it
MOST_HASH = 64  # megabytes
USUAL_HASH = 16  # where nobody asks for another: many tables share a worker
MOST_LINES = 8
MOST_CELLS = 1000
MOST_MOVES = 2000  # of a line that is handed in
LONGEST_GAME = 5000  # plies: beyond, agents stop by themselves
MOST_CLOCK = 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the person who starts the server may change."""

    message: int = 1 << 20  # bytes of a message or a body
    rate: float = 50.0  # messages a second
    burst: int = 200
    tables: int = 1000
    idle: float = 3600.0  # seconds
    waiting: int = 64  # puzzles and other requests without a table
    waiting_bytes: int = 16 << 20  # of them
    workers: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))


def number(value: Any, name: str, low: float, high: float) -> float:
    """A number within a range, or the reason why it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        shown = repr(value) if isinstance(value, (int, float)) else type(value).__name__
        raise BadLimit(f"{name} is {shown}, expected a number from {low:g} to {high:g}")
    return float(value)


def whole(value: Any, name: str, low: int, high: int) -> int:
    """The same for whole numbers."""
    found = number(value, name, low, high)
    if found != int(found):
        raise BadLimit(f"{name} is {value!r}, expected a whole number")
    return int(found)
