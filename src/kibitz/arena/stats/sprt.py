"""The sequential test that engine people use: two hypotheses, and games only until one of them is clearly worse.

The likelihood ratio is the generalised one of Van den Bergh: each hypothesis is the most likely distribution of pair
scores that obeys it. A test decides; it does not measure: the Elo at its end is biased away from zero.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kibitz.arena.stats.estimate import NORMALISED, POINTS, expected
from kibitz.core.errors import KibitzError

Model = Literal["normalised", "logistic"]
Hypothesis = Literal["H0", "H1"]
WIDEST = {"normalised": 200.0, "logistic": 1000.0}  # bounds beyond these need no sequential test
RARE = 1e-3  # what a count of zero becomes, so that no score is impossible


class BadTest(KibitzError):
    """Hypotheses between which nothing can be decided."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0: the first player is `elo0` stronger or less; H1: it is `elo1` stronger or more. Each error happens with at
    most its rate; between the two either may be accepted.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # H1 accepted though H0 holds
    beta: float = 0.05  # H0 accepted though H1 holds
    model: Model = "normalised"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadTest(f"sprt bounds are {self.elo0:g} and {self.elo1:g}, expected two numbers, the smaller first")
        if max(abs(self.elo0), abs(self.elo1)) > WIDEST[self.model]:
            raise BadTest(
                f"sprt bounds are {self.elo0:g} and {self.elo1:g}, expected at most {WIDEST[self.model]:g} from zero"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise BadTest(f"sprt error rates are {self.alpha:g} and {self.beta:g}, expected between 0 and 0.5")

    def shared_by(self, tests: int) -> "Sprt":
        """The test for one of several pairings: each error happens in any of them with at most its rate."""
        return replace(self, alpha=self.alpha / max(1, tests), beta=self.beta / max(1, tests))

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio, LLR, after these pentanomial counts."""
        number = sum(counts)
        if number == 0:
            return 0.0
        filled = [count or RARE for count in counts]
        total = sum(filled)
        seen = [count / total for count in filled]
        if self.model == "logistic":
            low, high = (with_mean(seen, expected(bound)) for bound in (self.elo0, self.elo1))
        else:
            low, high = (with_t_value(seen, math.sqrt(2.0) * bound / NORMALISED) for bound in (self.elo0, self.elo1))
        return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(seen, low, high, strict=True))

    def decide(self, counts: Sequence[int]) -> Hypothesis | None:
        """Which hypothesis stands; None while more games are needed."""
        ratio = self.ratio(counts)
        low, high = self.bounds
        return "H0" if ratio <= low else "H1" if ratio >= high else None


def with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution over POINTS with this mean, given the frequencies seen."""
    return _tilted(seen, [point - mean for point in POINTS])


def with_t_value(seen: Sequence[float], t_value: float) -> list[float]:
    """The most likely distribution whose mean lies `t_value` standard deviations above a half.

    The constraint is not linear in the probabilities; its tangent at the present guess is, so guesses are repeated
    until they stay where they are.
    """
    guess = [1.0 / len(POINTS)] * len(POINTS)
    for _ in range(100):
        mean = sum(p * point for p, point in zip(guess, POINTS, strict=True))
        deviation = math.sqrt(sum(p * (point - mean) ** 2 for p, point in zip(guess, POINTS, strict=True)))
        slope = t_value * deviation / 2.0
        tangent = [point - 0.5 - slope * (1.0 + ((point - mean) / deviation) ** 2) for point in POINTS]
        better = _tilted(seen, tangent)
        moved = max(abs(new - old) for new, old in zip(better, guess, strict=True))
        guess = better
        if moved < 1e-10:
            break
    return guess


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The most likely distribution in which the mean of these values is zero: seen / (1 + x value), x to be found."""
    low, high = -1.0 / max(values), -1.0 / min(values)
    x = 0.0
    for _ in range(200):  # Newton's steps; one that leaves the bounds halves them instead
        balance = slope = 0.0
        for p, value in zip(seen, values, strict=True):
            share = value / (1.0 + x * value)
            balance += p * share
            slope -= p * share * share
        low, high = (x, high) if balance > 0.0 else (low, x)
        better = x - balance / slope
        if not low < better < high:
            better = (low + high) / 2.0
        if abs(better - x) <= 1e-14 * (1.0 + abs(x)):
            break
        x = better
    return [p / (1.0 + x * value) for p, value in zip(seen, values, strict=True)]
