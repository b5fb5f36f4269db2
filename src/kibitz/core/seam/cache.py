"""The cache folder: small generated modules and their compiled code."""

import errno
import fcntl
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

from kibitz.core.errors import KibitzWarning
from kibitz.core.home import home_folder
from kibitz.core.output_file import replace_file

SHARED = "KIBITZ_SHARED_CACHE"
SEAL = 32  # bytes of a hash before the content of a file


def folder() -> Path:
    """The cache folder: KIBITZ_CACHE, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Caches" / "kibitz"
    return Path(os.environ.get("XDG_CACHE_HOME") or home_folder() / ".cache") / "kibitz"


def borrow(pattern: str) -> None:
    """Link to files of a shared cache that must not be written, KIBITZ_SHARED_CACHE, where there is one. What is
    compiled anew replaces the link and leaves its target alone.
    """
    shared, own = os.environ.get(SHARED), folder()
    if shared is None:
        return
    for file in Path(shared).glob(pattern):
        place = own / file.relative_to(shared)
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(file)


def replace_own(path: Path, content: str | bytes | memoryview) -> None:
    """Put a file into the cache; one that was borrowed stays as it is in the shared cache."""
    if path.is_symlink():
        path.unlink()
    replace_file(path, content)


def write_source(name: str, text: str) -> Path | None:
    """Write the source of a module; its path, or None, with a warning, where the folder cannot be written."""
    path = folder() / f"{name}.py"
    if not path.exists():
        borrow(path.name)
        borrow(f"__pycache__/{name}.*.nb?")
        borrow(f"__pycache__/{name}.sum")
    try:
        (path.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != text.encode():
            replace_own(path, text)
        _refuse_another_place(path.parent / "__pycache__")
    except OSError as problem:
        warn_unwritable(problem)
        return None
    return path


def is_compiled(path: Path) -> bool:
    """Is there compiled code for this source that is as it was written? One that is damaged gives a warning."""
    state = verify(path.stem)
    if state is State.DAMAGED:
        warn_damaged(f"the compiled code '{path.stem}'")
    return state is State.WHOLE


def _refuse_another_place(place: Path) -> None:
    """Where Numba would keep compiled code elsewhere, nobody would verify it."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        raise OSError(errno.EINVAL, "NUMBA_CACHE_DIR names another one")
    tempfile.TemporaryFile(dir=place).close()


class State(Enum):
    """What is kept of a module."""

    WHOLE = "as it was written"
    DAMAGED = "damaged"
    UNFINISHED = "not compiled to the end"


def verify(name: str) -> State:
    """Compare the compiled code of a module with the checksums that were written behind it."""
    try:
        noted = _sums_path(name).read_text()
    except FileNotFoundError:
        return State.UNFINISHED
    except (OSError, ValueError):
        return State.DAMAGED
    files = [_sums_path(name).with_name(line.partition(" ")[2]) for line in noted.splitlines()]
    try:
        return State.WHOLE if files and noted == _sums(files) else State.DAMAGED
    except (OSError, ValueError):
        return State.DAMAGED


def note_compiled(path: Path) -> None:
    """Write down the checksums of compiled code that was just made."""
    replace_own(_sums_path(path.stem), _sums(_compiled_files(path.stem)))


def remove_compiled(name: str) -> bool:
    """Remove the compiled code of a module, such as a damaged one; is it gone?"""
    for kept in [_sums_path(name), *_compiled_files(name)]:
        with suppress(OSError):
            kept.unlink()
    return not _compiled_files(name)


def read_sealed(name: str) -> bytes | None:
    """A file of the cache that begins with the hash of its content; None where there is none or it is damaged."""
    path = folder() / name
    if not path.exists():
        borrow(name)
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    if not _is_whole(kept):
        warn_damaged(f"the module '{name}'")
        return None
    return kept[SEAL:]


def _is_whole(sealed: bytes) -> bool:
    return hashlib.sha256(sealed[SEAL:]).digest() == sealed[:SEAL]


def write_sealed(name: str, content: bytes) -> None:
    """Keep a file with the hash of its content before it; a warning where the folder cannot be written."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        replace_own(folder() / name, hashlib.sha256(content).digest() + content)
    except OSError as problem:
        warn_unwritable(problem)


def _compiled_files(name: str) -> list[Path]:
    return sorted((folder() / "__pycache__").glob(f"{name}.*.nb?"))


def _sums_path(name: str) -> Path:
    return folder() / "__pycache__" / f"{name}.sum"


def _sums(files: list[Path]) -> str:
    """A line for each file."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()} {file.name}\n" for file in files)


def warn_damaged(what: str) -> None:
    """Warn that something in the cache is not as it was written."""
    warnings.warn(f"{what} in the cache is damaged and is made anew", KibitzWarning, stacklevel=2)


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
    sizes = {path.stem: path.stat().st_size for path in sorted(place.glob("*.py"))}
    for path in (place / "__pycache__").glob("*"):
        name = path.name.partition(".")[0]
        if name in sizes:
            sizes[name] += path.stat().st_size
    modules = {path.name: path.stat().st_size for path in sorted(place.glob("*.wasm"))}
    return [*sizes.items(), *modules.items()]


def find_damaged() -> list[str]:
    """The names of modules whose compiled code is not as it was written."""
    names = {name for name, _ in list_modules()} | {path.stem for path in (folder() / "__pycache__").glob("*.sum")}
    sealed = [path.name for path in sorted(folder().glob("*.wasm")) if not _is_whole(path.read_bytes())]
    return [*(name for name in sorted(names) if verify(name) is State.DAMAGED), *sealed]


def repair() -> list[str]:
    """Remove the compiled code that is damaged, so that it is made anew; the names of its modules."""
    damaged = find_damaged()
    for name in damaged:
        if name.endswith(".wasm"):
            (folder() / name).unlink(missing_ok=True)
        else:
            remove_compiled(name)
    return damaged


def clear() -> int:
    """Remove everything that Kibitz put into the cache; how many compiled modules there were."""
    place = folder()
    names = [name for name, _ in list_modules()]
    compiled = ("__pycache__/.*.draft", "__pycache__/*.nb?", "__pycache__/*.sum", "__pycache__/*.tmp*")
    for pattern in ("*.py", "*.wasm", "*.lock", ".*.draft", *compiled):
        for path in place.glob(pattern):
            path.unlink(missing_ok=True)
    return len(names)
