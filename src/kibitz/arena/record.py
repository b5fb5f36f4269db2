"""The record of one game: who played, what was played, how it ended and why."""

from dataclasses import dataclass, field

from kibitz.core.result import Result


@dataclass(frozen=True, kw_only=True, slots=True)
class Ply:
    """One turn of a side, or one outcome of chance, and what the player said about it."""

    text: str  # moves of one turn joined by `+`; an outcome begins with `~`
    side: int  # FIRST, SECOND or CHANCE
    seconds: float = 0.0
    score: float | None = None  # for the side that moved
    depth: int = 0
    nodes: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A played game. `reason` says how it ended: `rules`, or the offence that lost it, as `late: 1.53 s of 1 s`."""

    game: str
    first: str
    second: str
    start: str  # the position text it began with
    plies: tuple[Ply, ...]  # the opening's included
    opening: int = 0  # how many of them were the opening's
    result: Result | None
    reason: str = "rules"
    seed: int = 0
    tags: dict[str, str] = field(default_factory=dict)  # event, round, date, versions, control

    @property
    def moves(self) -> str:
        """The whole line, as `Position.play` reads it."""
        return " ".join(ply.text for ply in self.plies)
