"""A contest as data: who meets whom under which conditions, and the games that follow from it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kibitz.arena import fingerprint
from kibitz.arena.openings import Drawing, Opening, seed_for
from kibitz.arena.record import Record
from kibitz.arena.stamp import control_text
from kibitz.arena.task import GameTask, House, TimeControl
from kibitz.core.errors import KibitzError
from kibitz.core.result import Result

Format = Literal["match", "round-robin", "gauntlet", "swiss"]


class BadContest(KibitzError):
    """A contest that cannot be held."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrant:
    """Who takes part. One that cannot even be loaded has its failure here, and plays no game."""

    name: str
    text: str
    print: str = ""  # the fingerprint
    failure: str = ""


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
    print: str  # of all that decides its outcome
    task: GameTask


@dataclass(frozen=True, slots=True)
class Played:
    """One game that was played."""

    key: Key
    round: int
    print: str
    record: Record

    def points(self, name: str) -> float:
        """What the game brought one of its players; an unfinished one counts as a draw."""
        winner = None if self.record.result is None else Result(self.record.result).winner
        return 0.5 if winner is None else float(name == self.key[winner])


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Everything a contest is, before its first game. `games` counts those of two players against each other."""

    game: str
    format: Format
    entrants: tuple[Entrant, ...]
    games: int
    control: TimeControl
    house: House = field(default_factory=House)
    drawing: Drawing = field(default_factory=Drawing)
    rounds: int = 1  # of a Swiss tournament
    rules: str = ""  # the fingerprint of the game's rules

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise BadContest(
                f"{self.games} games cannot be played in pairs with sides swapped, expected an even number"
            )
        if len(self.entrants) < 2:
            raise BadContest(f"{len(self.entrants)} agents take part, expected at least two")

    @property
    def name(self) -> str:
        """Under which a store keeps it: contests of one name go on where the earlier one stopped."""
        who = " v ".join(entrant.name for entrant in self.entrants) if self.format == "match" else self.format
        drawing = self.drawing
        begins = (
            f"given openings {fingerprint.digest(drawing.lines)[:6]}"
            if drawing.lines
            else f"openings {drawing.least}-{drawing.most} balance {drawing.balance:g}"
        )
        return f"{self.game}, {who}, {control_text(self.control)}, {begins}, seed {drawing.seed}"

    @property
    def able(self) -> list[Entrant]:
        """The entrants that can play."""
        return [entrant for entrant in self.entrants if not entrant.failure]

    def fixtures(self, pairing: tuple[str, str], opening: Opening, number: int) -> Iterator[Fixture]:
        """Two games of two players in a round, sides swapped."""
        by_name = {entrant.name: entrant for entrant in self.entrants}
        left, right = (by_name[name] for name in pairing)
        yield self._fixture(left, right, opening, number)
        yield self._fixture(right, left, opening, number)

    def _fixture(self, first: Entrant, second: Entrant, opening: Opening, number: int) -> Fixture:
        task = GameTask(
            game=self.game,
            first=first.text,
            second=second.text,
            control=self.control,
            opening=opening.line,
            seed=seed_of(first, second, opening),
            house=self.house,
        )
        return Fixture(
            Key(first.name, second.name, opening.number), number, self.print_of(first, second, opening), task
        )

    def print_of(self, first: Entrant, second: Entrant, opening: Opening) -> str:
        """The fingerprint of a game."""
        conditions = fingerprint.of_conditions(self.control, self.house)
        seed = seed_of(first, second, opening)
        return fingerprint.digest(self.rules, conditions, first.print, second.print, opening.line, seed)


def seed_of(first: Entrant, second: Entrant, opening: Opening) -> int:
    """The seed of a game. Those of a pair differ: else players who roll dice would play one game twice."""
    return seed_for(opening.seed, first.name, second.name)


def distinct(names: Sequence[str]) -> list[str]:
    """The names, numbered where several would be the same."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found
