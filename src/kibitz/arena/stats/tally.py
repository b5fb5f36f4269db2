"""Games of two players, counted.

An opening played twice with sides swapped is a pair. Its two games share what the opening favours, so pairs, not games,
are the independent observations. A pair that repeats an earlier one move by move is none: it is left out of `pairs`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """Games seen from one player: wins, draws, losses, and the scores of pairs that say something new."""

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

    def __add__(self, other: "Tally") -> "Tally":
        low, below, even, above, high = map(sum, zip(self.pairs, other.pairs, strict=True))
        sums = (self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
        return Tally(*sums, (low, below, even, above, high))

    @property
    def pair_count(self) -> int:
        return sum(self.pairs)
