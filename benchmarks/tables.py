"""Perfect-play tables: how fast wolves is solved, layer by layer, and how fast tables are asked.

python -m benchmarks tables          three to eight sheep
python -m benchmarks.tables 10       up to so many
"""

import os
import resource
import sys
import time

import numpy as np

from kibitz import games
from kibitz.core.seam import interpreting
from kibitz.games import wolves
from kibitz.tables.file import compression
from kibitz.tables.generic.solver import solve as solve_any
from kibitz.tables.indexed.layers import layers_of, spans_of
from kibitz.tables.indexed.solver import LayerSolver, count_wrong_codes
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.table import Table
from kibitz.tables.worker_pool import WorkerPool

MILLION = 1_000_000


def main(most: int = 8) -> None:
    assert not interpreting()
    connect_four()
    table = solved_wolves(most)
    probing(table)


def connect_four() -> None:
    """The generic way."""
    game = games.load("tests/rules/connectfour.py,rows=4,columns=5")
    cores = os.cpu_count() or 1
    with WorkerPool(cores, game.max_moves) as pool:
        solve_any(games.load("tests/rules/connectfour.py,rows=3,columns=3,connect=3"), MemoryBudget(1 << 30), pool)
        began, burnt = time.perf_counter(), time.process_time()
        solved = solve_any(game, MemoryBudget(4 << 30), pool)
        took, burnt = time.perf_counter() - began, time.process_time() - burnt
    _line(f"connect four 4x5, generic, {cores} threads", solved.size, took, f"{burnt:.1f} s of processor")


def solved_wolves(most: int) -> Table:
    """The indexed way, on all cores."""
    game = wolves()
    layers = [layer for layer in layers_of(spans_of(game)) if layer.name <= most]
    values = np.zeros(compression.pad_size(layers[-1].stop), np.uint8)
    cores = os.cpu_count() or 1
    total = seconds = used = 0.0
    with WorkerPool(cores, 4 * game.max_moves) as pool:
        solver = LayerSolver(game, values, pool, lambda count: None)
        solver.solve(layers[0])  # compiles
        for layer in layers:
            began, burnt = time.perf_counter(), time.process_time()
            solver.solve(layer)
            took, burnt = time.perf_counter() - began, time.process_time() - burnt
            numbers = layer.stop - layer.start
            total, seconds, used = total + numbers, seconds + took, used + burnt
            _line(f"wolves, {layer.name} sheep", numbers, took, f"{burnt:.1f} s of processor")
        sample = np.sort(np.random.default_rng(1).integers(0, layers[-1].stop, MILLION))
        wrong = count_wrong_codes(game, values, pool, layers[-1].stop, sample, lambda count: None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    more = f"{used:.1f} s of processor, {peak:.2f} GB at most, {wrong} wrong of {MILLION:,}"
    _line(f"wolves, 3-{most} sheep, {cores} threads", int(total), seconds, more)
    return Table(game, compression.make_header(layers[-1].stop), values, {})


def probing(table: Table) -> None:
    """A million random positions in arrays, and one by one."""
    dice = np.random.default_rng(2)
    cells = np.argsort(dice.random((MILLION, 25)), axis=1)[:, :8]
    columns = [
        (1 << cells[:, :2]).sum(1),
        (1 << cells[:, 2:]).sum(1),
        dice.integers(0, 2, MILLION),
        np.zeros(MILLION, int),
    ]
    table.probe_many([column[:10] for column in columns])
    began = time.perf_counter()
    table.probe_many(columns)
    took = time.perf_counter() - began
    _line("probing from arrays", MILLION, took)
    states = [table.game.rulebook.state(*(int(column[at]) for column in columns)) for at in range(20_000)]
    table.probe(states[0])
    began = time.perf_counter()
    for state in states:
        table.probe(state)
    took = time.perf_counter() - began
    _line("probing one by one", len(states), took, f"{took / len(states) * 1e6:.1f} us each")


def _line(what: str, count: int, took: float, more: str = "") -> None:
    print(f"{what:30} {count:13,} positions {took:9.2f} s {count / took / 1e6:8.2f} M/s   {more}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
