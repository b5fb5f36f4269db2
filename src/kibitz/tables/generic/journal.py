"""What a run of the generic way has found, written down round by round, so that a killed run goes on.

A line says of which game it is. Then come blocks: how far each drawer has got, what is new in it, and a checksum. A
block that was not finished is forgotten.
"""

import json
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from kibitz.tables.errors import NoRoom
from kibitz.tables.generic.buckets import EACH, EACH_EDGE, Drawer
from kibitz.tables.generic.forward_kernels import DRAWERS, EDGES, LOOKED, MET

HEAD = 3 * DRAWERS + 2  # numbers in front of a block: three counts a drawer, whether turns are long, the checksum
Counts = NDArray[np.int64]


class Journal:
    """A file that only grows, open for reading and writing."""

    def __init__(self, file: BinaryIO, rules: str) -> None:
        self.file = file
        self.rules = rules
        self.saved: Counts = np.zeros((DRAWERS, 3), np.int64)

    def begin(self, salt: int) -> None:
        """Forget what was there."""
        self.saved[:] = 0
        self.file.seek(0)
        self.file.truncate()
        self._write(json.dumps({"rules": self.rules, "salt": salt}).encode() + b"\n")

    @property
    def size(self) -> int:
        """Bytes."""
        return os.fstat(self.file.fileno()).st_size

    def salt(self) -> int | None:
        """The salt of the run that has begun here; None where there is none, or of another game."""
        self.file.seek(0)
        try:
            told = json.loads(self.file.readline())
            return int(told["salt"]) if told["rules"] == self.rules else None
        except (ValueError, KeyError, TypeError):
            return None

    def add(self, drawers: list[Drawer], long_turns: bool) -> None:
        """Write down what is new."""
        counts = np.array([drawer.counts for drawer in drawers])
        pieces = [part.tobytes() for drawer in drawers for part in _news(drawer, self.saved[drawer.name])]
        head = np.append(counts.reshape(-1), int(long_turns))
        content = b"".join(pieces)
        checksum = zlib.crc32(content, zlib.crc32(head.tobytes()))
        self._write(np.append(head, checksum).tobytes() + content)
        self.saved = counts

    def recall(self, drawers: list[Drawer]) -> bool:
        """Fill empty drawers with what is written down; were turns long?"""
        long_turns = False
        kept = self.file.tell()
        for head, content in self._blocks(drawers[0].width):
            counts = head[: 3 * DRAWERS].reshape(DRAWERS, 3)
            at = 0
            for drawer in drawers:
                at = _take(drawer, counts[drawer.name], content, at)
            self.saved, long_turns, kept = counts.copy(), bool(head[-2]), self.file.tell()
        self.file.seek(kept)
        self.file.truncate()
        return long_turns

    def _blocks(self, width: int) -> Iterator[tuple[Counts, bytes]]:
        while len(found := self.file.read(8 * HEAD)) == 8 * HEAD:
            head = np.frombuffer(found, np.int64)
            more = (head[: 3 * DRAWERS].reshape(DRAWERS, 3) - self.saved).sum(axis=0)
            size = int(more[MET]) * (width + 8) + 5 * int(more[LOOKED]) + EACH_EDGE * int(more[EDGES])
            believable = more.min() >= 0 and size <= self.size - self.file.tell()
            content = self.file.read(size) if believable else b""
            if len(content) != size or zlib.crc32(content, zlib.crc32(head[:-1].tobytes())) != head[-1]:
                return
            yield head, content

    def _write(self, content: bytes) -> None:
        try:
            self.file.write(content)
            self.file.flush()
        except OSError as problem:
            raise NoRoom(f"cannot write '{self.file.name}': {problem.strerror}") from None


def bytes_each(width: int, moves: float) -> float:
    """The disk that a position needs on average, where it has so many moves."""
    return width + EACH + EACH_EDGE * moves


def _news(drawer: Drawer, saved: Counts) -> list[NDArray[np.generic]]:
    met, looked, edges = (slice(int(before), int(now)) for before, now in zip(saved, drawer.counts, strict=True))
    rows = drawer.rows[met.start * drawer.width : met.stop * drawer.width]
    of_edges = drawer.targets[edges], drawer.sources[edges]
    return [rows, drawer.codes[met], drawer.kinds[looked], drawer.left[looked], *of_edges]


def _take(drawer: Drawer, counts: Counts, content: bytes, at: int) -> int:
    """Put what `_news` told back into a drawer; where the next one's begins."""
    saved = drawer.counts.copy()
    drawer.make_room(int((counts - saved).max()))
    drawer.counts[:] = counts
    for part in _news(drawer, saved):
        part[:] = np.frombuffer(content, part.dtype, len(part), at)
        at += part.nbytes
    return at
