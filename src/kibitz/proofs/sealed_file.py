"""Files of a line that says what is in them and a block of bytes under a checksum, written whole or not at all."""

import hashlib
import json
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.input_file import inflate, read_bytes
from kibitz.core.json_text import parse_json
from kibitz.core.output_file import write_file
from kibitz.tables.resources import budget_memory

FORMAT = 1
LONGEST_HEADER = 4096
MOST_INFLATED = 1032  # bytes that one deflated byte can stand for


class BadFile(KibitzError):
    """A file of proofs that cannot be read, is damaged, or is about something else."""


def write(path: Path, kind: str, header: dict[str, Any], block: bytes) -> None:
    """Write the file in one step: a run that is killed meanwhile leaves the one before."""
    about = {"file": kind, "format": FORMAT, "version": __version__, **header}
    line = json.dumps({**about, "bytes": len(block), "sha256": hashlib.sha256(block).hexdigest()})
    write_file(path, line.encode() + b"\n" + block)


def kind_of(path: Path) -> str:
    """What kind of file this says it is; nothing where it says nothing."""
    try:
        with path.open("rb") as file:
            header = parse_json(file.readline(LONGEST_HEADER))
    except (OSError, ValueError):
        return ""
    return str(header.get("file", "")) if isinstance(header, dict) else ""


def read(path: Path, kind: str) -> tuple[dict[str, Any], bytes]:
    """What the file says of itself, and its block."""
    data = read_bytes(path, budget_memory(None).bytes // 2, BadFile)
    line, _, block = data.partition(b"\n")
    header = _header(path, kind, line)
    if hashlib.sha256(block).hexdigest() != header["sha256"]:
        raise BadFile(f"'{path}' is damaged: its checksum does not fit")
    return header, block


def unpack(block: bytes, size: int) -> bytes:
    """A deflated block, if it holds just so many bytes and they fit into memory; ValueError otherwise."""
    if not 0 <= size <= most_unpacked(block):
        raise ValueError(f"{size} bytes cannot be in it")
    return inflate(block, size)


def most_unpacked(block: bytes) -> int:
    """The most bytes that a deflated block can hold, and that fit into memory."""
    return min(MOST_INFLATED * (len(block) + 1), budget_memory(None).bytes // 2)


def _header(path: Path, kind: str, line: bytes) -> dict[str, Any]:
    try:
        header = parse_json(line) if len(line) <= LONGEST_HEADER else None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("file") != kind or "sha256" not in header:
        raise BadFile(f"'{path}' is no {kind} file of Kibitz")
    version = header.get("format", 0)
    if type(version) is int and version > FORMAT:
        writer = quoted(str(header.get("version")))
        raise BadFile(f"'{path}' was written by a newer Kibitz ({writer}), this is {__version__}")
    if type(version) is not int or version < 0:
        raise BadFile(f"'{path}' has format {quoted(str(version))}, expected {FORMAT}")
    return header
