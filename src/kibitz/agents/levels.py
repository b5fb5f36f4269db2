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
    Level(45, 0.75),
    Level(70, 0.65),
    Level(115, 0.55),
    Level(180, 0.46),
    Level(290, 0.37),
    Level(470, 0.29),
    Level(750, 0.21),
    Level(1200, 0.13),
    Level(1900, 0.06),
    Level(3000, 0.0),
)
LEVELS: dict[str, tuple[Level, ...]] = {}


def level_of(game: str, number: int) -> Level:
    """What a level is in a game."""
    return LEVELS.get(game, OTHERS)[number - 1]
