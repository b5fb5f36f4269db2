"""How strong a level is, as data: how many positions it looks at, and how much it overlooks.

Found and measured by `python -m benchmarks.levels`; the scores of neighbours stand in docs/measurements.md.
"""

from typing import NamedTuple

LEAST, MOST = 1, 10


class Level(NamedTuple):
    """A player that looks at so many positions a turn, and does not see this share of the moves that there are."""

    nodes: int
    overlook: float


# Games without a table of their own: nobody has measured how far apart these are.
OTHERS = (
    Level(45, 0.45),
    Level(70, 0.36),
    Level(115, 0.28),
    Level(180, 0.2),
    Level(290, 0.14),
    Level(470, 0.1),
    Level(750, 0.06),
    Level(1200, 0.03),
    Level(1900, 0.015),
    Level(3000, 0.0),
)
LEVELS = {
    "alquerque": (
        Level(140, 0.937),
        Level(190, 0.568),
        Level(250, 0.36),
        Level(340, 0.24),
        Level(450, 0.12),
        Level(600, 0.0),
        Level(2000, 0.0),
        Level(7000, 0.0),
        Level(24000, 0.0),
        Level(80000, 0.0),
    ),
    "breakthrough": (
        Level(45, 0.45),
        Level(70, 0.363),
        Level(115, 0.284),
        Level(180, 0.209),
        Level(290, 0.127),
        Level(470, 0.097),
        Level(750, 0.058),
        Level(1200, 0.03),
        Level(1900, 0.015),
        Level(3000, 0.0),
    ),
}


def level_of(game: str, number: int) -> Level:
    """What a level is in a game."""
    return LEVELS.get(game, OTHERS)[number - 1]
