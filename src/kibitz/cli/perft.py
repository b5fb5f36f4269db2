"""`kibitz perft`: count lines of play, to prove rules or to measure speed."""

import time
from typing import Annotated

import typer

from kibitz.cli.texts import GameText, Json, print_json
from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.search import perft as counting


def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(min=1, max=60, help="How many turns deep.")],
    position: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first turn on its own.")] = False,
    as_json: Json = False,
) -> None:
    """Count the lines of play to a depth; the last line is the total."""
    here = catalog.position(game, position)
    if divide:
        counts = counting.divide(here, depth)
        rows = [{"turn": turn, "lines": lines} for turn, lines in sorted(counts.items())]
        total = sum(counts.values())
    else:
        rows, total = _by_depth(here, depth, quiet=as_json)
    if as_json:
        print_json({"game": here.game.text, "position": here.text, "depth": depth, "rows": rows, "total": total})
        return
    if divide:
        for row in rows:
            print(f"{row['turn']}: {row['lines']}")
    print(f"total {total}")


def _by_depth(here: Position, depth: int, quiet: bool) -> tuple[list[dict[str, object]], int]:
    rows: list[dict[str, object]] = []
    total = 0
    counting.perft(here, 1)  # compiles, so that the figures below are of counting alone
    for level in range(1, depth + 1):
        began = time.perf_counter()
        total = counting.perft(here, level)
        took = time.perf_counter() - began
        rows.append({"depth": level, "lines": total, "seconds": took})
        if not quiet:
            print(f"depth {level:2}  {total:>16,} lines  {took:9.3f} s  {total / took / 1e6:8.1f} M/s", flush=True)
    return rows, total
