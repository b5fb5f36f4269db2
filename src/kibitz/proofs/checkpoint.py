"""How far a proof search has come, on disk: what it remembers of the positions that took it long."""

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.input_file import inflate_at_most
from kibitz.core.seam import specialise
from kibitz.proofs import sealed_file
from kibitz.proofs.certificate import count_of, seconds_of
from kibitz.proofs.hash_table import collect_entries, restore_entries
from kibitz.proofs.sealed_file import BadFile

Integers = NDArray[np.int64]
KIND = "progress"
LEAST_LEVEL = 2  # entries that took 64 nodes or more; the rest is found again in no time


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What was asked, and what it has cost so far."""

    question: str
    nodes: int = 0
    seconds: float = 0.0


def save(path: Path, checkpoint: Checkpoint, table: Integers) -> None:
    """Write down the entries worth keeping."""
    entries = collect(table)
    header = {"question": checkpoint.question, "nodes": checkpoint.nodes, "seconds": checkpoint.seconds}
    sealed_file.write(path, KIND, header, zlib.compress(entries.tobytes(), 1))


def collect(table: Integers) -> Integers:
    """The entries of a table that are worth keeping. Another thread may be writing to it meanwhile."""
    gather = specialise(None, collect_entries)
    room = gather(table, LEAST_LEVEL, np.zeros((0, 2), np.int64))
    entries = np.zeros((room, 2), np.int64)
    return entries[: gather(table, LEAST_LEVEL, entries)]


def load(path: Path, question: str, table: Integers) -> Checkpoint:
    """Fill a table with what was kept, and say what it had cost."""
    header, block = sealed_file.read(path, KIND)
    if header.get("question") != question:
        raise BadFile(f"'{path}' is about '{header.get('question')}', expected '{question}'")
    try:
        data = inflate_at_most(block, sealed_file.most_unpacked(block))
        entries = np.frombuffer(data, np.int64).reshape(-1, 2).copy()
        checkpoint = Checkpoint(question, count_of(header, "nodes"), seconds_of(header))
    except (KeyError, ValueError, TypeError, OverflowError):
        raise BadFile(f"'{path}' is damaged: it does not hold what it says") from None
    specialise(None, restore_entries)(table, entries)
    return checkpoint
