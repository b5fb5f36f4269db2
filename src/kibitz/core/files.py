"""Files that are written whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from kibitz.core.errors import KibitzError


def write_whole(path: Path, text: str) -> None:
    """Write a file that a user asked for, or say in one line why that cannot be."""
    writable(path)
    try:
        replace_file(path, text)
    except OSError as problem:
        raise KibitzError(f"cannot write '{path}': {problem.strerror}") from None


def writable(path: Path) -> None:
    """Refuse a name that cannot become a file, before any work is done for it."""
    if path.is_dir():
        raise KibitzError(f"cannot write '{path}': it is a folder, expected the name of a file")
    if not path.parent.is_dir():
        raise KibitzError(f"cannot write '{path}': No such file or directory")


def replace_file(path: Path, text: str) -> None:
    """Put the text under this name in one step: no reader, no race and no full disk ever leaves half a file."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".draft")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(draft, 0o666 & ~_umask())
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
