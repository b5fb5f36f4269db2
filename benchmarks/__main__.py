"""Every bench line: `make bench`, or `python -m benchmarks counting refereeing` for some of them."""

import sys
from importlib import import_module

ROOMS = ("counting", "searching", "sampling", "flow", "refereeing", "contests", "serving", "tables")

for room in sys.argv[1:] or ROOMS:
    print(f"\n== {room}", flush=True)
    import_module(f"benchmarks.{room}").main()
