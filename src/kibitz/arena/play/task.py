"""One game to be played, as data that can be stored, sent to another machine, and played again."""

from dataclasses import dataclass, field

from kibitz.arena.play.adjudication import Adjudication
from kibitz.arena.players.resources import Resources
from kibitz.core.limit import Limit


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeControl:
    """How long a side may think: seconds a move, or a clock with an increment; nodes and depth bound further."""

    seconds: float | None = None
    clock: float | None = None
    increment: float = 0.0
    moves: int = 0  # turns after which the clock's time is added again; 0: never
    nodes: int | None = None
    depth: int | None = None
    margin: float | None = None  # seconds that an answer may be late before it loses; None: as fits the machine

    @property
    def is_timed(self) -> bool:
        """Is time kept at all?"""
        return self.seconds is not None or self.clock is not None

    def limit(self, left: float | None = None, moves_to_go: int | None = None) -> Limit:
        """The limit of one move, given what is left on the clock and for how many moves."""
        clock = None if self.clock is None else max(1e-3, self.clock if left is None else left)
        return Limit(
            seconds=self.seconds,
            depth=self.depth,
            nodes=self.nodes,
            clock=clock,
            increment=None if clock is None else self.increment,
            moves_to_go=None if clock is None else moves_to_go,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class GameTask:
    """A game, who plays it, how it begins and how it is timed. Everything random in it follows from the seed."""

    game: str
    first: str  # the agents' texts
    second: str
    names: tuple[str, str] | None = None  # what records call the players, where that is not their texts
    folders: tuple[str, str] = ("", "")  # the players' own folders, where they have one
    control: TimeControl
    second_control: TimeControl | None = None  # where it is another one
    opening: str = ""  # moves played before the players are asked
    seed: int = 0
    resources: Resources = field(default_factory=Resources)
    turns: int = 2000  # a game that is longer is a draw
    adjudication: Adjudication = field(default_factory=Adjudication)
    others: tuple[str, ...] = ()  # further entrants of the contest, whose files the players must not see
    other_folders: tuple[str, ...] = ()  # theirs
