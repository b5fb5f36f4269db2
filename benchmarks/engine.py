"""The speed of the searches: bare alpha-beta, the engine beside Fairy-Stockfish, threads, compiling."""

import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.perft import LOADED
from kibitz import games, heuristics
from kibitz.bench.peers import fairy_stockfish
from kibitz.bench.signature import CASES, position_after
from kibitz.core.limit import Limit
from kibitz.laws.scaffold import scaffold
from kibitz.search.engine import Engine
from kibitz.search.textbook import alphabeta
from kibitz.tables.probe_table import find_probe_table


def main() -> None:
    bare()
    beside_fairy_stockfish()
    threads()
    alquerque()
    stopping()
    a_new_game()
    compiling()


def bare() -> None:
    """Fixed-depth alpha-beta without a heuristic, as the textbook has it."""
    start = games.breakthrough().new()
    reports = [alphabeta(start, 8) for _ in range(3)]
    best = max(report.nodes_per_second for report in reports)
    print(f"breakthrough, bare alpha-beta to depth 8: {reports[0].nodes:,} nodes, {best / 1e6:.1f} M/s")


def beside_fairy_stockfish() -> None:
    ratios = []
    for peer in fairy_stockfish(2.0):
        ratios.append(peer.ratio)
        print(f"engine {peer.ours / 1e6:.2f} M/s, {peer.name} {peer.theirs / 1e6:.2f} M/s, ratio {ratios[-1]:.1f}")
    print(f"geometric mean of the ratios {mean(ratios):.1f}" if ratios else "fairy-stockfish is not installed")


DEEPER = (7, 11, 9, 10)  # than the bench: searches of some tenths of a second, where threads have time to help


def threads() -> None:
    """How much sooner two threads reach a fixed depth than one."""
    ratios = []
    for (text, depth, lines), more in zip(CASES, DEEPER, strict=False):
        game = games.load(text)
        heuristic = heuristics.find(game.rulebook)
        one, two = (Engine(game, heuristic, perfect=find_probe_table(game), threads=number) for number in (1, 2))
        for line in lines:
            here = position_after(game, line)
            took = []
            for engine in (one, two):
                engine.forget()
                took.append(engine.search(here, Limit(depth=depth + more)).seconds)
            ratios.append(took[0] / took[1])
    print(
        f"two threads reach a fixed depth {mean(ratios):.2f} times sooner (geometric mean of {len(ratios)} positions)"
    )


def alquerque() -> None:
    game = games.load("alquerque")
    engine = Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game))
    engine.forget()
    report = engine.search(game.new(), Limit(depth=7))
    print(f"alquerque, engine to depth 7 from the start: {1000 * report.seconds:.2f} ms, {report.nodes} nodes")


def stopping() -> None:
    """How far beyond its time a search answers, at worst of twenty times."""
    for text in ("breakthrough", "alquerque", "wolves", "checkers", "vampires", "vampires:testmap2"):
        game = games.load(text)
        engine = Engine(game, heuristics.find(game.rulebook), perfect=find_probe_table(game))
        late = []
        for number in range(1, 21):
            began = time.perf_counter()
            engine.search(game.new(), Limit(seconds=0.01 * number))
            late.append(time.perf_counter() - began - 0.01 * number)
        print(f"{text}: a search answers {1000 * max(late):.1f} ms beyond its time at worst", flush=True)


def a_new_game() -> None:
    """What `kibitz new` writes beside a game that is built in, both by bare alpha-beta."""
    with tempfile.TemporaryDirectory() as folder:
        made, _ = scaffold("newcomer", Path(folder))
        theirs = _bare_speed(str(made), 9)
    ours = _bare_speed("breakthrough,rows=5,columns=3", 9)
    print(f"a game from `kibitz new` {theirs / 1e6:.1f} M nodes/s, Breakthrough on 5x3 {ours / 1e6:.1f}", flush=True)


def _bare_speed(text: str, depth: int) -> float:
    """Nodes a second, the best of ten times."""
    start = games.load(text).new()
    return max(alphabeta(start, depth).nodes_per_second for _ in range(10))


def compiling() -> None:
    """Seconds until a new process has an engine: with an empty cache, with a filled one, and imports alone."""
    for text in ("breakthrough", "alquerque", "wolves", "checkers", "vampires", "connectfour"):
        libraries = f"import kibitz.agents.engine, kibitz.games, kibitz.heuristics; {LOADED}"
        make = (
            f"{libraries}; g = kibitz.games.load({text!r}); h = kibitz.heuristics.find(g.rulebook); "
            "kibitz.agents.engine.Engine(g, h, perfect=kibitz.agents.engine.find_probe_table(g), megabytes=1)"
        )
        with tempfile.TemporaryDirectory() as cache:
            cold, warm, imports = (_process(code, cache) for code in (make, make, libraries))
        shown = f"cold {cold - imports:5.1f} s   warm {warm - imports:4.2f} s   (imports {imports:.2f} s)"
        print(f"engine of {text:24} {shown}", flush=True)


def _process(code: str, cache: str) -> float:
    began = time.perf_counter()
    environment = dict(os.environ, KIBITZ_CACHE=cache)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def mean(ratios: list[float]) -> float:
    """Geometric."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


if __name__ == "__main__":
    main()
