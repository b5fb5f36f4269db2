"""A user of its own for a guest: where we are root and no control group bounds its processes, the kernel still does.

RLIMIT_NPROC binds every user but root. Such a user can read what everybody can read. Where that is not enough for the
guest's files, or for this Python, it stays what it is, and its processes are only counted.
"""

import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path

import psutil

from kibitz.arena.players import control_group, sandbox, user_switch
from kibitz.arena.players.sandbox import View

NUMBERS = range(61_184, 65_520)  # kept free by convention for users that come and go (systemd's dynamic users)
MOST_FILES = 10_000  # of a guest that are looked at
PATIENCE = 60.0  # seconds for the trial
IMPORTS = "import kibitz.arena.players.agent_process"


def find_user(view: View, *, isolated: bool) -> int | None:
    """The number of a user for a guest with these files; None where it must do without, or has no need of one."""
    if sys.platform != "linux" or os.getuid() != 0 or control_group.find_parents().pids is not None:
        return None
    if not can_switch(isolated) or not all(is_readable(place, isolated) for place in view.readable):
        return None
    return _free_number()


def describe_bound() -> str:
    """What bounds the processes of guests on this machine, in words."""
    if control_group.find_parents().pids is not None:
        return "bounded by a control group"
    if sys.platform != "linux" or os.getuid() != 0:
        return "bounded by the limit of this user"
    if can_switch(sandbox.find_ability().usable):
        return "bounded by the limit of a user of its own, where everybody can read its files, else counted and ended"
    return "counted and ended: root has no limit, and another user cannot read this Python"


def switch_to(number: int) -> list[str]:
    """The command that runs what follows it as this user."""
    return [sys.executable, "-I", "-S", user_switch.__file__, str(number)]


@cache
def can_switch(isolated: bool) -> bool:
    """Try it once: another user may not be able to read this Python."""
    enclosing = sandbox.enclose(View(), 1, other_user=True) if isolated else []
    command = [*enclosing, *switch_to(_free_number()), sys.executable, "-P", "-c", IMPORTS]
    surroundings = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG")}
    try:
        tried = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**surroundings, "KIBITZ_CACHE": "/tmp/player", "NUMBA_DISABLE_JIT": "1"},
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


@cache
def is_readable(place: Path, isolated: bool) -> bool:
    """Can everybody read a place and what is below it? In a sandbox the folders above it do not count."""
    if sandbox.is_of_system(place):
        return True
    above = [] if isolated else list(place.parents)
    if not all(_allows(folder, stat.S_IXOTH) for folder in above):
        return False
    return all(_is_open(path) for path in islice(_below(place), MOST_FILES))


def _below(place: Path) -> Iterator[Path]:
    yield place
    if place.is_dir():
        for head, folders, files in os.walk(place):
            yield from (Path(head, name) for name in (*folders, *files))


def _is_open(path: Path) -> bool:
    if path.is_symlink():
        return True  # what it leads to counts where it lies
    return _allows(path, stat.S_IROTH | stat.S_IXOTH if path.is_dir() else stat.S_IROTH)


def _allows(path: Path, wanted: int) -> bool:
    with suppress(OSError):
        return path.stat().st_mode & wanted == wanted
    return False


def _free_number() -> int:
    """A number that no process has."""
    used = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            used.add(process.uids().real)
    return random.SystemRandom().choice([number for number in NUMBERS if number not in used])
