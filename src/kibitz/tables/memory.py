"""How much memory and disk a solver may use, said before it starts."""

import shutil
from pathlib import Path
from typing import NamedTuple

import psutil

from kibitz.core.errors import BadOption
from kibitz.tables.errors import CannotSolve

SHARE = 0.75  # of what is free, where nothing else is said
GB = 1e9


class Allowance(NamedTuple):
    """Bytes of memory."""

    bytes: int

    def __str__(self) -> str:
        return f"{self.bytes / GB:.2g} GB of memory" if self.bytes < GB else f"{self.bytes / GB:.1f} GB of memory"


def allowed(gigabytes: float | None) -> Allowance:
    """What a user allows, or most of what is free."""
    free = int(psutil.virtual_memory().available)
    if gigabytes is None:
        return Allowance(int(SHARE * free))
    if not 0 < gigabytes < 1e6:
        raise BadOption(f"option memory is {gigabytes:g}, expected gigabytes above 0")
    if gigabytes * GB > free:
        raise CannotSolve(f"{gigabytes:g} GB of memory are asked for, but {free / GB:.1f} GB are free")
    return Allowance(int(gigabytes * GB))


def refuse_full_disk(folder: Path, needed: int) -> None:
    """Refuse to start what will not fit."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise CannotSolve(f"{needed / GB:.2f} GB of disk are needed in '{folder}', but {free / GB:.2f} GB are free")
