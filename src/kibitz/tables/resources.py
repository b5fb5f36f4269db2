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


class Allowance(NamedTuple):
    """Bytes of memory, and how many of them are not for positions: Python, compiled code, buffers."""

    bytes: int
    beside: int = 0

    @property
    def free(self) -> int:
        """What is left for positions."""
        return max(0, self.bytes - self.beside)

    def __str__(self) -> str:
        return f"{gigabytes(self.bytes)} of memory"


def gigabytes(size: float) -> str:
    """Bytes for people."""
    if size < GB / 10:
        return f"{size / MB:.2g} MB"
    return f"{size / GB:.2g} GB" if size < GB else f"{size / GB:,.1f} GB"


def roughly(count: int) -> str:
    """A count that is not exact, for people: two digits of millions."""
    return f"{count if count < 1_000_000 else int(float(f'{count:.2g}')):,}"


def allowed(asked: float | None) -> Allowance:
    """What a user allows, or most of what is free."""
    free = int(psutil.virtual_memory().available)
    if asked is None:
        return Allowance(int(SHARE * free))
    if not 0 < asked < 1e6:
        raise BadOption(f"option memory is {asked:g}, expected gigabytes above 0")
    if asked * GB > free:
        raise CannotSolve(f"{asked:g} GB of memory are asked for, but {free / GB:.1f} GB are free")
    return Allowance(int(asked * GB))


def refuse_full_disk(folder: Path, needed: int) -> None:
    """Refuse to start what will not fit."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise NoRoom(f"{gigabytes(needed)} of disk are needed in '{folder}', but {gigabytes(free)} are free")


def reserve(file: BinaryIO, size: int) -> None:
    """Give a file its full size now: one that is mapped cannot say later that the disk is full."""
    try:
        os.truncate(file.fileno(), size)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
    except OSError as problem:
        raise CannotSolve(f"cannot write '{file.name}': {problem.strerror}") from None
