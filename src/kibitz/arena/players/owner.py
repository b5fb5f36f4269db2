"""Names that say which process made a thing, so that what a killed one left behind can be told from what is in use."""

import os
import re
import sys
import uuid

import psutil

LINUX: bool = sys.platform == "linux"
PREFIX = "kibitz-player-"
_NAME = re.compile(rf"{PREFIX}(\d+)-(\d+)-(\d+)-[0-9a-f]+")


def new_name() -> str:
    """A name for a folder or a control group of this process, another one each time."""
    pid = os.getpid()
    return f"{PREFIX}{_namespace()}-{pid}-{_started(pid)}-{uuid.uuid4().hex[:12]}"


def is_orphan(name: str) -> bool:
    """Does the name belong to a process that has ended? Of processes in another namespace nothing is known."""
    found = _NAME.fullmatch(name)
    if found is None or int(found[1]) != _namespace():
        return False
    return _started(int(found[2])) != int(found[3])


def _namespace() -> int:
    """The namespace that process numbers belong to; 0 where the system has none."""
    return os.stat("/proc/self/ns/pid").st_ino if LINUX else 0


def _started(pid: int) -> int:
    """When a process was started, in a unit that no change of the clock touches; -1 if there is none of this number."""
    try:
        if not LINUX:
            return int(psutil.Process(pid).create_time())
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[19])
    except (OSError, psutil.Error):
        return -1
