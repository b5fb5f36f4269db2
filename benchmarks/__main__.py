"""Every bench line: `make bench`, or `python -m benchmarks perft referee` for some of them."""

import sys
from importlib import import_module

ROOMS = ("perft", "engine", "mcts", "flow", "referee", "contests", "server", "tables")

for room in sys.argv[1:] or ROOMS:
    print(f"\n== {room}", flush=True)
    import_module(f"benchmarks.{room}").main()
