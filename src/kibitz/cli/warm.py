"""`kibitz warm`: compile ahead of time."""

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from typing import Annotated

import typer

from kibitz import agents
from kibitz.agents.agent import Agent
from kibitz.arena.interrupts import put_off_ctrl_c
from kibitz.arena.teams.local import end_with_the_parent
from kibitz.cli.interrupts import Stopped
from kibitz.cli.progress import track
from kibitz.core.options import in_range
from kibitz.games import catalog
from kibitz.puzzles import flow
from kibitz.search.perft import perft

PUZZLES: Mapping[str, Callable[[], None]] = {"flow": flow.warm}


def warm(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games or puzzles; all but the gallery if left out."),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Compile so many games at once; 0: one for each processor.")] = 0,
) -> None:
    """Compile games with their strongest agents, and puzzles, now, so that the first use of each is instant."""
    texts = [text if text in PUZZLES else catalog.load(text).text for text in game or [*_listed(), *PUZZLES]]
    in_range("jobs", jobs, 0, 64)
    workers = min(jobs or os.cpu_count() or 1, len(texts))
    number = 0
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_the_parent) as pool:
        try:
            with put_off_ctrl_c():
                waiting = {pool.submit(compiled, text): text for text in texts}
            for number, done in enumerate(track(as_completed(waiting), "compiling games", len(texts)), 1):
                print(f"{number}/{len(texts)} {waiting[done]} ready in {done.result():.1f} s", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
            raise Stopped(f"after {number} of {len(texts)}; what is compiled is kept") from None


def _listed() -> list[str]:
    """All games but those of the gallery, which would take minutes."""
    return [entry.name for entry in catalog.entries() if entry.origin != catalog.GALLERY]


def compiled(text: str) -> float:
    """Compile one game and its agent, or a puzzle, in a process of its own; the seconds it took."""
    began = time.perf_counter()
    if text in PUZZLES:
        PUZZLES[text]()
        return time.perf_counter() - began
    ready = catalog.load(text)
    perft(ready.new(), 1)
    _: Agent = agents.agent(agents.default_agent(ready), ready)
    return time.perf_counter() - began
