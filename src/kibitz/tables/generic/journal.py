"""What a run of the generic solver has found, written down round by round, so that a killed run goes on.

A line says of which game it is. Then come blocks: how far each bucket has got, what is new in it, and a checksum. A
block that was not finished is ignored.
"""

import json
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from kibitz.core.json_text import parse_json
from kibitz.tables.errors import NoRoom
from kibitz.tables.generic.buckets import EACH, EACH_EDGE, Bucket
from kibitz.tables.generic.forward_kernels import BUCKETS, EDGES, EXPANDED, FOUND

HEAD = 3 * BUCKETS + 2  # numbers in front of a block: three counts a bucket, whether turns are long, the checksum
LONGEST_LINE = 4096  # bytes, the first one
Counts = NDArray[np.int64]


class Journal:
    """A file that only grows, open for reading and writing."""

    def __init__(self, file: BinaryIO, rules: str) -> None:
        self.file = file
        self.rules = rules
        self.saved: Counts = np.zeros((BUCKETS, 3), np.int64)

    def restart(self, salt: int) -> None:
        """Forget what was there."""
        self.saved[:] = 0
        self.file.seek(0)
        self.file.truncate()
        self._write(json.dumps({"rules": self.rules, "salt": salt}).encode() + b"\n")

    @property
    def size(self) -> int:
        """Bytes."""
        return os.fstat(self.file.fileno()).st_size

    def read_salt(self) -> int | None:
        """The salt of the run that has begun here; None where there is none, or of another game."""
        self.file.seek(0)
        try:
            header = parse_json(self.file.readline(LONGEST_LINE))
            return int(header["salt"]) if header["rules"] == self.rules else None
        except (ValueError, KeyError, TypeError):
            return None

    def append(self, buckets: list[Bucket], long_turns: bool) -> None:
        """Write down what is new."""
        counts = np.array([bucket.counts for bucket in buckets])
        pieces = [part.tobytes() for bucket in buckets for part in _new_parts(bucket, self.saved[bucket.name])]
        head = np.append(counts.reshape(-1), int(long_turns))
        content = b"".join(pieces)
        checksum = zlib.crc32(content, zlib.crc32(head.tobytes()))
        self._write(np.append(head, checksum).tobytes() + content)
        self.saved = counts

    def restore(self, buckets: list[Bucket]) -> bool:
        """Fill empty buckets with what is written down; were turns long?"""
        long_turns = False
        kept = self.file.tell()
        for head, content in self._blocks(buckets[0].width):
            counts = head[: 3 * BUCKETS].reshape(BUCKETS, 3)
            at = 0
            for bucket in buckets:
                at = _restore_bucket(bucket, counts[bucket.name], content, at)
            self.saved, long_turns, kept = counts.copy(), bool(head[-2]), self.file.tell()
        self.file.seek(kept)
        self.file.truncate()
        return long_turns

    def _blocks(self, width: int) -> Iterator[tuple[Counts, bytes]]:
        while len(read := self.file.read(8 * HEAD)) == 8 * HEAD:
            head = np.frombuffer(read, np.int64)
            more = (head[: 3 * BUCKETS].reshape(BUCKETS, 3) - self.saved).sum(axis=0)
            size = int(more[FOUND]) * (width + 8) + 5 * int(more[EXPANDED]) + EACH_EDGE * int(more[EDGES])
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


def _new_parts(bucket: Bucket, saved: Counts) -> list[NDArray[np.generic]]:
    found, expanded, edges = (slice(int(before), int(now)) for before, now in zip(saved, bucket.counts, strict=True))
    rows = bucket.rows[found.start * bucket.width : found.stop * bucket.width]
    of_edges = bucket.targets[edges], bucket.sources[edges]
    return [rows, bucket.codes[found], bucket.kinds[expanded], bucket.left[expanded], *of_edges]


def _restore_bucket(bucket: Bucket, counts: Counts, content: bytes, at: int) -> int:
    """Put what `_new_parts` listed back into a bucket; where the next one's begins."""
    saved = bucket.counts.copy()
    bucket.make_room(int((counts - saved).max()))
    bucket.counts[:] = counts
    for part in _new_parts(bucket, saved):
        part[:] = np.frombuffer(content, part.dtype, len(part), at)
        at += part.nbytes
    return at
