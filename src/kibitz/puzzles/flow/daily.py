"""The puzzle of the day: the date is the seed, so it is the same for everybody."""

import datetime
from typing import NamedTuple

from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT
from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.generator import Order, generate, topology
from kibitz.puzzles.flow.rating import Difficulty


class Day(NamedTuple):
    """What is special about the board of a day of the week."""

    side: int
    difficulty: Difficulty
    hexagonal: bool = False
    walls: int = 0
    holes: int = 0
    bridges: int = 0


WEEK = (
    Day(6, "easy"),
    Day(7, "easy", walls=5),
    Day(7, "medium"),
    Day(9, "medium", hexagonal=True),
    Day(8, "medium", bridges=2),
    Day(9, "hard"),
    Day(10, "hard", holes=4),
)


def daily(date: datetime.date, limit: Limit = NO_LIMIT) -> Board:
    """The board of a day, harder towards the end of the week."""
    day, seed = WEEK[date.weekday()], date.toordinal()
    plan = topology(
        day.side, day.side, hexagonal=day.hexagonal, walls=day.walls, holes=day.holes, bridges=day.bridges, seed=seed
    )
    return generate(Order(plan, difficulty=day.difficulty), seed, limit)
