"""Where puzzles are kept: those that come with Kibitz, and the user's own in a folder, which go first."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.game import Game
from kibitz.core.home import home_folder
from kibitz.tables.file.identity import name_of

SHIPPED = Path(__file__).parent / "shipped"
ENDING = ".puzzles"


def root() -> Path:
    """The user's folder: KIBITZ_PUZZLES, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_PUZZLES")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "kibitz" / "puzzles"
    return Path(os.environ.get("XDG_DATA_HOME") or home_folder() / ".local" / "share") / "kibitz" / "puzzles"


def path_for(game: Game) -> Path:
    """Where the user's puzzles of a game are kept."""
    return root() / (re.sub(r"[^\w=-]+", "_", name_of(game))[:100] + ENDING)


def list_paths() -> Iterator[Path]:
    """Every file of puzzles; one of the user's hides one of the same name that comes with Kibitz."""
    seen: set[str] = set()
    for place in (root(), SHIPPED):
        for path in sorted(place.glob(f"*{ENDING}")):
            if path.name not in seen:
                seen.add(path.name)
                yield path
