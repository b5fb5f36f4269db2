"""The positions that are learned from: the latest ones in memory, and every stretch in a file until it is too old."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.output_file import replace_file
from kibitz.learn.training import Batch

MOST = 24_000_000  # positions that are kept
LEAST = 100_000  # positions of which none is too old
SHARE = 0.5  # of all positions so far that are learned from


class Positions:
    """A ring of positions, the oldest overwritten first."""

    def __init__(self, width: int, most: int = MOST) -> None:
        self._width = width
        self._most = most
        self.total = 0  # positions ever added
        self._data = _new_batch(1 << 14, width)

    def add(self, batch: Batch) -> None:
        """Take positions in."""
        room = self._data.size
        while room < min(self.total + batch.size, self._most):
            room = min(2 * room, self._most)
        if room > self._data.size:
            grown = _new_batch(room, self._width)
            _copy(self._data, grown, np.arange(self._data.size))
            self._data = grown
        _copy(batch, self._data, (self.total + np.arange(batch.size)) % self._data.size)
        self.total += batch.size

    def latest(self, share: float = SHARE) -> "Window":
        """The latest of them, those that are not too old."""
        size = min(self.total, self._data.size, max(LEAST, int(share * self.total)))
        return Window(self._data, self.total, size)


class Window:
    """The latest positions of a ring, drawn from at random."""

    def __init__(self, data: Batch, end: int, size: int) -> None:
        self._data, self._end, self.size = data, end, size

    def take(self, chosen: NDArray[np.int64]) -> Batch:
        """Some of them, by number."""
        return self._data.take((self._end - 1 - chosen) % self._data.size)


def _copy(source: Batch, target: Batch, places: NDArray[np.int64]) -> None:
    target.on[places], target.groups[places] = source.on, source.groups
    target.phases[places], target.targets[places] = source.phases, source.targets


def _new_batch(size: int, width: int) -> Batch:
    return Batch(
        np.zeros((size, width), np.uint8),
        np.zeros(size, np.uint8),
        np.zeros(size, np.uint8),
        np.zeros(size, np.float32),
    )


def write_chunk(path: Path, batch: Batch) -> None:
    """Keep a stretch of self-play; the file is there whole or not at all."""
    buffer = io.BytesIO()
    np.savez(buffer, **batch._asdict())
    replace_file(path, buffer.getvalue())


def read_chunk(path: Path) -> Batch:
    """What `write_chunk` wrote."""
    with np.load(path, allow_pickle=False) as parts:
        return Batch(**{name: parts[name] for name in Batch._fields})
