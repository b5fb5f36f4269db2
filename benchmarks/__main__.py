"""Every bench line: `make bench`, or `python -m benchmarks perft referee` for some of them.

The signature of the search and its speed beside other programs are `kibitz bench --peers`, strength is `kibitz match`.
"""

import sys
from importlib import import_module

from kibitz.core.errors import did_you_mean, quoted

LINES = ("perft", "engine", "gallery", "learning", "mcts", "flow", "referee", "contests", "server", "tables", "wasm")

for line in sys.argv[1:]:
    if line not in LINES:
        print(f"benchmarks: no line is called {quoted(line)}{did_you_mean(line, LINES)}", file=sys.stderr)
        sys.exit(2)
for line in sys.argv[1:] or LINES:
    print(f"\n== {line}", flush=True)
    import_module(f"benchmarks.{line}").main()
