"""Exported games beside native ones: nodes a second in processor time, and the sizes of modules."""

import gzip
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from kibitz import heuristics
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.random_play import random_opening
from kibitz.export.library import file_name, write_library
from kibitz.export.node import run_script
from kibitz.games import catalog
from kibitz.nets.choice import heuristics_of
from kibitz.search.engine import Engine

NODES = 300_000
OPENINGS = (0, 4, 8)
SCRIPT = Path(__file__).with_name("wasm.mjs")


def main() -> None:
    print("game                      native M/s  wasm M/s  ratio  module kB  compressed kB")
    for entry in catalog.entries():
        if entry.origin in (catalog.BUILT_IN, catalog.GALLERY):
            game = catalog.load(entry.name)
            learned = [each for each in heuristics_of(game) if each.network is not None]
            for heuristic in [heuristics.find(game), *learned]:
                _measure(game, heuristic)


def _measure(game: Game, heuristic: Heuristic) -> None:
    """One line. The nodes of both are the same, or the line says so."""
    positions = [random_opening(game, turns, random.Random(turns)) for turns in OPENINGS]
    engine = Engine(game, heuristic, megabytes=16)
    native: list[tuple[int, float]] = []
    for position in positions:
        engine.forget()
        began = time.process_time()
        report = engine.search(position, Limit(nodes=NODES))
        native.append((report.nodes, time.process_time() - began))
    with tempfile.TemporaryDirectory() as folder:
        try:
            write_library(game, heuristic, Path(folder))
        except KibitzError as refusal:
            print(f"{game.text}: {refusal}")
            return
        moves = [[each.last_move for each in reversed([*position.trail()][:-1])] for position in positions]
        job = {"folder": folder, "name": file_name(game), "games": moves, "nodes": NODES}
        found: Any = run_script(SCRIPT, job)
        module = (Path(folder) / f"{file_name(game)}.wasm").read_bytes()
    nodes = sum(count for count, _ in native)
    speed, other = nodes / sum(spent for _, spent in native) / 1e6, found["nodes"] / found["seconds"] / 1e6
    sizes = f"{len(module) / 1000:9.1f}  {len(gzip.compress(module)) / 1000:13.1f}"
    same = "" if found["nodes"] == nodes else f"  NODES DIFFER: {json.dumps(found['nodes'])} and {nodes}"
    name = f"{game.text} {heuristic.name}"
    print(f"{name:25} {speed:10.2f}  {other:8.2f}  {other / speed:5.2f}  {sizes}{same}", flush=True)
