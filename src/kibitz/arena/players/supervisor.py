"""The supervisor of a player: starts it within its limits, watches it all the time, and ends all that is left of it.

    python -I -S supervisor.py ORDERS

A process of its own, because a player may hang so hard that no thread of it runs any more, and because it must be
watched while the referee waits for the other one. It runs none of the player's code and imports only the standard
library: it must be there quickly. The orders are JSON (`Orders`). It knows from its standard input, which the referee
holds open, that the referee is still there. It adopts what the player's descendants leave behind where the system can
do that (Linux). When the referee is gone, the player has ended, or it has taken more than it may, the supervisor ends
everything below itself, removes the player's folder and control groups, and writes to its standard output what happened
(`Report`).
"""

import ctypes
import fcntl
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypedDict

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LINUX = sys.platform == "linux"
PERIOD = 0.1  # seconds between two looks at what the player holds
ENDING = 60.0  # seconds for the kernel to end what was killed
KEPT = 4 << 20  # bytes of what the player prints, of the first and again of the last


class Orders(TypedDict):
    """What the referee asks for."""

    command: list[str]
    channel: int  # the descriptor that the player inherits
    folder: str  # to be made and removed; empty where the sandbox has one of its own
    owner: int  # of the folder: the user that the player runs as
    groups: list[dict[str, Any]]  # control groups: the path, and settings by name
    limits: dict[str, int]  # of a process, by the name in `resource`
    memory: int  # megabytes that all processes may hold together
    processes: int  # that it may start
    own: int  # processes that the sandbox and the player itself have


class Report(TypedDict):
    """How it ended."""

    status: int | None  # as `os.waitpid` has it; None if the player did not end by itself
    offence: list[str]  # the kind and the detail of what it did, if anything
    printed: str  # packed by zlib, in base64
    size: int  # bytes that it printed
    dropped: int  # of them, between the beginning and the end


def main() -> None:
    """Supervise a player until it ends or nobody wants it any more."""
    orders: Orders = json.loads(sys.argv[1])
    adopt_orphans()
    report: Report = {"status": None, "offence": [], "printed": "", "size": 0, "dropped": 0}
    output = Output()
    try:
        prepare(orders)
        report["status"], report["offence"] = supervise(orders, start(orders, output.writer), output)
    finally:
        end_descendants(orders["groups"])
        output.drain()
        report |= {"printed": output.pack(), "size": output.size, "dropped": output.dropped}
        clean_up(orders)
        with suppress(OSError):
            sys.stdout.write(json.dumps(report))
            sys.stdout.flush()


def prepare(orders: Orders) -> None:
    """Make the folder and the control groups."""
    if orders["folder"]:
        os.mkdir(orders["folder"], 0o700)
        if orders["owner"] != os.getuid():
            os.chown(orders["folder"], orders["owner"], orders["owner"])
    for group in orders["groups"]:
        os.mkdir(group["path"])
        for name, value in group["settings"].items():
            with suppress(OSError):  # a kernel without swap accounting lacks some
                _write(f"{group['path']}/{name}", value)


def start(orders: Orders, output: int) -> int:
    """The process of the player, in a session of its own, with nothing to read. It does not outlive its supervisor."""
    supervisor = os.getpid()
    player = os.fork()
    if player:
        os.close(orders["channel"])
        os.close(output)
        return player
    try:
        os.setsid()
        die_with_parent(supervisor)
        for group in orders["groups"]:
            _write(f"{group['path']}/cgroup.procs", "0")
        for name, value in orders["limits"].items():
            _limit(getattr(resource, name), value)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.set_inheritable(orders["channel"], True)
        os.execv(orders["command"][0], orders["command"])
    except OSError as problem:
        os.write(output, f"the player cannot be started: {problem}\n".encode())
    finally:
        os._exit(127)


def supervise(orders: Orders, player: int, output: "Output") -> tuple[int | None, list[str]]:
    """Wait and watch. The exit status of the player and its offence, if any; neither if the referee went first."""
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    waiting = select.poll()
    for handle in (sys.stdin.fileno(), woken, output.reader):
        waiting.register(handle, select.POLLIN)
    looked = time.monotonic()
    while True:
        ready = [handle for handle, _ in waiting.poll(PERIOD * 1000)]
        if sys.stdin.fileno() in ready:  # nothing is ever said there: it has been closed
            return None, []
        if output.reader in ready and not output.read():
            waiting.unregister(output.reader)
        with suppress(BlockingIOError):
            os.read(woken, 1 << 10)
        for ended, status in reap():
            if ended == player:
                return status, explain_death(orders, status)
        if time.monotonic() - looked >= PERIOD:
            looked = time.monotonic()
            if offence := find_excess(orders):
                return None, offence


def find_excess(orders: Orders) -> list[str]:
    """What the player has taken more of than it may, if anything."""
    others = list(descendants(os.getpid()))
    started = len(others) - orders["own"]
    if started > orders["processes"]:
        return ["processes", f"{started} started, {orders['processes']} allowed"]
    megabytes = measure_memory(orders, others) / 1e6
    if megabytes > orders["memory"]:
        return ["memory", f"{megabytes:.0f} MB used, {orders['memory']} allowed"]
    return []


def measure_memory(orders: Orders, processes: Iterable[int]) -> int:
    """The bytes that processes hold: as their control group counts them, or else one by one, shared ones each time."""
    for group in orders["groups"]:
        facts = dict(line.split(maxsplit=1) for line in _read(f"{group['path']}/memory.stat").splitlines())
        own = facts.get("anon") or facts.get("rss")  # version 2, version 1
        if own is not None:
            return int(own) + int(facts.get("shmem", 0))
    return sum(map(resident, processes))


def explain_death(orders: Orders, status: int) -> list[str]:
    """The limit that ended the player, if one did."""
    if any(_count_killed(group["path"]) for group in orders["groups"]):
        return ["memory", f"more than the {orders['memory']} MB allowed"]
    if os.waitstatus_to_exitcode(status) in (-signal.SIGXCPU, 128 + signal.SIGXCPU):  # the latter from a sandbox
        return ["processor", f"more than the {orders['limits']['RLIMIT_CPU']} s allowed"]
    return []


class Output:
    """What a player prints, on either stream: its beginning and its end are kept."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        if LINUX:
            with suppress(OSError):
                fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.set_blocking(self.reader, False)
        self.first, self.last = bytearray(), bytearray()
        self.size = 0

    def read(self) -> bool:
        """Take what there is; False if there will be no more."""
        try:
            data = os.read(self.reader, 1 << 20)
        except BlockingIOError:
            return True
        self.size += len(data)
        room = KEPT - len(self.first)
        self.first += data[:room]
        self.last += data[room:]
        if len(self.last) > 2 * KEPT:  # now and then: who prints letter by letter must not make us copy it all
            del self.last[:-KEPT]
        return bool(data)

    def drain(self) -> None:
        """Take what is left when nobody prints any more."""
        for _ in range(1 << 10):
            with suppress(OSError):
                if select.select([self.reader], [], [], 0)[0] and self.read():
                    continue
            return

    @property
    def dropped(self) -> int:
        return max(0, self.size - 2 * KEPT)

    def pack(self) -> str:
        """The beginning and the end, with a line between them if something is missing there."""
        import base64
        import zlib

        between = f"\n... {self.dropped} bytes left out ...\n".encode() if self.dropped else b""
        kept = bytes(self.first) + between + bytes(self.last[-KEPT:])
        return base64.b64encode(zlib.compress(kept, 1)).decode() if kept else ""


def reap() -> Iterator[tuple[int, int]]:
    """Children that have ended since the last look, adopted ones too, with their status."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def end_descendants(groups: Iterable[dict[str, Any]]) -> None:
    """End all processes below this one, suspended or not. What starts processes while it is killed needs several
    rounds.
    """
    until = time.monotonic() + ENDING
    while True:
        for group in groups:
            with suppress(OSError):
                _write(f"{group['path']}/cgroup.kill", "1")
        others = list(descendants(os.getpid()))
        for other in others:
            with suppress(OSError):
                os.kill(other, signal.SIGKILL)
        list(reap())
        if not others or time.monotonic() > until:
            return
        time.sleep(0.002)


def clean_up(orders: Orders) -> None:
    """Remove the folder and the control groups."""
    if orders["folder"]:
        shutil.rmtree(orders["folder"], ignore_errors=True)
    for group in orders["groups"]:
        for _ in range(50):  # one that has just been emptied may be busy for a moment
            try:
                os.rmdir(group["path"])
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.01)
            else:
                break


def descendants(head: int) -> Iterator[int]:
    """The processes below this one that have not ended."""
    if not LINUX:
        yield from _descendants_elsewhere(head)
        return
    for task in _list(f"/proc/{head}/task"):
        for child in map(int, _read(f"/proc/{head}/task/{task}/children").split()):
            if _read(f"/proc/{child}/stat").rpartition(")")[2][1:2] not in ("Z", "X", ""):
                yield child
            yield from descendants(child)


def resident(pid: int) -> int:
    """The bytes that a process holds in memory."""
    if not LINUX:
        import psutil

        with suppress(psutil.Error):
            return int(psutil.Process(pid).memory_info().rss)
        return 0
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * resource.getpagesize() if fields else 0


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


def _descendants_elsewhere(head: int) -> Iterator[int]:
    import psutil

    with suppress(psutil.Error):
        for other in psutil.Process(head).children(recursive=True):
            with suppress(psutil.Error):
                if other.status() != psutil.STATUS_ZOMBIE:
                    yield other.pid


def _limit(what: int, value: int) -> None:
    """Set a limit, or as much of it as this process may. Processor time ends with a signal that has a name, and a
    second later with one that cannot be ignored.
    """
    _, most = resource.getrlimit(what)
    hard = value + (what == resource.RLIMIT_CPU)
    hard = hard if most == resource.RLIM_INFINITY else min(hard, most)
    resource.setrlimit(what, (min(value, hard), hard))


def _count_killed(group: str) -> int:
    """How many processes of a group the kernel ended because it had no more memory left for them."""
    text = _read(f"{group}/memory.events") or _read(f"{group}/memory.oom_control")
    facts = dict(line.split() for line in text.splitlines())
    return int(facts.get("oom_kill", 0))


def _list(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)
    return []


def _read(path: str) -> str:
    with suppress(OSError), open(path) as file:
        return file.read()
    return ""


def _write(path: str, value: str) -> None:
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, value.encode())
    finally:
        os.close(handle)


if __name__ == "__main__":
    main()
