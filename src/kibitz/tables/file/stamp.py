"""Which files were verified before, so that a large table is not read through each time it is opened.

A stamp lies in the cache under the file's path: its size, its times and its place on the disk, and the checksum that
was right then. A file that differs in any of them is verified again.
"""

import hashlib
import json
import time
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.input_file import read_bytes
from kibitz.core.json_text import parse_json
from kibitz.core.seam import cache
from kibitz.tables.errors import BadTable
from kibitz.tables.file import container

LONGEST = 4096  # bytes of a stamp
SETTLED = 2.0  # seconds: a file changed more recently could change again without its times showing it


def find_checksum(path: Path) -> str:
    """The checksum of a table, computed and verified unless the same file was verified before."""
    stamp = _stamp_path(path)
    cache.borrow(f"tables/{stamp.name}")
    noted = _read(stamp)
    if noted.get("file") == _identify(path) and isinstance(noted.get("checksum"), str):
        return str(noted["checksum"])
    return verify(path)


def is_as_written(path: Path) -> bool:
    """Are these the bytes that `note_written` was told of? A file that has not changed since is not read again."""
    stamp = _note_path(path)
    noted = _read(stamp)
    before = _identify(path)
    if noted.get("file") == before:
        return True
    with path.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if checksum != noted.get("checksum"):
        return False
    if _is_settled(path, before):
        _write(stamp, {"file": before, "checksum": checksum})
    return True


def note_written(path: Path, checksum: str) -> None:
    """Remember what the bytes of a file are that was just written."""
    _write(_note_path(path), {"checksum": checksum})


def has_note(path: Path) -> bool:
    """Was the file written to the end?"""
    return _note_path(path).exists()


def _note_path(path: Path) -> Path:
    return path.with_suffix(".sum")


def verify(path: Path) -> str:
    """Read a table through, refuse it if its checksum is wrong, and remember that it was right."""
    before = _identify(path)
    checksum = container.verify_checksum(path)
    if _is_settled(path, before):
        _write(_stamp_path(path), {"file": before, "checksum": checksum})
    return checksum


def _is_settled(path: Path, before: dict[str, int]) -> bool:
    """Is it still the same file, and not so new that another change would not show?"""
    return before == _identify(path) and time.time() - max(before["changed"], before["modified"]) / 1e9 > SETTLED


def _identify(path: Path) -> dict[str, int]:
    try:
        facts = path.stat()
    except OSError as problem:
        raise BadTable(f"cannot read table '{path}': {problem.strerror}") from None
    times = {"modified": facts.st_mtime_ns, "changed": facts.st_ctime_ns}
    return {"size": facts.st_size, **times, "inode": facts.st_ino, "device": facts.st_dev}


def _read(stamp: Path) -> dict[str, Any]:
    try:
        noted = parse_json(read_bytes(stamp, LONGEST))
    except (KibitzError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _write(stamp: Path, noted: dict[str, object]) -> None:
    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        cache.replace_own(stamp, json.dumps(noted))
    except OSError as problem:
        cache.warn_unwritable(problem)


def _stamp_path(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]
    return cache.folder() / "tables" / f"{name}.stamp"
