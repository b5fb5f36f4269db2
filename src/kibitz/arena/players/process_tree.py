"""The processes below a supervisor: suspended and resumed together, and found again when the supervisor is gone."""

import os
import signal
from contextlib import suppress

import psutil

from kibitz.arena.players.supervisor import descendants

MARK = "KIBITZ_GUEST"  # in the environment of all that a player starts, unless it hides its origin
ROUNDS = 20  # of signals; what starts processes meanwhile needs several


def suspend(supervisor: int) -> None:
    """Stop everything below the supervisor, also what is started meanwhile."""
    stopped: set[int] = set()
    for _ in range(ROUNDS):
        running = set(descendants(supervisor)) - stopped
        if not running:
            return
        for pid in running:
            _send(pid, signal.SIGSTOP)
        stopped |= running


def resume(supervisor: int) -> None:
    """Let everything below the supervisor run on."""
    for pid in descendants(supervisor):
        _send(pid, signal.SIGCONT)


def end_marked(mark: str) -> None:
    """Kill the processes, wherever they are, that carry this mark."""
    for _ in range(ROUNDS):
        found = _find_marked(mark)
        if not found:
            return
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=0.05)


def _find_marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                found.append(process)
    return found


def _send(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)
