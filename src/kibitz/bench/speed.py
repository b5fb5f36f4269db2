"""How fast one game is: lines counted and nodes searched a second, from fixed positions."""

import random
import time
from collections.abc import Iterator
from typing import NamedTuple

from kibitz import heuristics
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.search.engine import Engine
from kibitz.search.perft import perft

MOVES_PLAYED = (0, 6, 12)  # random moves that lead to the positions, always the same
LONG_ENOUGH = 0.05  # seconds a count must take to be a measure
DEEPEST = 60


class Speed(NamedTuple):
    """A search or a count, and how long it took."""

    what: str
    depth: int
    nodes: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0


def count_lines(game: Game, seconds: float) -> Speed:
    """Count lines of play from the start, deeper and deeper, until a count takes long enough."""
    start = game.new()
    perft(start, 1)
    for depth in range(1, DEEPEST):
        began = time.perf_counter()
        lines = perft(start, depth)
        taken = time.perf_counter() - began
        if taken > min(LONG_ENOUGH, seconds) or lines == 0:
            break
    return Speed("perft", depth, lines, taken)


def searches(game: Game, seconds: float) -> Iterator[Speed]:
    """Search each position for so long, with one thread, from an empty table."""
    engine = Engine(game, heuristics.find(game), megabytes=64)
    for played in MOVES_PLAYED:
        here = position_after(game, played)
        engine.forget()
        with keep_ctrl_c():
            report = engine.search(here, Limit(seconds=seconds))
        yield Speed(f"search {here.text}", report.depth, report.nodes, report.seconds)


def position_after(game: Game, played: int) -> Position:
    """The position after some random moves, or the last one before them in which a side has a choice."""
    dice = random.Random(played)
    here = found = game.new()
    while not here.over and played >= 0:
        if here.turn == CHANCE:
            here = here.roll(dice)
        else:
            found, played = here, played - 1
            here = here.play(dice.choice(here.move_ids))
    return Position(game, found.state)
