"""A lock beside a file: held by one process at a time, and let go by the system when that process dies."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from kibitz.core.errors import KibitzError


class Locked(KibitzError):
    """Another process has the file."""


class Lock:
    """Holds the lock of a file until it is closed. The number of the process that has it stands in it."""

    def __init__(self, path: Path) -> None:
        self.path = Path(f"{path.resolve()}-lock")
        self.file = self._taken(path)

    def _taken(self, path: Path) -> int:
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(file, 20).decode(errors="replace").strip()
                os.close(file)
                who = f" (process {holder})" if holder else ""
                raise Locked(
                    f"games are being played into '{path}' by another command{who}; wait for it, or name another file"
                ) from None
            if self._is_ours(file):
                os.truncate(file, 0)
                os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
                return file
            os.close(file)  # its last holder has just removed it

    def _is_ours(self, file: int) -> bool:
        with suppress(OSError):
            return os.path.samestat(os.fstat(file), os.stat(self.path))
        return False

    def close(self) -> None:
        """Let others have it."""
        with suppress(OSError):
            os.unlink(self.path)
        os.close(self.file)
