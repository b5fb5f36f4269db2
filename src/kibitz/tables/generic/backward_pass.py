"""The backward pass of the generic solver: from the ends of all games to what each position is worth."""

import numpy as np

from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import specialise
from kibitz.tables.generic import backward_kernels, forward_kernels
from kibitz.tables.generic.buckets import Bucket, DecidedBucket
from kibitz.tables.generic.forward_kernels import FINISHED
from kibitz.tables.generic.forward_pass import PositionGraph
from kibitz.tables.generic.solution import Solution
from kibitz.tables.probe import HEADER, KIND, SALT, SIZE, SORTED, WIDTH


class BackwardPass:
    """The way back through a graph that is complete."""

    def __init__(self, graph: PositionGraph) -> None:
        self.graph = graph
        self.pool, self.buffers, self.progress = graph.pool, graph.buffers, graph.progress
        self.size = graph.found
        self.buckets: list[DecidedBucket] = self.pool.map(graph.buckets, Bucket.reverse)
        graph.buckets = []

    def run(self) -> Solution:
        """Decide what can be decided; the positions sorted by code."""
        self.progress.start("going back from the ends", self.size)
        self.progress.advance(self._decided)
        distance = 0
        while any(bucket.sent < bucket.queued for bucket in self.buckets):
            begun = [bucket.sent for bucket in self.buckets]
            if self.pool.control[forward_kernels.LONG]:
                self._propagate(distance, 0)
                for bucket, first in zip(self.buckets, begun, strict=True):
                    bucket.arrays.counts[backward_kernels.SENT] = first
            self._propagate(distance, 1)
            distance += 1
        self.progress.advance(self.size - self._decided)
        return self._sort()

    @property
    def _decided(self) -> int:
        return sum(bucket.queued for bucket in self.buckets)

    def _propagate(self, distance: int, cost: int) -> None:
        """Send what is queued to the positions before it; what is queued meanwhile too, if it is as near."""
        ends = [bucket.queued for bucket in self.buckets]
        while True:
            stops = ends if cost else [bucket.queued for bucket in self.buckets]
            if all(bucket.sent >= stop for bucket, stop in zip(self.buckets, stops, strict=True)):
                return
            before = self._decided
            self._send(stops)
            self._receive(distance, cost)
            self.progress.advance(self._decided - before)

    def _send(self, stops: list[int]) -> None:
        kernel = specialise(None, backward_kernels.send)
        buffers = self.buffers
        waiting = iter([bucket for bucket in self.buckets if bucket.sent < stops[bucket.name]])

        def work(at: int) -> None:
            entries = buffers.codes[at], buffers.buckets[at], buffers.filled[at]
            while (bucket := self.pool.take_next(waiting)) is not None:
                kernel(stops[bucket.name], bucket.arrays, *entries, self.pool.control)
                if bucket.sent < stops[bucket.name]:
                    break
            buffers.sort(at)

        self.pool.map(range(self.pool.jobs), work)

    def _receive(self, distance: int, cost: int) -> None:
        kernel = specialise(None, backward_kernels.receive)
        waiting = self.buffers.waiting

        def work(bucket: DecidedBucket) -> None:
            entries = self.buffers.codes, self.buffers.order, self.buffers.bounds
            kernel(bucket.name, distance, cost, *entries, bucket.arrays)

        self.pool.map([bucket for bucket in self.buckets if waiting[bucket.name]], work)

    def _sort(self) -> Solution:
        """Buckets are in the order of their codes; so each is sorted for itself."""
        data = np.empty(12 * self.size, np.uint8)
        codes, values = data[: 8 * self.size].view(np.int64), data[8 * self.size :].view(np.int32)
        ends = np.cumsum([len(bucket.codes) for bucket in self.buckets])

        def work(bucket: DecidedBucket) -> None:
            order = np.argsort(bucket.codes)
            place = slice(int(ends[bucket.name]) - len(order), int(ends[bucket.name]))
            codes[place], values[place] = bucket.codes[order], bucket.arrays.values[order]

        self.pool.map(self.buckets, work)
        header = np.zeros(HEADER, np.int64)
        header[KIND], header[SIZE] = SORTED, self.size
        header[WIDTH], header[SALT] = len(self.graph.widths), self.graph.salt
        return Solution(header, data, count_rows(self.buckets), [bucket.rows for bucket in self.buckets])


def count_rows(buckets: list[DecidedBucket]) -> list[dict[str, int]]:
    """How many positions each side wins, for each side to move and for finished games."""
    arrays, rows = [bucket.arrays for bucket in buckets], []
    for side in (FIRST, SECOND, FINISHED):
        mine = np.concatenate([each.values[np.minimum(each.kinds, FINISHED) == side] for each in arrays])
        rows.append(
            {
                "layer": 0,
                "side": side,
                "first_wins": int((mine > 0).sum()),
                "second_wins": int((mine < 0).sum()),
                "draws": int((mine == 0).sum()),
                "longest_first": int(mine.max(initial=1)) - 1,
                "longest_second": -int(mine.min(initial=-1)) - 1,
                "entries": len(mine),
            }
        )
    return rows
