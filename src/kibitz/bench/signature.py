"""The bench: fixed positions searched to fixed depths. The sum of the nodes is the signature of the search.

A change that alters no decision of the search leaves the signature as it is; a commit that changes it says so. Tables
of perfect play are left aside, so that it is the same on every machine.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz import heuristics
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.search.engine import Engine

# Game, depth, lines of play that lead to its positions.
CASES = (
    (
        "breakthrough",
        9,
        (
            "",
            "d2-e3 c7-b6 c2-c3 b6-c5 e3-d4 a7-b6 a2-b3 d7-e6",
            "d2-e3 c7-b6 c2-c3 b6-c5 e3-d4 a7-b6 a2-b3 d7-e6 b3-c4 b7-c6 a1-a2 e6-d5 a2-b3 e7-d6 c4xd5 c6xd5",
        ),
    ),
    ("alquerque", 12, ("", "18-13 8x18 23x13", "18-13 8x18 23x13 11x23 13x11 7-12 19-13 9x17")),
    ("alquerque:bell", 8, ("", "17-13 9x17 21x13 11x21")),
    ("wolves", 9, ("", "b1-b2 b4-b3 d1-c1 a4-b4", "b1-b2 b4-b3 d1-c1 a4-b4 b2-b1 b3-a3 b1-a1 a3-a4")),
    ("checkers", 4, ("", "17,3-15,5 3,3-5,5 19,1-15,3 1,1-5,3 16,4-14,6 4,3-6,3")),
    ("vampires:thetrap", 2, ("",)),
    ("vampires:testmap", 3, ("",)),
)


class Row(NamedTuple):
    """One position searched."""

    game: str
    position: str
    depth: int
    nodes: int
    seconds: float


def rows(megabytes: int = 16) -> Iterator[Row]:
    """Search every position from an empty table with one thread."""
    for text, depth, lines in CASES:
        game = catalog.load(text)
        engine = Engine(game, heuristics.find(game.rulebook), megabytes=megabytes)
        for line in lines:
            here = position_after(game, line)
            engine.forget()
            with keep_ctrl_c():
                report = engine.search(here, Limit(depth=depth))
            yield Row(text, here.text, report.depth, report.nodes, report.seconds)


def position_after(game: Game, line: str) -> Position:
    """The position after a line, without the history that led to it."""
    return Position(game, game.new().play(line).state)
