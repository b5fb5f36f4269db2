"""The forward pass of the generic solver: find all positions that can come about, in as much memory as is allowed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.fields import cast_fields
from kibitz.core.game import Game
from kibitz.core.rulebook import call_rule
from kibitz.core.seam import specialise
from kibitz.core.seam.words import state_of, words_of
from kibitz.tables.errors import CannotSolve, NoRoom
from kibitz.tables.generic import forward_kernels
from kibitz.tables.generic.buckets import BUFFER_SIZE, MANY, Bucket, Buffers
from kibitz.tables.generic.forward_kernels import BUCKET_SHIFT, BUCKETS, EDGES, EXPANDED, FILLED
from kibitz.tables.generic.journal import Journal
from kibitz.tables.probe import hash_of
from kibitz.tables.progress import Progress
from kibitz.tables.resources import MemoryBudget, format_bytes
from kibitz.tables.worker_pool import WorkerPool

BUFFERS_SHARE = 16  # of the memory that is allowed, buffers may take one part in so many


class PositionGraph:
    """The positions found so far and who leads to whom."""

    def __init__(self, game: Game, memory: MemoryBudget, salt: int, pool: WorkerPool, progress: Progress) -> None:
        self.game = game
        self.memory = memory
        self.salt = salt
        self.pool = pool
        self.progress = progress
        self.widths = word_widths(game, game.new().state)
        self.width = int(self.widths.sum())
        self.buckets = [Bucket(name, self.width) for name in range(BUCKETS)]
        fitting = memory.for_positions // BUFFERS_SHARE // (pool.jobs * Buffers.bytes_each(self.width))
        self.buffers = Buffers(pool.jobs, max(min(BUFFER_SIZE, fitting), 2 * game.max_moves), self.width)
        self.words = np.empty((pool.jobs, 2 * len(self.widths) + 64), np.int64)
        self.out = np.empty((pool.jobs, game.max_moves), np.int64)

    @property
    def found(self) -> int:
        return sum(bucket.found for bucket in self.buckets)

    @property
    def expanded(self) -> int:
        return sum(bucket.expanded for bucket in self.buckets)

    def explore(self, journal: Journal | None, again: bool, expected: int) -> bool:
        """Find all positions; False where two have one code."""
        if journal is not None and again:
            self._restore(journal)
        elif journal is not None:
            journal.restart(self.salt)
        if not self.found:
            self._add_start()
        self.progress.start("positions looked at", max(expected, self.found))
        self.progress.advance(self.expanded)
        while any(bucket.expanded < bucket.found for bucket in self.buckets):
            expanded = self.expanded
            self._expand()
            if not self._absorb():
                return False
            if journal is not None:
                journal.append(self.buckets, bool(self.pool.control[forward_kernels.LONG]))
            self.progress.extend(max(expected, self.found))
            self.progress.advance(self.expanded - expanded)
        return True

    def _restore(self, journal: Journal) -> None:
        if journal.size > self.memory.for_positions:
            raise self._no_room(f"an earlier run has found {format_bytes(journal.size)}")
        self.pool.control[forward_kernels.LONG] = journal.restore(self.buckets)
        fill = specialise(None, forward_kernels.fill_slots)
        self.pool.map(self.buckets, lambda bucket: fill(bucket.codes, bucket.found, bucket.slots))
        if self.found:
            self.progress.log(f"going on with the {self.found:,} positions that an earlier run has found")

    def _add_start(self) -> None:
        words = words_of(strip_to_key(self.game, self.game.new().state))
        code = int(hash_of(words, len(words), self.salt))
        specialise(None, forward_kernels.pack)(0, self.widths, self.buffers.rows[0], words)
        first = self.buffers.of_thread(0)
        first.codes[0], first.buckets[0], first.filled[FILLED] = code, code >> BUCKET_SHIFT, 1
        self.buffers.sort(0)
        self._absorb()
        self.buckets[code >> BUCKET_SHIFT].counts[EDGES] = 0  # nobody leads to it yet
        self.buffers.bounds[:] = 0

    def _expand(self) -> None:
        """Fill the buffers with what follows from positions that were not expanded."""
        kernel = specialise(self.game.rulebook, forward_kernels.expand)
        control, buffers = self.pool.control, self.buffers
        waiting = iter([bucket for bucket in self.buckets if bucket.expanded < bucket.found])

        def work(at: int) -> None:
            buffer, out, words = buffers.of_thread(at), self.out[at], self.words[at]
            while (bucket := self.pool.take_next(waiting)) is not None:
                stop = bucket.found
                part = bucket.name, bucket.expanded, stop, self.salt, self.widths
                given = *part, bucket.arrays, buffer, out, words, control
                bucket.counts[EXPANDED] = kernel(self.game.rules, *given)
                self._refuse_faults(at, bucket)
                if bucket.expanded < stop:
                    break
            buffers.sort(at)

        self.pool.map(range(self.pool.jobs), work)

    def _absorb(self) -> bool:
        """Let the buckets take what is in the buffers; False where two positions have one code."""
        kernel = specialise(None, forward_kernels.absorb)
        waiting = self.buffers.waiting
        self._refuse_too_many(waiting)
        buffers = self.buffers.in_order

        def work(bucket: Bucket) -> None:
            bucket.make_room(int(waiting[bucket.name]))
            kernel(bucket.name, self.width, buffers, bucket.arrays, self.pool.control)

        self.pool.map([bucket for bucket in self.buckets if waiting[bucket.name]], work)
        return not self.pool.control[forward_kernels.CLASH]

    def _refuse_too_many(self, waiting: NDArray[np.int64]) -> None:
        """Refuse to grow beyond what is allowed."""
        needed = sum(bucket.bytes_with(int(waiting[bucket.name])) for bucket in self.buckets)
        if needed > self.memory.for_positions:
            raise self._no_room(f"{self.found:,} were found and {self.expanded:,} of them expanded")
        if any(bucket.found + waiting[bucket.name] > MANY for bucket in self.buckets):
            raise CannotSolve(f"{self.game.text} has more than {self.found:,} positions, expected fewer")

    def _no_room(self, so_far: str) -> NoRoom:
        return NoRoom(f"{self.game.text} has more positions than fit into {self.memory}: {so_far}")

    def _refuse_faults(self, at: int, bucket: Bucket) -> None:
        if self.pool.control[forward_kernels.WIDER]:
            raise CannotSolve(f"{self.game.text}: its states have arrays of different lengths, expected one length")
        if self.pool.control[forward_kernels.STUCK] == 1 + bucket.name:
            shown = self.game.write(state_of(self.game.rulebook, self.words[at], 0))
            raise CannotSolve(f"{self.game.text}: moves() yields nothing in an unfinished game, position '{shown}'")


def strip_to_key(game: Game, state: Any) -> Any:
    """The state without what repetition ignores."""
    book = game.rulebook
    return (
        state
        if book.key is None
        else cast_fields(book.state, book.state_fields, call_rule(book.key, game.rules, state), book.key)
    )


def word_widths(game: Game, state: Any) -> NDArray[np.int64]:
    """How many bytes each word of a state needs."""
    widths: list[int] = []
    for field, part in zip(game.rulebook.state_fields, state, strict=True):
        widths += [4, *[field.dtype.itemsize] * len(part)] if field.array else [field.dtype.itemsize]
    assert len(widths) == len(words_of(state))
    return np.array(widths, np.int64)
