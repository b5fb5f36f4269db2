"""Who scored what against whom, kept up to date game by game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.stats.ratings import Meeting
from kibitz.arena.stats.tally import Tally
from kibitz.core.result import Result

Seats = tuple[str, str]
CRASH_TAGS = ("FirstCrashes", "SecondCrashes")  # of records of games that were played again
NO_OFFENCE = ("rules", "adjudicated")  # how games end without anybody's fault


@dataclass
class _Rivalry:
    """The games of two players as the one whose name comes first sees them."""

    results: Counter[float] = field(default_factory=Counter)
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    halves: dict[int, tuple[float, bool]] = field(default_factory=dict)  # openings played from one side so far

    def add(self, opening: int, points: float, fresh: bool) -> None:
        """A pair counts when both its games are there and neither repeats another."""
        self.results[points] += 1
        if opening not in self.halves:
            self.halves[opening] = points, fresh
            return
        before, also_fresh = self.halves.pop(opening)
        if fresh and also_fresh:
            self.pairs[round(2 * (before + points))] += 1

    @property
    def tally(self) -> Tally:
        low, below, even, above, high = self.pairs
        return Tally(self.results[1.0], self.results[0.5], self.results[0.0], (low, below, even, above, high))


class Scores:
    """The results of games. One that repeats another move by move counts for points, not for what games tell."""

    def __init__(self, games: Iterable[PlayedGame] = ()) -> None:
        self.rivalries: dict[Seats, _Rivalry] = defaultdict(_Rivalry)  # names in alphabetical order
        self.seated: dict[Seats, Counter[float]] = defaultdict(Counter)  # points of the first side, each line once
        self.lines: set[tuple[Seats, str, str]] = set()  # whole games, to see those that repeat another
        self.failures: list[PlayedGame] = []
        self.replayed: list[PlayedGame] = []  # after a crash
        self.rounds: dict[int, Counter[str]] = defaultdict(Counter)  # games of each player in each round
        self.count = 0
        for game in games:
            self.add(game)

    def add(self, game: PlayedGame) -> None:
        """Take a finished game in."""
        first, second, opening = game.key
        left, right = sorted((first, second))
        line = ((first, second), game.record.game, game.record.moves)
        fresh = line not in self.lines
        self.lines.add(line)
        self.rivalries[left, right].add(opening, game.points(left), fresh)
        if fresh:
            self.seated[first, second][game.points(first)] += 1
        self.rounds[game.round].update((first, second))
        self.count += 1
        if is_failure(game):
            self.failures.append(game)
        if any(tag in game.record.tags for tag in CRASH_TAGS):
            self.replayed.append(game)

    @property
    def repeated(self) -> int:
        """How many games were played before, move by move, by the same players in the same seats."""
        return self.count - len(self.lines)

    def tally(self, left: str, right: str) -> Tally:
        """The games of two players as the left one sees them."""
        if left < right:
            return self.rivalries[left, right].tally if (left, right) in self.rivalries else Tally()
        return self.tally(right, left).swapped

    def totals(self, names: Sequence[str]) -> dict[str, Tally]:
        """All games of each player against the others."""
        totals = dict.fromkeys(names, Tally())
        for (left, right), rivalry in self.rivalries.items():
            if left in totals and right in totals:
                tally = rivalry.tally
                totals[left] += tally
                totals[right] += tally.swapped
        return totals

    def opponents(self, name: str) -> list[str]:
        """Whom a player has met."""
        return [left if right == name else right for left, right in self.rivalries if name in (left, right)]

    def bye_points(self, name: str) -> float:
        """What a player gets for rounds of a Swiss tournament in which it had no game: as for a won match."""
        return float(sum(max(games.values()) for games in self.rounds.values() if name not in games))

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


def is_failure(game: PlayedGame) -> bool:
    """Did an offence end the game?"""
    return game.record.reason.partition(":")[0] not in NO_OFFENCE


def culprit(game: PlayedGame) -> str | None:
    """Who lost a game by an offence; None where the rules decided, or both offended."""
    result = game.record.result
    winner = None if result is None else Result(result).winner
    if not is_failure(game) or winner is None:
        return None
    return game.key.second if winner == 0 else game.key.first
