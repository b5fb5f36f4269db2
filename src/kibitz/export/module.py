"""The module of a game: compiled in a process of its own, and kept in the cache under the hash of its sources."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.seam import cache
from kibitz.core.seam.progress import progress_line
from kibitz.core.seam.wasm import ENVIRONMENT, CannotExport, Entry, KernelSet
from kibitz.export import kernels
from kibitz.search.engine.memory import Memory, new_record
from kibitz.search.engine.scale import constants_of

WORDS, NUMBERS, BYTES = np.zeros(1, np.int64), np.zeros(1, np.float64), np.zeros(1, np.uint8)


def kernels_of(game: Game, heuristic: Heuristic) -> KernelSet:
    """What the game's module is made of. Options of a game and weights are data: others have the same module."""
    rules, weights = game.rules, heuristic.weight_array
    memory = Memory(new_record(), WORDS, WORDS, NUMBERS, weights, WORDS, WORDS, BYTES, WORDS)
    entries = {
        "facts": Entry(kernels.facts, (WORDS, rules, WORDS)),
        "moves": Entry(kernels.moves, (WORDS, rules, WORDS)),
        "play": Entry(kernels.play, (WORDS, rules, 0, WORDS)),
        "evaluate": Entry(kernels.evaluate, (WORDS, rules, weights, 0)),
        "visit": Entry(kernels.visit, (WORDS, rules, 1, -1.0, 1.0, 0, 1, -1, memory)),
    }
    if game.rulebook.outcomes is not None:
        entries["outcomes"] = Entry(kernels.outcomes, (WORDS, rules, NUMBERS, WORDS))
    return KernelSet(game.rulebook, entries, heuristic, constants=constants_of(game.rulebook, heuristic))


def build_module(game: Game, heuristic: Heuristic) -> bytes:
    """The bytes of the module, from the cache or compiled now; CannotExport where that is impossible."""
    made_of = kernels_of(game, heuristic)
    made_of.refuse_large_constants()
    owner = re.sub(r"\W", "_", game.rulebook.name)
    digest = made_of.digest()
    name = f"{owner}_{digest[:16]}.wasm"
    kept = cache.read_sealed(name)
    if kept is not None:
        return kept
    with cache.compile_lock(cache.folder() / name):
        kept = cache.read_sealed(name)
        if kept is not None:
            return kept
        with progress_line(f"{game.rulebook.title}, WebAssembly", kept=True):
            module = _compile_apart(game, heuristic, digest)
        cache.write_sealed(name, module)
    return module


def _compile_apart(game: Game, heuristic: Heuristic, digest: str) -> bytes:
    """The module, compiled by another process: see `kibitz.core.seam.wasm.lowering` for the reason. The digest is of
    what this process knows: files may have changed since.
    """
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        out = Path(folder) / "module.wasm"
        command = [sys.executable, "-P", "-m", "kibitz.export.compiler", str(out), digest, game.text, heuristic.name]
        ended = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=False)
        refusal = out.with_suffix(".refusal")
        if refusal.exists():
            raise CannotExport(f"{game.text} cannot be exported: {refusal.read_text()}")
        if ended.returncode != 0 or not out.exists():
            last = (ended.stderr.strip().splitlines() or [f"exit status {ended.returncode}"])[-1]
            raise KibitzError(f"{game.text}: compiling the module failed: {last}")
        return out.read_bytes()
