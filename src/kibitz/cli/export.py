"""`kibitz export`: a game with its engine for other people's pages."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import GameText
from kibitz.core.errors import BadOption
from kibitz.export.library import write_library
from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic


def export(
    game: GameText,
    wasm: Annotated[
        bool, typer.Option("--wasm", help="Write module, manifest and engine.js: a library for pages and Node.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The folder to write to.", show_default=False)] = None,
    heuristic: Annotated[str | None, typer.Option(help="How positions are judged; the default if left out.")] = None,
) -> None:
    """Write a game with its engine as WebAssembly, to be used without Python."""
    chosen = catalog.load(game)
    if not wasm:
        raise BadOption("say what to export: --wasm")
    if out is None:
        raise BadOption("--wasm writes several files, expected --out FOLDER")
    for path, size in write_library(chosen, find_heuristic(chosen, heuristic), out):
        print(f"{size / 1000:8.1f} kB  {path}")
