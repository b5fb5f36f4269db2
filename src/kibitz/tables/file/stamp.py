"""Which files were verified before, so that a large table is not read through each time it is opened.

A stamp lies in the cache under the file's path: its size, its times and its place on the disk, and the checksum that
was right then. A file that differs in any of them is verified again.
"""

import hashlib
import json
import time
from pathlib import Path

from kibitz.core.seam import cache
from kibitz.tables.errors import BadTable
from kibitz.tables.file import container

SETTLED = 2.0  # seconds: a file changed more recently could change again without its times showing it


def find_checksum(path: Path) -> str:
    """The checksum of a table, computed and verified unless the same file was verified before."""
    stamp = _stamp_path(path)
    try:
        noted = json.loads(stamp.read_text())
        if noted["file"] == _identify(path):
            return str(noted["checksum"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return verify(path)


def verify(path: Path) -> str:
    """Read a table through, refuse it if its checksum is wrong, and remember that it was right."""
    before = _identify(path)
    checksum = container.verify_checksum(path)
    if before == _identify(path) and time.time() - max(before["changed"], before["modified"]) / 1e9 > SETTLED:
        _remember(path, {"file": before, "checksum": checksum})
    return checksum


def _identify(path: Path) -> dict[str, int]:
    try:
        facts = path.stat()
    except OSError as problem:
        raise BadTable(f"cannot read table '{path}': {problem.strerror}") from None
    times = {"modified": facts.st_mtime_ns, "changed": facts.st_ctime_ns}
    return {"size": facts.st_size, **times, "inode": facts.st_ino, "device": facts.st_dev}


def _remember(path: Path, stamp: dict[str, object]) -> None:
    place = _stamp_path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with container.open_draft(place) as draft:
            draft.write(json.dumps(stamp).encode())
    except OSError as problem:
        cache.warn_unwritable(problem)


def _stamp_path(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]
    return cache.folder() / "tables" / f"{name}.stamp"
