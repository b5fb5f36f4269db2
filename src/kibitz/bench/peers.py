"""Other programs measured beside ours, on the same positions, in the same run."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from kibitz import heuristics
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.bench.signature import CASES, position_after
from kibitz.core.limit import Limit
from kibitz.games import catalog
from kibitz.search.engine import Engine
from kibitz.search.mcts import Settings, Tree
from kibitz.tables.probe_table import find_probe_table

SIMULATIONS = 10_000
EXPLORATION = 0.7
OPENSPIEL = "pyspiel.MCTSBot"


class Peer(NamedTuple):
    """How fast another program and ours search the same position."""

    name: str
    position: str
    unit: str  # what is counted in a second
    theirs: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def fairy_stockfish(seconds: float = 1.0) -> Iterator[Peer]:
    """Breakthrough beside Fairy-Stockfish, one thread each, one after the other."""
    program = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if program is None:
        return
    game = catalog.load("breakthrough")
    engine = Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game))
    for line in CASES[0][2]:
        here = position_after(game, line)
        theirs = _uci_speed(program, here.text, seconds)
        engine.forget()
        with keep_ctrl_c():
            ours = engine.search(here, Limit(seconds=seconds)).nodes_per_second
        yield Peer("fairy-stockfish", here.text, "nodes", theirs, ours)


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


def openspiel() -> Iterator[Peer]:
    """Monte Carlo search at Breakthrough beside OpenSpiel's: one random playout a simulation each, one thread."""
    if find_spec("pyspiel") is None:
        return
    start = catalog.load("breakthrough").new()
    ours = max(simulations_per_second("breakthrough", 10 * SIMULATIONS, seed) for seed in (1, 2, 3))
    theirs = max(_openspiel_speed("breakthrough", SIMULATIONS, seed) for seed in (1, 2, 3))
    yield Peer(OPENSPIEL, start.text, "simulations", theirs, ours)


def simulations_per_second(text: str, number: int, seed: int) -> float:
    """Our search from the start of a game, with a new tree and random playouts."""
    game = catalog.load(text)
    tree = Tree(game, None, Settings(exploration=EXPLORATION, seed=seed))
    with keep_ctrl_c():
        return tree.search(game.new(), Limit(nodes=number)).nodes_per_second


def _openspiel_speed(name: str, number: int, seed: int) -> float:
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(
        game=game,
        evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        uct_c=EXPLORATION,
        max_simulations=number,
        max_memory_mb=256,
        solve=True,
        seed=seed,
        verbose=False,
    )
    began = time.perf_counter()
    bot.step(game.new_initial_state())
    return number / (time.perf_counter() - began)
