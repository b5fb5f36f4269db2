"""A number that games tell only roughly, always with the bounds that hold it 95 times in 100 (with a handful of pairs
at least 93 times).

Everything that is printed, drawn or written about a strength is an `Estimate`; everything that is said to be so is a
`Decision` (`decision.py`). Both are made from pairs of games; formulas after Van den Bergh, "Comments on normalized
Elo" (2020), bounds after Agresti and Coull (1998): z^2/2 lost and as many won pairs are added before the normal
approximation is made, which keeps its promise from the first pair on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a pair scores, as a share of its two points
NORMALISED = 800.0 / math.log(10.0)  # normalised Elo of a game whose score is one standard deviation above a half


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its bounds."""

    value: float
    low: float
    high: float
    biased: bool = False  # from games that were stopped because of what they said

    def __str__(self) -> str:
        """As `+12.3 [+1.2, +23.4]`; a value that is infinite is left out."""
        mark = ", biased" if self.biased else ""
        if not math.isfinite(self.value):
            return (f"at least {self.low:+.0f}" if self.value > 0 else f"at most {self.high:+.0f}") + mark
        return f"{self.value:+.1f} {self.interval}{mark}"

    @property
    def interval(self) -> str:
        """The bounds, as `[+1.2, +23.4]`; an open end is left empty."""
        low, high = (f"{bound:+.1f}" if math.isfinite(bound) else "" for bound in (self.low, self.high))
        return f"[{low or '-'}, {high or '-'}]"

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def values(self) -> list[float | None]:
        """Value, low and high for JSON, which knows no infinity."""
        return [finite(number) for number in (self.value, self.low, self.high)]


def finite(number: float | None) -> float | None:
    """A number that JSON can hold."""
    return None if number is None or not math.isfinite(number) else number


def elo(score: float) -> float:
    """The difference in Elo that an expected score means; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else 400.0 * math.log10(score / (1.0 - score))


def expected(difference: float) -> float:
    """The expected score at a difference in Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a pair's score."""
    number = sum(counts)
    mean = sum(count * point for count, point in zip(counts, POINTS, strict=True)) / number
    variance = sum(count * (point - mean) ** 2 for count, point in zip(counts, POINTS, strict=True)) / number
    return mean, variance


def pad_counts(counts: Sequence[float]) -> list[float]:
    """The counts with the pairs that Agresti and Coull add."""
    low, *middle, high = counts
    return [low + Z95**2 / 2.0, *middle, high + Z95**2 / 2.0]


def estimate_score(counts: Sequence[int]) -> Estimate | None:
    """The expected score, from pentanomial counts; None before any pair is whole."""
    if not sum(counts):
        return None
    mean, _ = moments(counts)
    middle, variance = moments(pad_counts(counts))
    error = Z95 * math.sqrt(variance / sum(pad_counts(counts)))
    return Estimate(mean, min(mean, middle - error), max(mean, middle + error))


def estimate_elo(counts: Sequence[int], *, biased: bool = False) -> Estimate | None:
    """The difference in Elo; `biased` where a sequential test ended the match."""
    score = estimate_score(counts)
    if score is None:
        return None
    return Estimate(elo(score.value), elo(score.low), elo(score.high), biased)


def normalised_elo(counts: Sequence[int]) -> float | None:
    """The scale of sequential tests: how many standard deviations of a game the score lies above a half. It is a figure
    of these games and no estimate: for few or one-sided games no bounds of it keep their promise.
    """
    if not sum(counts):
        return None
    mean, variance = moments(counts)
    if variance == 0.0:
        return 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    return (mean - 0.5) / math.sqrt(2.0 * variance) * NORMALISED
