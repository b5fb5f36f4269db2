"""Perft, compiled beside interpreted, and how long a start takes."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

from kibitz import games
from kibitz.core.position import Position
from kibitz.search.perft import perft

# Game text, depth compiled, depth interpreted: the interpreted run is shallow, its rate is what is compared.
COUNTS = (
    ("breakthrough", 6, 3),
    ("alquerque", 11, 6),
    ("wolves", 8, 4),
    ("checkers", 5, 2),
    ("vampires:testmap", 3, 2),
    ("connectfour", 9, 5),
)

# Numba imports most of itself when it is first used; this makes it do so.
LOADED = "from numba.core.registry import cpu_target as c; c.typing_context.refresh(); c.target_context.refresh()"


def main() -> None:
    print(f"{'perft':28} {'lines':>14} {'compiled':>14} {'interpreted':>14} {'ratio':>8}")
    for text, deep, shallow in COUNTS:
        start = games.load(text).new()
        perft(start, 1)
        bulk, lines = rate(partial(perft, start, deep))
        _row(f"{text} {deep}", lines, bulk, interpreted_rate(start, shallow))
        if start.game.alternating:
            played, lines = rate(partial(perft, start, deep, bulk=False))
            _row(f"{text} {deep}, all played", lines, played, interpreted_rate(start, shallow, bulk=False))
    print()
    for text in ("breakthrough", "checkers", "vampires"):
        cold, warm, bare = starts(text)
        print(
            f"start {text:14} cold {cold:5.2f} s   warm {warm:5.2f} s   of which importing the libraries {bare:5.2f} s"
        )


def _row(what: str, lines: int, compiled: float, plain: float) -> None:
    print(
        f"{what:28} {lines:14,} {compiled / 1e6:10.2f} M/s {plain / 1e3:10.2f} k/s {compiled / plain:7.0f}x", flush=True
    )


def rate(count: Callable[[], int]) -> tuple[float, int]:
    """Lines a second, the best of three, and how many lines there are."""
    best = 0.0
    lines = 0
    for _ in range(3):
        began = time.perf_counter()
        lines = count()
        best = max(best, lines / (time.perf_counter() - began))
    return best, lines


def interpreted_rate(start: Position, depth: int, bulk: bool = True) -> float:
    """Lines a second of the same kernel run as plain Python."""
    os.environ["KIBITZ_INTERPRET"] = "1"
    try:
        return rate(partial(perft, start, depth, bulk=bulk))[0]
    finally:
        del os.environ["KIBITZ_INTERPRET"]


def starts(text: str) -> tuple[float, float, float]:
    """Seconds for a new process to count two plies: with an empty cache, with a filled one, and imports alone."""
    libraries = f"import kibitz.search.perft, kibitz.games; {LOADED}"
    count = f"{libraries}; kibitz.search.perft.perft(kibitz.games.load({text!r}).new(), 2)"
    with tempfile.TemporaryDirectory() as cache:
        cold = _process(count, cache)
        warm = min(_process(count, cache) for _ in range(3))
        bare = min(_process(libraries, cache) for _ in range(3))
    return cold, warm, bare


def _process(code: str, cache: str) -> float:
    began = time.perf_counter()
    environment = dict(os.environ, KIBITZ_CACHE=cache)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
