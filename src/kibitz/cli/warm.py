"""`kibitz warm`: compile ahead of time."""

import time
from typing import Annotated

import typer

from kibitz.games import catalog
from kibitz.search.perft import perft


def warm(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; all of them if left out.")
    ] = None,
) -> None:
    """Compile games now, so that the first use of each is instant."""
    texts = game or [entry.name for entry in catalog.entries()]
    chosen = [catalog.load(text) for text in texts]
    for number, ready in enumerate(chosen, 1):
        began = time.perf_counter()
        perft(ready.new(), 1)
        print(f"{number}/{len(chosen)} {ready.text} ready in {time.perf_counter() - began:.1f} s", flush=True)
