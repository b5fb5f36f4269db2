"""Nodes a second of processor time: each game of the gallery, and Breakthrough beside them, with their heuristics."""

import time

from kibitz import heuristics
from kibitz.bench.speed import MOVES_PLAYED, position_after
from kibitz.core.limit import Limit
from kibitz.games import catalog, gallery
from kibitz.search.engine import Engine

NODES = 300_000  # of each search, so that a busy machine measures the same work


def nodes_per_second(text: str) -> float:
    """From the start and after some random moves, one thread, an empty table each time."""
    game = catalog.load(text)
    engine = Engine(game, heuristics.find(game), megabytes=64)
    nodes, seconds = 0, 0.0
    for played in MOVES_PLAYED:
        here = position_after(game, played)
        engine.search(here, Limit(nodes=100))
        engine.forget()
        began = time.process_time()
        nodes += engine.search(here, Limit(nodes=NODES)).nodes
        seconds += time.process_time() - began
    return nodes / seconds


def main() -> None:
    beside = nodes_per_second("breakthrough")
    print(f"{'breakthrough':18} {beside / 1e6:8.2f} M nodes/s")
    for name in gallery.names():
        rate = nodes_per_second(name)
        print(f"{name:18} {rate / 1e6:8.2f} M nodes/s   {rate / beside:5.2f} times Breakthrough's", flush=True)


if __name__ == "__main__":
    main()
