"""Where nets are kept: those that come with Kibitz, and the user's own in a folder, which go first."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.errors import BadOption, quoted
from kibitz.core.game import Game
from kibitz.core.home import home_folder
from kibitz.nets.file import BadNet, Net, load
from kibitz.tables.file.identity import name_of

SHIPPED = Path(__file__).parent / "shipped"
LEARNED = "learned"  # the name of a net unless another one is given
ENDING = ".net"
NAME = r"[A-Za-z][\w-]{0,40}"


def root() -> Path:
    """The user's folder: KIBITZ_NETS, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_NETS")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "kibitz" / "nets"
    return Path(os.environ.get("XDG_DATA_HOME") or home_folder() / ".local" / "share") / "kibitz" / "nets"


def stem_of(game: Game) -> str:
    """The name of a game's files; two games that share one are told apart by the hash of their rules."""
    return re.sub(r"[^\w=-]+", "_", name_of(game))[:100]


def path_for(game: Game, name: str = LEARNED) -> Path:
    """Where the user's net of this name is kept."""
    if not re.fullmatch(NAME, name):
        raise BadOption(f"a net is called {quoted(name)}, expected a letter, then letters, digits, - and _")
    return root() / f"{stem_of(game)}.{name}{ENDING}"


def list_paths() -> Iterator[Path]:
    """Every net there is, the user's first."""
    for place in (root(), SHIPPED):
        yield from sorted(place.glob(f"*{ENDING}"))


def list_nets() -> Iterator[tuple[Path, Net | BadNet]]:
    """Every net, or why it cannot be read."""
    for path in list_paths():
        try:
            yield path, load(path)
        except BadNet as problem:
            yield path, problem


def paths_of(game: Game) -> dict[str, Path]:
    """The nets of a game by name, the user's own first; one of these hides one that comes with Kibitz."""
    stem = stem_of(game)
    found: dict[str, Path] = {}
    for place in (root(), SHIPPED):
        for path in sorted(place.glob(f"{stem}.*{ENDING}")):
            found.setdefault(path.name.removeprefix(f"{stem}.").removesuffix(ENDING), path)
    return found
