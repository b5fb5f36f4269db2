"""Opening a store that is only read."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A store that is only read: also on read-only media and on full disks, where SQLite cannot put its own files
    beside it. What was written last may then lie in a file of its own, and both are copied to where there is room.
    """
    with ExitStack() as things:
        try:
            rows = things.enter_context(_connect(path, "mode=ro"))
        except sqlite3.OperationalError:
            latest = path.with_name(f"{path.name}-wal")
            if latest.is_file() and latest.stat().st_size:
                folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-", dir=_roomy_folder())))
                for source in (path, latest):
                    shutil.copyfile(source, folder / f"store{source.name[len(path.name) :]}")
                rows = things.enter_context(_connect(folder / "store", "mode=rw"))
            else:
                rows = things.enter_context(_connect(path, "mode=ro&immutable=1"))
        yield rows


@contextmanager
def _connect(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    rows = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, isolation_level=None)
    try:
        rows.execute("PRAGMA busy_timeout = 5000")
        rows.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield rows
    finally:
        rows.close()


def _roomy_folder() -> str | None:
    """Memory where the system has a folder for it, else the usual place for passing files."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
