"""Files of a line that says what is in them and a block of bytes under a checksum, written whole or not at all."""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.core.errors import KibitzError
from kibitz.core.files import writable

FORMAT = 1
LONGEST_HEADER = 4096


class BadFile(KibitzError):
    """A file of proofs that cannot be read, is damaged, or is about something else."""


def write(path: Path, kind: str, header: dict[str, Any], block: bytes) -> None:
    """Write the file in one step: a run that is killed meanwhile leaves the one before."""
    writable(path)
    about = {"file": kind, "format": FORMAT, "version": __version__, **header}
    line = json.dumps({**about, "bytes": len(block), "sha256": hashlib.sha256(block).hexdigest()})
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".draft")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(line.encode() + b"\n" + block)
            os.chmod(draft, 0o644)
            os.replace(draft, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
    except OSError as problem:
        raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None


def kind_of(path: Path) -> str:
    """What kind of file this says it is; nothing where it says nothing."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(LONGEST_HEADER))
    except (OSError, ValueError):
        return ""
    return str(header.get("file", "")) if isinstance(header, dict) else ""


def read(path: Path, kind: str) -> tuple[dict[str, Any], bytes]:
    """What the file says of itself, and its block."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise BadFile(f"cannot read '{path}': {problem.strerror}") from None
    line, _, block = data.partition(b"\n")
    header = _header(path, kind, line)
    if hashlib.sha256(block).hexdigest() != header["sha256"]:
        raise BadFile(f"'{path}' is damaged: its checksum does not fit")
    return header, block


def _header(path: Path, kind: str, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line) if len(line) <= LONGEST_HEADER else None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("file") != kind or "sha256" not in header:
        raise BadFile(f"'{path}' is no {kind} file of Kibitz")
    if header.get("format", 0) > FORMAT:
        raise BadFile(f"'{path}' was written by a newer Kibitz ({header.get('version')}), this is {__version__}")
    return header
