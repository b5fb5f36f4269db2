"""The process of a player as the referee holds it, behind a supervisor: started, suspended, resumed, ended."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil

from kibitz.arena.players import control_group, guest_user, owner, process_tree, sandbox, supervisor
from kibitz.arena.players.control_group import ControlGroup
from kibitz.arena.players.log import Log
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.sandbox import Isolation, View

# On Linux the supervisor needs nothing but the standard library, and is there in half the time.
SUPERVISOR = (sys.executable, *(("-I", "-S") if sys.platform == "linux" else ("-P",)), supervisor.__file__)
PATIENCE = 90.0  # seconds for a supervisor to end what is left: more than it takes itself
BEYOND_EXIT = 128  # what bubblewrap adds to the number of a signal that ended what it ran
ENCLOSING = 2  # processes that bubblewrap has itself


class SupervisorLost(Exception):
    """The supervisor was killed: nobody knows what its player did."""

    def __init__(self) -> None:
        super().__init__("its supervisor was killed")


class Ending(NamedTuple):
    """How a player's process ended."""

    status: int | None  # the exit status, negative for a signal; None if it was ended from outside
    offence: tuple[str, str] | None  # the limit that it went beyond, if any
    printed: Log


@dataclass(frozen=True, kw_only=True, slots=True)
class Confinement:
    """How a player is to be kept: what it may use and see."""

    resources: Resources
    view: View
    guest: bool = True


class SupervisedProcess:
    """A command behind its supervisor. It is given a channel, and the path of a folder of its own as last argument."""

    def __init__(
        self, command: Sequence[str], channel: int, confinement: Confinement, environment: Mapping[str, str]
    ) -> None:
        resources = confinement.resources
        self.isolation = choose_isolation(resources)
        self.group = ControlGroup(resources.memory * 5 // 4 + 64, resources.tasks)  # beyond what is watched for
        outside = Path(tempfile.gettempdir(), owner.new_name())
        self.folder = Path(sandbox.FOLDER) if self.isolation == "isolated" else outside
        self.mark = uuid.uuid4().hex
        self.user = self._choose_user(confinement)
        self._ending: Ending | None = None
        self._cleaned = False
        orders = self._orders([*command, str(channel), str(self.folder)], channel, confinement)
        self.supervisor = subprocess.Popen(
            [*SUPERVISOR, json.dumps(orders)],
            stdin=subprocess.PIPE,  # closed when this process is gone, which tells the supervisor
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[channel],
            env={**self._surroundings(), **environment},
            start_new_session=True,
        )

    def suspend(self) -> None:
        """Let nothing of the player run."""
        if self.group.can_suspend:
            self.group.suspend()
        else:
            process_tree.suspend(self.supervisor.pid)

    def resume(self) -> None:
        """Let all of it run on."""
        if self.group.can_suspend:
            self.group.resume()
        else:
            process_tree.resume(self.supervisor.pid)

    def wait(self, patience: float) -> Ending | None:
        """How it ended by itself or by its supervisor; None if it still runs after so many seconds."""
        if self._ending is None:
            if self._cleaned:
                raise SupervisorLost
            said = self._read_report(patience)
            if said is None:
                return None
            self._clean_up()
            self._ending = self._understand(said)
        return self._ending

    def end(self) -> Ending:
        """End it and everything that it started; SupervisorLost if that was not left to the supervisor."""
        if self.supervisor.stdin is not None:
            self.supervisor.stdin.close()
        ending = self.wait(PATIENCE)
        if ending is None:
            self._clean_up()
            raise SupervisorLost
        return ending

    def _choose_user(self, confinement: Confinement) -> int | None:
        isolated = self.isolation == "isolated"
        return guest_user.find_user(confinement.view, isolated=isolated) if confinement.guest else None

    def _surroundings(self) -> dict[str, str]:
        own = {name: str(self.folder) for name in ("HOME", "TMPDIR")}
        return {**own, "KIBITZ_CACHE": str(self.folder / ".cache" / "kibitz"), process_tree.MARK: self.mark}

    def _orders(self, command: list[str], channel: int, confinement: Confinement) -> supervisor.Orders:
        resources, isolated = confinement.resources, self.isolation == "isolated"
        enclosing = sandbox.enclose(confinement.view, resources.disk, other_user=bool(self.user)) if isolated else []
        switching = [] if self.user is None else guest_user.switch_to(self.user)
        return {
            "command": [*enclosing, *switching, *command],
            "channel": channel,
            "folder": "" if isolated else str(self.folder),
            "owner": self.user or os.getuid(),
            "groups": self.group.describe(),
            "limits": list_limits(resources, confinement.guest, self.user),
            "memory": resources.memory,
            "processes": resources.processes,
            "own": 1 + (ENCLOSING if isolated else 0),
        }

    def _read_report(self, patience: float) -> bytes | None:
        """What the supervisor says at its end; None if it does not end in time."""
        assert self.supervisor.stdout is not None
        pipe, said = self.supervisor.stdout.fileno(), b""
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            if select.select([pipe], [], [], left)[0]:
                data = os.read(pipe, 1 << 16)
                if not data:
                    return said
                said += data
        return None

    def _understand(self, said: bytes) -> Ending:
        try:
            report: supervisor.Report = json.loads(said)
        except ValueError:
            raise SupervisorLost from None
        kind, detail = (*report["offence"], "", "")[:2]
        status = None if report["status"] is None else os.waitstatus_to_exitcode(report["status"])
        if self.isolation == "isolated" and status is not None and status > BEYOND_EXIT:
            status = BEYOND_EXIT - status
        printed = Log(base64.b64decode(report["printed"]), report["size"], report["dropped"])
        return Ending(status, (kind, detail) if kind else None, printed)

    def _clean_up(self) -> None:
        """End and remove what the supervisor left, if it was killed; it has done so already in any other case."""
        self._cleaned = True
        for pipe in (self.supervisor.stdin, self.supervisor.stdout):
            if pipe is not None:
                pipe.close()
        self.supervisor.kill()
        if self.supervisor.wait() != 0:
            process_tree.end_marked(self.mark)
        self.group.remove()
        if self.isolation == "limited":
            shutil.rmtree(self.folder, ignore_errors=True)


def choose_isolation(resources: Resources) -> Isolation:
    """How a player in a process of its own is kept apart here; NotIsolated where that is less than is asked for."""
    if resources.isolation == "required":
        sandbox.require_isolation()
    return "isolated" if resources.isolation != "limited" and sandbox.find_ability().usable else "limited"


def describe_isolation(resources: Resources) -> str:
    """How players will be isolated, for people."""
    if not resources.apart:
        return "players are trusted: they run inside the referee, with your rights"
    if choose_isolation(resources) == "isolated":
        return "players are isolated: each in a sandbox without network, other processes or files to change"
    return f"players are limited, not isolated: {sandbox.find_ability().detail}"


def list_limits(resources: Resources, guest: bool, user: int | None = None) -> dict[str, int]:
    """The limits of each process. The kernel counts address space where a control group counts memory, hence more of
    it. Our own agents live for many games, so their processor time has no bound. `user` is one that a guest has alone.
    """
    megabyte = 1 << 20
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": resources.disk * megabyte,
        "RLIMIT_DATA": (2 * resources.memory + 1024) * megabyte,
    }
    if user is not None:
        limits["RLIMIT_NPROC"] = resources.tasks
    elif os.getuid() != 0:  # it does not bind root, who has control groups instead
        limits["RLIMIT_NPROC"] = _count_tasks() + resources.tasks
    return limits | ({"RLIMIT_CPU": resources.processor} if guest else {})


def _count_tasks() -> int:
    """Processes and threads of this user: the kernel bounds all of them together."""
    count = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            count += process.num_threads() if process.uids().real == os.getuid() else 0
    return count


def remove_leftovers() -> None:
    """Remove folders and control groups of players whose referee and supervisor were both killed."""
    control_group.remove_orphans()
    for folder in Path(tempfile.gettempdir()).glob(f"{owner.PREFIX}*"):
        if owner.is_orphan(folder.name):
            shutil.rmtree(folder, ignore_errors=True)


def name_signal(number: int) -> str:
    """`signal 11 (SIGSEGV)`."""
    with suppress(ValueError):
        return f"signal {number} ({signal.Signals(number).name})"
    return f"signal {number}"
