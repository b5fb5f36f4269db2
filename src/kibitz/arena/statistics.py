"""What a match says about two players: score, Elo, how wide the doubt is, how sure the order.

An opening played twice with sides swapped is a pair. Its two games share what the opening favours, so pairs, not games,
are the independent observations; formulas after Van den Bergh, "Comments on normalized Elo" (2020).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a pair scores, as a share of its two points
NORMALISED = 800.0 / math.log(10.0)  # normalised Elo of a game whose score is one standard deviation above a half
FEW = 30  # pairs; with fewer the normal approximation flatters


def elo(score: float) -> float:
    """The difference in Elo that an expected score means; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else 400.0 * math.log10(score / (1.0 - score))


def expected(difference: float) -> float:
    """The expected score at a difference in Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the bounds that hold it 95 times in 100."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width, as people write behind the sign +-."""
        return (self.high - self.low) / 2.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Games seen from one player: wins, draws, losses, and the scores of those that form whole pairs."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # LL, LD, WL or DD, WD, WW

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2.0

    @property
    def score(self) -> float | None:
        """The share of the points; None before any game."""
        return self.points / self.games if self.games else None

    @property
    def swapped(self) -> "Tally":
        """The same games seen from the other player."""
        low, below, even, above, high = self.pairs
        return Tally(self.losses, self.draws, self.wins, (high, above, even, below, low))

    @property
    def pair_count(self) -> int:
        return sum(self.pairs)


@dataclass(frozen=True, slots=True)
class Strength:
    """What pairs say about the difference of two players."""

    elo: Interval
    normalised: float
    superiority: float  # likelihood that the player is the stronger one
    sureness: float  # the same, but never flattered by few pairs


def strength(counts: Sequence[int]) -> Strength | None:
    """The estimate from pentanomial counts; None before any pair is whole."""
    number = sum(counts)
    if number == 0:
        return None
    mean, variance = moments(counts)
    if variance == 0.0:
        return _unanimous(counts, mean)
    error = math.sqrt(variance / number)
    superiority = (1.0 + math.erf((mean - 0.5) / (error * math.sqrt(2.0)))) / 2.0
    return Strength(
        Interval(elo(mean), elo(mean - Z95 * error), elo(mean + Z95 * error)),
        (mean - 0.5) / math.sqrt(2.0 * variance) * NORMALISED,
        superiority,
        superiority if number >= FEW else cautious(superiority, sign_test(counts)),
    )


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a pair's score."""
    number = sum(counts)
    mean = sum(count * point for count, point in zip(counts, POINTS, strict=True)) / number
    variance = sum(count * (point - mean) ** 2 for count, point in zip(counts, POINTS, strict=True)) / number
    return mean, variance


def _unanimous(counts: Sequence[int], mean: float) -> Strength:
    """All pairs ended alike. That tells nothing of the variance, but it bounds how often a pair may end otherwise:
    after n pairs such a rate lies above 1 - 0.05^(1/n) only one time in twenty, and the worst is assumed of it.
    """
    alike = 0.05 ** (1.0 / sum(counts))
    sure = sign_test(counts)
    bounds = Interval(elo(mean), elo(mean * alike), elo(mean * alike + 1.0 - alike))
    return Strength(bounds, math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0, sure, sure)


def sign_test(counts: Sequence[int]) -> float:
    """How likely a pair is won more often than lost, given a flat prior; even pairs say nothing."""
    from scipy.special import betainc

    won, lost = counts[3] + counts[4], counts[0] + counts[1]
    return float(betainc(lost + 1, won + 1, 0.5))


def cautious(left: float, right: float) -> float:
    """Of two likelihoods the one nearer to a half."""
    return min(left, right, key=lambda value: abs(value - 0.5))


def games_needed(counts: Sequence[int], sure: float = Z95) -> int | None:
    """How many more games, in whole pairs, would make the order sure if they go on as before; None: no end in sight."""
    number = sum(counts)
    if number == 0:
        return None
    mean, variance = moments(counts)
    if mean == 0.5 or variance == 0.0:
        return None
    pairs = math.ceil(variance * (sure / (mean - 0.5)) ** 2)
    return 2 * max(1, pairs - number) if pairs < 1_000_000 else None
