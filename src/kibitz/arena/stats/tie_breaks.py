"""Points and tie-breaks of a Swiss tournament, as organisers have them.

Buchholz: the points of all opponents. Sonneborn-Berger: the points of each opponent times the share of the points that
was taken from it. A round without a game counts as a won match, and as no opponent.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.arena.stats.scores import Scores


class Points(NamedTuple):
    """What decides the order, the weightiest first."""

    points: float
    buchholz: float
    sonneborn_berger: float
    wins: int


def count_points(names: Sequence[str], scores: Scores) -> dict[str, Points]:
    """The points of each player, those for rounds without a game included."""
    totals = scores.totals(names)
    points = {name: totals[name].points + scores.bye_points(name) for name in names}
    found = {}
    for name in names:
        tallies = {other: scores.tally(name, other) for other in scores.opponents(name) if other in points}
        buchholz = sum(points[other] for other in tallies)
        shares = sum(points[other] * (tally.score or 0.0) for other, tally in tallies.items())
        found[name] = Points(points[name], buchholz, shares, totals[name].wins)
    return found
