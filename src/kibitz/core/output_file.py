"""The one door through which files are written: where the user said, whole or not at all.

A regular file is replaced in one step: links are followed, its mode stays, and one whose mode forbids writing is
refused. Devices, pipes and our own standard output are written through, and what goes wrong there is reported.
"""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kibitz.core.errors import KibitzError

NEW_FILE = 0o666  # before the user's mask


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file that a user asked for, or say in one line why that cannot be."""
    check_writable(path)
    try:
        replace_file(path, content)
    except OSError as problem:
        raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None


def check_writable(path: Path) -> None:
    """Refuse a name that cannot become a file, before any work is done for it."""
    try:
        _check(path)
    except OSError as problem:
        raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None


def replace_file(path: Path, content: str | bytes | memoryview) -> None:
    """Put the content under this name; OSError where that fails."""
    with open_output(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes this name when all is written; one that cannot be replaced is written through."""
    facts = _check(path)
    if facts is not None and (own := _own_stream(facts)) is not None:
        with os.fdopen(os.dup(own), "wb") as file:
            yield file
    elif facts is not None and not stat.S_ISREG(facts.st_mode):
        with os.fdopen(os.open(path, os.O_WRONLY), "wb") as file:
            yield file
    else:
        with _open_draft(Path(os.path.realpath(path)), facts) as file:
            yield file


def draft_prefix(path: Path) -> str:
    """How the names of drafts of a file begin; they end with `.draft`."""
    return f".{Path(os.path.realpath(path)).name[:100]}."


@contextmanager
def _open_draft(path: Path, facts: os.stat_result | None) -> Iterator[BinaryIO]:
    """No reader, no race and no full disk ever sees half a file."""
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=draft_prefix(path), suffix=".draft")
    except PermissionError:
        if facts is None:
            raise
        with path.open("wb") as file:  # the file may be written, its folder may not
            yield file
        return
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        _take_over_mode(draft, facts)
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _take_over_mode(draft: str, facts: os.stat_result | None) -> None:
    if facts is None:
        os.chmod(draft, NEW_FILE & ~_umask())
        return
    with suppress(PermissionError):  # only the system's owner gives files away
        os.chown(draft, facts.st_uid, facts.st_gid)
    os.chmod(draft, stat.S_IMODE(facts.st_mode))


def _check(path: Path) -> os.stat_result | None:
    """What is there now, links followed; None where nothing is. OSError where the name cannot be written."""
    try:
        facts = os.stat(path)
    except FileNotFoundError:
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            raise
        return None
    if stat.S_ISDIR(facts.st_mode):
        raise IsADirectoryError(0, "it is a folder, expected the name of a file")
    if stat.S_ISREG(facts.st_mode) and not (facts.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(0, "the file is read-only")
    return facts


def _own_stream(facts: os.stat_result) -> int | None:
    """The number of our standard output or error, if the file is that: `/dev/stdout`, or where it was redirected."""
    for stream in (sys.__stdout__, sys.__stderr__):
        with suppress(OSError, ValueError, AttributeError):
            if stream is not None and os.path.samestat(os.fstat(stream.fileno()), facts):
                stream.flush()
                return stream.fileno()
    return None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
