"""Control groups of Linux around a player: a bound on memory and processes, and a switch that suspends all of it.

A group is a folder that the kernel makes. Where version 2 is mounted it can be frozen and killed as a whole; memory and
processes are bounded by whichever version has these controllers. The supervisor makes the folders and removes them;
here they are only named. What this machine cannot do is left out: a group may have none of these.
"""

import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.arena.players.owner import PREFIX, is_orphan, new_name

FREEZE, KILL, PROCESSES = "cgroup.freeze", "cgroup.kill", "cgroup.procs"
UNIFIED = ""  # the controller that /proc/self/cgroup names for version 2
TRIES = 20


@dataclass(frozen=True, slots=True)
class Parents:
    """The folders below which groups can be made; None where there is none that this user may write to."""

    unified: Path | None = None  # version 2: suspends and kills
    memory: Path | None = None
    pids: Path | None = None

    @property
    def abilities(self) -> list[str]:
        """What groups do here, in words."""
        found = {"suspension": self.unified, "memory": self.memory, "processes": self.pids}
        return [what for what, folder in found.items() if folder is not None]

    def folders(self) -> list[Path]:
        """Each of them once."""
        return list(dict.fromkeys(folder for folder in (self.unified, self.memory, self.pids) if folder is not None))


class ControlGroup:
    """The groups of one player, one of the same name in each hierarchy."""

    def __init__(self, megabytes: int, tasks: int) -> None:
        parents = find_parents()
        self.name = new_name()
        self.folders = [parent / self.name for parent in parents.folders()]
        self._freezer = None if parents.unified is None else str(parents.unified / self.name / FREEZE)
        self._settings: dict[Path, dict[str, str]] = {folder: {} for folder in self.folders}
        if parents.pids is not None:
            self._settings[parents.pids / self.name]["pids.max"] = str(tasks)
        if parents.memory is not None:
            self._settings[parents.memory / self.name] |= _memory_settings(parents.memory, megabytes << 20)

    @property
    def can_suspend(self) -> bool:
        return self._freezer is not None

    def describe(self) -> list[dict[str, Any]]:
        """What the supervisor makes, as JSON can hold it."""
        return [{"path": str(folder), "settings": settings} for folder, settings in self._settings.items()]

    def suspend(self) -> None:
        """Let nothing in the group run."""
        self._switch(b"1")

    def resume(self) -> None:
        """Let all of it run on."""
        self._switch(b"0")

    def remove(self) -> None:
        """Remove the folders, after the supervisor if it could not."""
        for folder in self.folders:
            _remove(folder)

    def _switch(self, state: bytes) -> None:
        assert self._freezer is not None
        with suppress(OSError):  # the group has gone with its player, which is noticed elsewhere
            handle = os.open(self._freezer, os.O_WRONLY)
            try:
                os.write(handle, state)
            finally:
                os.close(handle)


@cache
def find_parents() -> Parents:
    """Where this process may make groups. Each place is tried, not only looked at."""
    if sys.platform != "linux":
        return Parents()
    places = read_hierarchies(Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text())
    unified, bounded = _find_unified(places.get(UNIFIED))
    return Parents(
        unified,
        unified if "memory" in bounded else _usable(places.get("memory"), "memory.limit_in_bytes"),
        unified if "pids" in bounded else _usable(places.get("pids"), "pids.max"),
    )


def remove_orphans() -> None:
    """End and remove groups whose process was killed before it could do so itself."""
    for parent in find_parents().folders():
        for folder in parent.glob(f"{PREFIX}*"):
            if is_orphan(folder.name):
                _remove(folder)


class Mount(NamedTuple):
    """A line of mountinfo, as far as it matters here."""

    root: str
    place: str
    kind: str
    options: list[str]


def read_hierarchies(mounts: str, memberships: str) -> dict[str, Path]:
    """The folder of this process's own group by controller, from the kernel's own lists."""
    found: dict[str, Path] = {}
    own: dict[str, str] = {}
    for line in memberships.splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    for mount in map(_read_mount, mounts.splitlines()):
        names = [UNIFIED] if mount.kind == "cgroup2" else mount.options if mount.kind == "cgroup" else []
        for name in names:
            if name in own:
                inside = own[name].removeprefix(mount.root.rstrip("/")).strip("/")
                found[name] = Path(mount.place, inside)
    return found


def _read_mount(line: str) -> Mount:
    before, _, after = line.partition(" - ")
    fields, (kind, _, options) = before.split(), after.split()
    return Mount(fields[3], fields[4], kind, options.split(","))


def _find_unified(own: Path | None) -> tuple[Path | None, list[str]]:
    """The nearest folder above this process whose groups are bounded, or else its own; and what is bounded there."""
    if own is None:
        return None, []
    above = [folder for folder in (own, *own.parents) if (folder / "cgroup.subtree_control").exists()]
    for folder in above:
        controllers = (folder / "cgroup.subtree_control").read_text().split()
        if "pids" in controllers and _usable(folder, "pids.max"):
            return folder, controllers
    return _usable(own, FREEZE), []


def _usable(parent: Path | None, setting: str) -> Path | None:
    """The parent, if a group with this setting can be made there and a process can join it."""
    if parent is None or not os.access(parent, os.W_OK):
        return None
    folder = parent / new_name()
    try:
        folder.mkdir()
        join = ["sh", "-c", 'echo $$ > "$0"', str(folder / PROCESSES)]
        joined = subprocess.run(join, stderr=subprocess.DEVNULL, check=False).returncode == 0
        return parent if joined and (folder / setting).exists() else None
    except OSError:
        return None
    finally:
        _remove(folder)


def _memory_settings(parent: Path, size: int) -> dict[str, str]:
    if (parent / "memory.limit_in_bytes").exists():
        return {"memory.limit_in_bytes": str(size), "memory.memsw.limit_in_bytes": str(size)}
    return {"memory.max": str(size), "memory.swap.max": "0"}


def _remove(folder: Path) -> None:
    """A group that has just been emptied may be busy for a moment."""
    for _ in range(TRIES):
        with suppress(OSError):
            if (folder / KILL).exists():
                (folder / KILL).write_text("1")
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return
