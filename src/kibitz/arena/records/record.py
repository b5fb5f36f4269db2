"""The record of one game: who played, what was played, how it ended and why."""

import re
from dataclasses import dataclass, field

from kibitz.core.errors import KibitzError, quoted
from kibitz.core.picture import viewer
from kibitz.core.result import Result

FORMAT = 1  # of records in files; a file of a later one is refused
TOKENS = {Result.FIRST_WINS: "1-0", Result.SECOND_WINS: "0-1", Result.DRAW: "1/2-1/2", None: "*"}


class BadRecord(KibitzError):
    """A text that is no record, or one of a later format."""


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

    def _repr_html_(self) -> str:
        """In a notebook a record can be stepped through."""
        from kibitz.arena.records.replay import positions

        *_, end = positions(self)
        shown: str = viewer(end, f"{self.first} against {self.second}: {TOKENS[self.result]}")._repr_html_()
        return shown


def result_of(token: str, place: str) -> Result | None:
    """The result that a token stands for; `place` is where it stands, for messages."""
    for result, known in TOKENS.items():
        if token == known:
            return result
    raise BadRecord(f"{place}: {quoted(token)} is no result, expected one of {', '.join(TOKENS.values())}")


def check_format(found: object, place: str) -> None:
    """Refuse a record that a later Kibitz wrote, or that does not say by which format."""
    if re.fullmatch(r"[0-9]{1,9}", str(found)) is None:
        raise BadRecord(f"{place}: the record does not say its format, expected {FORMAT}")
    if int(str(found)) > FORMAT:
        raise BadRecord(
            f"{place}: the record has format {found}, this Kibitz reads up to {FORMAT}; a newer one is needed"
        )
