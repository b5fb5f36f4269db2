"""The cache folder: small generated modules and their compiled code."""

import fcntl
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kibitz.core.errors import KibitzWarning
from kibitz.core.files import replace_file


def folder() -> Path:
    """The cache folder: KIBITZ_CACHE, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kibitz"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz"


def write_source(name: str, text: str) -> Path | None:
    """Write the source of a module; its path, or None, with a warning, where the folder cannot be written."""
    path = folder() / f"{name}.py"
    try:
        (path.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            replace_file(path, text)
    except OSError as problem:
        warn_unwritable(problem)
        return None
    return path


def is_compiled(path: Path) -> bool:
    """Is there compiled code for this source?"""
    return any((path.parent / "__pycache__").glob(f"{path.stem}.*.nbi"))


def remove_compiled(path: Path) -> None:
    """Remove the compiled code of this source, such as a damaged one."""
    for kept in (path.parent / "__pycache__").glob(f"{path.stem}.*.nb?"):
        with suppress(OSError):
            kept.unlink()


def warn_unwritable(problem: Exception) -> None:
    """Warn, once for each reason, that compiled code will not be kept."""
    reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    warnings.warn(
        f"the cache folder '{folder()}' cannot be written ({reason}); compiling anew each time. "
        "Set KIBITZ_CACHE to a folder that can",
        KibitzWarning,
        stacklevel=2,
    )


@contextmanager
def compile_lock(path: Path) -> Iterator[None]:
    """Let one process at a time compile a source; the others wait and then find it done."""
    try:
        handle = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o644)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def list_modules() -> list[tuple[str, int]]:
    """The modules in the cache: the name of each and how many bytes its files have."""
    place = folder()
    if place.exists() and not place.is_dir():
        raise NotADirectoryError(20, "Not a directory")
    kept = []
    for path in sorted(place.glob("*.py")):
        files = [path, *(place / "__pycache__").glob(f"{path.stem}.*")]
        kept.append((path.stem, sum(file.stat().st_size for file in files)))
    return kept


def clear() -> int:
    """Remove everything that Kibitz put into the cache; how many compiled modules there were."""
    place = folder()
    names = [name for name, _ in list_modules()]
    for pattern in ("*.py", "*.lock", ".*.draft", "__pycache__/*.nb?", "__pycache__/*.tmp*"):
        for path in place.glob(pattern):
            path.unlink(missing_ok=True)
    return len(names)
