"""The guardian of a player: starts it, waits, and ends all that is left of it, whatever the player does.

    python -P guard.py CHANNEL FOLDER COMMAND...

A player may hang so hard that no thread of it runs any more. So the guardian is a process of its own that runs none of
the player's code. It knows from its standard input, which the referee holds open, that the referee is still there. It
adopts what the player's descendants leave behind where the system can do that (Linux). When the referee is gone or the
player has ended, it ends everything below itself, and then itself as the player ended.
"""

import ctypes
import os
import select
import shutil
import signal
import sys
from typing import NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LINUX = sys.platform == "linux"


def main() -> None:
    """Guard a player until it ends or nobody wants it any more."""
    channel, folder, *command = sys.argv[1:]
    adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    player = started([*command, channel, folder])
    os.close(int(channel))
    from kibitz.arena.family import end_descendants  # takes a while: the player is on its way already

    status = guarded(player, woken)
    end_descendants()
    if status is None:
        shutil.rmtree(folder, ignore_errors=True)
        status = 0
    leave(status)


def started(command: list[str]) -> int:
    """The process of the player, in a session of its own, with nothing to read. It does not outlive its guardian."""
    guardian = os.getpid()
    player = os.fork()
    if player:
        return player
    try:
        os.setsid()
        die_with_parent(guardian)
        os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
        os.execv(command[0], command)
    finally:
        os._exit(127)


def guarded(player: int, woken: int) -> int | None:
    """Wait. The exit status of the player, or None if the referee went first."""
    waiting = select.poll()
    waiting.register(sys.stdin.fileno(), select.POLLIN)
    waiting.register(woken, select.POLLIN)
    while True:
        ready = [number for number, _ in waiting.poll()]
        if sys.stdin.fileno() in ready:  # nothing is ever said there: it has been closed
            return None
        os.read(woken, 1 << 10)
        for ended, status in reaped():
            if ended == player:
                return status


def reaped() -> list[tuple[int, int]]:
    """Children that have ended since the last look, adopted ones too, with their status."""
    found: list[tuple[int, int]] = []
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if not ended:
            return found
        found.append((ended, status))


def leave(status: int) -> NoReturn:
    """End as the player did."""
    if os.WIFSIGNALED(status):
        import resource

        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def adopt_orphans() -> None:
    """Let what this process's descendants leave behind become its own children, where the system can do that."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """End this process when the thread that started it ends, however hard it hangs, where the system can do that."""
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:  # it went before we could ask
            os._exit(1)


if __name__ == "__main__":
    main()
