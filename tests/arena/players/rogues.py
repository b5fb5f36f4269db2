"""Players that misbehave, each in its own way. Run as a program, this file is a player's process that knows them.

Each plays its first turn as it should, and does its deed in the second, so that a game is under way.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from kibitz import agents
from kibitz.agents.agent import AgentKind
from kibitz.arena.players import agent_process
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report

PROGRAM = (sys.executable, "-P", str(Path(__file__)))
FOREVER = 600.0
SWARMING = "612.5"  # seconds, by which those that swarm are known


class RogueOptions(NamedTuple):
    deed: str = ""
    note: str = ""  # a file to leave a process number in


class Rogue:
    """Does one deed."""

    def __init__(self, game: Game, options: RogueOptions) -> None:
        self.options = options
        self.turns = 0
        if options.deed == "hang-in-ready":
            time.sleep(FOREVER)
        if options.deed == "fail-in-ready":
            raise ValueError("cannot\nbegin")

    def choose(self, position: Position, limit: Limit) -> Any:
        self.turns += 1
        first = Report((position.move_ids[0],))
        if self.turns != 2:
            return first
        return DEEDS[self.options.deed](self, first, limit)


def late(rogue: Rogue, report: Report, limit: Limit) -> Report:
    time.sleep((limit.seconds or limit.clock or 0.0) + 1.2)
    return report


def hang(rogue: Rogue, report: Report, limit: Limit) -> Report:
    time.sleep(FOREVER)
    return report


def raises(rogue: Rogue, report: Report, limit: Limit) -> Report:
    raise ValueError("two\nlines")


def prints(rogue: Rogue, report: Report, limit: Limit) -> Report:
    sys.stdout.write('{"id": 2, "moves": [0]}\n' * 1000)
    sys.stdout.flush()
    os.write(1, b'{"id": 3, "error": "no"}\n' * 1000)
    subprocess.run(["echo", '{"id": 3}'], check=True)
    return report


def hoards(rogue: Rogue, report: Report, limit: Limit) -> Report:
    rogue.treasure = bytearray(os.urandom(1 << 20)) * 300  # type: ignore[attr-defined]
    time.sleep(FOREVER)
    return report


def lets_hoard(rogue: Rogue, report: Report, limit: Limit) -> Report:
    """A child hoards; the player itself has little."""
    program = "import time; hoard = b'x' * (300 << 20); print('full', flush=True); time.sleep(600)"
    hoarder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert hoarder.stdout is not None
    if hoarder.stdout.readline() != b"full\n":
        raise MemoryError("the machine itself has no room for the hoard")
    time.sleep(FOREVER)
    return report


def swarms(rogue: Rogue, report: Report, limit: Limit) -> Report:
    rogue.swarm = [subprocess.Popen(["sleep", SWARMING]) for _ in range(40)]  # type: ignore[attr-defined]
    time.sleep(FOREVER)
    return report


def flees(rogue: Rogue, report: Report, limit: Limit) -> Report:
    """A daemon by the book: forks twice, in a session of its own, with nothing of the environment left."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            note = rogue.options.note
            os.execve("/bin/sh", ["sh", "-c", f"echo $$ > {note}.part; mv {note}.part {note}; exec sleep 600"], {})
        os._exit(0)
    os.wait()
    while not Path(rogue.options.note).exists():
        time.sleep(0.01)
    return report


def leaves_a_child(rogue: Rogue, report: Report, limit: Limit) -> Report:
    """Starts a process in a session of its own and dies at once, so that nobody has seen it yet."""
    left = subprocess.Popen(["sleep", "600"], start_new_session=True)
    Path(rogue.options.note).write_text(str(left.pid))
    os._exit(7)


def tells(rogue: Rogue, report: Report, limit: Limit) -> Report:
    """Says what it sees of the world."""
    secret = os.environ.get("SECRET_TOKEN", "no secret")
    found = "something" if Path("left behind").exists() else "nothing"
    Path("left behind").write_text("here")
    raise ValueError(f"{secret};{os.getcwd()};{os.environ['HOME']};{found}")


def dies(rogue: Rogue, report: Report, limit: Limit) -> Report:
    os._exit(3)


def crashes(rogue: Rogue, report: Report, limit: Limit) -> Report:
    os.kill(os.getpid(), signal.SIGSEGV)
    return report


def hangs_up(rogue: Rogue, report: Report, limit: Limit) -> Report:
    socket.socket(fileno=os.dup(int(sys.argv[1]))).shutdown(socket.SHUT_WR)
    time.sleep(FOREVER)
    return report


DEEDS: dict[str, Callable[[Rogue, Report, Limit], Any]] = {
    "late": late,
    "hang": hang,
    "raises": raises,
    "exits": lambda rogue, report, limit: sys.exit(3),
    "prints": prints,
    "hoards": hoards,
    "lets-hoard": lets_hoard,
    "swarms": swarms,
    "flees": flees,
    "leaves-a-child": leaves_a_child,
    "tells": tells,
    "dies": dies,
    "crashes": crashes,
    "hangs-up": hangs_up,
    "illegal": lambda rogue, report, limit: Report((123456789,)),
    "nothing": lambda rogue, report, limit: Report(()),
    "too-much": lambda rogue, report, limit: Report(report.moves * 2),
    "no-report": lambda rogue, report, limit: "a2-a3",
    "no-move": lambda rogue, report, limit: Report(("a2-a3",)),  # type: ignore[arg-type]
    "": lambda rogue, report, limit: report,
}

KIND = AgentKind(name="rogue", summary="misbehaves", make=Rogue, options=RogueOptions, main="deed")
_kinds = agents.kinds


def kinds_with_rogues() -> dict[str, AgentKind]:
    """Every kind of agent, and ours."""
    return {**_kinds(), "rogue": KIND}


if __name__ == "__main__":
    setattr(agents, "kinds", kinds_with_rogues)  # noqa: B010
    agent_process.main()
