"""Where tables are kept: a folder of files, one a game."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.game import Game
from kibitz.core.home import home_folder
from kibitz.tables.errors import BadTable, NoTable
from kibitz.tables.file import container, stamp
from kibitz.tables.file.identity import file_name, name_of
from kibitz.tables.table import Table


def root() -> Path:
    """The folder: KIBITZ_TABLES, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_TABLES")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "kibitz" / "tables"
    return Path(os.environ.get("XDG_DATA_HOME") or home_folder() / ".local" / "share") / "kibitz" / "tables"


def path_for(game: Game) -> Path:
    """Where the table of a game is looked for."""
    return root() / file_name(game)


def list_tables() -> Iterator[tuple[Path, container.Header | BadTable]]:
    """Every table there is, with what it says of itself or why it cannot be read."""
    for path in sorted(root().glob("*.table")):
        try:
            yield path, container.read_header(path)
        except BadTable as problem:
            yield path, problem


def verify_tables() -> Iterator[tuple[Path, container.Header | BadTable]]:
    """The same, after every table was read through and its checksum verified."""
    for path, about in list_tables():
        try:
            if not isinstance(about, BadTable):
                stamp.verify(path)
            yield path, about
        except BadTable as problem:
            yield path, problem


def find(game: Game) -> Table | None:
    """The table of a game, None where there is none; one that does not fit is refused."""
    path = path_for(game)
    return Table.open(path, game) if path.is_file() else None


def require(game: Game) -> Table:
    """The table of a game, or which command builds it."""
    found = find(game)
    if found is None:
        raise NoTable(f"no table of {name_of(game)} in '{root()}'; build it with: kibitz solve {game.text}")
    return found
