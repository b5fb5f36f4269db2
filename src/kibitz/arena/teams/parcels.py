"""Files that travel: what agents and games consist of, packed where a contest was started, unpacked on other machines.

A file or a folder that a text names becomes a parcel. On the other machine it is laid down under the digest of what it
holds, so that nothing is written twice and nothing is ever overwritten; texts then name it there.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz import agents
from kibitz.arena.play.task import GameTask
from kibitz.arena.players.agent_files import find_excess, named_places, needed_files
from kibitz.core.errors import KibitzError


class TooLarge(KibitzError):
    """Files that are too many to be sent."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A named place and all files that belong to it."""

    place: str  # in full, as texts name it
    inside: str  # the place within the folder that is packed; empty: the folder itself
    files: tuple[tuple[str, bytes, bool], ...]  # path, content, may it be run?

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for path, content, runs in self.files:
            found.update(f"{path} {len(content)} {runs}\n".encode() + content)
        return found.hexdigest()[:24]


def pack(place: Path) -> Parcel:
    """A file or folder with what it needs."""
    root = place if place.is_dir() else place.parent
    if excess := find_excess(place):
        raise TooLarge(f"'{place}' cannot be sent to a cluster: {excess}")
    files = needed_files(place)
    packed = [(str(file.relative_to(root)), file.read_bytes(), os.access(file, os.X_OK)) for file in files]
    return Parcel(str(place), "" if place.is_dir() else place.name, tuple(packed))


def places_of(task: GameTask) -> set[Path]:
    """What must be on a machine to play a game: the players' files, and the game's."""
    found = {Path(folder) for folder in task.folders if folder}
    for text, folder in zip((task.first, task.second), task.folders, strict=True):
        found |= {place for place in named_places(agents.read(text)) if not folder or not place.is_relative_to(folder)}
    head, *options = re.split(r",(?=\s*[A-Za-z_]\w*=)", task.game)
    rules = re.match(r".+\.py(?=$|:)", head)
    named = [rules[0] if rules else "", *(option.partition("=")[2] for option in options)]
    found |= {Path(name) for name in named if os.path.isabs(name) and os.path.isfile(name)}
    return found - {Path(sys.executable)}  # each machine has a Python of its own


def unpack(parcels: Iterable[Parcel], root: Path) -> dict[str, str]:
    """Lay parcels down below a folder; from each named place to where it is now."""
    return {parcel.place: str(_lay_down(parcel, root) / parcel.inside) for parcel in parcels}


def _lay_down(parcel: Parcel, root: Path) -> Path:
    """The folder of a parcel. It appears whole or not at all: several processes may want it at once."""
    target = root / parcel.digest
    if target.is_dir():
        return target
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = Path(tempfile.mkdtemp(prefix="parcel-", dir=root))
    for path, content, runs in parcel.files:
        file = fresh / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o700 if runs else 0o600)
    try:
        fresh.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(fresh, ignore_errors=True)
    return target


def relocate(task: GameTask, where: Mapping[str, str]) -> GameTask:
    """The same game with its files where they are on this machine."""

    def moved(text: str) -> str:
        for place in sorted(where, key=len, reverse=True):
            text = text.replace(place, where[place])
        return text

    return replace(
        task,
        game=moved(task.game),
        first=moved(task.first),
        second=moved(task.second),
        folders=(moved(task.folders[0]), moved(task.folders[1])),
    )
