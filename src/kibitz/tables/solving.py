"""Solving a game and keeping the table: what it will need is said first, and a run that was killed goes on."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz.core.files import replace_file, writable
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.tables import file, generic, packing
from kibitz.tables.errors import CannotSolve
from kibitz.tables.identity import name_of, rules_hash
from kibitz.tables.indexed import Sweeper, counted, wrong_codes
from kibitz.tables.layers import Crew, Layer, Piece, layers_of, pieces_of
from kibitz.tables.memory import GB, Allowance, allowed, refuse_full_disk
from kibitz.tables.table import Table, keep_unpacked

Verify = Literal["sample", "full"]
SAMPLE = 1_000_000  # positions that are looked at again
BESIDE = 100_000_000  # bytes of memory beside the codes: Python, compiled code, buffers


class Told(Protocol):
    """Who is told how a long run gets on."""

    def say(self, line: str) -> None:
        """A line that stays."""

    def stage(self, name: str, total: int | None) -> None:
        """What is done now, of how much."""

    def advance(self, count: int) -> None:
        """So much more of it is done."""


class Order(NamedTuple):
    """What is to be solved, where it goes and what it may use."""

    game: Game
    path: Path
    memory: float | None = None  # gigabytes; None: most of what is free
    jobs: int = 0  # threads; 0: one for each core
    verify: Verify = "sample"


def solve(order: Order, told: Told) -> Table:
    """Solve a game and put the table under its name."""
    writable(order.path)
    if not os.access(order.path.parent, os.W_OK):
        raise CannotSolve(f"cannot write '{order.path}': the folder cannot be written to")
    jobs = in_range("jobs", order.jobs, 0, 1024) or os.cpu_count() or 1
    allowance = allowed(order.memory)
    pieces = pieces_of(order.game)
    return _Indexed(order, jobs, pieces, told).solved(allowance) if pieces else _generic(order, jobs, allowance, told)


def _about(game: Game, header: NDArray[np.int64], unpacked: int, rows: list[dict[str, int]]) -> file.Header:
    return {
        "kibitz": version("kibitz"),
        "game": name_of(game),
        "options": {key: str(value) for key, value in game.options._asdict().items()},
        "rules": rules_hash(game),
        "header": header.tolist(),
        "unpacked": unpacked,
        "rows": rows,
    }


def _generic(order: Order, jobs: int, allowance: Allowance, told: Told) -> Table:
    game = order.game
    generic.refuse_unfit(game)
    told.say(f"{name_of(game)}: every position that can come about is met, as many as fit into {allowance}")
    told.stage("positions met", None)
    solved = generic.solve(game, allowance, told.advance)
    data = solved.data
    about = _about(game, solved.header, len(data), solved.rows)
    refuse_full_disk(order.path.parent, len(data))
    file.write(order.path, about, packing.packed_positions(solved), jobs)
    return Table(game, solved.header, data, about)


class _Indexed:
    """One run of the indexed way; what is done lies in two files beside the table, until it is."""

    def __init__(self, order: Order, jobs: int, pieces: list[Piece], told: Told) -> None:
        self.order = order
        self.game = order.game
        self.jobs = jobs
        self.pieces = pieces
        self.layers = layers_of(pieces)
        self.size = packing.padded(self.layers[-1].stop)
        self.told = told
        self.part = order.path.with_name(f"{order.path.name}.part")
        self.notes = order.path.with_name(f"{order.path.name}.part.json")

    def solved(self, allowance: Allowance) -> Table:
        self._refuse_too_little(allowance)
        with self._values() as values, Crew(self.jobs, 4 * self.game.max_moves) as crew:
            rows = self._rows(values, crew)
            self._verify(values, crew)
            header = packing.header_of(self.layers[-1].stop)
            about = _about(self.game, header, self.size, rows)
            self.told.stage("writing", None)
            file.write(self.order.path, about, packing.packed_codes(values, self.layers), self.jobs)
            kept = keep_unpacked(file.checksum(self.order.path), values)
        self.part.unlink()
        self.notes.unlink()
        return Table(self.game, header, kept, about)

    def _refuse_too_little(self, allowance: Allowance) -> None:
        needed = self.size + BESIDE
        name = name_of(self.game)
        self.told.say(
            f"{name}: {self.layers[-1].stop:,} numbers in {len(self.layers)} layers; {needed / GB:.2f} GB of memory, "
            f"{2 * self.size / GB:.2f} GB of disk while it runs"
        )
        if needed > allowance.bytes:
            fitting = [layer.name for layer in self.layers if layer.stop + BESIDE <= allowance.bytes]
            what = f"the layers up to {fitting[-1]} would fit" if fitting else "no layer would fit"
            raise CannotSolve(f"{name} needs {needed / GB:.2f} GB of memory; into {allowance} {what}")
        there = self.part.stat().st_size if self.part.exists() else 0
        refuse_full_disk(self.order.path.parent, 2 * self.size - there)

    @contextmanager
    def _values(self) -> Iterator[NDArray[np.uint8]]:
        """The codes, mapped from a file that nobody else works on."""
        try:
            handle = self.part.open("a+b")
        except OSError as problem:
            raise CannotSolve(f"cannot write '{self.part}': {problem.strerror}") from None
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CannotSolve(f"another kibitz is at work on '{self.part}'") from None
            handle.truncate(self.size)
            values = np.memmap(self.part, np.uint8, "r+", shape=(self.size,))
            yield np.asarray(values)

    def _rows(self, values: NDArray[np.uint8], crew: Crew) -> list[dict[str, int]]:
        """What every layer holds; those that an earlier run has solved are not solved again."""
        rows = self._done()
        names = {row["layer"] for row in rows}
        if names:
            self.told.say(f"going on after layer {max(names)}, where an earlier run was stopped")
        self.told.stage("solving", self.layers[-1].stop)
        sweeper = Sweeper(self.game, values, crew, self.told.advance)
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

    def _verify(self, values: NDArray[np.uint8], crew: Crew) -> None:
        """Every code must follow from those one move on."""
        stop = self.layers[-1].stop
        numbers = np.zeros(0, np.int64)
        if self.order.verify == "sample":
            numbers = np.sort(np.random.default_rng(1).integers(0, stop, min(stop, SAMPLE)))
        self.told.stage("verifying", len(numbers) or stop)
        wrong = wrong_codes(self.game, values, crew, stop, numbers, self.told.advance)
        if wrong:
            raise CannotSolve(
                f"{wrong:,} positions of {name_of(self.game)} do not follow from the next ones; please report it"
            )


def shown(about: file.Header, sides: tuple[str, str]) -> list[dict[str, Any]]:
    """The rows of a table for people: by layer and side to move."""
    names = [*sides, "nobody"]
    return [{**row, "side": names[row["side"]]} for row in about["rows"]]
