"""A module run by wasmtime, the second engine: calls its kernels with words of its memory, as engine.js does."""

import struct
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.seam.compiler import as_plain_tuple
from kibitz.core.seam.words import words_of

WORD = 8


class WasmtimeModule:
    """A game's module. Each call writes its arguments anew, into memory that was reserved once."""

    def __init__(self, module: bytes, game: Game) -> None:
        self._store = wasmtime.Store()
        compiled = wasmtime.Module(self._store.engine, module)
        assert not compiled.imports
        self._exports = wasmtime.Instance(self._store, compiled, []).exports(self._store)
        self.memory: Any = self._exports["memory"]
        self._room = max(4096, game.max_moves)
        self._given, self._out, self._odds = (self.reserve(WORD * self._room) for _ in range(3))
        self._arguments = self.reserve(256 * WORD)
        self._rules = b"".join(self._constant(value) for value in as_plain_tuple(game.rules))

    def reserve(self, size: int) -> int:
        return int(self._exports["reserve"](self._store, size)) & 0xFFFFFFFF

    @property
    def size(self) -> int:
        return int(self.memory.data_len(self._store))

    def _constant(self, value: Any) -> bytes:
        """An argument of the rules: a number as a word, an array as its address and shape."""
        if not isinstance(value, np.ndarray):
            return np.asarray(value).tobytes().ljust(WORD, b"\0")
        place = self.reserve(max(1, value.nbytes))
        self.memory.write(self._store, value.tobytes(), place)
        return struct.pack(f"<{1 + value.ndim}q", place, *value.shape)

    def call(self, name: str, state: Any, *more: bytes) -> int:
        """The whole number that a kernel returns for a state."""
        words = words_of(state)
        self.memory.write(self._store, words.tobytes(), self._given)
        given = struct.pack("<2q", self._given, self._room) + self._rules + b"".join(more)
        self.memory.write(self._store, given, self._arguments)
        assert self._exports[name](self._store, self._arguments) == 0
        found = self.memory.read(self._store, self._arguments, self._arguments + WORD)
        return int(struct.unpack("<q", found)[0])

    def words(self, count: int) -> NDArray[np.int64]:
        """What the last call wrote."""
        return np.frombuffer(self.memory.read(self._store, self._out, self._out + WORD * count), np.int64)

    @property
    def out(self) -> bytes:
        return struct.pack("<2q", self._out, self._room)

    def moves(self, state: Any) -> list[int]:
        return [int(move) for move in self.words(self.call("moves", state, self.out))]

    def facts(self, state: Any) -> list[int]:
        return [int(word) for word in self.words(self.call("facts", state, self.out))]

    def play(self, state: Any, move: int) -> list[int]:
        return [int(word) for word in self.words(self.call("play", state, struct.pack("<q", move), self.out))]
