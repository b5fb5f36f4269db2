"""Which files of this machine a player must see: its own, those of the game, the cache and the tables.

Of a guest's file the whole folder is shown, for it may read what lies beside it; but never a home, nor a folder above
one: there only the Python files beside it are. What belongs to other entrants is hidden, unless it is the player's own,
too.
"""

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz import agents
from kibitz.agents.agent import AgentText
from kibitz.agents.guests.loader import strip_quotes
from kibitz.agents.guests.program import find_program
from kibitz.arena.players.resolve_paths import PLACES, PathResolver
from kibitz.arena.players.sandbox import View
from kibitz.core.errors import KibitzError
from kibitz.core.seam import cache
from kibitz.nets import folder as nets
from kibitz.tables import folder as tables


@dataclass(frozen=True, slots=True)
class VisibleFiles:
    """Looks for files as they are named in the folder in which the match was started."""

    started: Path
    home: Path

    def view(
        self, game: str, agent: AgentText, further: Iterable[str], others: Iterable[str], folders: Iterable[str] = ()
    ) -> View:
        """What a player sees of this machine: its files, the game's and further ones, none of the others' files and
        folders.
        """
        own = list(self.name_files(agent))
        shown = [*self._game_files(game), *map(Path, filter(os.path.isabs, further)), *own]
        hidden = {*map(Path, folders), *(place for text in others for place in self._files_of(text))}
        stored = cache.folder().absolute()
        known = [tables.root(), nets.root(), stored]
        return View(
            readable=tuple(_with_targets([*self._surround(shown), *self._programs(agent), *known])),
            writable=(stored,) if agent.kind.is_ours else (),
            hidden=_outermost([place for place in _with_targets(hidden) if not _holds_any(place, own)]),
            folder=self.started,
        )

    def name_files(self, agent: AgentText) -> Iterator[Path]:
        """The files and folders that an agent's text names, the program of a command left out."""
        words = self._words(agent)
        yield from (self.started / word for word in words[agent.kind.main not in PLACES :] if os.path.isabs(word))

    def _programs(self, agent: AgentText) -> Iterator[Path]:
        """The program of a command and what was installed with it: all that is beside its folder `bin`, or `shims`, as
        managers of versions have it.
        """
        words = self._words(agent)
        found = find_program(words[0]) if words and agent.kind.main not in PLACES else None
        if found is None:
            return
        for place in _with_targets([self.started / found]):
            folder = place.parent
            installed = folder.name in ("bin", "shims") and self._is_narrow(folder.parent)
            yield folder.parent if installed else folder if self._is_narrow(folder) else place

    def _words(self, agent: AgentText) -> list[str]:
        """The files that an agent's text names, in full; of a command all words."""
        main = agent.kind.main
        value = str(getattr(PathResolver(self.started, self.home).resolve(agent).options, main)) if main else ""
        if main not in PLACES:
            return _split(value)
        return [str(self.started / strip_quotes(value.split("::")[0]))] if value else []

    def _files_of(self, text: str) -> list[Path]:
        try:
            return list(self.name_files(agents.read(text)))
        except KibitzError:
            return []

    def _game_files(self, game: str) -> Iterator[Path]:
        """The rules file and other files that a game's text names, such as maps."""
        for word in re.split(r"[,:=]", game):
            for name in (word, f"{word}.py"):
                if name.strip() and os.path.isfile(self.started / name.strip()):
                    yield self.started / name.strip()

    def _surround(self, places: Iterable[Path]) -> Iterator[Path]:
        for place in places:
            if place.is_file() and self._is_narrow(place.parent):
                yield place.parent
            elif place.is_file():
                yield from (place, *place.parent.glob("*.py"))
            elif place.is_dir():
                yield place

    def _is_narrow(self, folder: Path) -> bool:
        """Is it safe to show the whole folder?"""
        real = folder.resolve()
        return not self.home.resolve().is_relative_to(real) and real not in (Path("/tmp"), Path("/var/tmp"))


def _with_targets(places: Iterable[Path]) -> list[Path]:
    """Those that exist, in full, and where links among them lead to."""
    return list(dict.fromkeys(one for place in places if place.exists() for one in (place.absolute(), place.resolve())))


def _outermost(places: list[Path]) -> tuple[Path, ...]:
    """Those that lie in no other one: in a folder that is hidden there is nothing left to hide."""
    return tuple(place for place in places if not any(parent in places for parent in place.parents))


def _holds_any(place: Path, others: Iterable[Path]) -> bool:
    return any(other.resolve().is_relative_to(place.resolve()) for other in others)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []
