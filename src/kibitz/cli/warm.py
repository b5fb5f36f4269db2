"""`kibitz warm`: compile ahead of time."""

import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Annotated

import typer

from kibitz import agents
from kibitz.agents.agent import Agent
from kibitz.cli.progress import track
from kibitz.core.options import in_range
from kibitz.games import catalog
from kibitz.search.perft import perft


def warm(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; all if left out.")] = None,
    jobs: Annotated[int, typer.Option(help="Compile so many games at once; 0: one for each processor.")] = 0,
) -> None:
    """Compile games and their strongest agents now, so that the first use of each is instant."""
    texts = [catalog.load(text).text for text in game or [entry.name for entry in catalog.entries()]]
    in_range("jobs", jobs, 0, 64)
    workers = min(jobs or os.cpu_count() or 1, len(texts))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(compiled, text): text for text in texts}
        finished = track(as_completed(waiting), "compiling games", len(texts))
        for number, done in enumerate(finished, 1):
            print(f"{number}/{len(texts)} {waiting[done]} ready in {done.result():.1f} s", flush=True)


def compiled(text: str) -> float:
    """Compile one game and its agent, in a process of its own; the seconds it took."""
    began = time.perf_counter()
    ready = catalog.load(text)
    perft(ready.new(), 1)
    _: Agent = agents.agent(agents.default_agent(ready), ready)
    return time.perf_counter() - began
