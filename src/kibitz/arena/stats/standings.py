"""Who stands where: ratings of all who played, the best first."""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena.players.entrant import Entrant
from kibitz.arena.stats.estimate import Estimate
from kibitz.arena.stats.ratings import Ratings, rate
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.tally import Tally
from kibitz.arena.stats.tie_breaks import Points, count_points


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings."""

    place: int
    name: str
    rating: Estimate
    tally: Tally
    failures: int
    failure: str = ""  # why it played nothing at all
    points: Points | None = None  # where they decide the order

    @property
    def beyond(self) -> bool:
        """Won or lost everything: only the prior keeps its rating finite."""
        return self.tally.games > 0 and self.tally.points in (0, self.tally.games)


@dataclass(frozen=True, slots=True)
class Standings:
    """All players, the best first, and what else the ratings say."""

    rows: tuple[Row, ...]
    ratings: Ratings
    order: tuple[str, ...]  # names as the ratings number them

    def superiority(self, left: str, right: str) -> float:
        """The likelihood that one is stronger than the other."""
        return self.ratings.superiority(self.order.index(left), self.order.index(right))


def rank(entrants: Sequence[Entrant], scores: Scores, *, by_points: bool = False) -> Standings:
    """All who played, the best first, then those who could not. The order is that of the ratings, or that of points and
    tie-breaks, as in a Swiss tournament.
    """
    names = tuple(entrant.name for entrant in entrants if not entrant.failure)
    ratings = rate(len(names), scores.meetings(names)) if names else rate(1, [])
    guilty, totals = scores.faults(), scores.totals(names)
    points = count_points(names, scores) if by_points else {}
    rated = dict(zip(names, ratings.players, strict=False))
    ranked = sorted(names, key=lambda name: (points.get(name, ()), rated[name].value), reverse=True)
    rows = [
        Row(place, name, rated[name], totals[name], guilty[name], points=points.get(name))
        for place, name in enumerate(ranked, start=1)
    ]
    unable = [entrant for entrant in entrants if entrant.failure]
    nothing = Estimate(0.0, 0.0, 0.0)
    rows += [Row(len(rows) + 1, entrant.name, nothing, Tally(), 0, entrant.failure) for entrant in unable]
    return Standings(tuple(rows), ratings, names)
