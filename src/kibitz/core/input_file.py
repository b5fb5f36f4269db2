"""The one door through which files of strangers are read: no more bytes than a bound, one error where that fails."""

import os
import stat
import zlib
from pathlib import Path
from typing import BinaryIO

from kibitz.core.errors import KibitzError

MB = 1 << 20
PIECE = 16 * MB  # that is read at once


def read_bytes(path: Path, most: int, refusal: type[KibitzError] = KibitzError, what: str = "") -> bytes:
    """All bytes of a file, pipe or device, if they are at most so many. `what` is the word for it in messages."""
    name = f"{what} '{path}'" if what else f"'{path}'"
    try:
        with path.open("rb") as file:
            data = _read_at_most(file, most)
    except (OSError, ValueError) as problem:  # a name with a NUL is a ValueError
        raise refusal(f"cannot read {name}: {getattr(problem, 'strerror', None) or problem}") from None
    if data is None:
        raise refusal(f"cannot read {name}: it has more than {describe_size(most)}")
    return data


def _read_at_most(file: BinaryIO, most: int) -> bytes | None:
    """All that can be read, None where it is more; a large file is not even begun."""
    facts = os.fstat(file.fileno())
    if stat.S_ISREG(facts.st_mode) and facts.st_size > most:
        return None
    pieces, size = [], 0
    while piece := file.read(min(PIECE, most + 1 - size)):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            return None
    return b"".join(pieces)


def read_text(path: Path, most: int, refusal: type[KibitzError] = KibitzError, what: str = "") -> str:
    """The same as text in UTF-8."""
    data = read_bytes(path, most, refusal, what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise refusal(f"cannot read {f'{what} ' if what else ''}'{path}': line {line} is not text in UTF-8") from None


def inflate(data: bytes, size: int) -> bytes:
    """The bytes that were deflated, if they are just so many; ValueError otherwise. No more is ever unpacked."""
    found = inflate_at_most(data, size)
    if len(found) != size:
        raise ValueError(f"{len(found)} bytes, expected {size}")
    return found


def inflate_at_most(data: bytes, most: int) -> bytes:
    """The bytes that were deflated, if they are at most so many; ValueError otherwise."""
    try:
        engine = zlib.decompressobj()
        found = engine.decompress(data, most + 1)
    except (zlib.error, OverflowError, MemoryError) as problem:
        raise ValueError(str(problem)) from None
    if len(found) > most or not engine.eof or engine.unused_data:
        raise ValueError(f"expected at most {most} bytes")
    return found


def describe_size(size: int) -> str:
    """A bound for people."""
    return f"{size // MB} MB" if size >= MB and size % MB == 0 else f"{size} bytes"
