"""How much memory and disk a solver may use, said before it starts."""

import os
import shutil
from pathlib import Path
from typing import BinaryIO, NamedTuple

import psutil

from kibitz.core.errors import BadOption
from kibitz.tables.errors import CannotSolve, NoRoom

SHARE = 0.75  # of what is free, where nothing else is said
GB, MB = 1e9, 1e6


class MemoryBudget(NamedTuple):
    """Bytes of memory, and how many of them are not for positions: Python, compiled code, buffers."""

    bytes: int
    overhead: int = 0

    @property
    def for_positions(self) -> int:
        """What is left for positions."""
        return max(0, self.bytes - self.overhead)

    def __str__(self) -> str:
        return f"{format_bytes(self.bytes)} of memory"


def format_bytes(size: float) -> str:
    """Bytes for people."""
    if size < GB / 10:
        return f"{size / MB:.2g} MB"
    return f"{size / GB:.2g} GB" if size < GB else f"{size / GB:,.1f} GB"


def format_estimate(count: int) -> str:
    """A count that is not exact, for people: two digits of millions."""
    return f"{count if count < 1_000_000 else int(float(f'{count:.2g}')):,}"


def budget_memory(asked: float | None) -> MemoryBudget:
    """The gigabytes that a user asks for, or most of what is free."""
    free = int(psutil.virtual_memory().available)
    if asked is None:
        return MemoryBudget(int(SHARE * free))
    if not 0 < asked < 1e6:
        raise BadOption(f"option memory is {asked:g}, expected gigabytes above 0")
    if asked * GB > free:
        raise CannotSolve(f"{asked:g} GB of memory are asked for, but {free / GB:.1f} GB are free")
    return MemoryBudget(int(asked * GB))


def refuse_full_disk(folder: Path, needed: int) -> None:
    """Refuse to start what will not fit."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise NoRoom(f"{format_bytes(needed)} of disk are needed in '{folder}', but {format_bytes(free)} are free")


def reserve(file: BinaryIO, size: int) -> None:
    """Give a file its full size now: one that is mapped cannot say later that the disk is full."""
    try:
        os.truncate(file.fileno(), size)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
    except OSError as problem:
        raise CannotSolve(f"cannot write '{file.name}': {problem.strerror}") from None
