"""The bench: fixed positions searched to fixed depths. The sum of the nodes is the signature of the search.

A change that alters no decision of the search leaves the signature as it is; a commit that changes it says so.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import NamedTuple

from kibitz import heuristics
from kibitz.agents.searching import engine_for
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games import catalog

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
        engine = engine_for(game, heuristics.find(game.rulebook), megabytes)
        for line in lines:
            here = playable(game, line)
            engine.forget()
            report = engine.search(here, Limit(depth=depth))
            yield Row(text, here.text, report.depth, report.nodes, report.seconds)


def playable(game: Game, line: str) -> Position:
    """The position after a line, without the history that led to it."""
    return Position(game, game.new().play(line).state)


class Peer(NamedTuple):
    """How fast another program and ours search the same position, in nodes a second."""

    name: str
    position: str
    theirs: float
    ours: float


def fairy_stockfish(seconds: float = 1.0) -> Iterator[Peer]:
    """Breakthrough beside Fairy-Stockfish, one thread each, one after the other."""
    program = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if program is None:
        return
    game = catalog.load("breakthrough")
    engine = engine_for(game, heuristics.find(game.rulebook), 64)
    for line in CASES[0][2]:
        here = playable(game, line)
        theirs = _uci_speed(program, here.text, seconds)
        engine.forget()
        ours = engine.search(here, Limit(seconds=seconds)).nodes_per_second
        yield Peer("fairy-stockfish", here.text, theirs, ours)


def _uci_speed(program: str, fen: str, seconds: float) -> float:
    """Nodes a second of a UCI engine on a Breakthrough position."""
    words = [
        "uci",
        "setoption name UCI_Variant value breakthrough",
        "setoption name Threads value 1",
        "setoption name Hash value 64",
        f"position fen {fen}",
        f"go movetime {int(seconds * 1000)}",
    ]
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("\n".join(words) + "\n")
        engine.stdin.flush()
        nodes, began = 0, time.perf_counter()
        for answer in engine.stdout:
            found = re.search(r"\bnodes (\d+)", answer)
            nodes = int(found[1]) if found else nodes
            if answer.startswith("bestmove"):
                break
        took = time.perf_counter() - began
        engine.stdin.write("quit\n")
        engine.stdin.flush()
    return nodes / took
