"""One game of a contest: asked for, and played."""

from dataclasses import dataclass
from typing import NamedTuple

from kibitz.arena.play.task import GameTask
from kibitz.arena.players.log import NOTHING, Log
from kibitz.arena.records.record import Record
from kibitz.core.result import Result

Printed = tuple[Log, Log]  # of the first player and the second
SILENCE: Printed = (NOTHING, NOTHING)


class Key(NamedTuple):
    """Which game of a contest: who has the first side, who the second, from which opening."""

    first: str  # names of entrants
    second: str
    opening: int


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game that a contest asks for."""

    key: Key
    round: int
    fingerprint: str  # of all that decides its outcome
    task: GameTask
    parts: tuple[str, str, str] = ("", "", "")  # the fingerprints of the rules and of both players


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game that was played."""

    key: Key
    round: int
    fingerprint: str
    record: Record
    printed: Printed = SILENCE

    def points(self, name: str) -> float:
        """What the game brought one of its players; an unfinished one counts as a draw."""
        winner = None if self.record.result is None else Result(self.record.result).winner
        return 0.5 if winner is None else float(name == self.key[winner])
