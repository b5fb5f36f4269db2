"""The file of a table: a line that says what it is, a header, compressed parts, and a checksum of all of it."""

import glob
import hashlib
import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from kibitz.core.input_file import inflate
from kibitz.core.json_text import parse_json
from kibitz.core.output_file import draft_prefix, open_output
from kibitz.tables.errors import BadTable, NoRoom

MAGIC = b"kibitz table\n"
FORMAT = 1
PART = 1 << 22  # bytes that are compressed together
DIGEST = hashlib.sha256().digest_size
LONGEST_HEADER = 16 << 20  # bytes
LEVEL = 6  # lzma makes a wolves table a tenth smaller and takes ten times as long

Header = dict[str, Any]


def write(path: Path, header: Header, data: list[NDArray[np.uint8]], jobs: int) -> None:
    """Put a table under this name in one step; its bytes are those of the arrays, one behind the other."""
    size = sum(len(piece) for piece in data)
    with ThreadPoolExecutor(jobs) as pool:  # the library lets other threads run while it compresses
        parts = list(pool.map(lambda start: _compress_part(data, start), range(0, size, PART)))
    full = {"format": FORMAT, **header, "bytes": size, "parts": [len(part) for part in parts]}
    described = json.dumps(full).encode()
    digest = hashlib.sha256()
    try:
        with open_output(path) as file:
            for piece in (MAGIC, len(described).to_bytes(8, "little"), described, *parts):
                digest.update(piece)
                file.write(piece)
            file.write(digest.digest())
    except OSError as problem:
        raise NoRoom(f"cannot write '{path}': {problem.strerror}") from None


def delete_drafts(path: Path) -> None:
    """Delete what killed runs have left of this file."""
    for draft in path.parent.glob(f"{glob.escape(draft_prefix(path))}*.draft"):
        draft.unlink(missing_ok=True)


def read_header(path: Path) -> Header:
    """What a table says of itself; the rest is not read."""
    try:
        with path.open("rb") as file:
            return _header(path, file)
    except OSError as problem:
        raise BadTable(f"cannot read table '{path}': {problem.strerror}") from None


def _header(path: Path, file: BinaryIO) -> Header:
    if file.read(len(MAGIC)) != MAGIC:
        raise BadTable(f"'{path}' is no table of kibitz")
    length = int.from_bytes(file.read(8), "little")
    if length > LONGEST_HEADER:
        raise _damage_error(path)
    try:
        header = parse_json(file.read(length))
    except ValueError:
        raise _damage_error(path) from None
    if not isinstance(header, dict) or type(header.get("format")) is not int or header["format"] < 1:
        raise _damage_error(path)
    if header["format"] > FORMAT:
        raise BadTable(f"table '{path}' has format {header['format']}, expected {FORMAT}: it is of a newer kibitz")
    rows = header.get("rows", [])
    are_rows = isinstance(rows, list) and all(isinstance(row, dict) and type(row.get("entries")) is int for row in rows)
    if not are_rows or not all(isinstance(header.get(key), str) for key in ("game", "kibitz", "rules")):
        raise _damage_error(path)
    return header


def verify_checksum(path: Path) -> str:
    """The checksum of a whole table, if it fits."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            digest, left = hashlib.sha256(), max(0, size - DIGEST)
            while left and (piece := file.read(min(left, 1 << 20))):
                digest.update(piece)
                left -= len(piece)
            if file.read(DIGEST) != digest.digest():
                raise _damage_error(path)
    except OSError as problem:
        raise BadTable(f"cannot read table '{path}': {problem.strerror}") from None
    return digest.hexdigest()


def read_data(path: Path, header: Header, jobs: int) -> NDArray[np.uint8]:
    """The bytes of a table whose header fits; ValueError where a part does not hold what it should."""
    data = np.empty(header["bytes"], np.uint8)
    with path.open("rb") as file, ThreadPoolExecutor(jobs) as pool:
        _header(path, file)
        parts = [file.read(length) for length in header["parts"]]
        if len(file.read(DIGEST + 1)) != DIGEST:
            raise ValueError("the file is longer or shorter than its parts")
        starts = range(0, len(data), PART)
        sizes = [min(PART, len(data) - start) for start in starts]
        for start, part in zip(starts, pool.map(inflate, parts, sizes), strict=True):
            data[start : start + len(part)] = np.frombuffer(part, np.uint8)
    return data


def _damage_error(path: Path) -> BadTable:
    return BadTable(f"table '{path}' is damaged: its checksum does not fit; build it again with kibitz solve")


def _compress_part(data: list[NDArray[np.uint8]], start: int) -> bytes:
    """The part that begins at this byte of all arrays together."""
    pieces, begin = [], 0
    for piece in data:
        pieces.append(piece[max(0, start - begin) : max(0, start + PART - begin)])
        begin += len(piece)
    return zlib.compress(np.concatenate(pieces).tobytes(), LEVEL)
