"""Solving a game and keeping the table: what it will need is said first, and a run that was killed goes on."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.files import replace_file, writable
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.tables.errors import CannotSolve, NoRoom
from kibitz.tables.file import compression, container
from kibitz.tables.file.identity import name_of, rules_hash
from kibitz.tables.generic import buckets, estimate, journal, verification
from kibitz.tables.generic import solver as generic
from kibitz.tables.generic.journal import Journal
from kibitz.tables.indexed import retrograde_kernels
from kibitz.tables.indexed.layers import Crew, Layer, Piece, layers_of, pieces_of
from kibitz.tables.indexed.solver import Sweeper, counted, wrong_codes
from kibitz.tables.probe import split_of
from kibitz.tables.progress import NOBODY, Told
from kibitz.tables.resources import GB, Allowance, allowed, gigabytes, refuse_full_disk, reserve, roughly
from kibitz.tables.table import Table, keep_unpacked

Verify = Literal["sample", "full"]
SAMPLE = 1_000_000  # positions that are looked at again
BESIDE = 250_000_000  # bytes of memory beside the positions: Python, compiled code, buffers
PACKED = 0.2  # of the codes: what is compressed waits in memory until it is written


class Order(NamedTuple):
    """What is to be solved, where it goes and what it may use."""

    game: Game
    path: Path
    memory: float | None = None  # gigabytes; None: most of what is free
    jobs: int = 0  # threads; 0: one for each core
    verify: Verify = "sample"


def solve(order: Order, told: Told = NOBODY) -> Table:
    """Solve a game and put the table under its name."""
    writable(order.path)
    if not os.access(order.path.parent, os.W_OK):
        raise CannotSolve(f"cannot write '{order.path}': the folder cannot be written to")
    jobs = in_range("jobs", order.jobs, 0, 1024) or os.cpu_count() or 1
    allowance = allowed(order.memory)
    pieces = pieces_of(order.game)
    run = _Indexed(order, jobs, told, pieces) if pieces else _Generic(order, jobs, told)
    return run.solved(allowance)


def _about(game: Game, header: NDArray[np.int64], unpacked: int, rows: list[dict[str, int]]) -> container.Header:
    return {
        "kibitz": version("kibitz"),
        "game": name_of(game),
        "options": {key: str(value) for key, value in game.options._asdict().items()},
        "rules": rules_hash(game),
        "header": header.tolist(),
        "unpacked": unpacked,
        "rows": rows,
    }


class _Run:
    """One run; what is done lies beside the table, until it is."""

    def __init__(self, order: Order, jobs: int, told: Told) -> None:
        self.order = order
        self.game = order.game
        self.jobs = jobs
        self.told = told
        self.part = order.path.with_name(f"{order.path.name}.part")

    @contextmanager
    def _held(self) -> Iterator[BinaryIO]:
        """The file of what is done, and nobody else works on it."""
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
            container.forget_drafts(self.order.path)
            yield handle
        finally:
            with suppress(OSError):  # what could not be written was told of, and is tried once more
                handle.close()

    @property
    def _there(self) -> int:
        """Bytes on the disk that an earlier run has left."""
        return self.part.stat().st_size if self.part.exists() else 0

    def _refuse_wrong(self, wrong: int) -> None:
        if wrong:
            raise CannotSolve(
                f"{wrong:,} positions of {name_of(self.game)} do not follow from the next ones; please report it"
            )


class _Generic(_Run):
    """The generic way: a journal of what was met."""

    def solved(self, allowance: Allowance) -> Table:
        generic.refuse_unfit(self.game)
        allowance = Allowance(allowance.bytes, BESIDE)
        guess = self._refuse_too_little(allowance)
        with self._held() as handle, Crew(self.jobs, self.game.max_moves) as crew:
            try:
                diary = Journal(handle, rules_hash(self.game))
                solved = generic.solve(self.game, allowance, crew, self.told, diary, guess)
                self._verify(solved, crew)
                table = self._written(solved)
            except NoRoom as problem:
                raise NoRoom(f"{problem}; with more room the same command goes on from '{self.part}'") from None
            except CannotSolve:
                self.part.unlink()
                raise
            self.part.unlink()
        return table

    def _refuse_too_little(self, allowance: Allowance) -> int:
        """Say how many positions there are at least, and how many would fit."""
        name, guess = name_of(self.game), estimate.guess(self.game)
        width = int(generic.word_widths(self.game, self.game.new().state).sum())
        memory, disk = buckets.bytes_each(width, guess.moves), journal.bytes_each(width, guess.moves)
        fitting = int(allowance.free / memory)
        said = f"{name}: at least about {roughly(guess.positions)} positions, as {guess.games:,} random games tell"
        would_fit = f"about {roughly(fitting)} would fit into {allowance}"
        if guess.positions > fitting:
            raise CannotSolve(f"{said}, and {gigabytes(guess.positions * memory)} of memory for them; {would_fit}")
        self.told.say(f"{said}; {would_fit} and {gigabytes(fitting * disk)} of disk while it runs")
        refuse_full_disk(self.order.path.parent, int(guess.positions * disk) - self._there)
        return guess.positions

    def _verify(self, solved: generic.Solved, crew: Crew) -> None:
        chosen = verification.sample(solved, SAMPLE) if self.order.verify == "sample" else None
        self.told.stage("verifying", min(solved.size, SAMPLE) if chosen else solved.size)
        self._refuse_wrong(verification.wrong_values(self.game, solved, crew, chosen, self.told.advance))

    def _written(self, solved: generic.Solved) -> Table:
        about = _about(self.game, solved.header, len(solved.data), solved.rows)
        solved.positions.clear()
        self.told.stage("writing", None)
        refuse_full_disk(self.order.path.parent, len(solved.data))
        container.write(self.order.path, about, compression.packed_positions(solved), self.jobs)
        return Table(self.game, solved.header, solved.data, about)


class _Indexed(_Run):
    """The indexed way: the codes, and a note of the layers that are done."""

    def __init__(self, order: Order, jobs: int, told: Told, pieces: list[Piece]) -> None:
        super().__init__(order, jobs, told)
        self.pieces = pieces
        self.layers = layers_of(pieces)
        self.size = compression.padded(self.layers[-1].stop)
        self.notes = order.path.with_name(f"{order.path.name}.part.json")

    def solved(self, allowance: Allowance) -> Table:
        self._refuse_too_little(allowance)
        with self._values() as values, Crew(self.jobs, 4 * self.game.max_moves) as crew:
            rows = self._rows(values, crew)
            header = compression.header_of(self.layers[-1].stop, rows)
            self._verify(values, crew, header)
            about = _about(self.game, header, self.size, rows)
            self.told.stage("writing", None)
            container.write(self.order.path, about, compression.packed_codes(values, self.layers), self.jobs)
            kept = keep_unpacked(container.checksum(self.order.path), values)
            self.part.unlink()
            self.notes.unlink(missing_ok=True)
        return Table(self.game, header, kept, about)

    def _refuse_too_little(self, allowance: Allowance) -> None:
        needed = memory_for(self.size)
        name = name_of(self.game)
        self.told.say(
            f"{name}: {self.layers[-1].stop:,} numbers in {len(self.layers)} layers; {needed / GB:.2f} GB of memory, "
            f"{2 * self.size / GB:.2f} GB of disk while it runs"
        )
        if needed > allowance.bytes:
            fitting = [layer.name for layer in self.layers if memory_for(layer.stop) <= allowance.bytes]
            what = f"the layers up to {fitting[-1]} would fit" if fitting else "no layer would fit"
            raise CannotSolve(f"{name} needs {needed / GB:.2f} GB of memory; into {allowance} {what}")
        refuse_full_disk(self.order.path.parent, 2 * self.size - self._there)

    @contextmanager
    def _values(self) -> Iterator[NDArray[np.uint8]]:
        """The codes, mapped from the file."""
        with self._held() as handle:
            if self.part.stat().st_size != self.size:
                self.notes.unlink(missing_ok=True)  # they speak of another file
            reserve(handle, self.size)
            values = np.memmap(self.part, np.uint8, "r+", shape=(self.size,))
            yield np.asarray(values)

    def _rows(self, values: NDArray[np.uint8], crew: Crew) -> list[dict[str, int]]:
        """What every layer holds; those that an earlier run has solved are not solved again."""
        rows = self._done()
        names = {row["layer"] for row in rows}
        if names:
            self.told.say(f"going on after layer {max(names)}, where an earlier run was stopped")
        self.told.stage("solving", self.layers[-1].stop)
        sweeper = Sweeper(self.game, values, crew, self.told.advance, rows)
        for layer in self.layers:
            if layer.name in names:
                self.told.advance(layer.stop - layer.start)
                continue
            sweeper.solve(layer)
            rows += counted(self.game, values, crew, [piece for piece in self.pieces if piece.layer == layer.name])
            self._note(values, layer, rows)
        return rows

    def _done(self) -> list[dict[str, int]]:
        try:
            notes = json.loads(self.notes.read_text())
        except (OSError, ValueError):
            return []
        rows: list[dict[str, int]] = notes["rows"]
        return rows if notes.get("rules") == rules_hash(self.game) else []

    def _note(self, values: NDArray[np.uint8], layer: Layer, rows: list[dict[str, int]]) -> None:
        """What is on the disk is noted after it is there."""
        if isinstance(values.base, np.memmap):
            values.base.flush()
        replace_file(self.notes, json.dumps({"rules": rules_hash(self.game), "rows": rows}))

    def _verify(self, values: NDArray[np.uint8], crew: Crew, header: NDArray[np.int64]) -> None:
        """Every code must follow from those one move on."""
        crew.control[retrograde_kernels.SPLIT] = split_of(header)
        stop = self.layers[-1].stop
        numbers = np.zeros(0, np.int64)
        if self.order.verify == "sample":
            numbers = np.sort(np.random.default_rng(1).integers(0, stop, min(stop, SAMPLE)))
        self.told.stage("verifying", len(numbers) or stop)
        self._refuse_wrong(wrong_codes(self.game, values, crew, stop, numbers, self.told.advance))


def memory_for(codes: int) -> int:
    """Bytes of memory for so many codes."""
    return BESIDE + int((1 + PACKED) * codes)


def shown(about: container.Header, sides: tuple[str, str]) -> list[dict[str, Any]]:
    """The rows of a table for people: by layer and side to move."""
    names = [*sides, "nobody"]
    return [{**row, "side": names[row["side"]]} for row in about["rows"]]
