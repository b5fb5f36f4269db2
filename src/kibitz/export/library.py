"""A game as a library for other people's pages and for Node: a folder with its module, its manifest and engine.js."""

import json
import re
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
    _make_folder(folder)
    paths = {part: folder / part for part in (f"{name}.wasm", f"{name}.json", *SCRIPTS)}
    for path in paths.values():
        check_writable(path)
    module = build_module(game, heuristic)
    manifest = json.dumps(describe_game(game, heuristic, module))
    contents = [module, manifest.encode(), *(read_script(script).encode() for script in SCRIPTS)]
    written = []
    for path, content in zip(paths.values(), contents, strict=True):
        write_file(path, content)
        written.append(Written(path, len(content)))
    return written


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = "it is a file, expected a folder" if folder.is_file() else problem.strerror
        raise KibitzError(f"cannot write '{folder}': {reason}") from None
