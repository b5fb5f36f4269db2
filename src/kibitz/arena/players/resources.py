"""What a player may use besides time."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Resources:
    """What the referee grants each player besides time. In the referee's own process nothing is enforced."""

    apart: bool = True  # each player in a process of its own
    isolation: Literal["best", "required", "limited"] = "best"  # a sandbox where there is one, or always, or never
    restart: bool = False  # a new process for each game, also for our own agents
    replays: int = 0  # times that a game is played again after a player has crashed in it
    memory: int = 4096  # resident megabytes of a player and its children
    processes: int = 32  # that it may start
    disk: int = 1024  # megabytes of a file, and of all files of a player in a sandbox
    processor: int = 14_400  # seconds of each process of a guest, which lives for one game
    ready: float = 120.0  # seconds to get ready, compiling included, before any clock starts
    patience: float = 600.0  # seconds for a move where no clock is kept

    @property
    def tasks(self) -> int:
        """Processes and their threads, for the kernel to stop what starts them faster than they are counted."""
        return 64 + 8 * self.processes
