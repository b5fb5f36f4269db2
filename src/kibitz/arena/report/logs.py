"""What players printed, as files beside their pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.arena.play.fixture import PlayedGame, Printed
from kibitz.arena.players.log import Log
from kibitz.core.errors import KibitzError
from kibitz.core.output_file import check_writable, open_output


@dataclass
class Written:
    """A file of logs, and what is in it."""

    file: str
    games: int = 0
    size: int = 0  # bytes that were printed
    cut: int = 0  # games of which not all is kept
    dropped: int = 0  # bytes of them

    @property
    def sentence(self) -> str:
        """How much it is, and what is missing."""
        number = "1 game" if self.games == 1 else f"{self.games} games"
        told = f"on either stream in {number}: {_amount(self.size)}"
        if not self.cut:
            return told
        which = "1 of them" if self.cut == 1 else f"{self.cut} of them"
        return f"{told}; in {which} the middle was left out, {_amount(self.dropped)}"


def write(
    path: Path, name: str, games: Sequence[PlayedGame], printed: Callable[[PlayedGame], Printed]
) -> Written | None:
    """Write all that a player printed, game by game; None where that is nothing."""
    parts = _parts(name, games, printed)
    first = next(parts, None)
    if first is None:
        return None
    check_writable(path)
    found = Written(path.name)
    try:
        with open_output(path) as file:
            for game, log in (first, *parts):
                where = f"round {game.round + 1}, opening {game.key.opening + 1}"
                head = f"=== {game.key.first} - {game.key.second}, {where}: {game.record.reason}"
                file.write(f"{head}\n{log.text.rstrip()}\n\n".encode())
                found.games += 1
                found.size += log.size
                found.cut += log.dropped > 0
                found.dropped += log.dropped
    except OSError as problem:
        raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None
    return found


def _parts(
    name: str, games: Sequence[PlayedGame], printed: Callable[[PlayedGame], Printed]
) -> Iterator[tuple[PlayedGame, Log]]:
    for game in games:
        if name in game.key[:2]:
            log = printed(game)[0 if name == game.key.first else 1]
            if log.packed:
                yield game, log


def _amount(size: int) -> str:
    return f"{size} bytes" if size < 1000 else f"{size / 1000:.1f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB"
