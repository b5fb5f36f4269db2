"""A table in use: its file verified and unpacked once into the cache, and looked up there."""

import hashlib
import os
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import quoted
from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import cache, specialise
from kibitz.core.seam.slots import UNKNOWN
from kibitz.tables.errors import BadTable
from kibitz.tables.file import compression, container, stamp
from kibitz.tables.file.identity import name_of, rules_hash, rules_hash_of_0_1
from kibitz.tables.file.shape import refuse_misshapen
from kibitz.tables.probe import probe, probe_words

LARGE = 50_000_000  # bytes: unpacking more takes long enough to say so


class Value(NamedTuple):
    """What perfect play comes to: who wins, and in how many turns. Nobody wins a draw."""

    winner: int | None
    turns: int = 0

    def text(self, sides: tuple[str, str]) -> str:
        """For people: `sheep wins in 54`."""
        if self.winner is None:
            return "draw"
        return f"{sides[self.winner]} wins in {self.turns}" if self.turns else f"{sides[self.winner]} has won"

    def rank(self, side: int) -> int:
        """For comparing: the more, the better for this side. A win soon, then late, a draw, a loss late, then soon."""
        if self.winner is None:
            return 0
        return (1 << 20) - self.turns if self.winner == side else self.turns - (1 << 20)


class Table:
    """Perfect play of one game. `header` and `data` are what compiled searches are given."""

    def __init__(self, game: Game, header: NDArray[np.int64], data: NDArray[np.uint8], about: container.Header) -> None:
        self.game = game
        self.header = header
        self.data = data
        self.about = about

    @classmethod
    def open(cls, path: Path, game: Game) -> "Table":
        """The table in a file, or why it cannot be that of the game."""
        about = container.read_header(path)
        refuse_other(path, about, game)
        refuse_misshapen(path, about, game)
        checksum = stamp.find_checksum(path)
        try:
            data = _open_unpacked(path, about, game, checksum)
        except (OSError, ValueError, MemoryError) as problem:
            raise BadTable(f"table '{path}' is damaged and cannot be unpacked: {problem}") from None
        return cls(game, np.array(about["header"], np.int64), data, about)

    def probe(self, state: Any) -> Value | None:
        """What a state is worth, None where the table does not know it."""
        return decode(int(self._probe(state, self.game.rules, self.header, self.data)))

    @cached_property
    def _probe(self) -> Any:
        return specialise(self.game.rulebook, probe)

    def probe_many(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        """What many states are worth, given as one array for each field of the State, numbers or rows of them: 0 a
        draw, n the first player wins in n - 1 turns, -n the second one does, UNKNOWN.
        """
        words = join_columns(columns)
        found = np.empty(len(words), np.int64)
        kernel = specialise(self.game.rulebook, probe_words)
        kernel(self.game.rules, words.reshape(-1), words.shape[1], self.header, self.data, found)
        return found


def decode(found: int) -> Value | None:
    """What `probe` returns, as a value; None where it is unknown."""
    if found == UNKNOWN:
        return None
    return Value(None) if found == 0 else Value(FIRST if found > 0 else SECOND, abs(found) - 1)


def join_columns(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The words of many states."""
    parts: list[NDArray[np.int64]] = []
    for column in columns:
        values = np.asarray(column).astype(np.int64)
        if values.ndim == 2:
            parts.append(np.full((len(values), 1), values.shape[1], np.int64))
        parts.append(values.reshape(len(values), -1))
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def refuse_other(path: Path, about: container.Header, game: Game) -> None:
    """A table belongs to one game, its options and its rules."""
    if about.get("game") != name_of(game):
        raise BadTable(f"table '{path}' is of {quoted(about['game'])}, expected {name_of(game)}")
    if about.get("rules") not in (rules_hash(game), rules_hash_of_0_1(game)):
        raise BadTable(f"table '{path}' is of other rules of {name_of(game)}; build it again: kibitz solve {game.text}")


def _open_unpacked(path: Path, about: container.Header, game: Game, checksum: str) -> NDArray[np.uint8]:
    """The unpacked bytes, mapped from the cache; unpacked first if they are not there."""
    cached = _unpacked_path(checksum)
    cache.borrow(f"tables/{cached.stem}.*")
    if cached.is_file() and cached.stat().st_size == about["unpacked"]:
        if stamp.is_as_written(cached):
            return _map(cached)
        if stamp.has_note(cached):
            cache.warn_damaged(f"the unpacked table '{cached.name}'")
    if about["unpacked"] > LARGE:
        sys.stderr.write(f"unpacking '{path}', {about['unpacked'] / 1e6:.0f} MB, kept for the next time ...\n")
        sys.stderr.flush()
    packed = container.read_data(path, about, os.cpu_count() or 1)
    return store_unpacked(checksum, compression.unpack(game, about, packed))


def store_unpacked(checksum: str, data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes, mapped from the cache; as they are where it cannot be written."""
    cached = _unpacked_path(checksum)
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        cache.replace_own(cached, data.data)
        stamp.note_written(cached, hashlib.sha256(data.data).hexdigest())
    except OSError as problem:
        cache.warn_unwritable(problem)
        return data
    return _map(cached)


def _unpacked_path(checksum: str) -> Path:
    return cache.folder() / "tables" / f"{checksum[:32]}.bin"


def _map(cached: Path) -> NDArray[np.uint8]:
    return np.asarray(np.memmap(cached, np.uint8, "c"))  # "c": compiled code takes arrays that may be written
