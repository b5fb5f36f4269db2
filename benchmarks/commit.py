"""Nodes a second beside an older commit of ours: `python -m benchmarks.commit 8069b56`.

Both run `kibitz bench` in turn, each from its own sources and cache; of every position the best time counts.
"""

import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path

ROUNDS = 8
ROW = re.compile(r"(\S+) +depth +\d+ +([\d,]+) nodes .* ([\d.]+) M/s")
ROOT = Path(__file__).parent.parent

Times = dict[tuple[str, int], tuple[int, float]]  # (game, number of the row): nodes, seconds


def main() -> None:
    commit = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        caches = Path(folder, "cache-old"), Path(folder, "cache-new")
        old: Times = {}
        new: Times = {}
        for _ in range(ROUNDS):
            run_bench(Path(folder, "src"), caches[0], old)
            run_bench(ROOT / "src", caches[1], new)
    speeds = speed_by_game(old), speed_by_game(new)
    for game in speeds[1]:
        before, after = speeds[0][game], speeds[1][game]
        print(f"{game:20} {before / 1e6:.2f} -> {after / 1e6:.2f} M nodes/s, {after / before:.2f} times {commit}")


def run_bench(sources: Path, cache: Path, best: Times) -> None:
    """Add a run of `kibitz bench`: of every row the shortest time is kept."""
    environment = dict(os.environ, PYTHONPATH=str(sources), KIBITZ_CACHE=str(cache))
    command = [sys.executable, "-m", "kibitz.cli", "bench"]
    printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    for number, (game, written, rate) in enumerate(ROW.findall(printed)):
        nodes = int(written.replace(",", ""))
        known = best.get((game, number), (0, float("inf")))[1]
        best[game, number] = nodes, min(known, nodes / (1e6 * float(rate)))


def speed_by_game(times: Times) -> dict[str, float]:
    """Nodes a second over all rows of a game."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for (game, _), (nodes, seconds) in times.items():
        totals[game][0] += nodes
        totals[game][1] += seconds
    return {game: nodes / seconds for game, (nodes, seconds) in totals.items()}


if __name__ == "__main__":
    main()
