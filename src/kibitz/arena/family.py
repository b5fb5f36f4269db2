"""A player and all that it starts: counted, weighed, and ended together, also those that try to get away.

Three nets hold them. Their guardian adopts orphans of its descendants where the system can do that (Linux), so a daemon
that forked twice is still below it. Each one seen once is remembered. And all inherit a mark in their environment, by
which they are found when the guardian is gone already.
"""

import os
import subprocess
import sys
from contextlib import suppress
from typing import NamedTuple

import psutil

MARK = "KIBITZ_GUEST"
LINUX = sys.platform == "linux"
ROUNDS = 100  # of killing; what starts processes while it is killed needs several


class Census(NamedTuple):
    """How many processes a player has started that still run, and what it and they hold in memory."""

    started: int
    megabytes: float


class Family:
    """The guardian that was started with this mark in its environment, and its descendants: the player and its own."""

    def __init__(self, process: "subprocess.Popen[bytes]", mark: str) -> None:
        self.process = process
        self.mark = mark
        self.head = psutil.Process(process.pid)
        self.known: set[psutil.Process] = set()

    def census(self) -> Census:
        """Who is there now."""
        others = [other for other in descendants(self.head) if _alive(other)]
        self.known.update(others)
        return Census(max(0, len(others) - 1), sum(map(_resident, others)) / 1e6)

    def end(self) -> None:
        """Kill them all. The guardian is only halted until the others are gone, for it is the one who adopts."""
        with suppress(psutil.Error):
            self.head.suspend()
        self._end_others()
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self._end_others()

    def _end_others(self) -> None:
        for _ in range(ROUNDS):
            others = [other for other in self._others() if _alive(other)]
            if not others:
                return
            for other in others:
                with suppress(psutil.Error):
                    other.kill()
            psutil.wait_procs(others, timeout=0.05)

    def _others(self) -> set[psutil.Process]:
        return ({*descendants(self.head), *self.known, *marked(self.mark)}) - {self.head}


def descendants(head: psutil.Process) -> list[psutil.Process]:
    """The processes below this one."""
    if not LINUX:
        with suppress(psutil.Error):
            return head.children(recursive=True)
        return []
    found: list[psutil.Process] = []
    waiting = _children(head.pid)
    while waiting:
        pid = waiting.pop()
        with suppress(psutil.Error):
            found.append(psutil.Process(pid))
            waiting += _children(pid)
    return found


def _children(pid: int) -> list[int]:
    """Linux keeps the list: that is a hundred times cheaper than looking at every process of the machine."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found


def marked(mark: str) -> list[psutil.Process]:
    """The processes, wherever they are, that carry this mark in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                found.append(process)
    return found


def end_descendants() -> None:
    """End all processes below this one."""
    here = psutil.Process()
    for _ in range(ROUNDS):
        others = [other for other in descendants(here) if _alive(other)]
        if not others:
            return
        for other in others:
            with suppress(psutil.Error):
                other.kill()
        psutil.wait_procs(others, timeout=0.05)


def _alive(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def _resident(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0
