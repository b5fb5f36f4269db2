"""One game to be played, as data that can be stored, sent to another machine, and played again."""

from dataclasses import dataclass

from kibitz.core.limit import Limit


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeControl:
    """How long each side may think: seconds a move, or a clock with an increment; nodes and depth bound further."""

    seconds: float | None = None
    clock: float | None = None
    increment: float = 0.0
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.1  # seconds that an answer may be late before it loses

    def limit(self, left: float | None = None) -> Limit:
        """The limit of one move, given what is left on the clock."""
        clock = None if self.clock is None else max(1e-3, self.clock if left is None else left)
        increment = self.increment if self.clock is not None else None
        return Limit(seconds=self.seconds, depth=self.depth, nodes=self.nodes, clock=clock, increment=increment)


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """What the referee grants each player besides time. In the referee's own process nothing is enforced."""

    apart: bool = True  # each player in a process of its own
    memory: int = 4096  # resident megabytes of a player and its children
    processes: int = 32
    ready: float = 120.0  # seconds to get ready, compiling included, before any clock starts
    patience: float = 600.0  # seconds for a move where no clock is kept


@dataclass(frozen=True, kw_only=True, slots=True)
class GameTask:
    """A game, who plays it, how it begins and how it is timed. Everything random in it follows from the seed."""

    game: str
    first: str  # the agents' texts
    second: str
    control: TimeControl
    opening: str = ""  # moves played before the players are asked
    seed: int = 0
    house: House = House()
    turns: int = 2000  # a game that is longer is a draw
