"""`python -m tests.export.rules_module OUT GAME`: a module of a game's rules alone, which compiles in a few seconds.

For a process with the environment that `kibitz.core.seam.wasm` asks for.
"""

import sys
from pathlib import Path

from kibitz.core.heuristic import NO_HEURISTIC
from kibitz.core.seam.wasm import KernelSet
from kibitz.export.module import kernels_of
from kibitz.games import catalog

RULES = ("facts", "moves", "play")

if __name__ == "__main__":
    game = catalog.load(sys.argv[2])
    entries = kernels_of(game, NO_HEURISTIC).entries
    kernels = KernelSet(game.rulebook, {name: entries[name] for name in RULES}, NO_HEURISTIC)
    Path(sys.argv[1]).write_bytes(kernels.compile())
