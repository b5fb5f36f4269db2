"""The boundary around a player: bubblewrap's namespaces, in which it sees a read-only system and little else.

No network but a loopback of its own, no process but its own, no file but the system's, this Python's, its own and those
that it is shown, all of them read-only. It writes to a folder in memory that is gone with it. Nothing in here can
outlive its supervisor: the kernel ends a namespace with its first process.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import kibitz
from kibitz.core.errors import KibitzError

Isolation = Literal["isolated", "limited", "trusted"]
FOLDER = "/tmp/player"  # the player's own, inside
SYSTEM = ("/usr", "/opt", "/nix", "/gnu", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs need of /etc; the rest may hold secrets, which root could read.
SETTINGS = (
    *("alternatives", "ld.so.*", "localtime", "passwd", "group", "nsswitch.conf", "hosts"),
    *("java*", "mono", "python*"),
)
NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
SWITCHING = ("CAP_SETUID", "CAP_SETGID")  # what it takes to become another user, who has none of them
PATIENCE = 20.0  # seconds for the trial


class NotIsolated(KibitzError):
    """Isolation was required and cannot be had."""


class Ability(NamedTuple):
    """Whether players can be isolated here, and if not, why."""

    installed: bool
    usable: bool
    detail: str


@dataclass(frozen=True, slots=True)
class View:
    """What a player sees besides the system: places to read, places to write, and places in them that are hidden."""

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    folder: Path = Path("/")  # there, but empty unless something in it is shown: where names of files begin


def enclose(view: View, megabytes: int, *, other_user: bool = False) -> list[str]:
    """The command that runs what follows it in a sandbox, whose folders in memory hold so much. It may become another
    user there, if that is wanted.
    """
    command = [_program(), *NAMESPACES, "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += [word for right in SWITCHING for word in ("--cap-add", right)] if other_user else []
    everybody = ["--perms", "1777"] if other_user else []
    command += [*everybody, *_mount_in_memory("/tmp", megabytes), "--symlink", "/tmp", "/var/tmp"]
    writable = {str(place) for place in view.writable}
    shown = sorted({*_python_places(), *filter(_is_apart, map(str, view.readable)), *writable})
    command += _make_open(["/etc/any", f"{view.folder}/any", *shown]) if other_user else []
    command += [*everybody, "--dir", FOLDER, "--dir", str(view.folder), *_show_system()]
    for place in shown:
        command += ["--bind" if place in writable else "--ro-bind", place, place]
    command += [word for place in view.hidden for word in _hide(place, shown)]
    command += ["--proc", "/proc", "--dev", "/dev", *everybody, *_mount_in_memory("/dev/shm", megabytes)]
    for place in ("/dev", "/proc", "/"):  # root without capabilities could still write to /proc/sys
        command += ["--remount-ro", place]
    return [*command, "--chdir", FOLDER, "--"]


def _make_open(places: Iterable[str]) -> list[str]:
    """Make the folders above these places so that everybody can pass through; else only their owner can."""
    above = {str(folder) for place in places for folder in Path(place).parents if _is_apart(str(folder))}
    return [word for folder in sorted(above - {"/tmp"}) for word in ("--perms", "0755", "--dir", folder)]


@cache
def find_ability() -> Ability:
    """Try it once: what is installed may still be forbidden, as in many containers."""
    if shutil.which("bwrap") is None:
        hint = "; Debian: apt install bubblewrap" if sys.platform == "linux" else ""
        return Ability(False, False, f"bubblewrap is not installed{hint}")
    try:
        command = [*enclose(View(), 1), sys.executable, "-I", "-S", "-c", ""]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError) as problem:
        return Ability(True, False, f"bubblewrap cannot be run: {' '.join(str(problem).split())}")
    said = " ".join(tried.stderr.split())
    if tried.returncode:
        return Ability(True, False, f"bubblewrap is installed, but does not work here: {said}")
    return Ability(True, True, _program())


def require_isolation() -> None:
    """Refuse to go on where players cannot be isolated."""
    ability = find_ability()
    if not ability.usable:
        raise NotIsolated(f"players cannot be isolated here, as --require-isolation asks: {ability.detail}")


def _program() -> str:
    return shutil.which("bwrap") or "bwrap"


def _mount_in_memory(place: str, megabytes: int) -> list[str]:
    return [*(["--size", str(megabytes << 20)] if _bounds_size() else []), "--tmpfs", place]


@cache
def _bounds_size() -> bool:
    """Can this bubblewrap bound a folder in memory? Before 0.7 it could not."""
    return "--size" in subprocess.run([_program(), "--help"], capture_output=True, text=True, check=False).stdout


def _show_system() -> Iterable[str]:
    for place in SYSTEM:
        if os.path.islink(place):
            yield from ("--symlink", os.readlink(place), place)
        elif os.path.isdir(place):
            yield from ("--ro-bind", place, place)
    for pattern in SETTINGS:
        for found in sorted(Path("/etc").glob(pattern)):
            yield from ("--ro-bind-try", str(found), str(found))


@cache
def _python_places() -> tuple[str, ...]:
    """This Python, its libraries and Kibitz, where they are no part of the system."""
    places = {sys.prefix, sys.base_prefix, str(Path(kibitz.__file__).parent), *_import_places()}
    for place in places:
        places.add(os.path.realpath(place))
    return tuple(place for place in places if os.path.exists(place) and _is_apart(place))


def _import_places() -> list[str]:
    """Where a player's Python looks for modules: path files may name any folder. This process may have further ones."""
    asked = [sys.executable, "-P", "-c", "import sys; print(*sys.path, sep=chr(10))"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return [place for place in said.splitlines() if os.path.isabs(place)]


def is_of_system(place: Path) -> bool:
    """Is it a part of the system, which is shown in any case?"""
    return any(place.is_relative_to(folder) for folder in SYSTEM)


def _is_apart(place: str) -> bool:
    return place != "/" and not is_of_system(Path(place))


def _hide(place: Path, shown: Iterable[str]) -> list[str]:
    """Nothing can be read of this place, if it can be seen at all."""
    if not any(place.is_relative_to(other) for other in shown) or not place.exists() or place.is_symlink():
        return []  # where a link leads to is hidden there, if that can be seen
    if place.is_dir():
        return ["--tmpfs", str(place), "--remount-ro", str(place)]
    return ["--ro-bind", os.devnull, str(place)]
