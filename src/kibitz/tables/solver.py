"""Solving a game and keeping the table: what it will need is said first, and a run that was killed goes on."""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import __version__
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.input_file import read_bytes
from kibitz.core.json_text import parse_json
from kibitz.core.options import in_range
from kibitz.core.output_file import check_writable, replace_file
from kibitz.tables.errors import CannotSolve, NoRoom
from kibitz.tables.file import compression, container
from kibitz.tables.file.identity import name_of, rules_hash
from kibitz.tables.generic import buckets, verification
from kibitz.tables.generic import journal as journals
from kibitz.tables.generic import solver as generic
from kibitz.tables.generic.estimate import estimate
from kibitz.tables.generic.forward_pass import word_widths
from kibitz.tables.generic.journal import Journal
from kibitz.tables.generic.solution import Solution
from kibitz.tables.indexed import retrograde_kernels
from kibitz.tables.indexed.layers import Layer, Span, layers_of, spans_of
from kibitz.tables.indexed.solver import LayerSolver, count_rows, count_wrong_codes
from kibitz.tables.probe import split_of
from kibitz.tables.progress import SILENT, Progress
from kibitz.tables.resources import (
    GB,
    MemoryBudget,
    budget_memory,
    format_bytes,
    format_estimate,
    refuse_full_disk,
    reserve,
)
from kibitz.tables.table import Table, store_unpacked
from kibitz.tables.worker_pool import WorkerPool

Verify = Literal["sample", "full"]
SAMPLE = 1_000_000  # positions that are looked at again
OVERHEAD = 250_000_000  # bytes of memory beside the positions: Python, compiled code, buffers
PACKED = 0.2  # of the codes: what is compressed waits in memory until it is written


class SolveTask(NamedTuple):
    """What is to be solved, where it goes and what it may use."""

    game: Game
    path: Path
    memory: float | None = None  # gigabytes; None: most of what is free
    jobs: int = 0  # threads; 0: one for each core
    verify: Verify = "sample"


def solve(task: SolveTask, progress: Progress = SILENT) -> Table:
    """Solve a game and put the table under its name."""
    check_writable(task.path)
    if not os.access(task.path.parent, os.W_OK):
        raise CannotSolve(f"cannot write '{task.path}': the folder cannot be written to")
    jobs = in_range("jobs", task.jobs, 0, 1024) or os.cpu_count() or 1
    memory = budget_memory(task.memory)
    spans = spans_of(task.game)
    run = _IndexedRun(task, jobs, progress, spans) if spans else _GenericRun(task, jobs, progress)
    return run.solve(memory)


def _describe(game: Game, header: NDArray[np.int64], unpacked: int, rows: list[dict[str, int]]) -> container.Header:
    return {
        "kibitz": __version__,
        "game": name_of(game),
        "options": {key: str(value) for key, value in game.options._asdict().items()},
        "rules": rules_hash(game),
        "header": header.tolist(),
        "unpacked": unpacked,
        "rows": rows,
    }


class _Run:
    """One run; what is done lies beside the table, until it is."""

    def __init__(self, task: SolveTask, jobs: int, progress: Progress) -> None:
        self.task = task
        self.game = task.game
        self.jobs = jobs
        self.progress = progress
        self.part = task.path.with_name(f"{task.path.name}.part")

    @contextmanager
    def _lock(self) -> Iterator[BinaryIO]:
        """The file of what is done, locked against other runs."""
        try:
            self.part.touch()
            handle = self.part.open("r+b")  # not to append: some disks cannot reserve room for such a file
        except OSError as problem:
            raise CannotSolve(f"cannot write '{self.part}': {problem.strerror}") from None
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CannotSolve(f"another kibitz is at work on '{self.part}'") from None
            container.delete_drafts(self.task.path)
            yield handle
        finally:
            with suppress(OSError):  # what could not be written was reported, and is tried once more
                handle.close()

    @property
    def _bytes_left(self) -> int:
        """Bytes on the disk that an earlier run has left."""
        return self.part.stat().st_size if self.part.exists() else 0

    def _refuse_wrong(self, wrong: int) -> None:
        if wrong:
            raise CannotSolve(
                f"{wrong:,} positions of {name_of(self.game)} do not follow from the next ones; please report it"
            )


class _GenericRun(_Run):
    """The generic way: a journal of what was found."""

    def solve(self, memory: MemoryBudget) -> Table:
        generic.refuse_unfit(self.game)
        memory = MemoryBudget(memory.bytes, OVERHEAD)
        expected = self._refuse_too_little(memory)
        with self._lock() as handle, WorkerPool(self.jobs, self.game.max_moves) as pool:
            try:
                journal = Journal(handle, rules_hash(self.game))
                solution = generic.solve(self.game, memory, pool, self.progress, journal, expected)
                self._verify(solution, pool)
                table = self._write(solution)
            except NoRoom as problem:
                raise NoRoom(f"{problem}; with more room the same command goes on from '{self.part}'") from None
            except CannotSolve:
                self.part.unlink()
                raise
            self.part.unlink()
        return table

    def _refuse_too_little(self, memory: MemoryBudget) -> int:
        """Say how many positions there are at least, and how many would fit."""
        name, found = name_of(self.game), estimate(self.game)
        width = int(word_widths(self.game, self.game.new().state).sum())
        each, disk = buckets.bytes_each(width, found.moves), journals.bytes_each(width, found.moves)
        fitting = int(memory.for_positions / each)
        said = f"{name}: at least about {format_estimate(found.positions)} positions, as {found.games:,} random games "
        said += "suggest"
        would_fit = f"about {format_estimate(fitting)} would fit into {memory}"
        if found.positions > fitting:
            raise CannotSolve(f"{said}, and {format_bytes(found.positions * each)} of memory for them; {would_fit}")
        self.progress.log(f"{said}; {would_fit} and {format_bytes(fitting * disk)} of disk while it runs")
        refuse_full_disk(self.task.path.parent, int(found.positions * disk) - self._bytes_left)
        return found.positions

    def _verify(self, solution: Solution, pool: WorkerPool) -> None:
        chosen = verification.sample_numbers(solution, SAMPLE) if self.task.verify == "sample" else None
        self.progress.start("verifying", min(solution.size, SAMPLE) if chosen else solution.size)
        self._refuse_wrong(verification.count_wrong_values(self.game, solution, pool, chosen, self.progress.advance))

    def _write(self, solution: Solution) -> Table:
        about = _describe(self.game, solution.header, len(solution.data), solution.rows)
        solution.positions.clear()
        self.progress.start("writing", None)
        refuse_full_disk(self.task.path.parent, len(solution.data))
        container.write(self.task.path, about, compression.pack_positions(solution), self.jobs)
        return Table(self.game, solution.header, solution.data, about)


class _IndexedRun(_Run):
    """The indexed way: the codes, and a note of the layers that are done."""

    def __init__(self, task: SolveTask, jobs: int, progress: Progress, spans: list[Span]) -> None:
        super().__init__(task, jobs, progress)
        self.spans = spans
        self.layers = layers_of(spans)
        self.size = compression.pad_size(self.layers[-1].stop)
        self.notes = task.path.with_name(f"{task.path.name}.part.json")

    def solve(self, memory: MemoryBudget) -> Table:
        self._refuse_too_little(memory)
        with self._map_values() as values, WorkerPool(self.jobs, 4 * self.game.max_moves) as pool:
            rows = self._solve_layers(values, pool)
            header = compression.make_header(self.layers[-1].stop, rows)
            self._verify(values, pool, header)
            about = _describe(self.game, header, self.size, rows)
            self.progress.start("writing", None)
            container.write(self.task.path, about, compression.pack_codes(values, self.layers), self.jobs)
            data = store_unpacked(container.verify_checksum(self.task.path), values)
            self.part.unlink()
            self.notes.unlink(missing_ok=True)
        return Table(self.game, header, data, about)

    def _refuse_too_little(self, memory: MemoryBudget) -> None:
        needed = memory_for(self.size)
        name = name_of(self.game)
        self.progress.log(
            f"{name}: {self.layers[-1].stop:,} numbers in {len(self.layers)} layers; {needed / GB:.2f} GB of memory, "
            f"{2 * self.size / GB:.2f} GB of disk while it runs"
        )
        if needed > memory.bytes:
            fitting = [layer.name for layer in self.layers if memory_for(layer.stop) <= memory.bytes]
            what = f"the layers up to {fitting[-1]} would fit" if fitting else "no layer would fit"
            raise CannotSolve(f"{name} needs {needed / GB:.2f} GB of memory; into {memory} {what}")
        refuse_full_disk(self.task.path.parent, 2 * self.size - self._bytes_left)

    @contextmanager
    def _map_values(self) -> Iterator[NDArray[np.uint8]]:
        """The codes, mapped from the file."""
        with self._lock() as handle:
            if self.part.stat().st_size != self.size:
                self.notes.unlink(missing_ok=True)  # they are about another file
            reserve(handle, self.size)
            values = np.memmap(self.part, np.uint8, "r+", shape=(self.size,))
            yield np.asarray(values)

    def _solve_layers(self, values: NDArray[np.uint8], pool: WorkerPool) -> list[dict[str, int]]:
        """What every layer holds; those that an earlier run has solved are not solved again."""
        rows = self._read_notes()
        names = {row["layer"] for row in rows}
        if names:
            self.progress.log(f"going on after layer {max(names)}, where an earlier run was stopped")
        self.progress.start("solving", self.layers[-1].stop)
        solver = LayerSolver(self.game, values, pool, self.progress.advance, rows)
        for layer in self.layers:
            if layer.name in names:
                self.progress.advance(layer.stop - layer.start)
                continue
            solver.solve(layer)
            rows += count_rows(self.game, values, pool, [span for span in self.spans if span.layer == layer.name])
            self._write_notes(values, layer, rows)
        return rows

    def _read_notes(self) -> list[dict[str, int]]:
        """The rows of the layers that are done; none where the notes are missing, damaged or of other rules."""
        try:
            notes = parse_json(read_bytes(self.notes, container.LONGEST_HEADER))
            rows: list[dict[str, int]] = notes["rows"]
            fits = notes["rules"] == rules_hash(self.game) and notes["sum"] == _sum_rows(rows)
        except (KibitzError, ValueError, KeyError, TypeError):
            return []
        return rows if fits else []

    def _write_notes(self, values: NDArray[np.uint8], layer: Layer, rows: list[dict[str, int]]) -> None:
        """What is on the disk is noted after it is there."""
        if isinstance(values.base, np.memmap):
            values.base.flush()
        replace_file(self.notes, json.dumps({"rules": rules_hash(self.game), "rows": rows, "sum": _sum_rows(rows)}))

    def _verify(self, values: NDArray[np.uint8], pool: WorkerPool, header: NDArray[np.int64]) -> None:
        """Every code must follow from those one move on."""
        pool.control[retrograde_kernels.SPLIT] = split_of(header)
        stop = self.layers[-1].stop
        numbers = np.zeros(0, np.int64)
        if self.task.verify == "sample":
            numbers = np.sort(np.random.default_rng(1).integers(0, stop, min(stop, SAMPLE)))
        self.progress.start("verifying", len(numbers) or stop)
        self._refuse_wrong(count_wrong_codes(self.game, values, pool, stop, numbers, self.progress.advance))


def _sum_rows(rows: list[dict[str, int]]) -> str:
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def memory_for(codes: int) -> int:
    """Bytes of memory for so many codes."""
    return OVERHEAD + int((1 + PACKED) * codes)


def label_rows(about: container.Header, sides: tuple[str, str]) -> list[dict[str, Any]]:
    """The rows of a table for people: by layer and side to move."""
    names = [*sides, "nobody"]
    return [{**row, "side": names[row["side"]]} for row in about["rows"]]
