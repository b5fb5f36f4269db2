"""Where tables are kept: a folder of files, one a game."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.game import Game
from kibitz.tables.errors import BadTable, NoTable
from kibitz.tables.file import container
from kibitz.tables.file.identity import file_name, name_of
from kibitz.tables.table import Table


def folder() -> Path:
    """The folder: KIBITZ_TABLES, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_TABLES")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "kibitz" / "tables"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kibitz" / "tables"


def place(game: Game) -> Path:
    """Where the table of a game is looked for."""
    return folder() / file_name(game)


def contents() -> Iterator[tuple[Path, container.Header | BadTable]]:
    """Every table there is, with what it says of itself or why it cannot be read."""
    for path in sorted(folder().glob("*.table")):
        try:
            yield path, container.read_header(path)
        except BadTable as problem:
            yield path, problem


def find(game: Game) -> Table | None:
    """The table of a game, None where there is none; one that does not fit is refused."""
    path = place(game)
    return Table.open(path, game) if path.is_file() else None


def required(game: Game) -> Table:
    """The table of a game, or which command builds it."""
    found = find(game)
    if found is None:
        raise NoTable(f"no table of {name_of(game)} in '{folder()}'; build it with: kibitz solve {game.text}")
    return found
