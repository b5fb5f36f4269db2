"""Who scored what against whom, kept up to date game by game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.arena.contest import Played
from kibitz.arena.ratings import Meeting
from kibitz.arena.statistics import Tally
from kibitz.core.result import Result

Seats = tuple[str, str]
NO_OFFENCE = "adjudicated"  # a game that was stopped because it had no end


@dataclass
class _Rivalry:
    """The games of two players as the one whose name comes first sees them."""

    results: Counter[float] = field(default_factory=Counter)
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    halves: dict[int, float] = field(default_factory=dict)  # openings played from one side so far

    def add(self, opening: int, points: float) -> None:
        self.results[points] += 1
        if opening in self.halves:
            self.pairs[round(2 * (self.halves.pop(opening) + points))] += 1
        else:
            self.halves[opening] = points

    @property
    def tally(self) -> Tally:
        low, below, even, above, high = self.pairs
        return Tally(self.results[1.0], self.results[0.5], self.results[0.0], (low, below, even, above, high))


class Scores:
    """The results of games, each counted once."""

    def __init__(self, games: Iterable[Played] = ()) -> None:
        self.rivalries: dict[Seats, _Rivalry] = defaultdict(_Rivalry)  # names in alphabetical order
        self.seated: dict[Seats, Counter[float]] = defaultdict(Counter)  # points of the first side
        self.lines: Counter[tuple[Seats, str]] = Counter()  # whole games, to see those that repeat another
        self.failures: list[Played] = []
        self.count = 0
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        """Take a finished game in."""
        first, second, opening = game.key
        left, right = sorted((first, second))
        self.rivalries[left, right].add(opening, game.points(left))
        self.seated[first, second][game.points(first)] += 1
        self.lines[(first, second), game.record.moves] += 1
        self.count += 1
        if game.record.reason != "rules" and not game.record.reason.startswith(NO_OFFENCE):
            self.failures.append(game)

    @property
    def repeated(self) -> int:
        """How many games were played before, move by move, by the same players in the same seats."""
        return self.count - len(self.lines)

    def tally(self, left: str, right: str) -> Tally:
        """The games of two players as the left one sees them."""
        if left < right:
            return self.rivalries[left, right].tally if (left, right) in self.rivalries else Tally()
        return self.tally(right, left).swapped

    def total(self, name: str, names: Sequence[str]) -> Tally:
        """All games of a player."""
        tallies = [self.tally(name, other) for other in names if other != name]
        pairs = [sum(one.pairs[number] for one in tallies) for number in range(5)]
        low, below, even, above, high = pairs
        wins, draws, losses = (sum(getattr(one, kind) for one in tallies) for kind in ("wins", "draws", "losses"))
        return Tally(wins, draws, losses, (low, below, even, above, high))

    def faults(self) -> Counter[str]:
        """How many games each player lost by an offence."""
        return Counter(name for game in self.failures if (name := culprit(game)) is not None)

    def meetings(self, names: Sequence[str]) -> list[Meeting]:
        """What the ratings are made from."""
        number = {name: place for place, name in enumerate(names)}
        return [
            Meeting(number[first], number[second], counts[1.0], counts[0.5], counts[0.0])
            for (first, second), counts in self.seated.items()
            if first in number and second in number
        ]


def culprit(game: Played) -> str | None:
    """Who lost a game by an offence; None where the rules decided, or both offended."""
    result = game.record.result
    winner = None if result is None else Result(result).winner
    if game.record.reason == "rules" or winner is None:
        return None
    return game.key.second if winner == 0 else game.key.first
