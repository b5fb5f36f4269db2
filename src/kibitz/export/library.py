"""A game as a library for other people's pages and for Node: a folder with its module, its manifest and engine.js."""

import json
import os
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.output_file import check_writable, write_file
from kibitz.export.manifest import describe_game
from kibitz.export.module import build_module

SCRIPTS = ("engine.js", "engine.d.ts")


class Written(NamedTuple):
    """A file that was written, and its size."""

    path: Path
    size: int


def read_script(name: str) -> str:
    """The text of a script that goes with a module."""
    return (files("kibitz.export") / "script" / name).read_text()


def file_name(game: Game) -> str:
    """The game's text as the name of a file: `breakthrough-5x10`."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", Path(game.text).name.replace(".py", "")).strip("-.") or "game"


def write_library(game: Game, heuristic: Heuristic, folder: Path) -> list[Written]:
    """Write module, manifest and scripts into a folder, which is made where it does not exist."""
    name = file_name(game)
    paths = [folder / part for part in (f"{name}.wasm", f"{name}.json", *SCRIPTS)]
    _check_folder(folder, paths)
    module = build_module(game, heuristic)
    _make_folder(folder)
    manifest = json.dumps(describe_game(game, heuristic, module))
    contents = [module, manifest.encode(), *(read_script(script).encode() for script in SCRIPTS)]
    written = []
    for path, content in zip(paths, contents, strict=True):
        write_file(path, content)
        written.append(Written(path, len(content)))
    return written


def _check_folder(folder: Path, paths: Iterable[Path]) -> None:
    """Refuse a folder that cannot be written before anything is compiled for it."""
    if folder.is_dir():
        for path in paths:
            check_writable(path)
        return
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise KibitzError(f"cannot write '{folder}': '{nearest.name}' is a file, expected a folder")
    if not os.access(nearest, os.W_OK):
        raise KibitzError(f"cannot write '{folder}': Permission denied")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot write '{folder}': {problem.strerror}") from None
